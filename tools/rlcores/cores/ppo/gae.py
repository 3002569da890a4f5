"""Generalised advantages of a rollout in PPO's integers, bit for bit, N environments side by side; codes: records.py.

Rewards, values and advantages are sfix(27,16), gamma and gamma * lambda ufix(18,17). N environments take turns, a step
a clock, so the recurrence needs no look-ahead.
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.policy.density import OUT_FRAC, OUT_WIDTH

FACTOR_FRAC = 17
REWARD_WIDTH, REWARD_FRAC = 27, 19  # as the environment gives it


@dataclass(frozen=True)
class Advantages:
    """advantages (T, N), sfix(27,16), and how many numbers did not fit."""

    advantages: np.ndarray
    saturated: int


def scaled(rewards: np.ndarray, scale: int) -> tuple[np.ndarray, int]:
    """Rewards sfix(27,19) times a scale ufix(18,17) as sfix(27,16), and how many did not fit."""
    exact = round_shift(rewards * scale, REWARD_FRAC + FACTOR_FRAC - OUT_FRAC)
    clipped = saturate(exact, OUT_WIDTH)
    return clipped, int(np.count_nonzero(exact != clipped))


def ended(rewards: np.ndarray, lost: np.ndarray, final_values: np.ndarray, gamma: int) -> tuple[np.ndarray, int]:
    """r' = sat(r + round(gamma * V_final)) where an episode was truncated (lost), else r; and how many did not fit."""
    exact = rewards + round_shift(gamma * np.where(lost, final_values, 0), FACTOR_FRAC)
    clipped = saturate(exact, OUT_WIDTH)
    return clipped, int(np.count_nonzero(exact != clipped))


def advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    final_values: np.ndarray,
    bootstrap: np.ndarray,
    gamma: int,
    gamma_lambda: int,
) -> Advantages:
    """Of (T, N) rewards and values, backwards in time.

    A truncated step that is not terminated gets gamma * V(final observation) on its reward; then both kinds end an
    episode. final_values (T, N): looked at there only. bootstrap (N,): V of the observations after the last step.

    r' = sat(r + round(gamma * V_final)); delta = sat(r' - v + round(gamma * v_next));
    A = sat(delta + round(gamma_lambda * A_next)).
    """
    adjusted, saturated = ended(rewards, truncated & ~terminated, final_values, gamma)

    def held(exact: np.ndarray) -> np.ndarray:
        nonlocal saturated
        clipped = saturate(exact, OUT_WIDTH)
        saturated += int(np.count_nonzero(exact != clipped))
        return clipped

    codes = np.zeros(rewards.shape, np.int64)
    v_next, a_next = bootstrap, np.zeros_like(bootstrap)
    for t in range(len(rewards) - 1, -1, -1):
        ends = terminated[t] | truncated[t]
        v_next, a_next = np.where(ends, 0, v_next), np.where(ends, 0, a_next)
        delta = held(adjusted[t] - values[t] + round_shift(gamma * v_next, FACTOR_FRAC))
        a_next = held(delta + round_shift(gamma_lambda * a_next, FACTOR_FRAC))
        codes[t], v_next = a_next, values[t]
    return Advantages(codes, saturated)
