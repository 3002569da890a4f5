"""Counters of the policy core, in their order. `rlcores generate` writes them for Verilog and C++."""

# dropped: sets of weights. saturated: numbers of a layer, from layer 1 on. beyond: numbers of the head. range: vectors
# with a sum near the end of its range. taken: sets of weights.
STAGES = {"DROPPED": 1, "SATURATED": 4, "HEAD_SATURATED": 1, "ACC_OVERFLOW": 1, "TAKEN": 1}
