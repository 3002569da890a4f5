"""Words in PPO, and its stages in the order of their counters. `rlcores generate` writes them for Verilog and C++."""

from rlcores.base.words import Word

# The networks in the order of their numbers, which the host names them by.
NETWORKS = ("critic", "actor")

# A record of a rollout from elsewhere above its action and observation. reward, value: sfix(27,16). log: sfix(27,20).
# A core with RECORD_BITS has one bit more above it: the episode was truncated.
ROLLOUT = Word("rollout", ended=1, reward=27, value=27, log=27)

# What a loss needs of a sample besides the network's outputs. Of the policy's, with the action above it: log2 of its
# probability when it acted and the standardised advantage. Of the value's: the value when it acted, and the advantage.
CLIP = Word("clip", log=27, scaled=18)
VALUE = Word("value", before=27, advantage=27)

# Counters of saturations. Those of layers begin with layer 1; the number behind is the network's. A reward's scale
# limits none in the core, so its counter is free for codes.
STAGES = {
    "NONE": 1, "FW1": 4, "FW0": 4, "BW1": 4, "BW0": 4, "GRAD1": 4, "GRAD0": 4, "WEIGHT1": 4, "WEIGHT0": 4,
    "ACC_OVERFLOW": 1, "ACT": 1, "RECORD": 1, "GAE": 1, "STANDARD": 1, "POLICY": 1, "VALUE": 1, "DEVIATION": 1,
}  # fmt: skip
