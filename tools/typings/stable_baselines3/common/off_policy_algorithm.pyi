"""The base of Stable-Baselines3's off-policy algorithms, as far as the drop-ins call it."""

from typing import Any

from gymnasium import spaces
from stable_baselines3.common.buffers import ReplayBuffer
from stable_baselines3.common.logger import Logger

class OffPolicyAlgorithm:
    observation_space: spaces.Space[Any]
    replay_buffer: ReplayBuffer | None
    replay_buffer_class: type[ReplayBuffer] | None
    replay_buffer_kwargs: dict[str, Any]
    gamma: float
    n_steps: int
    num_timesteps: int
    _current_progress_remaining: float
    # An algorithm has arguments of its own.
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    @property
    def logger(self) -> Logger: ...
    def _setup_model(self) -> None: ...
    def train(self, gradient_steps: int, batch_size: int) -> None: ...
