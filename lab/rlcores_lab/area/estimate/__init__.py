"""Area before synthesis: counts of a part's resources, fitted to what yosys has counted (measurements.json)."""
