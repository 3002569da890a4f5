"""What a piece of a core takes; pieces add up and repeat."""

from collections.abc import Mapping
from operator import add
from typing import NamedTuple

Counts = dict[str, float]


class Part(NamedTuple):
    """Resources of a piece. bram36 counts RAMB18s as halves."""

    lut: float = 0
    ff: float = 0
    dsp: float = 0
    bram36: float = 0
    uram: float = 0

    def __add__(self, other: "Part") -> "Part":
        return Part(*map(add, self, other))

    def __mul__(self, times: float) -> "Part":
        return Part(*(number * times for number in self))

    @property
    def counts(self) -> Counts:
        """The same by name."""
        return self._asdict()


def of(memory: Part, ff: float = 0) -> Part:
    """A memory, and the registers at it."""
    return memory + Part(ff=ff)


def named(counts: Mapping[str, float]) -> Part:
    """From counts by name."""
    return Part(*(counts.get(resource, 0) for resource in Part._fields))
