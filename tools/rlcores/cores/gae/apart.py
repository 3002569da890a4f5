"""Which environments of a rollout share a range of codes.

A code's step follows from the range of all environments that share it, and an environment whose rewards and values are
far smaller would drown in its rounding. So these get runs of their own: each run of the array has one range.
"""

import math

import numpy as np

from rlcores.cores.gae.rollout import Rollout
from rlcores.cores.gae.scale import NONE
from rlcores.cores.gae.scales import deviations

_MOST = 32  # runs


def share(reward_step: float, value_step: float, deviation: float) -> float:
    """The rounding of codes beside the standard deviation of TD errors, which hold a reward and two values each.

    Both add up to advantages alike, so this is about the error of advantages beside their deviation; beside their size
    where the TD errors are all equal. Where they are 0, every rounding is infinitely large beside them.
    """
    rounding = math.hypot(reward_step, math.sqrt(2) * value_step) / math.sqrt(12)
    return rounding / deviation if deviation else math.inf if rounding else 0.0


@np.errstate(over="ignore", invalid="ignore")
def groups(rollout: Rollout, gamma: float, limit: int, accepted: float) -> list[np.ndarray]:
    """Environments that share a range, as indices: as few groups as a greedy choice finds, at most 32.

    limit: the greatest code. accepted: the largest share() that is wanted. An environment that would be worse even
    alone loses one bit at most.
    """
    low, high = _extents(rollout)
    deviation = deviations(rollout, gamma)
    step = _size(high - low) / limit
    # The steps that the array takes are a little larger.
    need = (
        np.where(deviation > 0, 0.9 * accepted * deviation, 0.0) if accepted < math.inf else np.full_like(step, np.inf)
    )
    need = np.where(step > need, 2 * step, need)
    left, sets = np.argsort(need, kind="stable"), []
    while len(left):
        if len(sets) == _MOST - 1:
            sets.append(np.sort(left))
            break
        first, bottom, top, mine = left[0], low[:, left[0]], high[:, left[0]], []
        for n in left:
            widest = np.maximum(top, high[:, n]) - np.minimum(bottom, low[:, n])
            if n == first or _size(widest) / limit <= need[first]:
                bottom, top = np.minimum(bottom, low[:, n]), np.maximum(top, high[:, n])
                mine.append(n)
        sets.append(np.sort(mine))
        left = left[~np.isin(left, mine)]
    return sets


def _extents(rollout: Rollout) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest reward and value of each environment, (2, N) each."""
    rows, sent = rollout.all_values, rollout.kinds != NONE
    low = np.array([rollout.rewards.min(0), np.where(sent, rows, np.inf).min(0)])
    high = np.array([rollout.rewards.max(0), np.where(sent, rows, -np.inf).max(0)])
    return low, high


def _size(ranges: np.ndarray) -> np.ndarray:
    """share() of ranges of rewards and values (2, ...) beside a deviation of 1 and where a code may be 0 or 1.

    Codes of rewards lie about their mean, so that their range may be on one side; those of values lie about the middle.
    """
    return np.hypot(ranges[0], ranges[1] / math.sqrt(2)) / math.sqrt(12)
