"""DQN and DDPG: what actors saw goes into rlcores.ReplayLearner, which is asked for the gradient steps that are due."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rlcores.base.states import below, under
from rlcores.cores.learner import registers
from rlcores.cores.learner.policy import Policy
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.errors import UserError
from rlcores.train.actor import Collected, Order
from rlcores.train.first_errors import FirstErrors
from rlcores.train.policies import FloatPolicy
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.tasks import EPSILON, HYPER, formats_of
from rlcores.train.trainer import Trainer

APEX = 0.4, 7.0  # epsilon and alpha of Horgan et al. (2018)
_RATE_STEPS = 1000  # environment steps from one learning rate to the next, where it falls


class ReplayTrainer(Trainer):
    """The learner's side of dqn and ddpg.

    Actors are a round ahead: while the learner trains on one round, they collect the next with the weights of before.
    """

    ahead = True

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any = None) -> None:
        """learner: what is trained, with the calls of a ReplayLearner (default: one with the plan's backend).

        Raises UserError, and RunFailed when the core does not build.
        """
        task = plan.replay
        assert task is not None
        self._plan, self._task, self._spaces = plan, task, spaces
        self.kind = "epsilon" if task.actor_sizes is None else "noise"
        sizes = task.actor_sizes or task.sizes
        if (sizes[0], sizes[-1]) != (spaces.state_size, spaces.action_size):
            raise UserError(
                f"the network takes {sizes[0]} numbers and gives {sizes[-1]}; {plan.environment} has "
                f"{spaces.state_size} and {spaces.action_size}"
            )
        self.learner = make(plan) if learner is None else learner
        self._rate = task.settings.learning_rate
        self._first = None
        if plan.tuning.get("first_priority") == "actor":
            hyper = {name: getattr(task.settings, name) for name in HYPER}
            given = registers.settings(self.learner.policy().formats, batch=task.batch, **hyper)
            self._first = FirstErrors(given.gamma, given.reward_scale)

    def order(self, number: int, step: int) -> Order:
        task, plan = self._task, self._plan
        at = step + plan.envs * np.arange(1, plan.round_steps + 1)
        explore = (at <= task.warmup).astype(float) if self.kind == "noise" else task.epsilon(at)
        if (apart := exploration(plan.tuning, plan.envs)) is not None:
            explore = np.where((at <= task.warmup)[:, None], 1.0, apart)
        return Order(number, plan.round_steps, self.kind, self.policy(), explore, task.noise, self._first)

    def learn(self, seen: Collected, step: int) -> None:
        """Take what a round gave, and do the gradient steps that are due after `step` steps."""
        task = self._task
        self.learner.add(*seen.experiences())
        due = max(0, step - task.warmup) // task.train_every - self.learner.steps
        if due > 0:
            share = min(1.0, step / self._plan.steps)
            change: dict[str, float] = {"beta": task.beta + (1 - task.beta) * share}
            if task.rate_end != 1:
                share = min(1.0, step // _RATE_STEPS * _RATE_STEPS / self._plan.steps)
                rate = task.settings.learning_rate * (1 - (1 - task.rate_end) * share)
                if rate != self._rate:
                    change["learning_rate"] = self._rate = rate
            self.learner.set(**change)
            self.learner.train(due)

    def policy(self) -> Policy | FloatPolicy:
        # In NumPy where the learner is.
        policy = self.learner.policy()
        return replace(policy, backend="model") if self._plan.backend == "model" else policy

    def weights(self) -> list[np.ndarray]:
        names = self.learner.networks[::2]
        return [np.asarray(x, np.float64) for name in names for x in self.learner.weights(name).values()]

    @property
    def updates(self) -> int:
        """Gradient steps so far."""
        return self.learner.steps

    @property
    def clocks(self) -> int:
        """See loop.Trainer: those with STATUS.busy, inserting and training."""
        return self.learner.counters().get("clocks", 0) if self._plan.backend == "rtl" else 0

    def live(self) -> dict[str, float]:
        return {"replay": len(self.learner) / self.learner.buffer_size}

    def checkpoint(self) -> dict[str, np.ndarray]:
        return {"rate": np.array(self._rate), **under("learner", self.learner.state_dict())}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._rate = float(kept["rate"])
        self.learner.load_state_dict(below(kept, "learner"))


def exploration(tuning: Mapping[str, Any], envs: int) -> np.ndarray | None:
    """Chance of a random action of each environment, epsilon**(1 + i / (N - 1) * alpha) (Horgan et al. 2018).

    (envs,), constant over the run; None where it is not asked for. An environment is Ape-X's actor, so that a run does
    not depend on how many processes share the environments.

    >>> exploration({"actor_epsilon": 0.5, "actor_alpha": 3.0}, 4).tolist()
    [0.5, 0.25, 0.125, 0.0625]
    """
    if not tuning.keys() & {"actor_epsilon", "actor_alpha"}:
        return None
    epsilon, alpha = tuning.get("actor_epsilon", APEX[0]), tuning.get("actor_alpha", APEX[1])
    return epsilon ** (1 + np.arange(envs) / max(envs - 1, 1) * alpha)


def make(plan: Plan, kind: type[ReplayLearner] = ReplayLearner, backend: Any = None) -> ReplayLearner:
    """The learner of a plan. backend: another one than the plan's."""
    task = plan.replay
    s = task.settings
    order = {"ahead": plan.tuning["ahead"], "relaxed": True} if "ahead" in plan.tuning else {}
    return kind(
        task.sizes,
        actor=task.actor_sizes,
        backend=backend or plan.backend,
        buffer_size=task.capacity,
        batch_size=task.batch,
        alpha=task.alpha,
        beta=task.beta,
        priority_epsilon=EPSILON,
        seed=plan.seed,
        optimiser=s.optimiser,
        formats=formats_of(task) if task.fractions.act else None,
        parameters=plan.config,
        **order,
        **{name: getattr(s, name) for name in HYPER},
    )
