"""Environments that live on the host, behind the stream's contract: a vector of Gymnasium that answers in beats."""

from typing import Any

import numpy as np

from rlcores.cores.common.fixed import quantise
from rlcores.cores.common.vanished import Vanished
from rlcores.cores.env import beats
from rlcores.cores.env.physics import ACTION_FRACTION, COMPONENTS_MOST, OBS_WIDTH, REWARD_FRACTION, REWARD_WIDTH, limit


class HostEnvs:
    """A gymnasium.vector.VectorEnv as EnvModel: codes in, beats out; one step of all environments at a time.

    saturated: steps in which an observation or a reward did not fit its format, and was clipped.

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

        An action of the vector is an index, or numbers. Raises ValueError for another vector.
        """
        mode = vector.metadata.get("autoreset_mode")
        if getattr(mode, "name", None) != "SAME_STEP":
            raise ValueError(f"the vector's autoreset mode is {mode}; the stream's is SAME_STEP")
        shape = vector.single_observation_space.shape
        if shape != (len(fractions),):
            raise ValueError(f"an observation has shape {shape}; {len(fractions)} fractions are given")
        actions = vector.single_action_space
        kind = len(actions.shape or ()), actions.dtype and actions.dtype.kind
        if actions.shape is None or kind not in ((0, "i"), (1, "f")) or sum(actions.shape) > COMPONENTS_MOST:
            raise ValueError(f"an action of the vector is {actions}; the stream's is an index, or 1 to 16 numbers")
        self.vector, self.n_envs, self.saturated = vector, vector.num_envs, 0
        self._first = None if actions.shape else actions.start
        self._fractions = np.array(fractions)
        self._rewards = Vanished("rewards", REWARD_FRACTION)

    def start(self, seed: int = 0) -> np.ndarray:
        """Restart all episodes: N first beats. Raises ValueError for an observation that is not finite."""
        seen, _ = self.vector.reset(seed=seed)
        records = np.zeros(self.n_envs, beats.dtype(len(self._fractions)))
        records["first"] = True
        codes, beyond = self._codes(seen)
        records["obs"] = records["final"] = codes
        self.saturated += int(beyond.sum())
        return records

    def step(self, actions: np.ndarray) -> np.ndarray:
        """Answer actions (N,), indices or sfix(18,15), or vectors (N, components): N beats.

        Raises ValueError for an observation or a reward that is not finite.
        """
        env_actions = np.asarray(actions)
        if self._first is not None:
            env_actions = env_actions + self._first
        else:
            kind = self.vector.single_action_space.dtype
            env_actions = (env_actions.reshape(self.n_envs, -1) * 2.0**-ACTION_FRACTION).astype(kind)
        seen, rewards, terminated, truncated, infos = self.vector.step(env_actions)
        lasts = np.array(seen, np.float64)
        for n in np.flatnonzero(terminated | truncated):
            lasts[n] = infos["final_obs"][n]
        records = np.zeros(self.n_envs, beats.dtype(len(self._fractions)))
        records["terminated"], records["truncated"] = terminated, truncated
        records["reward"], much = limit(quantise(rewards, REWARD_FRACTION, "reward"), REWARD_WIDTH)
        self._rewards.see(rewards, records["reward"])
        records["obs"], _ = self._codes(seen)
        records["final"], beyond = self._codes(lasts)
        self.saturated += int((beyond | much).sum())
        return records

    def _codes(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes = quantise(seen, self._fractions, "number of an observation")
        clipped, saturated = limit(codes, OBS_WIDTH, symmetric=True)
        return clipped, saturated.any(axis=1)
