"""Words between a sum tree and its neighbours. `rlcores generate` writes the positions for Verilog."""

from rlcores.base.words import Word

# What the registers say of the tree. largest: priority. next: the slot that is written next.
TREE = Word("tree", largest=32, total=64, next=32, size=32)

# Importance weights over several banks. log: log2 of the largest weight of a batch, ufix with 35 fraction bits, 2^43
# above. own: of one bank, to the others; all: of all banks, back. exact: weights are those of all banks together.
LOG = 44
OWN = Word("own", valid=1, log=LOG)
ALL = Word("all", exact=1, valid=1, log=LOG)

# Beats of rlc_sumtree_axi's streams: an operation and its answer, a sample that is asked for and its answer. 0: unused.
OP = Word("op", rest=26, td=1, max=1, check=1, kind=3, generation=32, priority=32, index=32)
DONE = Word("done", rest=26, status=2, zero=1, kind=3, generation=32, priority=32, index=32)
ASK = Word("ask", kind=2, value=62)
DRAWN = Word("drawn", rest=62, status=2, weight=32, generation=32, total=64, priority=32, index=32)

# In the replay learner: an operation on its way to the tree, without its priority. own: an update of the loop's.
PLAN = Word("plan", own=1, reserve=1, td=1, max=1, check=1, kind=3, generation=32, index=32)

WORDS = [TREE, OWN, ALL, OP, DONE, ASK, DRAWN, PLAN]
