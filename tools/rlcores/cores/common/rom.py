"""The size of a table that fits one block of RAM."""

WORDS = 512
WIDTH = 36
