"""Small environments with faults, registered when this module is imported: 'train_envs:Name-v0'."""

import os
import time
from pathlib import Path

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete


class Line(gymnasium.Env):
    """Five steps along a line; subclasses spoil something."""

    observation_space = Box(-1, 1, (2,), np.float32)
    action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = 0
        return np.zeros(2, np.float32), {}

    def step(self, action):
        self.at += 1
        return np.full(2, self.at / 5, np.float32), float(action), self.at == 5, False, {}


class Held(Line):
    """Goes on beyond its 200th step when the file exists that TRAIN_ENVS_GATE names. Without a name, at once."""

    steps = 0

    def step(self, action):
        self.steps += 1
        gate = os.environ.get("TRAIN_ENVS_GATE")
        while gate and self.steps > 200 and not Path(gate).exists():
            time.sleep(0.01)
        return super().step(action)


class NanReward(Line):
    def step(self, action):
        seen, reward, *ends = super().step(action)
        return seen, float("nan") if self.at == 3 else reward, *ends


class WrongShape(Line):
    def step(self, action):
        _, *others = super().step(action)
        return np.zeros(3, np.float32), *others


class Unbounded(Line):
    action_space = Box(-np.inf, np.inf, (1,), np.float32)


class Matrix(Line):
    action_space = Box(-1, 1, (2, 2), np.float32)


class Chance(Line):
    """Its states come from outside the seed."""

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.random.default_rng().random(2).astype(np.float32), {}

    def step(self, action):
        _, *others = super().step(action)
        return np.random.default_rng().random(2).astype(np.float32), *others


class Numbered(Line):
    """Actions 5 and 6."""

    action_space = Discrete(2, start=5)

    def step(self, action):
        assert action in (5, 6)
        return super().step(action - 5)


class Vectors(Line):
    action_space = Box(-1, 1, (1,), np.float32)

    def step(self, action):
        return super().step(action[0])


for _name in ("Vectors", "Line", "Held", "NanReward", "WrongShape", "Unbounded", "Matrix", "Chance", "Numbered"):
    gymnasium.register(f"{_name}-v0", entry_point=f"train_envs:{_name}", max_episode_steps=20)
# CartPole under a name that no table has.
gymnasium.register("Balance-v0", "gymnasium.envs.classic_control.cartpole:CartPoleEnv", max_episode_steps=500)
