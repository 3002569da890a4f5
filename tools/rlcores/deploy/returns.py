"""Returns of a policy in its environment, in floating point and in integers: what the bits cost."""

from collections.abc import Callable

import numpy as np

from rlcores.deploy.formats import Quantised
from rlcores.errors import UserError

Act = Callable[[np.ndarray], np.ndarray]


def compared(quantised: Quantised, environment: str, episodes: int, seed: int) -> dict:
    """Mean returns before and after, each with its standard error; the episodes of both begin alike.

    Raises UserError if the environment does not exist.
    """
    parts = {"before": quantised.policy.act, "after": quantised.act}
    played = {name: episode_returns(act, environment, episodes, seed) for name, act in parts.items()}
    means = {
        name: {"mean": float(np.mean(of)), "standard_error": float(np.std(of) / max(len(of) - 1, 1) ** 0.5)}
        for name, of in played.items()
    }
    return {"environment": environment, "episodes": episodes} | means


def episode_returns(act: Act, environment: str, episodes: int, seed: int) -> np.ndarray:
    """Returns float64 [episodes] of a policy that acts without noise; episode n begins from seed + n."""
    import gymnasium as gym

    try:
        task = gym.make(environment)
    except (gym.error.Error, ImportError) as error:
        raise UserError(f"the environment '{environment}' cannot be made: {str(error).splitlines()[0]}") from error
    totals = np.zeros(episodes)
    for number in range(episodes):
        obs, _ = task.reset(seed=seed + number)
        ended = False
        while not ended:
            answer = act(np.asarray(obs, dtype=np.float64).reshape(1, -1))[0]
            space = task.action_space.shape
            action = np.asarray(answer, dtype=np.float32).reshape(space) if space else int(answer)
            obs, reward, terminated, truncated, _ = task.step(action)
            totals[number] += float(reward)
            ended = terminated or truncated
    task.close()
    return totals
