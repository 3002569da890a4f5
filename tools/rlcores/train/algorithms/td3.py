"""TD3 in `rlcores train`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlcores.train.algorithms import algorithm
from rlcores.train.algorithms.algorithm import VECTORS, option
from rlcores.train.algorithms.continuous import Continuous
from rlcores.train.algorithms.continuous import ContinuousRunSettings as Shared

if TYPE_CHECKING:
    from rlcores.cores.rl.actor_critic import ActorCritic


@dataclass(frozen=True)
class Td3RunSettings(Shared):
    """Of TD3: Stable-Baselines3's, and the paper's noise on actions."""

    network: tuple[int, ...] = algorithm.network((400, 300))
    learning_rate: float = algorithm.learning_rate(1e-3)
    action_noise: float = option(0.1, "standard deviation of the noise on actions in -1 … 1", least=0, most=8)
    policy_delay: int = option(2, "critic steps per step of actor and targets", int, least=1, most=1 << 16)
    target_policy_noise: float = option(0.2, "standard deviation of the noise on the target's actions", least=0, most=8)
    target_noise_clip: float = option(0.5, "limit of that noise", least=0, most=8)


class Td3(Continuous):
    name, title, settings = "td3", "TD3", Td3RunSettings
    exploration: Mapping[str, str] = {VECTORS: "noise"}

    def learner(self, settings: Td3RunSettings, states: int, actions: int, **options) -> "ActorCritic":
        """The integers of these settings."""
        from rlcores.cores.rl import td3

        return td3.Td3(states, actions, settings.of_learner(td3.Td3Settings), **options)


TD3 = Td3()
