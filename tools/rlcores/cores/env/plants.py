"""The library's own environments in float64, as environments of Gymnasium: what the chip's integers are judged by.

To import this module registers those whose name of Gymnasium begins with rlcores/. Gymnasium must be installed.

>>> import gymnasium
>>> import rlcores.cores.env.plants
>>> env = gymnasium.make("rlcores/Quadrotor-v0")
>>> obs, info = env.reset(seed=1)
>>> obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> obs.shape, terminated
((13,), False)
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.physics import DRAW_WIDTH

NAMESPACE = "rlcores/"


class Plant(gymnasium.Env):
    """One environment that steps by Physics.reference. state: in the environment's units, float64 (states,).

    An observation is what the chip's environment shows, in float32 and not rounded to 18 bits. An episode starts as the
    chip's, from random words of `np_random`.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - Gymnasium's own is one

    def __init__(self, name: str) -> None:
        """name: ours. Raises KeyError."""
        self.physics = ENVIRONMENTS[name]
        low, high = (np.array(end, np.float32) for end in self.physics.obs_range)
        self.observation_space = spaces.Box(low, high, dtype=np.float32)
        if self.physics.actions:
            self.action_space = spaces.Discrete(self.physics.actions)
        else:
            self.action_space = spaces.Box(*self.physics.action_range, (self.physics.components,), np.float32)
        self.state = np.zeros(len(self.physics.states))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """As Gymnasium's. options: none are known."""
        super().reset(seed=seed)
        words = self.np_random.integers(0, 1 << DRAW_WIDTH, self.physics.draws)
        self.state = self.physics.state_numbers(self.physics.reset(words)[0])
        return self._seen(), {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """As Gymnasium's."""
        actions = np.asarray(action)[None]
        states, rewards, ends = self.physics.reference(self.state[None], actions.astype(float))
        self.state = states[0]
        return self._seen(), float(rewards[0]), bool(ends[0]), False, {}

    def _seen(self) -> np.ndarray:
        return self.physics.seen(self.state).astype(np.float32)


for _physics in ENVIRONMENTS.values():
    if _physics.gymnasium.startswith(NAMESPACE) and _physics.gymnasium not in gymnasium.registry:
        gymnasium.register(
            _physics.gymnasium,
            entry_point="rlcores.cores.env.plants:Plant",
            max_episode_steps=_physics.time_limit,
            kwargs={"name": _physics.name},
        )
