"""Register-level drivers of the cores, written once over rlcores.bus.Bus."""
