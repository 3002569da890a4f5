"""A slice a core: integer model, float64 reference, cycles, area, driver and the API that people call (api.py)."""
