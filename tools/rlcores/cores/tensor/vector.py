"""Commands of the vector unit, and what they do: heads and losses, bit for bit.

A vector is a feature after the other, each a number a sample of the batch, in words of `side` samples. A command makes
one vector of up to three: result = round((z * 2**up +- x * y) / 2**shift), clipped; or the smaller, the larger; or
tanh, 2**f, log2 of f = +-x + z; or normal numbers; or z where a comparison of x and y holds. docs/tensor.md has the
table.

>>> memory = Memory(batch=3, words=8, side=2)
>>> memory.write(0, np.array([[1, 5], [2, 6], [3, 7]]))
>>> memory.run(Vector(MAC, features=2, to_base=4, x=0, y=Constant(3), shift=1)).tolist()
[[2, 8], [3, 9], [5, 11]]
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import limits, round_shift
from rlcores.cores.common.log2exp2 import exp2_fixed, log2_fixed
from rlcores.cores.common.tanh import tanh_fixed
from rlcores.cores.tensor.program import ceil_div
from rlcores.cores.tensor.words import (
    DRAW,
    EXP2,
    IF_EQ,
    IF_LE,
    IF_LT,
    IF_NE,
    LOG2,
    MAC,
    MAX,
    MIN,
    TANH,
    VECTOR,
    VECTORS,
)

WIDTH, FACTOR_WIDTH = 35, 27  # bits of a number, of y
POWER_WIDTH, POWER_FRAC = 26, 20  # of 2**f, a whole number; fraction bits of f and of log2
CONDITIONS: dict[int, Callable] = {IF_EQ: np.equal, IF_NE: np.not_equal, IF_LT: np.less, IF_LE: np.less_equal}


@dataclass(frozen=True)
class Constant:
    """An operand that is a number, the same for all."""

    value: int


@dataclass(frozen=True)
class Row:
    """An operand of one feature that serves all features of the result; at: its address."""

    at: int


Operand = int | Constant | Row


@dataclass(frozen=True)
class Vector:
    """What the unit takes. x: an address; y, z: an address, a Constant, or a Row. Others: words.VECTOR.

    to_row, to_feature: of tensors, the tiles from samples to the next ones, and the first feature in its tile.
    """

    op: int
    features: int
    to_base: int
    x: int = 0
    y: Operand = Constant(1)
    z: Operand = Constant(0)
    negate: bool = False
    up: int = 0
    shift: int = 0
    width: int = WIDTH
    symmetric: bool = False
    to: int = VECTORS
    to_row: int = 0
    to_feature: int = 0
    id: int | None = None

    def pack(self) -> int:
        """As bits; without an id nothing is told. Raises ValueError: a field does not hold its number."""
        fields = {
            "id": self.id or 0, "tell": int(self.id is not None), "op": self.op, "negate": int(self.negate),
            "features": self.features, "x": self.x, "up": self.up, "shift": self.shift, "width": self.width,
            "symmetric": int(self.symmetric), "to": self.to, "to_base": self.to_base, "to_row": self.to_row,
            "to_feature": self.to_feature,
        }  # fmt: skip
        for name, operand, width in (("y", self.y, FACTOR_WIDTH), ("z", self.z, WIDTH)):
            value = operand if isinstance(operand, int) else operand.at if isinstance(operand, Row) else operand.value
            low, high = limits(width)
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}; it has {width} bits")
            fields |= {
                name: value & (1 << width) - 1,
                f"{name}_is": int(isinstance(operand, Constant)),
                f"{name}_row": int(isinstance(operand, Row)),
            }
        return VECTOR.pack_whole(**fields)

    def clocks(self, batch: int, side: int) -> int:
        """From its first word to its last, both counted."""
        return self.features * (batch if self.op == DRAW else ceil_div(batch, side))


class Memory:
    """Vectors as the unit keeps them, and its commands carried out: the integer model of rlc_tensor_vector."""

    def __init__(self, batch: int, words: int, side: int) -> None:
        """words: of `side` numbers, of the memory."""
        self.batch, self.side, self.stride = batch, side, ceil_div(batch, side)
        self.numbers = np.zeros((words, side), np.int64)
        self.saturated, self.peak = 0, 0  # of the last command
        self.draw: Callable[[int], np.ndarray] | None = None  # so many normal numbers

    def read(self, at: int, features: int) -> np.ndarray:
        """A vector, (batch, features)."""
        part = self.numbers[at : at + features * self.stride]
        return part.reshape(features, -1)[:, : self.batch].T

    def write(self, at: int, numbers: np.ndarray, keep: np.ndarray | bool = True) -> None:
        """Put a vector (batch, features) where `keep`."""
        features = numbers.shape[1]
        part = self.numbers[at : at + features * self.stride].reshape(features, -1)
        part[:, : self.batch] = np.where(np.broadcast_to(keep, numbers.shape).T, numbers.T, part[:, : self.batch])

    def run(self, command: Vector) -> np.ndarray:
        """The result (batch, features), written where `to` is VECTORS."""
        c = command
        x = self.read(c.x, c.features)
        y, z = self._operand(c.y, c.features), self._operand(c.z, c.features)
        keep, saturated = True, np.zeros(1, bool)
        if c.op == MAC:
            result, saturated = self._mac(c, x, y, z)
        elif c.op in (MIN, MAX):
            result = (np.minimum if c.op == MIN else np.maximum)(x, y)
        elif c.op == DRAW:
            result = self.draw(self.batch * c.features).reshape(c.features, self.batch).T
        elif c.op in CONDITIONS:
            result, keep = np.broadcast_to(z, x.shape), CONDITIONS[c.op](x, y)
        else:
            f = (-x if c.negate else x) + z
            if c.op == TANH:
                result = tanh_fixed(f)
            elif c.op == EXP2:
                result, saturated = exp2_fixed(f << 6, POWER_WIDTH, 0)
            elif c.op == LOG2:
                result = log2_fixed(f)
            else:
                raise ValueError(f"there is no operation {c.op}")
        self.saturated, self.peak = int(np.count_nonzero(saturated)), int(np.abs(result).max(initial=0))
        if c.to == VECTORS:
            self.write(c.to_base, result, keep)
        return result

    def _operand(self, operand: Operand, features: int) -> np.ndarray:
        if isinstance(operand, Constant):
            return np.full((1, 1), operand.value, np.int64)
        return self.read(operand.at, 1) if isinstance(operand, Row) else self.read(operand, features)

    @staticmethod
    def _mac(c: Vector, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        exact = (z << c.up) + (-x * y if c.negate else x * y)
        result = round_shift(exact, c.shift)
        low, high = limits(c.width, c.symmetric)
        held = np.clip(result, low, high)
        return held, held != result
