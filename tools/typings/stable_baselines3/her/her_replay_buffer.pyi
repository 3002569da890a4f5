"""Stable-Baselines3's buffer with hindsight, as far as the drop-ins call it."""

from stable_baselines3.common.buffers import DictReplayBuffer
from stable_baselines3.common.vec_env import VecEnv

class HerReplayBuffer(DictReplayBuffer):
    env: VecEnv | None
    n_sampled_goal: int
    copy_info_dict: bool
    her_ratio: float
    def truncate_last_trajectory(self) -> None: ...
