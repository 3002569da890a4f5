"""Environments that live on the host, behind the stream's contract: a vector of Gymnasium that answers in beats."""

from typing import Any

import numpy as np

from rlcores.cores.env import beats
from rlcores.cores.env.physics import ACTION_FRACTION, OBS_WIDTH, REWARD_FRACTION, REWARD_WIDTH, limit


class HostEnvs:
    """A gymnasium.vector.VectorEnv as EnvModel: codes in, beats out; one step of all environments at a time.

    limited: steps in which an observation or a reward did not fit its format, and was limited.

    >>> import gymnasium
    >>> same_step = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
    >>> vector = gymnasium.make_vec("Pendulum-v1", 3, vectorization_mode="sync", vector_kwargs=same_step)
    >>> envs = HostEnvs(vector, (16, 16, 13))
    >>> envs.start(1)["first"]
    array([ True,  True,  True])
    >>> envs.step(np.zeros(3, np.int64))["obs"].shape
    (3, 3)
    """

    def __init__(self, vector: Any, fractions: tuple[int, ...]) -> None:
        """vector: with AutoresetMode.SAME_STEP. fractions: bits of each element of an observation.

        Raises ValueError for another vector.
        """
        mode = vector.metadata.get("autoreset_mode")
        if getattr(mode, "name", None) != "SAME_STEP":
            raise ValueError(f"the vector's autoreset mode is {mode}; the stream's is SAME_STEP")
        shape = vector.single_observation_space.shape
        if shape != (len(fractions),):
            raise ValueError(f"an observation has shape {shape}; {len(fractions)} fractions are given")
        self.vector, self.n_envs, self.limited = vector, vector.num_envs, 0
        self._discrete = not vector.single_action_space.shape
        self._scale = 2.0 ** np.array(fractions)

    def start(self, seed: int = 0) -> np.ndarray:
        """Begin all episodes anew: N first beats."""
        seen, _ = self.vector.reset(seed=seed)
        found = np.zeros(self.n_envs, beats.dtype(len(self._scale)))
        found["first"] = True
        found["obs"] = found["final"] = self._codes(seen)[0]
        return found

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Answer actions (N,), indices or sfix(18,15): N beats."""
        real = np.asarray(actions) * 2.0**-ACTION_FRACTION
        given = actions if self._discrete else real[:, None].astype(self.vector.single_action_space.dtype)
        seen, rewards, terminated, truncated, infos = self.vector.step(given)
        lasts = np.array(seen, np.float64)
        for n in np.flatnonzero(terminated | truncated):
            lasts[n] = infos["final_obs"][n]
        found = np.zeros(self.n_envs, beats.dtype(len(self._scale)))
        found["terminated"], found["truncated"] = terminated, truncated
        found["reward"], much = limit(np.floor(rewards * 2.0**REWARD_FRACTION + 0.5).astype(np.int64), REWARD_WIDTH)
        found["obs"], _ = self._codes(seen)
        found["final"], beyond = self._codes(lasts)
        self.limited += int((beyond | much).sum())
        return found

    def _codes(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes = np.floor(np.asarray(seen, np.float64) * self._scale + 0.5).astype(np.int64)
        found, limited = limit(codes, OBS_WIDTH, symmetric=True)
        return found, limited.any(axis=1)
