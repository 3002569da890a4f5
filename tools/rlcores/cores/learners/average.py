"""What learners in parallel share, in integers: the average of their weights, and importance weights over all banks."""

from collections.abc import Sequence

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.log2exp2 import FRACTION, LOG2_FRACTION, exp2_fixed, log2_fixed
from rlcores.cores.sumtree.maths import OK, POWER_FRACTION, WEIGHT_FRACTION


def mean(numbers: np.ndarray) -> np.ndarray:
    """The average of each number over L learners, int64 (L, n) to (n,): the exact sum over L, rounded half up.

    The sum is exact, so its order does not matter. Equals rlc_learners_average.

    >>> mean(np.array([[1, -1, 7], [2, -2, 7], [2, -2, 7]])).tolist()
    [2, -2, 7]
    """
    count = len(numbers)
    return (2 * numbers.sum(axis=0) + count) // (2 * count)


def importance(answers: Sequence[np.ndarray], beta: int, units: Sequence[int] | None = None) -> list[np.ndarray]:
    """Importance weights of the batches that L learners drew from their banks, int64 ufix(32,31), as one batch.

    answers: of sampled slots, a bank each (dtype sumtree.SAMPLE). A slot of priority p in a bank of total T_j is drawn
    with p / T_j, where a buffer of all banks with total T would draw it with p / T. So prioritised replay's weight
    (N p / T)**-beta is multiplied by L T_j / T (Zhang 2022, equation 5.4, before its approximation), and what is the
    same for all falls out: w = T_j p**-beta over the largest of all L batches. beta: ufix(16,15). units: log2 of what
    1 means in each bank's priorities and totals, whole numbers (default: all 0).
    """
    logs = [log_weights(each, beta, unit) for each, unit in zip(answers, units or [0] * len(answers), strict=True)]
    largest = max(int(each.max(initial=_NONE)) for each in logs)
    return [weights_of(each, largest) for each in logs]


def log_weights(answers: np.ndarray, beta: int, unit: int = 0) -> np.ndarray:
    """Logarithms of importance() before they are divided by the largest, int64 (n,); of no sample, far below all."""
    ok = answers["status"] == OK
    total, priority = (np.where(ok, answers[name].astype(np.int64), 1) for name in ("total", "priority"))
    log_total, log_priority = (log2_fixed(x) + (unit << LOG2_FRACTION) for x in (total, priority))
    return np.where(ok, (log_total << POWER_FRACTION) - beta * log_priority, _NONE)


def weights_of(logs: np.ndarray, largest: int) -> np.ndarray:
    """Importance weights, int64 (n,) ufix(32,31), of their logarithms and the largest one of all batches."""
    there = logs > _NONE
    power = round_shift(np.where(there, logs - largest, 0), LOG2_FRACTION + POWER_FRACTION - FRACTION)
    return np.where(there, exp2_fixed(power, WEIGHT_FRACTION + 1, WEIGHT_FRACTION)[0], 0)


_NONE = -(1 << 60)  # below the logarithm of every weight
