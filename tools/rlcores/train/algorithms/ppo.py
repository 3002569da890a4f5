"""PPO in `rlcores train` (Schulman et al. 2017)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlcores.base import limits
from rlcores.errors import UserError
from rlcores.train.algorithms import algorithm
from rlcores.train.algorithms.algorithm import ANY, NUMBERED, VECTORS, Algorithm, OnChip, option, scale_of

if TYPE_CHECKING:
    from rlcores.train.spaces import Spaces


@dataclass(frozen=True)
class PpoRunSettings:
    """Of PPO. Rates are Adam's and fall linearly to 0 where `anneal` says so."""

    network: tuple[int, ...] = algorithm.network()  # of policy and value network alike
    rollout: int = 128  # steps of each environment before an update
    gamma: float = algorithm.gamma()
    gae_lambda: float = option(0.95, "of ppo's advantages", least=0, most=1)
    epochs: int = 10
    batch_size: int = algorithm.batch_size(256, limits.MINIBATCH)
    learners: int = algorithm.learners("with its environments")  # on the chip alone
    average: int = algorithm.average(1, "gradient steps")
    learning_rate: float = algorithm.learning_rate(1e-3)
    value_learning_rate: float = 1e-3
    clip: float = 0.2  # of the probability ratio
    entropy: float = option(0.0, "weight of ppo's entropy bonus", least=0, most=1)
    largest_gradient: float = 0.5  # norm to which each network's gradient is cut
    anneal: bool = True
    deviation: float = 0.6  # vectors of actions: the first standard deviation, of a range -1 … 1
    reward_scaling: str = "returns"  # rlcores.Gae's "none", "standardise", "scale"; "returns": advantages.ByReturns
    accuracy: str | None = None  # of the GAE core, as rlcores.Gae: "exact16", "8bit", None


class Ppo(Algorithm):
    name, title, settings, actions, core = "ppo", "PPO", PpoRunSettings, ANY, "gae"
    exploration: Mapping[str, str] = {NUMBERED: "categorical", VECTORS: "gaussian"}

    def defaults(self, spaces: "Spaces") -> tuple[Any, dict[str, Any]]:
        plan = {
            "steps": 200_000,
            "envs": 8,
            "evaluate_every": 10_000,
            "state_scale": scale_of(spaces),
            "until": math.inf,
            "report": 100,
        }
        return PpoRunSettings(), plan

    def tuned(self, settings, overrides):
        # One rate, of both networks.
        rates = {"value_learning_rate": overrides["learning_rate"]} if "learning_rate" in overrides else {}
        return super().tuned(settings, {**overrides, **rates})

    def trainer(self, plan, spaces):
        from rlcores.train.ppo import PpoTrainer

        if plan.settings.learners > 1:
            raise UserError("ppo's learners average on the chip; give --on chip")
        return PpoTrainer(plan, spaces)


def _plan_on_chip(*arguments: Any) -> dict[str, Any]:
    from rlcores.train import chip

    return chip.plan(*arguments)


def _on_chip(plan, spaces):
    from rlcores.train.on_chip import ChipTrainer, CoreTrainer

    return (CoreTrainer if plan.backend == "rtl" else ChipTrainer)(plan, spaces)


PPO = Ppo()
Ppo.chip = OnChip("ppo", _plan_on_chip, _on_chip)
