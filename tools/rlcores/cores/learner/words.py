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

# Numbers of fraction bits of one network, of each vector or layer from 0 on.
FRACTIONS = Word("fractions", grad=30, delta=25, act=25)

# Stages of one network, a layer each but the last: forward, target, backward, gradient, update; sums that overflow.
NETWORK_STAGES = {"FW": 4, "TFW": 4, "BW": 4, "WA": 4, "WU": 4, "ACC_OVERFLOW": 1}


def _of(network: int) -> dict[str, int]:
    return {f"{name}{network}": count for name, count in NETWORK_STAGES.items()}


# Stages of the core, and of how many there is none: network n has those from 32 n + 1 on. Those of layers begin with
# layer 1. PASS: the actor's way through the critic; TAIL: through its tanh.
STAGES = {
    "IN": 1, **_of(0), "TD": 1, "DELTA": 1, "NONE": 9, **_of(1), "TAIL": 1, "PASS_FW": 4, "PASS_BW": 4, "END": 1,
}  # fmt: skip
