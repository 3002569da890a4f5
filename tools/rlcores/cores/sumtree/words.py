"""Words between a sum tree and who stands beside it. `rlcores generate` writes the positions for Verilog."""

from rlcores.base.words import Word

# What the registers say of the tree. largest: priority. next: the slot that is written next.
TREE = Word("tree", largest=32, total=64, next=32, size=32)

# Importance weights over several banks. log: log2 of the largest weight of a batch, ufix with 35 fraction bits, 2^43
# above. own: of one bank, to the others; all: of all banks, back. exact: weights are those of all banks together.
LOG = 44
OWN = Word("own", valid=1, log=LOG)
ALL = Word("all", exact=1, valid=1, log=LOG)

WORDS = [TREE, OWN, ALL]
