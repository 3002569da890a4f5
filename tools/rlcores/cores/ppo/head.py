"""PPO's loss, bit for bit: from log-probabilities and values to the deltas of the networks' outputs.

Everything is an int64 array over the samples. Outputs of networks (logits, means, values), returns and advantages of a
rollout are sfix(27,16), standardised advantages sfix(18,12). Log-probabilities are those of the policy core
(cores/policy/density.py), so that the ratio of a policy that has not changed is exactly 1. Equations: docs/ppo.md.
Loss: Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347.
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import exp2_fixed
from rlcores.cores.policy.density import (
    OUT_FRAC,
    OUT_WIDTH,
    PROBABILITY_FRAC,
    Categorical,
    Deviation,
    Gaussian,
    round_shifts,
)

ADVANTAGE_FRAC = 12  # of a standardised advantage and of d loss/d log-probability, sfix(18,12)
RATIO_WIDTH, RATIO_FRAC = 26, 20
COEFFICIENT_FRAC = 17  # of the value loss' coefficient, at most 1.0
SCALED_FRAC = 14  # of (action - mean) / deviation, sfix(18,14)
LOGS_FRAC = 20  # of the delta of a log-deviation


@dataclass(frozen=True)
class Ratio:
    """slope (R,): d loss/d log-probability of a sample's loss, sfix(18,12); 0 where the ratio is cut.

    ratio (R,): ufix(26,20). cut (R,) bool. saturated: how many numbers did not fit.
    """

    slope: np.ndarray
    ratio: np.ndarray
    cut: np.ndarray
    saturated: int


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
    moved = round_shifts(pushed * wide.mantissa, 34 - wide.exponent - frac)
    delta = saturate(moved, 18)
    of_logs = round_shift(slope[:, None] * (seen.squares - (1 << 16)), 8) - coefficient
    return delta, of_logs, _count(exact, pushed) + _count(moved, delta)


def value_delta(
    values: np.ndarray, before: np.ndarray, advantages: np.ndarray, coefficient: int, frac: int, clip: int = 0
) -> tuple[np.ndarray, int]:
    """Deltas of the values (R,), sfix(18,frac), of coefficient / 2 times the squared error, and what did not fit.

    before: the values when it acted; with the advantages they make the returns, sat(advantage + before). clip: the most
    that a value may move away from there, 16 fraction bits; 0: no limit. coefficient: ufix(18,17).
    """
    whole = advantages + before
    returns = saturate(whole, OUT_WIDTH)
    apart = values - returns
    error = clipped = saturate(apart, OUT_WIDTH)
    if clip:
        held = before + np.clip(values - before, -clip, clip)
        error = np.where(np.abs(held - returns) > np.abs(error), 0, error)
    exact = round_shift(error * coefficient, OUT_FRAC + COEFFICIENT_FRAC - frac)
    delta = saturate(exact, 18)
    return delta, _count(whole, returns) + _count(apart, clipped) + _count(exact, delta)


def _count(exact: np.ndarray, clipped: np.ndarray) -> int:
    return int(np.count_nonzero(exact != clipped))
