"""HEPPO's experiments on a game of Atari: PPO of Stable-Baselines3 whose rollout buffer is the drop-in.

The settings are those of RL Baselines3 Zoo for Atari (heppo.yaml). The observation is the console's 128 bytes of
memory, so that the network is small: 64-64. Experiments 1 and 5 are the GAE core through GaeRolloutBuffer, 2 to 4
compute in float64. Rewards are cut to their signs and a lost life ends an episode, as usual; a return is the game's own
score.
"""

import time
from collections.abc import Callable
from importlib import metadata

import numpy as np

from rlcores.errors import UserError
from rlcores_lab.study import heppo
from rlcores_lab.study.heppo import CLIP, EXPERIMENTS, GIVEN

SETTINGS: dict = GIVEN["games"]
STEPS: dict[str, int] = SETTINGS["steps"]
PACKAGES = ("gymnasium", "ale-py", "stable-baselines3")


def check(environment: str) -> None:
    """Raises UserError when a package is missing."""
    for package, extra in (("ale-py", "atari"), ("stable-baselines3", "sb3")):
        try:
            metadata.version(package)
        except metadata.PackageNotFoundError:
            raise UserError(
                f"{environment} needs {package}, which is not installed: `uv sync --extra {extra}`"
            ) from None


def train(
    environment: str, experiment: str, bits: int | None, seed: int, steps: int, said: Callable[[float], object]
) -> tuple[list[tuple[float, float]], int, dict[str, float]]:
    """(step, score) of the games that ended, the steps done, and processor time by part."""
    check(environment)
    import ale_py
    import gymnasium
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common import atari_wrappers
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    gymnasium.register_envs(ale_py)
    spent = {"environment": 0.0}

    class Timed(DummyVecEnv):
        def step_wait(self):
            begun = time.process_time()
            step = super().step_wait()
            spent["environment"] += time.process_time() - begun
            return step

    class Scores(BaseCallback):
        def _on_step(self) -> bool:
            ended.extend(
                (self.num_timesteps, info["episode"]["r"]) for info in self.locals["infos"] if "episode" in info
            )
            return True

        def _on_rollout_end(self) -> None:
            said(self.num_timesteps / steps)

    def make():
        made = Monitor(gymnasium.make(environment, obs_type="ram", disable_env_checker=True))
        box = gymnasium.spaces.Box(0.0, 1.0, made.observation_space.shape, np.float32)
        made = atari_wrappers.FireResetEnv(atari_wrappers.EpisodicLifeEnv(made))
        made = gymnasium.wrappers.TransformObservation(made, lambda seen: seen.astype(np.float32) / 255, box)
        return atari_wrappers.ClipRewardEnv(made)

    ended: list[tuple[float, float]] = []
    begun, options = time.process_time(), dict(SETTINGS["ppo"])
    rate = options.pop("learning_rate")
    learner = PPO(
        "MlpPolicy",
        Timed([make] * SETTINGS["envs"]),
        learning_rate=lambda left: rate * left,
        rollout_buffer_class=buffer(),
        rollout_buffer_kwargs={"experiment": experiment, "bits": bits},
        seed=seed,
        device="cpu",
        **options,
    )
    learner.learn(steps, callback=Scores())
    whole = time.process_time() - begun
    return ended, learner.num_timesteps, spent | {"learning": whole - spent["environment"]}


def buffer() -> type:
    """The drop-in with an experiment's advantages; a class that needs Stable-Baselines3 to be made."""
    from rlcores.integrations.sb3 import GaeRolloutBuffer

    class ExperimentBuffer(GaeRolloutBuffer):
        def __init__(self, *args, experiment: str, bits: int | None, **kwargs) -> None:
            core = {"reward_scaling": "standardise", "qbits": bits, "clip": CLIP} if experiment == "5" else {}
            super().__init__(*args, gae_options=core, **kwargs)
            self._tabled = None
            if experiment in ("2", "3", "4"):
                # Of its settings only these two are used.
                ppo = heppo.Ppo(gamma=self.gamma, gae_lambda=self.gae_lambda)
                self._tabled = heppo.Tabled(EXPERIMENTS[experiment], bits, ppo)

        def compute_returns_and_advantage(self, last_values, dones) -> None:
            if self._tabled is None:
                super().compute_returns_and_advantage(last_values, dones)
                return
            ends = np.vstack([self.episode_starts[1:], np.reshape(dones, (1, -1))]).astype(bool)
            last, never = last_values.numpy().reshape(-1).astype(np.float64), np.zeros(ends.shape, bool)
            pair = self._tabled(self.rewards, self.values, ends, never, last, np.zeros(ends.shape))
            self.advantages, self.returns = (x.astype(np.float32) for x in pair)

    return ExperimentBuffer
