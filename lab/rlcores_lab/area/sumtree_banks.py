"""Resources of the sum tree in banks: the trees, and what brings lanes to them (docs/sumtree_banks.md)."""

from collections.abc import Mapping

from rlcores.cores.sumtree.shape import timetable
from rlcores_lab.area import common
from rlcores_lab.area.estimate.memory import clog2, up
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part
from rlcores_lab.area.sumtree import DRAW, SUMTREE

Parameters = Mapping[str, int]
_TAG = 16  # bits of a tag, as the top has them


def late(p: Parameters) -> int:
    """Clocks from a lane's request to its target (rlc_sumtree_late.vh)."""
    links = up(p["VALUE_WIDTH"], 26) * up(p["DRAW_WIDTH"] + 1, 17)
    return 4 + (links - 1) * (1 + p["C_REG"])


def _pick_bank(p: Parameters) -> Part:
    """`rlc_sumtree_pickbank`: target, comparison with every sum, rest; its stages."""
    count, value, draw = p["BANKS"], p["VALUE_WIDTH"], p["DRAW_WIDTH"]
    total = p["TOTAL_WIDTH"] + clog2(count)
    stages = late(p) + 3 + value + draw + 1 + count + value + 2 * clog2(count) + total + 1 + value + p["LOCAL_WIDTH"]
    return common.umul(value, draw + 1, p["C_REG"]) + Part(ff=stages)


def _lane(p: Parameters) -> Part:
    """`rlc_sumtree_lane`: its draws, its choice of a bank, and what waits for it."""
    places = max(late(p) + 11, 32)
    draw = DRAW({"DRAW_WIDTH": p["DRAW_WIDTH"], "STRATA": p["STRATA"], "BITS": 2})
    queues = common.fifo(2 + p["TAG_WIDTH"], places) + common.fifo(clog2(p["BANKS"]) + p["LOCAL_WIDTH"], places)
    return draw + queues + _pick_bank(p)


LANE = Module("rlc_sumtree_lane", _lane, lambda p: [p["BANKS"] * p["VALUE_WIDTH"]])


def _xbar(p: Parameters) -> Part:
    """`rlc_sumtree_xbar`: a queue a bank, rows of what all lanes brought."""
    lanes, width = p["LANES"], p["WIDTH"]
    queue = common.fifo(lanes * (width + 1), p["QUEUE"]) + Part(ff=lanes + 1 + width)
    return queue * p["BANKS"]


XBAR = Module("rlc_sumtree_xbar", _xbar, lambda p: [p["BANKS"] * p["LANES"] * p["WIDTH"], p["BANKS"] * p["LANES"]])
FRONT = Module(
    "rlc_sumtree_front",
    lambda p: common.skid(clog2(p["BANKS"]) + p["WIDTH"]) * p["BANKS"] + Part(ff=p["WIDTH"] + p["BANKS"] + 2),
    lambda p: [p["BANKS"] * p["SLOT_WIDTH"]],
    lambda p: [p["SLOT_WIDTH"]],
)


def _prefix_ff(p: Parameters) -> float:
    """A sum of n numbers has log2 n bits more than they."""
    steps = clog2(p["COUNT"])
    return sum((p["WIDTH"] + clog2(min(i + 1, 1 << k))) for k in range(steps + 1) for i in range(p["COUNT"]))


PREFIX = Module(
    "rlc_sumtree_prefix",
    lambda p: Part(ff=_prefix_ff(p)),
    lambda p: [p["COUNT"] / 2 * clog2(p["COUNT"]) * p["WIDTH"]],
)


def shared(p: Parameters) -> Part:
    """All that is not a tree: lanes, queues, sums, the greatest priority."""
    count, width, draw, strata = p["BANKS"], p["PRIORITY_WIDTH"], p["DRAW_WIDTH"], 1
    tag = p.get("TAG_WIDTH", _TAG)
    generation, index = max(p["GENERATION_WIDTH"], 1), p["LEAVES_LOG2"]
    local = width + index
    total = local + clog2(count)
    value, local_value = max(total, draw), max(local, draw)
    lane = {
        "BANKS": count, "TOTAL_WIDTH": local, "DRAW_WIDTH": draw, "VALUE_WIDTH": value, "LOCAL_WIDTH": local_value,
        "TAG_WIDTH": tag, "STRATA": strata, "C_REG": p["BYPASS"],
    }  # fmt: skip
    operation, ask = 7 + index + generation + width + tag, 2 + local_value + tag
    area = LANE(lane) * count
    area += FRONT({"BANKS": count, "SLOT_WIDTH": index + clog2(count), "WIDTH": operation})
    for bits in (operation, ask):
        area += XBAR({"LANES": count, "BANKS": count, "WIDTH": bits, "QUEUE": p["QUEUE"]})
    area += PREFIX({"COUNT": count, "WIDTH": local}) + PREFIX({"COUNT": count, "WIDTH": index + 1})
    area += common.delay(count * total, late(lane) + 1)
    return area + Part(lut=2 * width, ff=width) * (count - 1)


def bank(p: Parameters) -> Part:
    """`rlc_sumtree_tagged`: a tree, and the tags of what is in it."""
    times, tag = timetable(p), p.get("TAG_WIDTH", _TAG)
    return SUMTREE(p) + common.fifo(2 + tag, times.old + 8) + common.fifo(tag, times.exit + 10)


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_sumtree_banks`."""
    if parameters["BANKS"] == 1:
        return bank(parameters).counts
    # A word an operation, chosen between the queue's and a CLEAR's, and the largest priority put in.
    choice = Part(lut=2 * parameters["PRIORITY_WIDTH"] + parameters["LEAVES_LOG2"] + 24)
    return ((bank(parameters) + choice) * parameters["BANKS"] + shared(parameters)).counts
