"""Devices that a policy is sized for: boards that are declared, and chips by themselves.

A chip's clock is assumed, and said to be; its multipliers and memories are those of its data sheet.
"""

from dataclasses import dataclass

from rlcores.cores.mlp.shape import Shape
from rlcores.engine import boards
from rlcores.errors import UserError


@dataclass(frozen=True)
class Memory:
    """Blocks of memory: how many, and a block's words and bits."""

    blocks: int
    words: int
    bits: int

    def needed(self, words: int, bits: int) -> int:
        """Blocks of a memory of so many words of so many bits."""
        return -(-words // self.words) * -(-bits // self.bits)


@dataclass(frozen=True)
class Device:
    """What sizing counts. product: bits of the two factors of a multiplier."""

    name: str
    clock: boards.Clock
    multipliers: int
    memory: Memory
    product: tuple[int, int] = (18, 18)


def _ecp5(multipliers: int, blocks: int) -> tuple[float, int, Memory]:
    return 50.0, multipliers, Memory(blocks, 512, 36)


def _series7(multipliers: int, blocks: int) -> tuple[float, int, Memory]:
    return 100.0, multipliers, Memory(2 * blocks, 512, 36)


# MHz that are assumed, multipliers, memory.
_CHIPS = {
    "ecp5-12": _ecp5(28, 32),
    "ecp5-25": _ecp5(28, 56),
    "ecp5-45": _ecp5(72, 108),
    "ecp5-85": _ecp5(156, 208),
    "up5k": (20.0, 8, Memory(30, 256, 16)),
    "artix7-35": _series7(90, 50),
    "artix7-100": _series7(240, 135),
    "zynq7-20": _series7(220, 140),
}
CHIPS = tuple(_CHIPS)


def of(name: str) -> Device:
    """A board or a chip by its name. Raises UserError that lists both."""
    if name in boards.names():
        board = boards.of(name)
        half = board.resources.get("bram18") or 2 * board.resources.get("bram36", 0)
        return Device(name, board.clock, board.resources["dsp"], Memory(half, 512, 36))
    if name not in _CHIPS:
        known = ", ".join([*boards.names(), *CHIPS])
        raise UserError(f"the device '{name}' is not known; boards and chips: {known}")
    mhz, multipliers, memory = _CHIPS[name]
    return Device(name, boards.Clock(mhz), multipliers, memory, (16, 16) if name == "up5k" else (18, 18))


def blocks(shape: Shape, memory: Memory) -> int:
    """Blocks of memory of a core's weights and biases, both versions of each."""
    weights = memory.needed(2 << max(1, (shape.steps - 1).bit_length()), shape.weight_parts * 32)
    return weights + memory.needed(2 << max(1, (shape.groups - 1).bit_length()), shape.rows * 32)
