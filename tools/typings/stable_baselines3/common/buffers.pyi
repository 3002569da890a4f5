"""Stable-Baselines3's buffers, as far as the drop-ins call them."""

from typing import Any, TypeVar

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import DTypeLike
from stable_baselines3.common.vec_env import VecNormalize

_Observations = TypeVar("_Observations", np.ndarray, dict[str, np.ndarray])

class BaseBuffer:
    buffer_size: int
    observation_space: spaces.Space[Any]
    action_space: spaces.Space[Any]
    obs_shape: tuple[int, ...]
    action_dim: int
    pos: int
    full: bool
    n_envs: int
    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = ...,
        n_envs: int = ...,
    ) -> None: ...
    def size(self) -> int: ...
    def reset(self) -> None: ...
    def to_torch(self, array: np.ndarray, copy: bool = ...) -> torch.Tensor: ...
    @staticmethod
    def _normalize_obs(obs: _Observations, env: VecNormalize | None = ...) -> _Observations: ...
    @staticmethod
    def _normalize_reward(reward: np.ndarray, env: VecNormalize | None = ...) -> np.ndarray: ...

class ReplayBuffer(BaseBuffer):
    observations: np.ndarray
    next_observations: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    dones: np.ndarray
    timeouts: np.ndarray
    optimize_memory_usage: bool
    handle_timeout_termination: bool
    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = ...,
        n_envs: int = ...,
        optimize_memory_usage: bool = ...,
        handle_timeout_termination: bool = ...,
    ) -> None: ...
    def add(
        self,
        obs: np.ndarray,
        next_obs: np.ndarray,
        action: np.ndarray,
        reward: np.ndarray,
        done: np.ndarray,
        infos: list[dict[str, Any]],
    ) -> None: ...
    @staticmethod
    def _maybe_cast_dtype(dtype: DTypeLike | None) -> DTypeLike | None: ...

class DictReplayBuffer(ReplayBuffer):
    observation_space: spaces.Dict
    obs_shape: dict[str, tuple[int, ...]]
    def add(
        self,
        obs: dict[str, np.ndarray],
        next_obs: dict[str, np.ndarray],
        action: np.ndarray,
        reward: np.ndarray,
        done: np.ndarray,
        infos: list[dict[str, Any]],
    ) -> None: ...

class RolloutBuffer(BaseBuffer):
    rewards: np.ndarray
    values: np.ndarray
    episode_starts: np.ndarray
    advantages: np.ndarray
    returns: np.ndarray
    gae_lambda: float
    gamma: float
    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = ...,
        gae_lambda: float = ...,
        gamma: float = ...,
        n_envs: int = ...,
    ) -> None: ...
    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: np.ndarray) -> None: ...
