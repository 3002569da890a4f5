"""GAE in float64 of stacks of records, from the equations of Taha and Abdelhadi (2025) and docs/gae.md."""

import numpy as np

from rlcores.cores.gae.scale import BOOT, NONE, STEP


def records(
    kinds: np.ndarray, rewards: np.ndarray, values: np.ndarray, gamma: float, gae_lambda: float
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns of stacks of records, shape (lanes, records) each, 0 where the record is not a step.

    kinds, rewards, values: shape (lanes, records) in push order, kinds NONE pads at the end.
    STEP(r, v): delta = r + gamma*V_next - v, A = delta + gamma*lambda*A_next, return A + v;
    terminated: V_next = A_next = 0.
    BOOT(v): V_next = v, A_next = 0.
    """
    kinds = np.asarray(kinds)
    rewards, values = (np.asarray(x, dtype=np.float64) for x in (rewards, values))
    advantages = np.zeros(kinds.shape)
    v_next, a_next = np.zeros(kinds.shape[0]), np.zeros(kinds.shape[0])
    for t in range(kinds.shape[1] - 1, -1, -1):
        kind, r, v = kinds[:, t], rewards[:, t], values[:, t]
        step = (kind & 1) == 1
        delta = r + np.where(kind == STEP, gamma * v_next, 0.0) - v
        a = delta + np.where(kind == STEP, gamma * gae_lambda * a_next, 0.0)
        advantages[:, t] = np.where(step, a, 0.0)
        a_next = np.where(step, a, np.where(kind == BOOT, 0.0, a_next))
        v_next = np.where(kind != NONE, v, v_next)
    returns = np.where((kinds & 1) == 1, advantages + values, 0.0)
    return advantages, returns
