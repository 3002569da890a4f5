"""GAE in float64, from the equations of Taha and Abdelhadi (2025) and docs/gae.md. It says how far integers are off."""

import numpy as np


def rollout(
    rewards: np.ndarray,
    values: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    bootstrap: np.ndarray,
    final_values: np.ndarray | None,
    gamma: float,
    gae_lambda: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns of (T, N) rollouts as PPO codes hold them.

    bootstrap: (N,) V of the observation after the last step. final_values: (T, N) V of the final observation where
    truncated (needed only there). Returns advantages and returns, (T, N); in float32 where all numbers are.
    """
    steps = rewards.shape[0]
    dtype = np.result_type(rewards, values, bootstrap)
    advantages = np.zeros_like(rewards, dtype=dtype if dtype == np.float32 else np.float64)
    a_next = np.zeros(rewards.shape[1], advantages.dtype)
    for t in range(steps - 1, -1, -1):
        v_next = bootstrap if t == steps - 1 else values[t + 1]
        if final_values is not None:
            v_next = np.where(truncated[t], final_values[t], v_next)
        v_next = np.where(terminated[t], 0.0, v_next)
        a_next = np.where(terminated[t] | truncated[t], 0.0, a_next)
        a_next = rewards[t] + gamma * v_next - values[t] + gamma * gae_lambda * a_next
        advantages[t] = a_next
    return advantages, advantages + values
