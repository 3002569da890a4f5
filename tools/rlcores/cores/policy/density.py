"""Log-probabilities of actions from a network's outputs, bit for bit: of a softmax, of a Gaussian, of one behind tanh.

Everything is an int64 array over the samples. Logits, means and samples are sfix(27,16), log-probabilities base 2 and
sfix(27,20). Acting and training share categorical() and gaussian(), so that the ratio of a policy that has not changed
is exactly 1. Equations: docs/policy.md.
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import LOG2_FRACTION, exp2_fixed, log2_fixed
from rlcores.cores.learner.format import WEIGHT_FRAC

OUT_WIDTH, OUT_FRAC = 27, 16  # logits, means, samples
LOG_WIDTH, LOG_FRAC = 27, LOG2_FRACTION  # log2 of a probability
PROBABILITY_FRAC = 17
SCALED_FRAC = 14  # of (action - mean) / deviation, sfix(18,14)
DEVIATION_WIDTH, DEVIATION_FRAC = 26, 17  # of a deviation that multiplies noise

_LOG2E = 116050  # (log2(e) - 1) * 2**18; the 1 is an addition
LOG2E_18 = _LOG2E + (1 << 18)  # log2(e) * 2**18
FAR = (1 << 21) - 1  # a logit 32 below the greatest has probability 0
_E_WIDTH, E_FRAC = 25, 24
HALF_LOG2E = 94548  # log2(e) / 2 * 2**17
NORMALISER = 1390148  # log2(2 * pi) / 2 * 2**20
_OCTAVES = 8  # a deviation is 2**-8 … 2**8


def log2e_times(x: np.ndarray, shift: int) -> np.ndarray:
    """x * log2(e) / 2**shift (shift -18 …), rounded half up: one multiplication by 17 bits."""
    return round_shift((x << 18) + x * _LOG2E, 18 + shift)


@dataclass(frozen=True)
class Categorical:
    """logs (R, K): log2 of p, 20 fraction bits."""

    logs: np.ndarray

    def log_probability(self, actions: np.ndarray) -> np.ndarray:
        """log2 pi(a), (R,)."""
        return self.logs[np.arange(len(self.logs)), actions]

    @property
    def probabilities(self) -> np.ndarray:
        """p (R, K), ufix(18,17)."""
        return exp2_fixed(self.logs << 6, 18, PROBABILITY_FRAC)[0]


def categorical(logits: np.ndarray) -> Categorical:
    """Softmax of logits (R, K), sfix(27,16), K at most 512. log2 p is -55 … 0 and needs no limit."""
    t, e = _fall(logits.max(axis=1, keepdims=True) - logits)
    return Categorical(-(t + _log(e.sum(axis=1))[:, None]))


def _fall(below: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log2(e) times numbers >= 0 of 16 fraction bits, ufix(26,20), and e to minus them, ufix(25,24)."""
    t = log2e_times(np.minimum(below, FAR), OUT_FRAC - LOG_FRAC)
    return t, exp2_fixed(-t << 6, _E_WIDTH, E_FRAC)[0]


def _log(total: np.ndarray) -> np.ndarray:
    return log2_fixed(total) - (E_FRAC << LOG_FRAC)


@dataclass(frozen=True)
class Deviation:
    """A deviation a dimension (N_a,), or one a number (R, N_a).

    c = log2, 20 fraction bits; 1 / deviation = mantissa * 2**(exponent - 16).
    """

    c: np.ndarray
    mantissa: np.ndarray
    exponent: np.ndarray

    def noise(self, normal: np.ndarray) -> np.ndarray:
        """What is added to a mean, 16 fraction bits, from standard normal numbers (R, N_a), sfix(18,14)."""
        size = exp2_fixed(self.c << 6, DEVIATION_WIDTH, DEVIATION_FRAC)[0]
        return round_shift(normal * size, SCALED_FRAC + DEVIATION_FRAC - OUT_FRAC)


def deviation(logs: np.ndarray) -> Deviation:
    """Of log-deviations (N_a,), natural logarithms, sfix(27,22); clipped to 2**-8 … 2**8."""
    c = np.clip(log2e_times(logs, WEIGHT_FRAC - LOG_FRAC), -_OCTAVES << LOG_FRAC, (_OCTAVES << LOG_FRAC) - 1)
    mantissa, exponent = power(-c << 6)
    return Deviation(c, mantissa, exponent)


def power(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """2**y, y with 26 fraction bits, as mantissa ufix(17,16), 1 … 2, and exponent."""
    return exp2_fixed(y & ((1 << 26) - 1), 17, 16)[0], y >> 26


@dataclass(frozen=True)
class Gaussian:
    """scaled (R, N_a): (a - mean) / deviation, sfix(18,14); squares: of it, 16 fraction bits; log: log2 density (R,).

    saturated: how many numbers did not fit.
    """

    scaled: np.ndarray
    squares: np.ndarray
    log: np.ndarray
    saturated: int


def gaussian(actions: np.ndarray, means: np.ndarray, wide: Deviation, *, squashed: bool = False) -> Gaussian:
    """The density of actions (R, N_a), both sfix(27,16), independent dimensions; squashed: that of their tanh."""
    apart = actions - means
    held = saturate(apart, OUT_WIDTH)
    exact = round_shifts(held * wide.mantissa, 18 - wide.exponent)
    x = saturate(exact, 18)
    squares, terms = surprise(x, wide)
    if squashed:
        terms = terms + tanh_slope(actions)
    total = -terms.sum(axis=1)
    log = saturate(total, LOG_WIDTH)
    saturated = sum(int(np.count_nonzero(a != b)) for a, b in ((apart, held), (exact, x), (total, log)))
    return Gaussian(x, squares, log, saturated)


def surprise(x: np.ndarray, wide: Deviation) -> tuple[np.ndarray, np.ndarray]:
    """Of scaled numbers sfix(18,14): their squares, 16 fraction bits, and -log2 of their density, 20 fraction bits.

    wide: a deviation a dimension, or one a number.
    """
    squares = round_shift(x * x, 12)
    return squares, round_shift(squares * HALF_LOG2E, 13) + wide.c + NORMALISER


def tanh_slope(u: np.ndarray) -> np.ndarray:
    """log2(1 - tanh(u)**2) of u sfix(27,16), 20 fraction bits; |u| counts as 16 at most."""
    t, e = _fall(2 * np.abs(u))
    return (2 << LOG_FRAC) - t - 2 * _log((1 << E_FRAC) + e)


def round_shifts(x: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """round_shift() with a shift a column, each at least 1."""
    return (x + (np.int64(1) << (shifts - 1))) >> shifts
