"""Devices that a policy is sized for: boards that are declared, and chips by themselves.

A chip's clock is an assumption, and marked as one; its multipliers and memories are those of its data sheet.
"""

from dataclasses import dataclass

from rlcores.cores.mlp.shape import MlpShape
from rlcores.eda import boards
from rlcores.errors import UserError


@dataclass(frozen=True)
class Memory:
    """Blocks of memory: how many, and a block's words and bits."""

    blocks: int
    words: int
    bits: int

    def needed(self, words: int, bits: int) -> int:
        """Blocks of a memory of `words` words of `bits` bits."""
        return -(-words // self.words) * -(-bits // self.bits)


@dataclass(frozen=True)
class Device:
    """What sizing counts. product: bits of the two factors of a multiplier, the wider one first."""

    name: str
    clock: boards.Clock
    multipliers: int
    memory: Memory
    luts: int
    product: tuple[int, int] = (18, 18)

    def takes(self, shape: MlpShape) -> bool:
        """Whether a multiplier takes a product of a weight and an element, or two of them with "pair"."""
        wide, narrow = self.product
        weight, element = shape.weight_width, shape.act_width
        if shape.multiplier == "pair":
            return 2 * weight + element + 1 <= wide and element <= narrow
        return max(weight, element) <= wide and min(weight, element) <= narrow


def _ecp5(multipliers: int, blocks: int, luts: int) -> tuple[float, int, Memory, int, tuple[int, int]]:
    return 50.0, multipliers, Memory(blocks, 512, 36), luts, (18, 18)


def _series7(multipliers: int, blocks: int, luts: int) -> tuple[float, int, Memory, int, tuple[int, int]]:
    return 100.0, multipliers, Memory(2 * blocks, 512, 36), luts, (25, 18)


# MHz that are assumed, multipliers, memory, LUTs, factors.
_CHIPS = {
    "ecp5-12": _ecp5(28, 32, 12096),
    "ecp5-25": _ecp5(28, 56, 24288),
    "ecp5-45": _ecp5(72, 108, 43848),
    "colorlight_i9": _ecp5(72, 108, 43848),  # an LFE5U-45F
    "ecp5-85": _ecp5(156, 208, 83640),
    "up5k": (20.0, 8, Memory(30, 256, 16), 5280, (16, 16)),
    "artix7-35": _series7(90, 50, 20800),
    "artix7-100": _series7(240, 135, 63400),
    "zynq7-20": _series7(220, 140, 53200),
}
_PRODUCTS = {"xcup": (27, 18), "ecp5": (18, 18)}
CHIPS = tuple(_CHIPS)


def of(name: str) -> Device:
    """A board or a chip by its name. Raises UserError that lists both."""
    if name in boards.names():
        board = boards.of(name)
        half = board.resources.get("bram18") or 2 * board.resources.get("bram36", 0)
        memory, luts = Memory(half, 512, 36), board.resources["lut"]
        return Device(name, board.clock, board.resources["dsp"], memory, luts, _PRODUCTS[board.family])
    if name not in _CHIPS:
        known = ", ".join([*boards.names(), *CHIPS])
        raise UserError(f"the device '{name}' is not known; boards and chips: {known}")
    mhz, *rest = _CHIPS[name]
    return Device(name, boards.Clock(mhz), *rest)


def product_luts(shape: MlpShape) -> int:
    """LUTs of the array's products with "lut": 2.1 per bit of a weight and bit of an element, as Yosys builds them for
    LUTs of 4 inputs (8 by 8 bits: 134 on an ECP5, 127 on an iCE40; 4 by 4: 34 and 31)."""
    if shape.multiplier != "lut":
        return 0
    return round(2.1 * shape.rows * shape.cols * shape.weight_width * shape.act_width)


def blocks(shape: MlpShape, memory: Memory) -> int:
    """Blocks of memory of a core's weights, biases, gains and offsets, both versions of each."""
    weights = memory.needed(2 * shape.steps, shape.weight_parts * 32)
    factors = memory.needed(2 * shape.norm_pieces, shape.acts * 32)
    return weights + factors + memory.needed(2 * shape.groups, shape.rows * 32)
