"""Words in PPO, and its stages in the order of their counters. `rlcores generate` writes them for Verilog and C++."""

from rlcores.base.words import Word

# The networks in the order of their numbers, which the host names them by.
NETWORKS = ("critic", "actor")

# A record of a rollout from elsewhere above its action and observation. reward, value: sfix(27,16). log: sfix(27,20).
# A core with RECORD_BITS has one bit more above it: the episode was truncated.
ROLLOUT = Word("rollout", ended=1, reward=27, value=27, log=27)

# Counters of saturations. Those of layers begin with layer 1; a: the actor's. A reward's scale limits none in the core,
# so its counter is free for codes.
STAGES = {
    "NONE": 1, "FWa": 4, "FW": 4, "BWa": 4, "BW": 4, "GRADa": 4, "GRAD": 4, "WEIGHTa": 4, "WEIGHT": 4,
    "ACC_OVERFLOW": 1, "ACT": 1, "RECORD": 1, "GAE": 1, "STANDARD": 1, "POLICY": 1, "VALUE": 1, "DEVIATION": 1,
}  # fmt: skip
