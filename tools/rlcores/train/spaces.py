"""What an environment takes and gives, as far as a learner needs it."""

import warnings
from dataclasses import dataclass

import numpy as np

from rlcores.errors import UserError


@dataclass(frozen=True)
class Spaces:
    """States are vectors of state_size numbers; actions are whole numbers, or vectors between low and high."""

    state_size: int
    state_limit: tuple[float, ...]  # largest |number| of each, inf where the environment names none
    actions: int | None  # how many actions; None: vectors
    first_action: int = 0  # what the environment calls the first of them
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    max_steps: int | None = None  # of an episode

    @property
    def action_size(self) -> int:
        """Outputs of a policy."""
        return self.actions or len(self.low)

    def to_environment(self, actions: np.ndarray) -> np.ndarray:
        """What the environment takes, from whole numbers (n,), or from (n, N_a) of which -1 … 1 is the range."""
        if self.actions is not None:
            return actions + self.first_action
        low, high = np.array(self.low, np.float32), np.array(self.high, np.float32)
        return low + (np.clip(actions, -1, 1) + np.float32(1)) * ((high - low) / 2)


def make(environment: str, episode: int | None = None):
    """The environment, its episodes truncated after `episode` steps. Raises UserError when there is none."""
    import gymnasium

    import rlcores.cores.env.plants  # noqa: F401 - registers the library's own

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return gymnasium.make(environment, max_episode_steps=episode, disable_env_checker=True)
    except gymnasium.error.DependencyNotInstalled as error:
        raise UserError(f"{environment} needs a package that is not installed: {_line(error)}") from error
    except (gymnasium.error.Error, ImportError) as error:
        raise UserError(f"there is no environment '{environment}': {_line(error)}") from error
    except Exception as error:
        # The environment's own code, or a name that gymnasium stumbles over.
        raise UserError(f"the environment '{environment}' cannot be made: {_line(error) or repr(error)}") from error


def look(environment: str) -> Spaces:
    """The spaces of an environment.

    Raises UserError when there is no such environment, when its observations are not vectors, or its actions neither
    whole numbers nor bounded vectors.
    """
    from gymnasium.spaces import Box, Discrete

    env = make(environment)
    seen, taken, spec = env.observation_space, env.action_space, env.spec
    env.close()
    if not isinstance(seen, Box) or len(seen.shape) != 1:
        raise UserError(f"{environment} has observations {_short(seen)}; rlcores train takes a Box of one dimension")
    limit = np.maximum(np.abs(seen.low.astype(float)), np.abs(seen.high.astype(float)))
    common = dict(
        state_size=seen.shape[0], state_limit=tuple(limit.tolist()), max_steps=spec and spec.max_episode_steps
    )
    if isinstance(taken, Discrete):
        return Spaces(**common, actions=int(taken.n), first_action=int(taken.start))
    if not isinstance(taken, Box) or len(taken.shape) != 1:
        raise UserError(
            f"{environment} has actions {_short(taken)}; rlcores train takes Discrete, or a Box of one dimension"
        )
    if not (np.isfinite(taken.low).all() and np.isfinite(taken.high).all()):
        raise UserError(f"{environment} has actions without bounds; rlcores train takes a bounded Box")
    return Spaces(**common, actions=None, low=tuple(taken.low.tolist()), high=tuple(taken.high.tolist()))


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _short(space: object) -> str:
    text = " ".join(str(space).split())
    return text if len(text) <= 60 else text[:57] + "..."
