"""What a piece of a core takes; pieces add up and repeat."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.engine.estimate.memory import Memory

Counts = dict[str, float]


@dataclass(frozen=True)
class Part:
    """Resources of a piece. bram36 counts RAMB18s as halves."""

    lut: float = 0
    ff: float = 0
    dsp: float = 0
    bram36: float = 0
    uram: float = 0

    def __add__(self, other: "Part") -> "Part":
        return Part(
            self.lut + other.lut,
            self.ff + other.ff,
            self.dsp + other.dsp,
            self.bram36 + other.bram36,
            self.uram + other.uram,
        )

    def __mul__(self, times: float) -> "Part":
        return Part(self.lut * times, self.ff * times, self.dsp * times, self.bram36 * times, self.uram * times)

    @property
    def counts(self) -> Counts:
        """The same by name."""
        return {"lut": self.lut, "ff": self.ff, "dsp": self.dsp, "bram36": self.bram36, "uram": self.uram}


def of(memory: Memory, ff: float = 0) -> Part:
    """A memory, and the registers at it."""
    return Part(memory.lut, memory.ff + ff, 0, memory.bram36, memory.uram)


def named(counts: Mapping[str, float]) -> Part:
    """From counts by name."""
    return Part(**{r: counts.get(r, 0) for r in ("lut", "ff", "dsp", "bram36", "uram")})
