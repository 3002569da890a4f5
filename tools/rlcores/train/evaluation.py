"""Mean return of a greedy policy over many episodes at once."""

from collections.abc import Callable

import gymnasium
import numpy as np

import rlcores.cores.env.plants  # noqa: F401 - registers the library's own

# Episodes of one look during training, of the choice among checkpoints, and of the proof that the goal is reached.
LOOK, CHOICE, GOAL = 10, 50, 100
# Seeds of episodes, far from those of training and from one another.
LOOK_SEED, CHOICE_SEED, REPORT_SEED, GOAL_SEED = 10_000, 20_000, 30_000, 40_000
_LONGEST = 10_000  # steps of an episode where the environment sets no limit


def beyond_chance(returns: np.ndarray) -> float:
    """The mean of a sample less twice its standard error: the whole has a smaller mean in one of 40 samples."""
    return float(returns.mean() - 2 * returns.std(ddof=1) / len(returns) ** 0.5)


class Evaluation:
    """Environments that are kept, so that a look at a policy costs its steps only."""

    def __init__(self, environment: str, state_scale: np.ndarray) -> None:
        """state_scale: (N_s,), the policy sees states times this."""
        self._scale = state_scale
        self._name = environment
        self._environments: list[gymnasium.Env] = []
        self._steps = gymnasium.make(environment).spec.max_episode_steps or _LONGEST

    def __call__(self, policy: Callable[[np.ndarray], np.ndarray], episodes: int, seed: int) -> np.ndarray:
        """Returns of `episodes` episodes, (episodes,). policy: states (B, N_s) to the actions, (B, ...)."""
        while len(self._environments) < episodes:
            self._environments.append(gymnasium.make(self._name).unwrapped)
        environments = self._environments[:episodes]
        states = np.array([e.reset(seed=seed + k)[0] for k, e in enumerate(environments)], np.float32)
        returns = np.zeros(episodes)
        alive = np.arange(episodes)
        for _ in range(self._steps):
            actions = policy(states[alive] * self._scale)
            over = []
            for k, action in zip(alive, actions, strict=True):
                states[k], reward, terminated, _, _ = environments[k].step(action)
                returns[k] += reward
                over.append(terminated)
            alive = alive[~np.array(over)]
            if not len(alive):
                break
        return returns
