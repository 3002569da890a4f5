"""What a hidden layer does with its sums, forward and backward: the integers of every activation that is trained.

A sum z comes in 27 bits with fraction `before`; the result y leaves with the fraction of its layer, and the derivative
with `slope_frac` bits. All is made of commands that rlc_tensor_vector has (docs/tensor.md), so y and the derivative are
those of tanh's and exp2's tables, and of a deployed network where that has the same unit (rlcores.cores.mlp).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base import limits
from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import exp2_fixed
from rlcores.cores.common.tanh import IN_WIDTH, OUT_FRACTION, tanh_fixed

SUM_WIDTH = 27  # of what an activation takes, and of what comes back to it
Z_FRAC = 14  # of tanh's and ELU's argument
HALF_FRAC = 13  # of SiLU's: read with a bit more, it is half of it
WIDE_FRAC = 20  # of tanh, leaky ReLU and ELU before they are rounded to their layer's fraction
LEAKY_SLOPE, LEAKY_FRAC = 655, 16  # 0.01, PyTorch's
LOG2E, LOG2E_FRAC = 378194, 18
POWER_FRAC, POWER_WIDTH = 20, 26  # of exp2's argument, and bits of its result
ELU_ONE = 1 << Z_FRAC
SIGMOID_FRAC = OUT_FRACTION + 1


class Vectors(list[np.ndarray]):
    """Vectors 0 … M of a pass forward; of hidden layers 1 … what backward() needs.

    before: what the activation took, but for ReLU without normalisation. norms: what the normalisation keeps.
    """

    def __init__(self, vectors: Sequence[np.ndarray], before: Sequence[np.ndarray] = ()) -> None:
        super().__init__(vectors)
        self.before = list(before)
        self.norms: list[Any] = []

    def most(self, layer: int) -> int:
        """The largest magnitude of a vector."""
        return int(np.abs(self[layer]).max(initial=0))


class Deltas(list[np.ndarray]):
    """Deltas of layers M, M-1, … of a pass backward."""

    def most(self, place: int) -> int:
        """The largest magnitude of deltas, by their place in the list."""
        return int(np.abs(self[place]).max(initial=0))


@dataclass(frozen=True)
class Activation:
    """One of a hidden layer. Every function takes z, int64 (R, N).

    before: fraction bits of z; None: those of the layer's results. of: y, rounded to the layer's fraction, unlimited.
    slope: dy/dz with slope_frac bits.
    """

    name: str
    before: int | None
    of: Callable[[np.ndarray, int], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]
    slope_frac: int

    def __reduce__(self) -> tuple:
        """A copy is the one of that name."""
        return named, (self.name,)

    @property
    def normal_frac(self) -> int:
        """Fraction bits of z where it comes from a normalisation."""
        return Z_FRAC if self.before is None else self.before

    def backward(self, delta: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The delta of z from that of y, of one fraction, unlimited."""
        return round_shift(delta * self.slope(z), self.slope_frac)


def _relu(z: np.ndarray, _: int) -> np.ndarray:
    return np.maximum(z, 0)


def _relu_slope(z: np.ndarray) -> np.ndarray:
    return (z > 0).astype(np.int64)


def _leaky(z: np.ndarray, _: int) -> np.ndarray:
    return np.maximum(z, round_shift(z * LEAKY_SLOPE, LEAKY_FRAC))


def _leaky_slope(z: np.ndarray) -> np.ndarray:
    return np.where(z > 0, 1 << LEAKY_FRAC, LEAKY_SLOPE)


def _tanh_of(z: np.ndarray) -> np.ndarray:
    return tanh_fixed(saturate(z, IN_WIDTH))


def _tanh(z: np.ndarray, act_frac: int) -> np.ndarray:
    return round_shift(_tanh_of(z) << (WIDE_FRAC - OUT_FRACTION), WIDE_FRAC - act_frac)


def _tanh_slope(z: np.ndarray) -> np.ndarray:
    y = _tanh_of(z)
    return round_shift((1 << 2 * OUT_FRACTION) - y * y, OUT_FRACTION)


def _elu_of(z: np.ndarray) -> np.ndarray:
    power = round_shift(z * LOG2E, LOG2E_FRAC + Z_FRAC - POWER_FRAC) + (Z_FRAC << POWER_FRAC)
    return np.where(z < 0, exp2_fixed(power << 6, POWER_WIDTH, 0)[0] - ELU_ONE, z)


def _elu(z: np.ndarray, act_frac: int) -> np.ndarray:
    return round_shift(_elu_of(z) << (WIDE_FRAC - Z_FRAC), WIDE_FRAC - act_frac)


def _elu_slope(z: np.ndarray) -> np.ndarray:
    return np.minimum(_elu_of(z) + ELU_ONE, ELU_ONE)


def _sigmoid(z: np.ndarray) -> np.ndarray:
    return _tanh_of(z) + (1 << OUT_FRACTION)


def _silu(z: np.ndarray, act_frac: int) -> np.ndarray:
    return round_shift(z * _sigmoid(z), HALF_FRAC + SIGMOID_FRAC - act_frac)


def _silu_slope(z: np.ndarray) -> np.ndarray:
    s = _sigmoid(z)
    rest = round_shift((z << SIGMOID_FRAC) - z * s, HALF_FRAC)  # z (1 - s)
    return round_shift((s << SIGMOID_FRAC) + rest * s, SIGMOID_FRAC)


ALL = {
    name: Activation(name, *rest)
    for name, rest in zip(
        limits.ACTIVATIONS,
        (
            (None, _relu, _relu_slope, 0),
            (None, _leaky, _leaky_slope, LEAKY_FRAC),
            (Z_FRAC, _tanh, _tanh_slope, OUT_FRACTION),
            (Z_FRAC, _elu, _elu_slope, Z_FRAC),
            (HALF_FRAC, _silu, _silu_slope, SIGMOID_FRAC),
        ),
        strict=True,
    )
}
RELU = ALL["relu"]


def named(name: str) -> Activation:
    """The activation of a name. Raises ValueError."""
    if name not in ALL:
        raise ValueError(f"activation is '{name}'; it must be one of {', '.join(ALL)}")
    return ALL[name]
