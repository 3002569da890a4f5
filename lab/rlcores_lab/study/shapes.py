"""What look-ahead costs a row of the GAE array, and what the fan-out costs the sum tree: the papers' two sweeps.

Area is that of the models that `rlcores dse --check` holds against Yosys' counts; clocks are the timetable that the RTL
is tested with. So a sweep takes a second, and nothing is synthesised.
"""

from typing import NamedTuple

from rlcores.base.report import Figure
from rlcores.cores.sumtree import shape
from rlcores.eda import configs
from rlcores_lab.area import gae as gae_area
from rlcores_lab.area import sumtree as sumtree_area

LOOKAHEADS, RADIXES = (1, 2, 3, 4), (1, 2, 3, 4, 5, 6)


class Row(NamedTuple):
    """A row of the array with look-ahead k: its share of the core."""

    k: int
    dsp: float
    lut: float
    ff: float


class Tree(NamedTuple):
    """A tree of 2**20 leaves with fan-out K."""

    fanout: int
    clocks: int  # of a sample; one is accepted in every clock
    lut: float
    bram36: float


def lookahead() -> list[Row]:
    """Rows of `paper64` (Taha and Abdelhadi 2025, Figure 11)."""
    rows = []
    for k in LOOKAHEADS:
        p = {**configs.load("gae", "paper64"), "LOOKAHEAD": k}
        total = gae_area.total(p)
        rows.append(Row(k, *(total[what] / p["ROWS"] for what in ("dsp", "lut", "ff"))))
    return rows


def fanout() -> list[Tree]:
    """Trees of `u200` (Zhang et al. 2021, Figure 9), each memory with a read of two clocks."""
    listed = []
    for radix in RADIXES:
        p = {**configs.load("sumtree", "u200"), "RADIX_LOG2": radix, "WIDE_LATENCY": 2, "NARROW_LATENCY": 2}
        total = sumtree_area.total(p)
        listed.append(Tree(1 << radix, shape.latency(p), total["lut"], total["bram36"]))
    return listed


def figures() -> list[Figure]:
    """Of both, for --json."""
    listed = []
    for row in lookahead():
        each = zip(("dsp", "lut", "ff"), row[1:], strict=True)
        listed += [(f"lookahead{row.k}.{unit}_per_row", value, unit) for unit, value in each]
    for tree in fanout():
        each = zip(("clocks", "lut", "bram36"), tree[1:], strict=True)
        listed += [(f"fanout{tree.fanout}.{unit}", value, unit) for unit, value in each]
    return [Figure(f"shapes.{name}", round(value, 1), unit, "model") for name, value, unit in listed]
