"""A Gaussian behind tanh whose deviation the network gives, bit for bit: samples, log-probability, its derivatives.

Haarnoja et al., "Soft actor-critic algorithms and applications", 2018, appendix C. A network's output has means, then
log-deviations, sfix(27,16). Log-deviations are clipped to LOG_STD; the derivative beyond is 0. Natural logarithms of
densities are sfix(27,16).
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import exp2_fixed
from rlcores.cores.learner.format import ACT_WIDTH, WEIGHT_FRAC
from rlcores.cores.learner.tail import slope
from rlcores.cores.policy.density import (
    LOG_FRAC,
    OUT_FRAC,
    OUT_WIDTH,
    deviation,
    log2e_times,
    surprise,
    tanh_slope,
)
from rlcores.cores.policy.head import squashed

LOG_STD = -5.0, 2.0  # limits of the log-deviation
NATURAL_FRAC = 16  # of natural logarithms of densities, 27 bits
_LOW, _HIGH = (round(x * (1 << OUT_FRAC)) for x in LOG_STD)
POWER_WIDTH, POWER_FRAC = 26, 20  # of e**x, without a sign
SLOPE_FRAC = 16  # of the slope of tanh
LN2 = 90852  # ln(2) * 2**17
LN2_FRAC = 17


def exponential(log: np.ndarray | int) -> np.ndarray:
    """e**log, log sfix(27,22), as ufix(26,20): clipped to 64."""
    return exp2_fixed(log2e_times(np.asarray(log, np.int64), WEIGHT_FRAC - LOG_FRAC) << 6, POWER_WIDTH, POWER_FRAC)[0]


@dataclass(frozen=True)
class Sample:
    """Of R states: u (R, N_a), before tanh, 16 fraction bits; action: tanh(u), 16; noise: deviation * normal, 16.

    log (R,): natural log-density of the action. inside: where the log-deviation was not clipped. saturated: numbers
    that did not fit, of samples and of logs.
    """

    u: np.ndarray
    action: np.ndarray
    noise: np.ndarray
    log: np.ndarray
    inside: np.ndarray
    saturated: tuple[int, int]


def sample(outputs: np.ndarray, normals: np.ndarray) -> Sample:
    """Actions by outputs (R, 2 N_a) and standard normal numbers (R, N_a), sfix(18,14)."""
    means, logs = np.split(outputs, 2, axis=1)
    inside = (logs >= _LOW) & (logs <= _HIGH)
    wide = deviation(np.clip(logs, _LOW, _HIGH) << (WEIGHT_FRAC - OUT_FRAC))
    noise = wide.noise(normals)
    exact = means + noise
    u = saturate(exact, OUT_WIDTH)
    terms = surprise(normals, wide)[1] + tanh_slope(u)
    total = round_shift(-terms.sum(axis=1) * LN2, LOG_FRAC + LN2_FRAC - NATURAL_FRAC)
    log = saturate(total, OUT_WIDTH)
    saturated = int(np.count_nonzero(u != exact)), int(np.count_nonzero(log != total))
    return Sample(u, squashed(u), noise, log, inside, saturated)


def output_delta(
    drawn: Sample, to_action: np.ndarray, frac: int, alpha: np.ndarray | int, delta_frac: int
) -> tuple[np.ndarray, np.ndarray]:
    """Derivative of alpha * log pi - Q by the outputs (R, 2 N_a), 18 bits with delta_frac; and where it was clipped.

    to_action: -dQ/da (R, N_a) with `frac` fraction bits, at least delta_frac - SLOPE_FRAC. alpha: exponential(). With
    fixed normal numbers, d log pi / d u = 2 tanh(u), and the log-deviation moves u by the noise and log pi by -1.
    """
    half = saturate(round_shift(drawn.u, 2), ACT_WIDTH)
    back = round_shift(to_action * slope(half), frac + SLOPE_FRAC - delta_frac)
    twice = round_shift(drawn.action * alpha, 16 + POWER_FRAC - 1 - delta_frac)
    less = round_shift(np.asarray(alpha) << 11, POWER_FRAC + 11 - delta_frac)
    by_log = round_shift(back * drawn.noise, OUT_FRAC) + round_shift(twice * drawn.noise, OUT_FRAC) - less
    exact = np.concatenate([back + twice, np.where(drawn.inside, by_log, 0)], axis=1)
    delta = saturate(exact, ACT_WIDTH)
    return delta, exact != delta
