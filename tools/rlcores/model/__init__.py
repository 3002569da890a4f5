"""Bit-exact integer models of the cores, and float64 references. They need numpy and nothing else."""
