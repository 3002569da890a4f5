"""The smallest array that keeps a latency, by counted clocks, multipliers and blocks of memory."""

import itertools
from dataclasses import dataclass, replace

from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.shape import Shape
from rlcores.deploy import devices
from rlcores.engine import boards
from rlcores.errors import UserError

ASSUMED_MHZ = 200.0
_SIDES = tuple(1 << n for n in range(7))  # rows and columns


@dataclass(frozen=True)
class Sized:
    """A shape with its array, its clock, and whose clock that is."""

    shape: Shape
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


def arrays(shape: Shape) -> list[Shape]:
    """The shape on every array of up to 64 × 64 that the core takes."""
    return [
        replace(shape, rows=rows, cols=cols, acts=acts)
        for rows, cols, acts in itertools.product(_SIDES, _SIDES, _SIDES)
        if acts <= min(rows, cols)
    ]


def size(shape: Shape, device: str | None = None, latency: float | None = None, rate: float | None = None) -> Sized:
    """The array with the fewest multipliers that keeps a latency and a rate, and of those the quickest.

    device: a board that is declared or a chip (`devices.CHIPS`), whose clock, multipliers and memory count; without one
    200 MHz is assumed and nothing limits. latency: seconds at most; rate: actions per second at least. Without
    either, the array of 16 multipliers or fewer that is the quickest. Raises UserError that says the limit if none
    is quick enough or fits.
    """
    chip = devices.of(device) if device else None
    clock = chip.clock if chip else boards.Clock(ASSUMED_MHZ)
    room = chip.multipliers if chip else None
    if chip and (shape.weight_width > chip.product[0] or shape.act_width > chip.product[1]):
        factors = f"{chip.product[0]} by {chip.product[1]}"
        raise UserError(
            f"{device} multiplies {factors} bits; the formats have {shape.weight_width} and {shape.act_width}"
        )
    found = [Sized(candidate, clock) for candidate in arrays(shape)]
    fitting = [f for f in found if chip is None or cycles.dsps(f.shape) <= chip.multipliers]
    if not fitting:
        least = min(cycles.dsps(f.shape) for f in found)
        raise UserError(f"the smallest array takes {least} multipliers, and {device} has {room}")
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
        return min(small, key=lambda f: (f.clocks, cycles.dsps(f.shape)))
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
    return min(quick, key=lambda f: (cycles.dsps(f.shape), f.clocks))
