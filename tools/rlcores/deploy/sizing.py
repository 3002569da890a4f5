"""The smallest array that keeps a latency, by counted clocks, multipliers and blocks of memory."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rlcores.base.arguments import choice
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.shape import MULTIPLIERS, MlpShape
from rlcores.deploy import devices
from rlcores.eda import boards
from rlcores.errors import UserError

ASSUMED_MHZ = 200.0
_MOST_LUTS = 0.6  # of a device's, for products without multipliers
_SIDES = tuple(1 << n for n in range(7))  # rows and columns


@dataclass(frozen=True)
class Sized:
    """A shape with its array, its clock, and whose clock that is."""

    shape: MlpShape
    clock: boards.Clock

    @property
    def clocks(self) -> int:
        """Clocks from an observation's last word to its action."""
        return cycles.answer(self.shape)

    @property
    def nanoseconds(self) -> float:
        """The same in nanoseconds."""
        return self.clocks * 1000 / self.clock.mhz

    @property
    def rate(self) -> float:
        """Actions per second, if the next observation is ready when an action leaves."""
        words = self.shape.pieces(self.shape.sizes[0], self.shape.cols)
        return self.clock.mhz * 1e6 / (cycles.interval(self.shape) + words - 1)


def arrays(shape: MlpShape, multipliers: Sequence[str] = ("one",)) -> list[MlpShape]:
    """The shape on every array of up to 64 × 64 that the core takes, with these kinds of multipliers."""
    return [
        replace(shape, rows=rows, cols=cols, acts=acts, multiplier=multiplier)
        for rows, cols, acts, multiplier in itertools.product(_SIDES, _SIDES, _SIDES, multipliers)
        if acts <= min(rows, cols) and not (multiplier == "pair" and rows == 1)
    ]


def size(
    shape: MlpShape,
    device: str | None = None,
    latency: float | None = None,
    rate: float | None = None,
    multiplier: str = "auto",
) -> Sized:
    """The array with the fewest multipliers that keeps a latency and a rate, and of those the quickest.

    device: a board that is declared or a chip (`devices.CHIPS`), whose clock, multipliers and memory count; without one
    200 MHz is assumed and nothing limits. latency: seconds at most; rate: actions per second at least. multiplier:
    "one", "pair" (two products share one), "lut" (none), or "auto": "pair" where the device's multipliers are wide
    enough. Without latency and rate, the array of 16 products or fewer per clock that is the quickest. Raises UserError
    that says the limit if none is quick enough or fits.
    """
    chip = devices.of(device) if device else None
    clock = chip.clock if chip else boards.Clock(ASSUMED_MHZ)
    room = chip.multipliers if chip else None
    choice("--multiplier", multiplier, ("auto", *MULTIPLIERS))
    tried = [multiplier] if multiplier != "auto" else ["pair", "one"] if chip else ["one"]
    if chip:
        tried = [kind for kind in tried if kind == "lut" or chip.takes(replace(shape, multiplier=kind))]
    if chip and not tried:
        what = "two products in one multiplier take" if multiplier == "pair" else "the formats have"
        factors, widths = f"{chip.product[0]} by {chip.product[1]}", (shape.weight_width, shape.act_width)
        needed = (2 * widths[0] + widths[1] + 1, widths[1]) if multiplier == "pair" else widths
        raise UserError(f"{device} multiplies {factors} bits; {what} {needed[0]} and {needed[1]}")
    candidates = [Sized(candidate, clock) for candidate in arrays(shape, tried)]
    fitting = [f for f in candidates if chip is None or cycles.dsps(f.shape) <= chip.multipliers]
    if not fitting:
        least = min(cycles.dsps(f.shape) for f in candidates)
        raise UserError(f"the smallest array takes {least} multipliers, and {device} has {room}")
    if chip:
        fitting = [f for f in fitting if devices.product_luts(f.shape) <= _MOST_LUTS * chip.luts]
    if chip:
        least = min(devices.blocks(f.shape, chip.memory) for f in fitting)
        fitting = [f for f in fitting if devices.blocks(f.shape, chip.memory) <= chip.memory.blocks]
        if not fitting:
            raise UserError(
                f"two versions of the weights take {least} blocks of memory at least, and {device} has "
                f"{chip.memory.blocks}; fewer bits or a smaller network fit"
            )
    if latency is None and rate is None:
        small = [f for f in fitting if f.shape.rows * f.shape.cols <= 16]
        return min(small, key=_cost_last)
    quick = [
        f for f in fitting if (latency is None or f.nanoseconds <= latency * 1e9) and (rate is None or f.rate >= rate)
    ]
    if not quick:
        best = min(fitting, key=lambda f: f.clocks)
        where = f"on {device} ({room} multipliers, {clock})" if chip else f"at {clock}"
        raise UserError(
            f"the quickest array {where} answers in {best.nanoseconds:.0f} ns, {best.rate:.0f} times a second, "
            f"with {cycles.dsps(best.shape)} multipliers"
        )
    return min(quick, key=_cost_first)


def _cost_first(f: Sized) -> tuple[int, ...]:
    return cycles.dsps(f.shape), devices.product_luts(f.shape), f.clocks


def _cost_last(f: Sized) -> tuple[int, ...]:
    return f.clocks, cycles.dsps(f.shape), devices.product_luts(f.shape)
