"""DQN and double DQN in `rlcores train`."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.errors import UserError
from rlcores.train.algorithms import algorithm, replay
from rlcores.train.algorithms.algorithm import NUMBERED, option


@dataclass(frozen=True)
class DqnRunSettings(replay.ReplayRunSettings):
    """Of DQN."""

    learning_rate: float = algorithm.learning_rate(5e-4)
    double: bool = True
    tau: float = 0.005
    explore_steps: int = option(10_000, "steps over which exploration falls", int, least=1, most=1 << 31)
    explore_end: float = 0.05
    actor_epsilon: float | None = option(
        None, "constant exploration per environment, as Ape-X", least=0, most=1, metavar="E"
    )
    actor_alpha: float | None = option(
        None, "how far this differs between environments", least=0, most=100, metavar="A"
    )
    first_priority: str = option(
        "largest",
        "first priority: largest (default), or the actor's TD error (actor)",
        str,
        choices=("largest", "actor"),
        metavar="WHOSE",
    )

    def sizes(self, spaces):
        return (spaces.state_size, *self.network, spaces.action_size), None

    def exploration(self, at):
        """Falls linearly from 1 over explore_steps."""
        import numpy as np

        falling = 1 - (1 - self.explore_end) * (at - self.learning_starts) / self.explore_steps
        return np.where(at <= self.learning_starts, 1.0, np.maximum(self.explore_end, falling))


class Dqn(replay.Replay):
    name, title, settings, actions = "dqn", "DQN", DqnRunSettings, NUMBERED
    exploration: Mapping[str, str] = {NUMBERED: "epsilon"}
    chip = replay.on_chip("dqn")

    def read(self, name, value):
        if name == "formats" and isinstance(value, dict):
            from rlcores.cores.learner.format import LearnerFormats

            return LearnerFormats(**{f"{part}_frac": tuple(f) for part, f in value.items()})
        return super().read(name, value)

    def check(self, overrides):
        if "explore_steps" in overrides and overrides.keys() & {"actor_epsilon", "actor_alpha"}:
            raise UserError("explore_steps is of an exploration that falls; that of actor_epsilon stays as it is")


DQN = Dqn()
