"""What a board offers a design: its resources, the share of them that may be filled, and its dies (SLRs)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rlcores.eda import boards
from rlcores.errors import UserError

# Beyond this share of LUTs and flip-flops a design is not expected to route.
FILL = {"lut": 0.8, "ff": 0.8, "dsp": 1.0, "bram36": 0.95, "uram": 0.95}
_NAMES = {"lut": "LUTs", "ff": "flip-flops", "dsp": "DSP slices", "bram36": "block RAMs", "uram": "UltraRAMs"}


@dataclass(frozen=True)
class Board:
    """Resources that a design may take, already reduced to the share that may be filled."""

    name: str
    part: str
    dies: int
    clock: boards.Clock  # of the cores on it
    die: dict[str, float]  # of one die; the host's interface and the DDR4 controller share one with the replay memory
    stream_bits: int

    @property
    def whole(self) -> dict[str, float]:
        """Of all dies."""
        return {r: self.dies * n for r, n in self.die.items()}

    def limited(self, dsp: int) -> "Board":
        """The same with no more than `dsp` DSP slices a die."""
        return replace(self, die=self.die | {"dsp": min(self.die["dsp"], dsp)})


def names() -> list[str]:
    """Boards that have resource models."""
    return [name for name in boards.names() if boards.of(name).family == "xcup"]


def board(name: str, fill: float | None = None) -> Board:
    """The board of that name. fill: share of LUTs and flip-flops that may be filled (default: 0.8).

    Raises UserError when there is none, or when fill is no share.
    """
    if name not in names():
        raise UserError(f"there is no board '{name}' with resource models; boards: {', '.join(names())}")
    if fill is not None and not 0 < fill <= 1:
        raise UserError(f"the share of LUTs and flip-flops to fill is {fill:g}; it must be above 0 and at most 1")
    declaration = boards.of(name)
    share = FILL | ({} if fill is None else {"lut": fill, "ff": fill})
    die = {r: share[r] * n / declaration.dies for r, n in declaration.resources.items() if r in share}
    return Board(name, declaration.part, declaration.dies, declaration.clock, die, declaration.stream_bits)


def short(need: Mapping[str, float], have: Mapping[str, float]) -> dict[str, float]:
    """By how much each resource falls short; empty when all fits."""
    return {r: need.get(r, 0) - n for r, n in have.items() if need.get(r, 0) > n}


def say(missing: Mapping[str, float]) -> str:
    """'3,412 DSP slices and 12 block RAMs'."""
    said = [f"{-(-n // 1):,.0f} {_NAMES[r]}" for r, n in missing.items()]
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))


def packed(units: Sequence[Mapping[str, float]], bins: Sequence[Mapping[str, float]]) -> list[int] | None:
    """Units, in the order of the pipeline, to dies: the first die until it is full, then the next one.

    Only queues between units then cross a die's edge. Returns the die of each unit, or None when they do not fit.
    """
    left = [dict(b) for b in bins]
    dies, at = [], 0
    for unit in units:
        while at < len(left) and short(unit, left[at]):
            at += 1
        if at == len(left):
            return None
        for r in left[at]:
            left[at][r] -= unit.get(r, 0)
        dies.append(at)
    return dies
