"""Resources of the replay server in banks, `rlc_net_banks`: the servers, and what stands between them and the line.

Counted from its Verilog; Yosys has not counted it yet.
"""

from collections.abc import Mapping

from rlcores.cores.common import area as common
from rlcores.cores.net import area
from rlcores.engine.estimate.memory import block, clog2
from rlcores.engine.estimate.part import Counts, Part, named

_HEAD = 48  # source or destination
_LENGTH = 16
_FRAMES = 32  # answers of a bank that wait


def total(parameters: Mapping[str, int]) -> Counts:
    """Resources of `rlc_net_banks`."""
    p = parameters
    banks, width, depth = p["BANKS"], 8 * p["BYTES"], p["DEPTH"]
    beat = width + p["BYTES"] + 1 + _HEAD
    # A queue of beats, its word out of a beat, answers until they are whole.
    one = named(area.total(p)) + block(beat, depth) + Part(lut=width / 3 + 40, ff=60) + common.skid(64 + 8 + 1 + _HEAD)
    one += block(width, depth) + common.fifo(_HEAD + _LENGTH, _FRAMES)
    one += Part(lut=100, ff=width + 250 + 4 * clog2(depth))
    split = Part(lut=3 * banks, ff=beat + 10)
    join = common.skid(beat + _LENGTH) + Part(lut=(width + _HEAD + _LENGTH) * (banks - 1) / 3 + 4 * banks, ff=2 * banks)
    return (one * banks + split + join).counts
