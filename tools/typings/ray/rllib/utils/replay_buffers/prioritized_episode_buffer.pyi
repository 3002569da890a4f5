"""RLlib's prioritised buffer of episodes, as far as the drop-in calls it."""

from ray.rllib.utils.replay_buffers.episode_replay_buffer import EpisodeReplayBuffer

class PrioritizedEpisodeReplayBuffer(EpisodeReplayBuffer):
    _alpha: float
