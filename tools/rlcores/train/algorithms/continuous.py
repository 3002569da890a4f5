"""What TD3 and SAC share in `rlcores train`: settings of an off-policy actor-critic, Stable-Baselines3's defaults."""

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from rlcores.base import limits
from rlcores.train.algorithms import algorithm
from rlcores.train.algorithms.algorithm import VECTORS, Algorithm, AtServer, option, scale_of

if TYPE_CHECKING:
    import numpy as np

    from rlcores.cores.rl import actor_critic
    from rlcores.train.spaces import Spaces


@dataclass(frozen=True)
class ContinuousRunSettings:
    """Of both. Fractions of the integers are not among them: they follow the numbers."""

    network: tuple[int, ...] = algorithm.network((256, 256))
    activation: str = algorithm.activation()
    normalisation: str = algorithm.normalisation()
    gamma: float = algorithm.gamma()
    learning_rate: float = algorithm.learning_rate(3e-4)
    batch_size: int = algorithm.batch_size(256, limits.NARROW_BATCH)
    buffer_size: int = algorithm.buffer_size(1_000_000)
    learning_starts: int = algorithm.learning_starts(100)
    tau: float = option(0.005, "share by which target networks move towards the weights", least=0, most=1, above=True)
    train_freq: int = option(1, "environment steps per gradient step", int, least=1, most=1 << 16)
    n_steps: int = algorithm.n_steps(1)
    reward_scale: float = option(1.0, "factor on rewards", least=0, most=1e6, above=True)
    learners: int = algorithm.learners("with its own batches and bank; ppo: its own environments")
    average: int = algorithm.average(10, "gradient steps")
    adam_epsilon: float = 1e-8

    def exploration(self, at: "np.ndarray") -> "np.ndarray":
        """1 in the random steps, then what the policy itself does."""
        return (at <= self.learning_starts).astype(float)

    def of_learner(self, kind: "type[actor_critic.ActorCriticSettings]") -> Any:
        """The learner's settings."""
        return kind(**{field.name: getattr(self, field.name) for field in fields(kind) if hasattr(self, field.name)})


def _at_bank(*arguments: Any) -> Any:
    from rlcores.train import remote_off_policy

    return remote_off_policy.Learner(*arguments)


def _trainer_at_server(*arguments: Any) -> Any:
    from rlcores.train.remote_off_policy import RemoteOffPolicyTrainer

    return RemoteOffPolicyTrainer(*arguments)


class OffPolicy(Algorithm):
    """An algorithm of rlcores.cores.rl with a replay buffer."""

    core = "rl"
    at_server = AtServer(_at_bank, _trainer_at_server)

    def trainer(self, plan, spaces):
        from rlcores.train.off_policy import OffPolicyTrainer

        return OffPolicyTrainer(plan, spaces)


class Continuous(OffPolicy):
    """An off-policy actor-critic of vectors of actions."""

    actions = VECTORS

    def defaults(self, spaces: "Spaces") -> tuple[Any, dict[str, Any]]:
        plan = {
            "steps": 100_000,
            "envs": 1,
            "round_steps": 1,
            "evaluate_every": 5_000,
            "state_scale": scale_of(spaces),
            "until": math.inf,
            "report": 100,
        }
        return self.settings(), plan
