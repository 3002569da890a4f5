"""Priority maths of the sum tree, integer model: TD errors to priorities, sampled answers to importance weights.

Equals rlc_sumtree_priority and rlc_sumtree_weight bit for bit. In prioritised experience replay
p = (|delta| + eps)**alpha and w = (P / P_min)**-beta.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.log2exp2 import FRACTION, LOG2_FRACTION, exp2_fixed, log2_fixed

DELTA_FRACTION = 20  # TD errors are sfix(32, 20), eps is ufix(32, 20)
POWER_FRACTION = 15  # alpha and beta are ufix(16, 15)
POWER_ONE = 1 << POWER_FRACTION
SCALE_FRACTION = 8  # scale is sfix(16, 8)
WEIGHT_FRACTION = 31  # weights are ufix(32, 31)
WEIGHT_ONE = 1 << WEIGHT_FRACTION
OK = 0  # status of an answer that has a priority

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


def least_limited(alpha: int, eps: int, scale: int, width: int) -> int:
    """The least |delta| whose priority is limited to width bits, 2**31 + 1 where none is; arguments as of priorities().

    >>> least_limited(32768, 0, 0, 4)  # alpha 1: from 15.5 on
    16252928
    """
    low, high = 0, 2**31 + 1  # priorities never fall
    while low < high:
        middle = (low + high) // 2
        if priorities(np.array([middle]), alpha, eps, scale, width)[1][0]:
            high = middle
        else:
            low = middle + 1
    return low


def recode(priority: np.ndarray, alpha: int, new: int, scale: int, width: int) -> np.ndarray:
    """Priorities of an exponent alpha > 0 as they are with exponent `new`: 2**((log2(p) - scale) * new/alpha + scale).

    priority: int64 [n]; 0 stays 0. Formats and limits as of priorities(). For software: the core has no such unit.
    """
    some = np.asarray(priority, np.int64) > 0
    above = log2_fixed(np.where(some, priority, 1)) - (scale << (LOG2_FRACTION - SCALE_FRACTION))
    power = ((above * new << (FRACTION - LOG2_FRACTION + 1)) + alpha) // (2 * alpha)
    power = np.clip(power + (scale << (FRACTION - SCALE_FRACTION)), -1 << FRACTION, width << FRACTION)
    return np.where(some, np.maximum(exp2_fixed(power, width, 0)[0], 1), 0)


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
