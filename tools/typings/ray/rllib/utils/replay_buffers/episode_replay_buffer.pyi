"""RLlib's buffer of episodes, as far as the drop-in calls it."""

from typing import Any

import numpy as np

class EpisodeReplayBuffer:
    capacity: int
    batch_size_B: int
    batch_length_T: int
    sampled_timesteps: int
    rng: np.random.Generator
    _num_timesteps_added: int
    _num_episodes_evicted: int
    def __init__(
        self,
        capacity: int = ...,
        *,
        batch_size_B: int = ...,
        batch_length_T: int = ...,
        metrics_num_episodes_for_smoothing: int = ...,
        **kwargs: Any,
    ) -> None: ...
    # Numbers of what happened, by name.
    def _update_add_metrics(self, **kwargs: Any) -> None: ...
    def _update_sample_metrics(self, **kwargs: Any) -> None: ...
