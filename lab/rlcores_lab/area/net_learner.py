"""Resources of the net learner, `rlc_net_learner`: a replay server's front, the replay learner, three sets of weights.

Memories and the words of the sets are counted from their Verilog; registers and control are what yosys counted of the
configuration `tiny`.
"""

from collections.abc import Mapping

from rlcores.cores.learner.format import WEIGHT_WIDTH
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.net_learner.text import acting, record_bytes
from rlcores_lab.area import common
from rlcores_lab.area import replay_learner as loop_area
from rlcores_lab.area import replay_server as server_area
from rlcores_lab.area.estimate.memory import block, distributed
from rlcores_lab.area.estimate.part import Counts, Part, named, of

_BLOCK_FROM = 65  # groups of a layer's three sets that are in block RAM
_SERVE = Part(lut=503, ff=314)  # requests, the order of experiences and gradient steps
_SETS = Part(lut=120, ff=260)  # numbers and places of the sets


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_net_learner`."""
    p = parameters
    shape = LearnerShape.of(p)
    network = acting(shape)
    # Whether it has weights at all is what counts for the front, not how many.
    options = {"RECORD_BYTES": record_bytes(shape), "SAMPLE_MAX": 1, "WEIGHTS_MAX": 8, "BANKS": 1, "LEARNS": 1}
    area = _SERVE + _SETS + server_area.front({**p, **options}) + common.skid(64)
    area += Part(ff=32 * shape.value.lanes[0])  # a word of an experience
    for layer in range(1, network.layers + 1):
        width = network.update_lanes(layer) * WEIGHT_WIDTH
        depth = 3 * (network.weight_groups(layer) + network.bias_groups(layer))
        area += block(width, depth) if depth >= _BLOCK_FROM else of(distributed(width, depth), width)
        area += Part(lut=width)  # which words of a group are read
    return (area + named(loop_area.total(dict(p) | {"HELD": 1}))).counts
