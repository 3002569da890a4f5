"""Dueling double DQN of n-step returns and priorities in `rlcores train`: the learner of Ape-X and of SPO-DQN."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlcores.base import limits
from rlcores.train.algorithms import algorithm, continuous, dqn
from rlcores.train.algorithms.algorithm import NUMBERED, option, scale_of

if TYPE_CHECKING:
    from rlcores.cores.rl.dqn import Dqn


@dataclass(frozen=True)
class DuelingRunSettings(continuous.ContinuousRunSettings):
    """Of dueling DQN: Zhang's (2022) and Horgan's (2018) n and priorities, dqn's exploration."""

    network: tuple[int, ...] = algorithm.network((64, 64))
    learning_rate: float = algorithm.learning_rate(5e-4)
    batch_size: int = algorithm.batch_size(64, limits.NARROW_BATCH)
    buffer_size: int = algorithm.buffer_size(50_000)
    learning_starts: int = algorithm.learning_starts(1000)
    n_steps: int = algorithm.n_steps(3)
    explore_steps: int = option(10_000, "steps over which exploration falls", int, least=1, most=1 << 31)
    explore_end: float = 0.05
    alpha: float = 0.6
    beta: float = 0.4  # at the start; 1 at the end
    importance: str = algorithm.importance()
    exploration = dqn.DqnRunSettings.exploration


class Dueling(continuous.OffPolicy):
    name, title, settings, actions = "dueling", "Dueling DQN", DuelingRunSettings, NUMBERED
    exploration: Mapping[str, str] = {NUMBERED: "epsilon"}

    def defaults(self, spaces):
        plan: dict[str, Any] = {
            "steps": 50_000,
            "envs": 8,
            "round_steps": 1,
            "evaluate_every": 1000,
            "state_scale": scale_of(spaces),
            "until": math.inf,
            "report": 100,
        }
        return self.settings(), plan

    def learner(self, settings: DuelingRunSettings, states: int, actions: int, **options) -> "Dqn":
        """The integers of these settings."""
        from rlcores.cores.rl import dqn as integers

        return integers.Dqn(states, actions, settings.of_learner(integers.DqnSettings), **options)


DUELING = Dueling()
