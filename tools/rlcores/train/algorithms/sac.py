"""SAC in `rlcores train`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlcores.base import limits
from rlcores.train.algorithms.algorithm import VECTORS, option
from rlcores.train.algorithms.continuous import Continuous
from rlcores.train.algorithms.continuous import ContinuousRunSettings as Shared

if TYPE_CHECKING:
    from rlcores.cores.rl.actor_critic import ActorCritic


@dataclass(frozen=True)
class SacRunSettings(Shared):
    """Of SAC: Stable-Baselines3's."""

    target_entropy: float | None = option(None, "target entropy (default: minus the dimensions of actions)",
                                          least=-1000, most=1000)  # fmt: skip
    ent_coef: float | None = option(None, "a fixed temperature (default: it is learned)",
                                    least=limits.TEMPERATURE[0], most=limits.TEMPERATURE[1])  # fmt: skip


class Sac(Continuous):
    name, title, settings = "sac", "SAC", SacRunSettings
    exploration: Mapping[str, str] = {VECTORS: "squashed"}

    def learner(self, settings: SacRunSettings, states: int, actions: int, **options) -> "ActorCritic":
        """The integers of these settings."""
        from rlcores.cores.rl import sac

        return sac.Sac(states, actions, settings.of_learner(sac.SacSettings), **options)


SAC = Sac()
