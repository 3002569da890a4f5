"""What every optimiser of the learner is: its declaration, and the numbers that its integer model shares with others.

Each one is a file here (the integer model), one in rtl/nn (rlc_nn_<name>.v, which fills the slot of rlc_nn_slot.vh) and
a kernel in native/kernels; `rlcores generate` writes what the RTL needs to know of all of them from these declarations.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rlcores.cores.common.fixed import limits
from rlcores.cores.learner.format import GRADIENT_WIDTH, OPTIMISER_SETTINGS, WEIGHT_WIDTH

NEAREST, FLOOR, STOCHASTIC = range(3)  # how a step is rounded
ROUNDINGS = ("nearest", "floor", "stochastic")

DITHER_BITS = 16
WEIGHT_MAX = limits(WEIGHT_WIDTH)[1]
GRADIENT_MAX = limits(GRADIENT_WIDTH)[1]


def packed(registers: Mapping[str, int]) -> int:
    """Settings by name, side by side as the RTL takes them; those that are not given are 0."""
    word, at = 0, 0
    for name, bits in OPTIMISER_SETTINGS.items():
        word |= (int(registers.get(name, 0)) & ((1 << bits) - 1)) << at
        at += bits
    return word


def unpacked(word: int) -> dict[str, int]:
    """The same apart again, without signs."""
    values = {}
    for name, bits in OPTIMISER_SETTINGS.items():
        values[name] = word & ((1 << bits) - 1)
        word >>= bits
    return values


@dataclass(frozen=True)
class StateWord:
    """A number that an optimiser keeps for every weight: `bits` wide, or as much wider than a gradient.

    power: of the gradient that it grows with, so that its fraction moves as much with the gradient's.
    """

    name: str
    bits: int
    beside_gradient: bool = True
    signed: bool = True
    power: int = 1

    @property
    def width(self) -> int:
        """Bits with gradients of 27 bits."""
        return self.bits + GRADIENT_WIDTH * self.beside_gradient

    @property
    def range(self) -> tuple[int, int]:
        """The least and the greatest number."""
        return limits(self.width) if self.signed else (0, (1 << self.width) - 1)


@dataclass(frozen=True)
class Betas:
    """Adam's decays as the RTL's parameters: 1 - beta1 = num1 / 2**shift1, 1 - beta2 = num2 / 2**shift2."""

    num1: int = 205
    shift1: int = 11
    num2: int = 131
    shift2: int = 17

    @cached_property
    def beta1(self) -> float:
        """beta1 as built."""
        return 1 - self.num1 / 2**self.shift1

    @cached_property
    def beta2(self) -> float:
        """beta2 as built."""
        return 1 - self.num2 / 2**self.shift2


@dataclass(frozen=True)
class Rates:
    """A network's settings, as its update takes them; what belongs to a layer may be an array of a number a weight."""

    rate: int = 0
    rate_shift: np.ndarray | int = 0  # gradient fraction + rate_exp - 22, 0 .. 63
    momentum: int = 0
    log_rate: int = 0
    eps: np.ndarray | int = 0  # adam.eps_of() of the layers
    log_clip: int = 0
    decay: int = 0  # mantissa and exponent of decay_of()
    decay_exp: int = 0


@dataclass
class Floats:
    """What an optimiser of float weights has: hyper-parameters, the number of the step, and two moments a weight."""

    rate: float
    momentum: float
    epsilon: float
    beta1: float
    beta2: float
    decay: float
    m: np.ndarray
    v: np.ndarray
    steps: int = 0


class Optimiser(ABC):
    """One optimiser: what is known of it, and one step of it in integers and in floats."""

    name: str
    title: str
    state: tuple[StateWord, ...] = ()
    settings: tuple[str, ...] = ()
    defaults: Mapping[str, float] = {}  # of hyper-parameters that are 0 for others
    squares = False  # it gives the squares of gradients, which clipping their norm needs
    multipliers = 1  # DSP slices of a lane

    @abstractmethod
    def clocks(self, betas: Betas = Betas()) -> int:
        """From a gradient to its step in the RTL."""

    @abstractmethod
    def step(
        self,
        w: np.ndarray,
        state: tuple[np.ndarray, ...],
        g: np.ndarray,
        rates: Rates,
        rounding: int = NEAREST,
        dither: np.ndarray | int = 0,
        betas: Betas = Betas(),
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]:
        """New weights, new state, and where the RTL counts a saturation; all elementwise on int64."""

    @abstractmethod
    def in_floats(self, theta: np.ndarray, gradient: np.ndarray, kept: Floats) -> None:
        """Step number kept.steps of float weights, in place, as PyTorch's of this name."""


def step_of(value: np.ndarray, shift: np.ndarray | int, rounding: int, dither: np.ndarray | int = 0) -> np.ndarray:
    """R(value, shift): value / 2**shift as an integer, rounded by the mode; |value| < 2**46, shift 0..63.

    dither: 16 bits an element (see dither_of), used by STOCHASTIC only.
    """
    return round_16((value << DITHER_BITS) >> shift, rounding, dither)


def round_16(value: np.ndarray, rounding: int, dither: np.ndarray | int = 0) -> np.ndarray:
    """value / 2**16, rounded by the mode."""
    if rounding == FLOOR:
        return value >> DITHER_BITS
    return (value + (dither if rounding == STOCHASTIC else 1 << (DITHER_BITS - 1))) >> DITHER_BITS


def moved(w: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """w + step within a weight's range, and where it was clipped."""
    exact = w + step
    new = np.minimum(np.maximum(exact, -WEIGHT_MAX - 1), WEIGHT_MAX)
    return new, new != exact
