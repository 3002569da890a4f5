"""Clocks of each core and of whole loops, counted without the RTL; `rlcores deploy` has those of a deployed network."""
