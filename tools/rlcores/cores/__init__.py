"""A slice a core: integer model, float64 reference, driver and the API that people call (api.py)."""
