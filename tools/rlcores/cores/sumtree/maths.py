"""Priority maths of the sum tree, integer model: TD errors to priorities, sampled answers to importance weights.

Equals rlc_sumtree_priority and rlc_sumtree_weight bit for bit. In prioritised experience replay
p = (|delta| + eps)**alpha and w = (P / P_min)**-beta.
"""

from sys import float_info
from typing import NamedTuple

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.log2exp2 import FRACTION, LOG2_FRACTION, exp2_fixed, log2_double, log2_fixed

DELTA_FRACTION = 20  # TD errors are sfix(32, 20), eps is ufix(32, 20)
POWER_FRACTION = 15  # alpha and beta are ufix(16, 15)
POWER_ONE = 1 << POWER_FRACTION
SCALE_FRACTION = 8  # scale is sfix(16, 8)
WEIGHT_FRACTION = 31  # weights are ufix(32, 31)
WEIGHT_ONE = 1 << WEIGHT_FRACTION
OK = 0  # status of an answer that has a priority
LEAST_FINE = 50  # the least priority whose rounding changes it by no more than 1 %

_PRODUCT_FRACTION = LOG2_FRACTION + POWER_FRACTION


def priorities(delta: np.ndarray, alpha: int, eps: int, scale: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """p = 2**(alpha*log2(|delta| + eps) + scale), rounded half up, 1..2**width - 1; and where it was larger than that.

    delta: int64, sfix(32, 20); alpha: ufix(16, 15), 1.0 = 32768; eps: ufix(32, 20); scale: sfix(16, 8), log2 of the
    priority of |delta| + eps = 1; width: bits of a priority, 1..32. Both results have delta's shape, int64 and bool.
    Where |delta| + eps is 0, p is 1, or 2**scale if alpha is 0 as well.
    """
    magnitude = np.abs(np.asarray(delta, dtype=np.int64)) + eps
    # log2 of the 20 fraction bits is a constant, so it joins scale.
    constant = (scale << (_PRODUCT_FRACTION - SCALE_FRACTION)) - (alpha * DELTA_FRACTION << LOG2_FRACTION)
    power = round_shift(alpha * log2_fixed(magnitude) + constant, _PRODUCT_FRACTION - FRACTION)
    value, saturated = exp2_fixed(power, width, 0)
    nothing = (magnitude == 0) & (alpha != 0)
    return np.where(nothing, 1, np.maximum(value, 1)), saturated & ~nothing


class Made(NamedTuple):
    """Priorities of TD errors, and what limits did to them."""

    priorities: np.ndarray  # int64 (n,)
    above: int  # how many were larger than their bits
    coarse: int  # how many are below LEAST_FINE
    whole: int  # log2 of the largest one before it was clipped, rounded down


def of_errors(errors: np.ndarray, alpha: int, offset: float, scale: int, width: int) -> Made:
    """priorities() of finite TD errors in float64 (n,), n > 0, and an offset of at least 0, of whatever size.

    For software: log2 of a floating-point number needs no fixed point before it. Where the core can hold a TD error,
    its own unit gives the same priority.

    >>> of_errors(np.array([1e-9, 1.0]), 32768, 0.0, 30 << 8, 32).priorities.tolist()
    [1, 1073741824]
    """
    size = np.minimum(np.maximum(np.abs(errors) + offset, float_info.min), float_info.max)
    power = round_shift(
        alpha * log2_double(size) + (scale << (_PRODUCT_FRACTION - SCALE_FRACTION)), _PRODUCT_FRACTION - FRACTION
    )
    value, above = exp2_fixed(power, width, 0)
    if alpha and not offset:
        above &= errors != 0
        value = np.where(errors == 0, 1, value)
    value = np.maximum(value, 1)
    return Made(value, int(above.sum()), int((value < LEAST_FINE).sum()), int(power.max()) >> FRACTION)


def error_of(priority: float, alpha: int, scale: int) -> float:
    """|TD error| + eps of a priority: infinity where that is beyond every number, 0 with alpha 0."""
    try:
        return (priority / 2.0 ** (scale / 256)) ** (POWER_ONE / alpha) if alpha else 0.0
    except OverflowError:
        return float("inf")


def moved(priority: np.ndarray, bits: int) -> np.ndarray:
    """Priorities in units 2**bits as large, rounded half up; none becomes 0."""
    return np.where(priority > 0, np.maximum(round_shift(priority, min(bits, 40)), 1), 0)


def recode(priority: np.ndarray, alpha: int, new: int, scale: int, to: int, width: int) -> np.ndarray:
    """Priorities of an exponent alpha > 0 as they are with exponent `new`: 2**((log2(p) - scale) * new/alpha + to).

    priority: int64 [n]; 0 stays 0. Formats and limits as of priorities(). For software: the core has no such unit.
    """
    some = np.asarray(priority, np.int64) > 0
    power = _recoded(np.where(some, priority, 1), alpha, new, scale) + (to << (FRACTION - SCALE_FRACTION))
    power = np.clip(power, -1 << FRACTION, width << FRACTION)
    return np.where(some, np.maximum(exp2_fixed(power, width, 0)[0], 1), 0)


def recoded_whole(largest: int, alpha: int, new: int, scale: int) -> int:
    """log2 of what recode() makes of a priority above 0 where `to` is 0, rounded down."""
    return int(_recoded(np.array([largest]), alpha, new, scale)[0]) >> FRACTION


def _recoded(priority: np.ndarray, alpha: int, new: int, scale: int) -> np.ndarray:
    above = log2_fixed(priority) - (scale << (LOG2_FRACTION - SCALE_FRACTION))
    return ((above * new << (FRACTION - LOG2_FRACTION + 1)) + alpha) // (2 * alpha)


def direct(value: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """An unsigned 32-bit priority given as a number: saturated at 2**width - 1, and where that changed it."""
    value = np.asarray(value, dtype=np.int64)
    top = (1 << width) - 1
    return np.minimum(value, top), value > top


def weights(status: np.ndarray, priority: np.ndarray, total: np.ndarray, beta: int) -> np.ndarray:
    """Weights of one batch of answers, shape [batch], int64 ufix(32, 31): (P / P_min)**-beta, the largest exactly 1.0.

    P is priority / total; P_min the smallest of the answers with status 0. Others have weight 0. beta: ufix(16, 15).
    status, priority, total: [batch]; total up to 2**56 - 1. Raises ValueError when a priority exceeds its total.
    """
    ok = np.asarray(status) == OK
    priority, total = (np.where(ok, np.asarray(x, dtype=np.int64), 1) for x in (priority, total))
    if np.any(priority > total) or np.any(priority < 1):
        raise ValueError("a sampled priority is 1 or more and at most the total")
    rarity = np.where(ok, log2_fixed(total) - log2_fixed(priority), 0)  # -log2 of P
    distance = rarity.max(initial=0) - rarity
    power = round_shift(-beta * distance, _PRODUCT_FRACTION - FRACTION)
    return np.where(ok, exp2_fixed(power, WEIGHT_FRACTION + 1, WEIGHT_FRACTION)[0], 0)
