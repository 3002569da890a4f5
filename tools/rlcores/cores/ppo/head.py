"""PPO's distributions and loss, bit for bit: from the networks' outputs to log-probabilities, and to deltas.

Everything is an int64 array over the samples. Outputs of networks (logits, means, values), returns and advantages of a
rollout are sfix(27,16), log-probabilities base 2 and sfix(27,20), standardised advantages sfix(18,12). Acting and
training share categorical() and gaussian(), so that the ratio of a policy that has not changed is exactly 1.
Equations: docs/ppo.md. Loss: Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347.
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import LOG2_FRACTION, exp2_fixed, log2_fixed

OUT_WIDTH, OUT_FRAC = 27, 16  # logits, means, values, returns, advantages of the rollout
LOG_WIDTH, LOG_FRAC = 27, LOG2_FRACTION  # log2 of a probability
ADVANTAGE_FRAC = 12  # of a standardised advantage and of d loss/d log-probability, sfix(18,12)
RATIO_WIDTH, RATIO_FRAC = 26, 20
ENTROPY_FRAC = 20  # of the entropy's coefficient, 17 bits unsigned
COEFFICIENT_FRAC = 17  # of the value loss' coefficient, at most 1.0
WEIGHT_FRAC = 22  # of a log-deviation, which is a weight
PROBABILITY_FRAC = 17
SCALED_FRAC = 14  # of (action - mean) / deviation, sfix(18,14)
DEVIATION_FRAC = 20  # of a gradient of a log-deviation, before it is summed up

_LOG2E = 116050  # (log2(e) - 1) * 2**18; the 1 is an addition
_FAR = (1 << 21) - 1  # a logit 32 below the greatest has probability 0
_E_WIDTH, _E_FRAC = 25, 24
_HALF_LOG2E = 94548  # log2(e) / 2 * 2**17
_NORMALISER = 1390148  # log2(2 * pi) / 2 * 2**20
_OCTAVES = 8  # a deviation is 2**-8 … 2**8


def log2e_times(x: np.ndarray, shift: int) -> np.ndarray:
    """x * log2(e) / 2**shift (shift -18 … ), rounded half up: one multiplication by 17 bits."""
    return round_shift((x << 18) + x * _LOG2E, 18 + shift)


@dataclass(frozen=True)
class Categorical:
    """exponentials (R, K) relative to the greatest, ufix(25,24); total (R,) their sum; logs (R, K), log2 of p."""

    exponentials: np.ndarray
    total: np.ndarray
    logs: np.ndarray

    def choose(self, draws: np.ndarray) -> np.ndarray:
        """Actions (R,) by draws of 32 bits: the first k whose running sum exceeds draw * total / 2**32."""
        target = (np.asarray(draws).astype(np.int64) * self.total) >> 32
        return (np.cumsum(self.exponentials, axis=1) > target[:, None]).argmax(axis=1)

    def log_probability(self, actions: np.ndarray) -> np.ndarray:
        """log2 pi(a), (R,)."""
        return self.logs[np.arange(len(self.logs)), actions]

    @property
    def probabilities(self) -> np.ndarray:
        """p (R, K), ufix(18,17)."""
        return exp2_fixed(self.logs << 6, 18, PROBABILITY_FRAC)[0]


def categorical(logits: np.ndarray) -> Categorical:
    """Softmax of logits (R, K), sfix(27,16), K at most 512. log2 p is -51 … 0 and needs no limit."""
    below = np.minimum(logits.max(axis=1, keepdims=True) - logits, _FAR)
    t = log2e_times(below, OUT_FRAC - LOG_FRAC)
    e = exp2_fixed(-t << 6, _E_WIDTH, _E_FRAC)[0]
    total = e.sum(axis=1)
    return Categorical(e, total, -(t + (log2_fixed(total) - (_E_FRAC << LOG_FRAC))[:, None]))


@dataclass(frozen=True)
class Deviation:
    """A deviation a dimension (N_a,): c = log2, 20 fraction bits; 1 / deviation = mantissa * 2**(exponent - 16)."""

    c: np.ndarray
    mantissa: np.ndarray
    exponent: np.ndarray

    def noise(self, normal: np.ndarray) -> np.ndarray:
        """What is added to a mean, 16 fraction bits, from standard normal numbers (R, N_a), sfix(18,14)."""
        return round_shift(normal * exp2_fixed(self.c << 6, 26, 17)[0], SCALED_FRAC + 17 - OUT_FRAC)


def deviation(logs: np.ndarray) -> Deviation:
    """Of log-deviations (N_a,), natural logarithms, sfix(27,22); limited to 2**-8 … 2**8."""
    c = np.clip(log2e_times(logs, WEIGHT_FRAC - LOG_FRAC), -_OCTAVES << LOG_FRAC, (_OCTAVES << LOG_FRAC) - 1)
    mantissa, exponent = power(-c << 6)
    return Deviation(c, mantissa, exponent)


def power(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """2**y, y with 26 fraction bits, as mantissa ufix(17,16), 1 … 2, and exponent."""
    return exp2_fixed(y & ((1 << 26) - 1), 17, 16)[0], y >> 26


@dataclass(frozen=True)
class Gaussian:
    """scaled (R, N_a): (a - mean) / deviation, sfix(18,14); squares: of it, 16 fraction bits; log: log2 density (R,).

    limited: how many numbers did not fit.
    """

    scaled: np.ndarray
    squares: np.ndarray
    log: np.ndarray
    limited: int


def gaussian(actions: np.ndarray, means: np.ndarray, wide: Deviation) -> Gaussian:
    """The density of actions (R, N_a), both sfix(27,16), independent dimensions."""
    apart = actions - means
    held = saturate(apart, OUT_WIDTH)
    exact = _round_shifts(held * wide.mantissa, 18 - wide.exponent)
    x = saturate(exact, 18)
    squares = round_shift(x * x, 12)
    terms = round_shift(squares * _HALF_LOG2E, 13) + wide.c + _NORMALISER
    total = -terms.sum(axis=1)
    log = saturate(total, LOG_WIDTH)
    return Gaussian(x, squares, log, _count(apart, held) + _count(exact, x) + _count(total, log))


@dataclass(frozen=True)
class Ratio:
    """slope (R,): d loss/d log-probability of a sample's loss, sfix(18,12); 0 where the ratio is cut.

    ratio (R,): ufix(26,20). cut (R,) bool. limited: how many numbers did not fit.
    """

    slope: np.ndarray
    ratio: np.ndarray
    cut: np.ndarray
    limited: int


def ratio(log: np.ndarray, before: np.ndarray, advantages: np.ndarray, clip: int) -> Ratio:
    """The clipped objective. log, before: log2 pi(a|s) now and when it acted. clip: epsilon, 20 fraction bits."""
    r, beyond = exp2_fixed((log - before) << 6, RATIO_WIDTH, RATIO_FRAC)
    one = 1 << RATIO_FRAC
    cut = ((advantages > 0) & (r > one + clip)) | ((advantages < 0) & (r < one - clip))
    exact = np.where(cut, 0, -round_shift(advantages * r, RATIO_FRAC))
    slope = saturate(exact, 18)
    return Ratio(slope, r, cut, int((beyond & ~cut).sum()) + _count(exact, slope))


def entropy(seen: Categorical, p: np.ndarray) -> np.ndarray:
    """In bits, (R,), 20 fraction bits."""
    return round_shift((p * -seen.logs).sum(axis=1), PROBABILITY_FRAC)


def categorical_delta(
    seen: Categorical, actions: np.ndarray, slope: np.ndarray, coefficient: int, frac: int
) -> tuple[np.ndarray, int]:
    """Deltas of the logits (R, K), sfix(18,frac), and how many numbers did not fit.

    coefficient: of the entropy times ln 2, ufix(17,20).
    """
    p = seen.probabilities
    exact = round_shift(p * (seen.logs + entropy(seen, p)[:, None]), 21)
    u = saturate(exact, 18)
    chosen = np.zeros(p.shape, np.int64)
    chosen[np.arange(len(p)), actions] = 1 << PROBABILITY_FRAC
    wide = round_shift(((slope[:, None] * (chosen - p)) << 7) + coefficient * u, 36 - frac)
    delta = saturate(wide, 18)
    return delta, _count(exact, u) + _count(wide, delta)


def gaussian_delta(
    seen: Gaussian, wide: Deviation, slope: np.ndarray, coefficient: int, frac: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Deltas of the means (R, N_a), sfix(18,frac), those of the log-deviations, 20 fraction bits, and what did not fit.

    coefficient: of the entropy, ufix(17,20).
    """
    exact = round_shift(slope[:, None] * seen.scaled, ADVANTAGE_FRAC + SCALED_FRAC - 18)
    pushed = saturate(exact, 27)
    moved = _round_shifts(pushed * wide.mantissa, 34 - wide.exponent - frac)
    delta = saturate(moved, 18)
    of_logs = round_shift(slope[:, None] * (seen.squares - (1 << 16)), 8) - coefficient
    return delta, of_logs, _count(exact, pushed) + _count(moved, delta)


def value_delta(
    values: np.ndarray, before: np.ndarray, returns: np.ndarray, coefficient: int, frac: int, clip: int = 0
) -> tuple[np.ndarray, int]:
    """Deltas of the values (R,), sfix(18,frac), of coefficient / 2 times the squared error, and what did not fit.

    before: the values when it acted. clip: the most that a value may move away from there, 16 fraction bits; 0: no
    limit. coefficient: ufix(18,17).
    """
    apart = values - returns
    error = saturate(apart, OUT_WIDTH)
    if clip:
        held = before + np.clip(values - before, -clip, clip)
        error = np.where(np.abs(held - returns) > np.abs(error), 0, error)
    exact = round_shift(error * coefficient, OUT_FRAC + COEFFICIENT_FRAC - frac)
    delta = saturate(exact, 18)
    return delta, _count(apart, saturate(apart, OUT_WIDTH)) + _count(exact, delta)


def _round_shifts(x: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """round_shift() with a shift a column, each at least 1."""
    return (x + (np.int64(1) << (shifts - 1))) >> shifts


def _count(exact: np.ndarray, limited: np.ndarray) -> int:
    return int(np.count_nonzero(exact != limited))
