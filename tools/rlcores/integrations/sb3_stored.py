"""Replay buffers for Stable-Baselines3 whose transitions lie in rlcores.ReplayBuffer: dictionaries, and hindsight.

An observation is stored once, so optimize_memory_usage needs no switch here, and costs no exactness at episode ends.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rlcores.base.arguments import check_int
from rlcores.base.arrays import flags, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.errors import UserError, warn
from rlcores.integrations import of_sampler, require_library, seed_of
from rlcores.integrations.sb3_buffers import Feedback, PrioritizedSamples
from rlcores.replay.batch import ReplayBatch
from rlcores.replay.buffer import ReplayBuffer
from rlcores.replay.goals import Hindsight

try:
    import torch
    from gymnasium import spaces
    from stable_baselines3.common.buffers import BaseBuffer, DictReplayBuffer
    from stable_baselines3.common.type_aliases import DictReplayBufferSamples
    from stable_baselines3.her.her_replay_buffer import HerReplayBuffer as _HerReplayBuffer

    _MISSING = None
except ImportError as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        BaseBuffer = DictReplayBuffer = _HerReplayBuffer = object
        _MISSING = error


def _follows(name: str, value: Callable[[Any], Any]) -> Any:
    """An attribute of SB3's buffers that follows from the transitions held; SB3's constructor sets it before any.

    Of any type to a type checker: the attribute's annotation says it.
    """

    def keep(self: Any, other: Any) -> None:
        if "held" in vars(self) and other != value(self):
            raise UserError(f"{name} cannot be set: it follows from the transitions held, which reset() forgets")

    return property(value, keep)


class _Stored(Guarded, DictReplayBuffer):
    """What is common to them: how SB3's steps come in, and how a batch goes out."""

    _given: dict[str, Any]  # arguments of the buffer that keeps the transitions

    def _begin(
        self, buffer_size: int, observation_space: "spaces.Space[Any]", action_space: Any, device: Any, n_envs: int
    ) -> None:
        require_library("stable-baselines3", _MISSING)
        if not issubclass(type(observation_space), spaces.Dict):
            raise UserError(f"observation_space is {observation_space}; this buffer is of dictionary observations")
        BaseBuffer.__init__(self, buffer_size, observation_space, action_space, device, n_envs=n_envs)
        self.buffer_size = max(buffer_size // n_envs, 1)

    def _store(self, **options: Any) -> None:
        """Make the buffer that keeps the transitions."""
        kinds = self.observation_space.spaces
        seen = {name: (shape, kinds[name].dtype) for name, shape in self.obs_shape.items()}
        action = (self.action_dim,), self._maybe_cast_dtype(self.action_space.dtype)
        arrays: dict[str, Any] = {"observation": seen, "action": action}
        size = self.buffer_size * self.n_envs
        self.held = ReplayBuffer(size, arrays, num_envs=self.n_envs, autoreset="disabled", **options)

    def __repr__(self) -> str:
        return described(self, repr(self.held))

    @staticmethod
    def _maybe_cast_dtype(dtype: Any) -> Any:
        return np.dtype(np.float32) if dtype == np.float64 else np.dtype(dtype)

    pos: int = _follows("pos", lambda self: self.held._store.time % self.buffer_size)
    full: bool = _follows("full", lambda self: self.held._store.time >= self.buffer_size)

    def size(self) -> int:
        """Steps held of each environment."""
        return len(self.held) // self.n_envs

    def reset(self) -> None:
        """Forget all transitions."""
        self._store(**self._given)

    def add(self, obs: Any, next_obs: Any, action: Any, reward: Any, done: Any, infos: list[dict[str, Any]]) -> None:
        """Add one step of every environment; see ReplayBuffer. Raises UserError when a number is not finite."""
        timeouts = np.zeros(self.n_envs, bool)
        if self.handle_timeout_termination:
            timeouts[:] = [info.get("TimeLimit.truncated", False) for info in infos]
        done = flags("done", done).reshape(self.n_envs)
        self.held.add(
            observation=self._seen(obs),
            next_observation=self._seen(next_obs),
            action=np.asarray(action, self.held._layout.specs["action"][1]).reshape(self.n_envs, self.action_dim),
            reward=np.asarray(reward, np.float32).reshape(self.n_envs),
            terminated=done & ~timeouts,
            truncated=done & timeouts,
        )

    def _seen(self, obs: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return {name: np.asarray(obs[name]).reshape(self.n_envs, *shape) for name, shape in self.obs_shape.items()}

    def _fields(
        self, batch: ReplayBatch, env: Any
    ) -> "tuple[dict[str, torch.Tensor], torch.Tensor, dict[str, torch.Tensor], torch.Tensor, torch.Tensor]":
        """Observations, actions, next observations, ends and rewards of a batch, as tensors."""

        def tensor(array: np.ndarray) -> torch.Tensor:
            return self.to_torch(array, copy=False)  # the arrays are the batch's own

        def seen(name: str) -> dict[str, torch.Tensor]:
            arrays: dict[str, np.ndarray] = self._normalize_obs(batch[name], env)
            return {name: tensor(array) for name, array in arrays.items()}

        ends = batch["terminated"].astype(np.float32).reshape(-1, 1)
        rewards = self._normalize_reward(batch["reward"].reshape(-1, 1), env)
        here, there = seen("observation"), seen("next_observation")
        return here, tensor(batch["action"]), there, tensor(ends), tensor(rewards)


class HerReplayBuffer(_Stored, _HerReplayBuffer):
    """SB3's HerReplayBuffer (Andrychowicz et al. 2017) on rlcores.ReplayBuffer; docs/integrations.md has its speed.

    `SAC("MultiInputPolicy", env, replay_buffer_class=HerReplayBuffer, replay_buffer_kwargs={"n_sampled_goal": 4})`

    Arguments are SB3's. It draws from the transitions of ended episodes. Those that are left of an episode whose first
    steps are overwritten are among them, which SB3 leaves out; "episode" then draws goals from the steps that are left.
    Rewards of new goals come from the environment's compute_reward.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        env: Any,
        device: Any = "auto",
        n_envs: int = 1,
        optimize_memory_usage: bool = False,
        handle_timeout_termination: bool = True,
        n_sampled_goal: int = 4,
        goal_selection_strategy: Any = "future",
        copy_info_dict: bool = False,
        seed: int | None = None,
    ) -> None:
        """seed: by default one that NumPy's global generator gives, which SB3 seeds. Raises UserError."""
        self._begin(buffer_size, observation_space, action_space, device, n_envs)
        self.env, self.copy_info_dict, self.handle_timeout_termination = env, copy_info_dict, handle_timeout_termination
        self.optimize_memory_usage, self.n_sampled_goal = optimize_memory_usage, n_sampled_goal
        strategy = str(getattr(goal_selection_strategy, "name", goal_selection_strategy)).lower()
        self.goal_selection_strategy = strategy
        how = Hindsight(self._reward, n_sampled_goal, strategy)
        self.her_ratio = how.share
        self._given = {"hindsight": how, "prioritized": False, "seed": seed_of(seed)}
        self._store(**self._given)
        self.infos = np.array([[{}] * n_envs] * self.buffer_size) if copy_info_dict else None

    def _reward(self, achieved: np.ndarray, desired: np.ndarray, info: dict[str, Any]) -> np.ndarray:
        if self.env is None:
            raise UserError("this buffer has no environment, whose compute_reward it needs: call set_env()")
        infos: list[dict[str, Any]] = [{} for _ in range(len(achieved))]
        if self.infos is not None:
            rows, envs = np.divmod(info["indices"], self.n_envs)
            infos = [dict(info) for info in self.infos[rows, envs]]
        rewards: np.ndarray = self.env.env_method("compute_reward", achieved, desired, infos, indices=[0])[0]
        return rewards

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one step of every environment; see SB3's HerReplayBuffer."""
        at = self.pos
        super().add(*args, **kwargs)
        if self.infos is not None:
            self.infos[at] = kwargs.get("infos", args[-1])

    def sample(self, batch_size: int, env: Any = None) -> "DictReplayBufferSamples":
        """A batch, n_sampled_goal of n_sampled_goal + 1 transitions with a goal that was reached later."""
        here, actions, there, ends, rewards = self._fields(self.held.sample(batch_size), env)
        return DictReplayBufferSamples(here, actions, there, ends, rewards)

    def truncate_last_trajectory(self) -> None:
        """The newest episode of every environment ends with its newest step; see SB3's HerReplayBuffer."""
        newest = (self.pos - 1) % self.buffer_size * self.n_envs + np.arange(self.n_envs)
        if len(self.held) and not self.held.episodes.closed(newest).all():
            warn("the last episodes of the buffer are truncated; truncate_last_traj=False goes on with them")
        self.held.end_episode()


class PrioritizedDictReplayBuffer(Feedback, _Stored, DictReplayBuffer):
    """SB3's DictReplayBuffer that samples in proportion to priorities; PrioritizedReplayBuffer says the rest."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        device: Any = "auto",
        n_envs: int = 1,
        optimize_memory_usage: bool = False,
        handle_timeout_termination: bool = True,
        *,
        n_steps: int = 1,
        gamma: float = 0.99,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        seed: int | None = None,
        backend: Any = "native",
        sampler_options: Mapping[str, Any] | None = None,
    ) -> None:
        """As PrioritizedReplayBuffer and SB3's DictReplayBuffer. Raises UserError."""
        self._begin(buffer_size, observation_space, action_space, device, n_envs)
        self.optimize_memory_usage, self.handle_timeout_termination = optimize_memory_usage, handle_timeout_termination
        self.n_steps, self.gamma = check_int("n_steps", n_steps, 1, self.buffer_size), gamma
        self._given = {"n_steps": n_steps, "gamma": gamma, "alpha": alpha, "beta": beta, "seed": seed_of(seed)}
        self._given |= {"priority_epsilon": priority_epsilon, "backend": backend}
        self._given |= {"sampler_options": {"batch_max": 32768} | dict(sampler_options or {})}
        self._options = self._given
        self._store(**self._given)

    beta = property(
        lambda self: self.held.beta,
        lambda self, beta: setattr(self.held, "beta", beta),
        doc="Exponent of the importance weights; may be set between samples.",
    )
    sampler = property(lambda self: self.held.sampler, doc="The sampler of the priorities.")
    alpha = of_sampler("alpha", "Exponent of the priorities; may be set, see rlcores.PrioritizedSampler.alpha.")

    def reset(self) -> None:
        """Forget all transitions and priorities."""
        alpha, beta = self.alpha, self.beta
        super().reset()
        self.alpha, self.beta = alpha, beta

    def sample(self, batch_size: int, env: Any = None) -> PrioritizedSamples:
        """A batch in proportion to the priorities."""
        batch = self.held.sample(batch_size)
        self._drew(self.alpha)
        fields = self._fields(batch, env)
        discounts = None if self.n_steps == 1 else self.to_torch(batch["discount"].reshape(-1, 1))
        weights = self.to_torch(batch.weights.reshape(-1, 1))
        return PrioritizedSamples(*fields, discounts, weights, batch.indices, batch.generations)

    def update_priorities(self, samples: PrioritizedSamples, td_errors: Any) -> int:
        """Priorities from new TD errors, one for each sample; how many were still there."""
        errors = plain("td_errors", td_errors).reshape(-1)
        self._heard()
        return int(self.held.update(samples.indices, errors, samples.generations).sum())
