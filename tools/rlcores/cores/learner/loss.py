"""The loss stage of the learner, bit for bit: TD errors, the deltas of the output layer, priorities.

Everything is an int64 array over the records of a batch. Q values and TD errors have `act_frac` fraction bits (the
register of the output layer), gamma, reward scale and importance weights 17, rewards 16. The RTL is
`rtl/rl/rlc_rl_td_loss.v`; the formulas are in `docs/learner_loss.md`.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.learner.format import ACT_WIDTH, FACTOR_FRAC, REWARD_FRAC, VALUE_WIDTH


def td_error(
    q: np.ndarray,
    action: np.ndarray,
    q_target: np.ndarray,
    reward: np.ndarray,
    terminated: np.ndarray,
    *,
    act_frac: int,
    gamma: int,
    reward_scale: int,
    q_online_next: np.ndarray | None = None,
    width: int = VALUE_WIDTH,
) -> tuple[np.ndarray, np.ndarray]:
    """TD errors Q(s, a) - (r + gamma * Q'(s', a')) and how often each record saturated (0, 1 or 2: reward, error).

    q and q_target are (records, actions): the online network at s, the target network at s'. action (records,) lies in
    0..actions-1. reward is sfix(27,16), gamma and reward_scale ufix(18,17). a' is the target network's best action, or,
    with q_online_next (double DQN), the best of the online network at s'; of equals the first. A terminated record has
    no Q'. The error is symmetric, sfix(width, act_frac).
    """
    rows = np.arange(len(q))
    best = q_target.argmax(axis=1) if q_online_next is None else q_online_next.argmax(axis=1)
    q_next = np.where(terminated, 0, q_target[rows, best])
    r, cut = scaled_reward(reward, reward_scale, act_frac, width)
    exact = round_shift(((q[rows, action] - r) << FACTOR_FRAC) - gamma * q_next, FACTOR_FRAC)
    td = saturate(exact, width, symmetric=True)
    return td, cut.astype(np.int64) + (exact != td)


def scaled_reward(
    reward: np.ndarray, reward_scale: int, act_frac: int, width: int = VALUE_WIDTH
) -> tuple[np.ndarray, np.ndarray]:
    """Rewards with the fraction of values, sfix(width, act_frac), and where they were clipped."""
    exact = round_shift(reward * reward_scale, REWARD_FRAC + FACTOR_FRAC - act_frac)
    r = saturate(exact, width)
    return r, exact != r


def output_delta(
    error: np.ndarray, weight: np.ndarray, *, act_frac: int, delta_frac: int
) -> tuple[np.ndarray, np.ndarray]:
    """Gradient of the loss with respect to Q(s, a), sfix(18, delta_frac), and which of the records saturated.

    error is the TD error as the loss counts it, LossRegisters.clipped(). weight (records,) is the importance weight,
    ufix(18,17).
    """
    exact = round_shift(error * weight, FACTOR_FRAC + act_frac - delta_frac)
    delta = saturate(exact, ACT_WIDTH)
    return delta, exact != delta


def priority(td: np.ndarray) -> np.ndarray:
    """|TD error|, the raw priority of a record: 0..2**26 - 1 with act_frac fraction bits."""
    return np.abs(td)
