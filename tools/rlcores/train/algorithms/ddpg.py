"""DDPG in `rlcores train`."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.train.algorithms import algorithm, replay
from rlcores.train.algorithms.algorithm import VECTORS


@dataclass(frozen=True)
class DdpgRunSettings(replay.ReplayRunSettings):
    """Of DDPG."""

    learning_rate: float = algorithm.learning_rate(1e-3)
    actor_learning_rate: float = 3e-4
    adam_epsilon: float = 1e-6
    tau: float = 0.01
    huber: float | None = None
    lag: bool = True
    action_noise: float = 0.1  # deviation, of actions in -1 … 1

    def sizes(self, spaces):
        states, actions = spaces.state_size, spaces.action_size
        return (states + actions, *self.network, 1), (states, *self.network, actions)

    def exploration(self, at):
        """1 in the random steps, then the noise alone."""
        return (at <= self.learning_starts).astype(float)


class Ddpg(replay.Replay):
    name, title, settings, actions = "ddpg", "DDPG", DdpgRunSettings, VECTORS
    exploration: Mapping[str, str] = {VECTORS: "noise"}
    chip = replay.on_chip("ddpg")

    def read(self, name, value):
        if name == "formats" and isinstance(value, dict):
            from rlcores.cores.learner.format import DdpgFormats, LearnerFormats

            value, actor = dict(value), value["actor"]
            passed = tuple(value.pop("passed"))
            value.pop("actor")
            made = [LearnerFormats(**{f"{part}_frac": tuple(f) for part, f in each.items()}) for each in (value, actor)]
            return DdpgFormats(*made, passed)
        return super().read(name, value)


DDPG = Ddpg()
