"""The sum tree's levels and timetable, as rlc_sumtree_defs.vh derives them from the parameters."""

from collections.abc import Mapping
from dataclasses import dataclass


def _groups(bits: int, of: int) -> int:
    """Groups of `of` bits, the last one perhaps of fewer."""
    return -(-bits // of)


def digit(code: int, place: int) -> int:
    """The digit of a code for a place, the leaves' last; the leading digit holds for the rest."""
    text = str(code)
    return int(text[max(0, len(text) - 1 - place)])


@dataclass(frozen=True)
class TreeLevel:
    """A level of the tree; place 0 holds the leaves."""

    bits: int  # log2 of the children of a node
    word_bits: int  # log2 of the words
    width: int  # bits of a child's sum
    lanes: int  # children in a word
    read: int  # clocks of a read
    sums: int  # clocks of its additions

    @property
    def clocks(self) -> int:
        """Clocks of a sample in it."""
        return self.read + self.sums + self.bits


def places(p: Mapping[str, int]) -> list[TreeLevel]:
    """The levels of a tree, the leaves first. Raises ValueError when a digit of RADIX_LOG2 is not 1 to 6."""
    if any(d not in "123456" for d in str(p["RADIX_LOG2"])):
        raise ValueError(f"RADIX_LOG2 is {p['RADIX_LOG2']}; every digit must be 1 to 6")
    levels: list[TreeLevel] = []
    left, below = p["LEAVES_LOG2"], 0
    while left:
        bits = min(digit(p["RADIX_LOG2"], len(levels)), left)
        left -= bits
        place = len(levels)
        count = (1 << bits) - (place > 0)
        read = digit(p["WIDE_LATENCY"], place) if left else 0
        levels.append(TreeLevel(bits, left, p["PRIORITY_WIDTH"] + below, count, read, _groups(bits - 1, p["ADDS"])))
        below += bits
    return levels


def multipliers(p: Mapping[str, int]) -> int:
    """DSP slices that scale a draw to the total."""
    return _groups(p["PRIORITY_WIDTH"] + p["LEAVES_LOG2"], 26) * _groups(p["DRAW_WIDTH"], 17)


@dataclass(frozen=True)
class Timetable:
    """Clocks after an operation or a sample entered the tree."""

    head: int  # the leaf word with the old priority
    multiply: int  # clocks of the multiplier
    place: tuple[int, ...]  # a sample's read of a place begins
    enter: tuple[int, ...]  # an operation's work in a place begins
    exit: int  # the sample's answer

    @property
    def old(self) -> int:
        """The priority before the operation."""
        return self.head + 1

    @property
    def total(self) -> int:
        """The total with this operation."""
        return self.head + 3


def timetable(p: Mapping[str, int]) -> Timetable:
    """Of a tree."""
    levels = places(p)
    head = levels[0].read if p["SHARED"] or len(levels) == 1 else p["HEAD_LATENCY"]
    multiply = 3 + (multipliers(p) - 1) * (1 + p["BYPASS"])
    clock = head + 3 + multiply + 1
    begins: list[int] = []
    for level in reversed(levels):
        begins.insert(0, clock)
        clock += level.clocks
    enters = [
        begin - 1 - (digit(p["NARROW_LATENCY"], place - 1) + 2 if place else 0) for place, begin in enumerate(begins)
    ]
    return Timetable(head, multiply, tuple(begins), tuple(enters), clock)


def latency(p: Mapping[str, int]) -> int:
    """Clocks from a sample's acceptance to its answer (docs/sumtree.md, "Time")."""
    return timetable(p).exit + 5
