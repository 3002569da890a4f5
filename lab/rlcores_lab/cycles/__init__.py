"""Clocks of whole loops, which only the exploration asks for; those of a core stand in its slice."""
