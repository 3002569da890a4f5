"""What DQN and DDPG share in `rlcores train`: settings of a replay learner."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlcores.train.algorithms import algorithm
from rlcores.train.algorithms.algorithm import Algorithm, AtServer, OnChip, option, scale_of

if TYPE_CHECKING:
    import numpy as np

    from rlcores.cores.learner.float64 import FloatSettings
    from rlcores.cores.learner.format import DdpgFormats, LearnerFormats
    from rlcores.train.spaces import Spaces
    from rlcores.train.trainer import Trainer


@dataclass(frozen=True)
class ReplayRunSettings:
    """Of both."""

    network: tuple[int, ...] = algorithm.network()
    gamma: float = algorithm.gamma()
    learning_rate: float = algorithm.learning_rate(5e-4)
    batch_size: int = algorithm.batch_size(64)
    buffer_size: int = algorithm.buffer_size(50_000)
    learning_starts: int = algorithm.learning_starts(1000)
    ahead: int | None = option(
        None, "batches that are sampled before the updates of one", int, least=0, most=1 << 16, metavar="D"
    )
    learners: int = algorithm.learners("on a batch of its own from a bank of its own; ppo: with its environments")
    average: int = algorithm.average(10, "gradient steps")
    importance: str = algorithm.importance()
    train_freq: int = 1  # environment steps for one gradient step
    alpha: float = 0.6
    beta: float = 0.4  # at the start; 1 at the end
    priority_epsilon: float = option(
        1e-6, "added to |TD error| before it is a priority", least=0, most=1, repr=False, metavar="E"
    )
    rate_end: float = 1.0  # the values' learning rate falls linearly to so much of it
    adam_epsilon: float = 1e-5
    optimiser: str = "adam"
    huber: float | None = 1.0
    reward_scale: float = 1.0
    target_update_interval: int = 1
    tau: float = 0.0
    formats: "LearnerFormats | DdpgFormats | None" = None  # None: the core's default ones

    @property
    def floats(self) -> "FloatSettings":
        """What of it a float learner has."""
        from rlcores.cores.learner.float64 import FloatSettings

        known = {field.name for field in dataclasses.fields(FloatSettings)}
        own = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return FloatSettings(**{name: value for name, value in own.items() if name in known})

    def sizes(self, spaces: "Spaces") -> tuple[tuple[int, ...], tuple[int, ...] | None]:
        """Of the values' network, and of the actor where there is one."""
        raise NotImplementedError

    def exploration(self, at: "np.ndarray") -> "np.ndarray":
        """Chance of a random action at these environment steps."""
        raise NotImplementedError


def _at_bank(*arguments: Any) -> Any:
    from rlcores.train import remote_replay

    return remote_replay.learner(*arguments)


def _trainer(*arguments: Any) -> "Trainer":
    from rlcores.train.replaying import ReplayTrainer

    return ReplayTrainer(*arguments)


class Replay(Algorithm):
    """DQN or DDPG, in ReplayLearner."""

    core, ahead = "replay_learner", True
    at_server = AtServer(_at_bank, _trainer)

    def defaults(self, spaces: "Spaces") -> tuple[Any, dict[str, Any]]:
        plan = {
            "steps": 50_000,
            "envs": 8,
            "round_steps": 4,
            "evaluate_every": 1000,
            "state_scale": scale_of(spaces),
            "until": math.inf,
            "report": 100,
        }
        return self.settings(), plan

    def tuned(self, settings: Any, overrides: Mapping[str, Any]) -> Any:
        changed = super().tuned(settings, overrides)
        # The formats are of the task's own layers.
        return dataclasses.replace(changed, formats=None) if "network" in overrides else changed

    def trainer(self, plan, spaces):
        return _trainer(plan, spaces)


def on_chip(name: str) -> OnChip:
    """The chip's side of the algorithm of that name."""

    def plan(*arguments: Any) -> dict[str, Any]:
        from rlcores.train import agents

        return agents.plan(name, *arguments)

    def trainer(plan, spaces):
        from rlcores.train.on_agent import AgentTrainer

        return AgentTrainer(plan, spaces)

    return OnChip("agent", plan, trainer)
