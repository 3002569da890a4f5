"""Resources of the GAE core and the sum tree behind a serial line, `rlc_serial`."""

from collections.abc import Mapping

from rlcores_lab.area import gae as gae_area
from rlcores_lab.area.estimate.memory import block, clog2
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, of
from rlcores_lab.area.sumtree_maths import AXI

Parameters = Mapping[str, int]


def _words_ff(p: Parameters) -> int:
    return 32 * p["WORDS"] + clog2(p["WORDS"]) + 3


WIDEN = Module("rlc_serial_widen", lambda p: Part(lut=2 * p["WORDS"] + 1, ff=_words_ff(p)))
NARROW = Module(
    "rlc_serial_narrow", lambda p: Part(ff=_words_ff(p)), lambda p: [p["WORDS"], p["WORDS"] * clog2(p["WORDS"])]
)
BRIDGE = Module(
    "rlc_serial_bridge",
    lambda p: of(block(32, p["WORDS"])),
    lambda p: [1, clog2(p["WORDS"])],
    lambda p: [1, clog2(p["WORDS"]), p["GAP_LOG2"] + p["WAIT_LOG2"]],
)
SPLIT = Module("rlc_axil_split", lambda p: Part(), lambda p: [p["PORTS"]], lambda p: [1, p["PORTS"]])


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_serial`."""
    area = gae_area.axi(parameters) + AXI(parameters) + BRIDGE(parameters) + SPLIT({"PORTS": 2})
    beat = 2 * parameters["BEAT"]
    for words in (beat, 4, 2):
        area += WIDEN({"WORDS": words})
    for words in (beat, 4, 8):
        area += NARROW({"WORDS": words})
    return area.counts
