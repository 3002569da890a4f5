"""Words in the learner, and its stages in the order of their counters. `rlcores generate` writes them for Verilog."""

from rlcores.base import limits
from rlcores.base.words import Word

_PLACE = (limits.NEURONS - 1).bit_length()  # bits of a place in a layer

# A group of a layer's weights: docs/learner_update.md, "Order".
WEIGHT_ADDR = Word("weight_addr", bias=1, **dict.fromkeys(("jw", "jof", "jg", "js", "iw", "iof", "ig", "is"), _PLACE))

# What is known of a record besides its vectors. valid: it trains. last: the batch's last one.
INFO = Word("info", last=1, valid=1, terminated=1, action=16, reward=27, weight=18)

# The first elements of a record, 32 bits each. weight: that of its error; on the way to the replay learner its initial
# priority instead. action: an index; of numbers, which come behind, only whether the record is valid.
ELEMENTS = {"action": 0, "reward": 1, "weight": 2}
KIND = Word("kind", terminated=1, action=31)  # what element `action` holds

# The networks of a core in the order of their numbers, which the host names them by; without an actor the first alone.
NETWORKS = ("value", "actor")

# Stages of one network, a layer each but the last: forward, target, backward, gradient, update; sums that overflow.
NETWORK_STAGES = {"FW": 4, "TFW": 4, "BW": 4, "WA": 4, "WU": 4, "ACC_OVERFLOW": 1}

# Stages of the core, and of how many there is none. Those of layers begin with layer 1; a: the actor's; q: on the
# actor's way through the critic.
STAGES = {
    "IN": 1, "FW": 4, "TFW": 4, "TD": 1, "DELTA": 1, "BW": 4, "WA": 4, "WU": 4, "ACC_OVERFLOW": 1, "NONE": 9,
    "FWa": 4, "TFWa": 4, "FWq": 4, "BWq": 4, "BWa": 4, "WAa": 4, "WUa": 4, "TAIL": 1, "ACC_OVERFLOWa": 1, "END": 1,
}  # fmt: skip
