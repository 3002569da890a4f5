"""DQN and DDPG: what actors saw goes into rlcores.ReplayLearner, which is asked for the gradient steps that are due."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learner import registers
from rlcores.cores.learner.networks import HYPER_DEFAULTS, foreign_settings
from rlcores.cores.learner.policy import Policy
from rlcores.cores.learners.api import ReplayLearners
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.algorithms.algorithm import ALL
from rlcores.train.first_errors import FirstErrors
from rlcores.train.policies import FloatPolicy
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

HYPER = tuple(HYPER_DEFAULTS)  # settings that a float learner and a core's have under the same names
APEX = 0.4, 7.0  # epsilon and alpha of Horgan et al. (2018)
_RATE_STEPS = 1000  # environment steps from one learning rate to the next, where it falls


class ReplayTrainer(Trainer):
    """The learner's side of dqn and ddpg.

    Actors are a round ahead: while the learner trains on one round, they collect the next with the weights of before.
    """

    ahead = looks = True

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any = None) -> None:
        """learner: what is trained, with the calls of a ReplayLearner (default: one with the plan's backend).

        Raises UserError, and RunFailed when the core does not build.
        """
        s = plan.settings
        self._plan, self._s, self._spaces = plan, s, spaces
        self.kind = plan.algorithm.kind(spaces)
        self.learner = make(plan, spaces) if learner is None else learner
        self._rate = s.learning_rate
        self._first = None
        if getattr(s, "first_priority", "") == "actor":
            hyper = {name: getattr(s.floats, name) for name in HYPER}
            learner_settings = registers.settings(self.learner.policy().formats, batch=s.batch_size, **hyper)
            self._first = FirstErrors(learner_settings.gamma, learner_settings.reward_scale)

    def order(self, number: int, step: int) -> RoundRequest:
        s, plan = self._s, self._plan
        at = step + plan.envs * np.arange(1, plan.round_steps + 1)
        explore = s.exploration(at)
        if (apart := exploration(s, plan.envs)) is not None:
            explore = np.where((at <= s.learning_starts)[:, None], 1.0, apart)
        noise = getattr(s, "action_noise", 0.0)
        return RoundRequest(number, plan.round_steps, self.kind, self.policy(), explore, noise, self._first)

    def learn(self, seen: Rollout, step: int) -> None:
        """Take what a round gave, and do the gradient steps that are due after `step` steps."""
        s = self._s
        self.learner.add(*seen.experiences())
        due = max(0, step - s.learning_starts) // s.train_freq - self.learner.steps
        if due > 0:
            share = min(1.0, step / self._plan.steps)
            change: dict[str, float] = {"beta": s.beta + (1 - s.beta) * share}
            if s.rate_end != 1:
                share = min(1.0, step // _RATE_STEPS * _RATE_STEPS / self._plan.steps)
                rate = s.learning_rate * (1 - (1 - s.rate_end) * share)
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
        each = getattr(self.learner, "learners", (self.learner,))
        return max(one.counters().get("clocks", 0) for one in each) if self._plan.backend == "rtl" else 0

    def live(self) -> dict[str, float]:
        return {"replay": len(self.learner) / self.learner.buffer_size}

    def checkpoint(self) -> dict[str, np.ndarray]:
        return {"rate": np.array(self._rate), **add_prefix("learner", self.learner.state_dict())}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._rate = float(kept["rate"])
        self.learner.load_state_dict(strip_prefix(kept, "learner"))


def exploration(settings: Any, envs: int) -> np.ndarray | None:
    """Chance of a random action of each environment, epsilon**(1 + i / (N - 1) * alpha) (Horgan et al. 2018).

    (envs,), constant over the run; None where neither actor_epsilon nor actor_alpha is set. An environment is Ape-X's
    actor, so that a run does not depend on how many processes share the environments.

    >>> from rlcores.train.algorithms.dqn import DqnRunSettings
    >>> exploration(DqnRunSettings(actor_epsilon=0.5, actor_alpha=3.0), 4).tolist()
    [0.5, 0.25, 0.125, 0.0625]
    """
    chosen = (getattr(settings, "actor_epsilon", None), getattr(settings, "actor_alpha", None))
    if chosen == (None, None):
        return None
    epsilon, alpha = (one if x is None else x for x, one in zip(chosen, APEX, strict=True))
    return epsilon ** (1 + np.arange(envs) / max(envs - 1, 1) * alpha)


def make(
    plan: Plan, spaces: Spaces, kind: type[ReplayLearner] = ReplayLearner, backend: Any = None, bank: int | None = None
) -> ReplayLearner:
    """The learner of a plan. backend: another one than the plan's. bank: that of one of several learners alone."""
    s = plan.settings
    network, actor = s.sizes(spaces)
    order = {} if s.ahead is None else {"ahead": s.ahead, "relaxed": True}
    foreign = foreign_settings(s.optimiser, actor is not None)
    hyper = {name: getattr(s.floats, name) for name in HYPER if name not in foreign}
    size, seed = s.buffer_size, plan.seed
    if s.learners > 1:
        hyper |= in_rounds(s.target_update_interval, s.tau, s.average)
        if bank is None:
            own = {"learners": s.learners, "average": s.average, "exact": s.importance == ALL}
            kind, order = ReplayLearners, own
        else:
            size, seed = -(-size // s.learners), (seed + bank) % (1 << 64)
    return kind(
        network,
        actor=actor,
        backend=backend or plan.backend,
        buffer_size=size,
        batch_size=s.batch_size,
        alpha=s.alpha,
        beta=s.beta,
        priority_epsilon=s.priority_epsilon,
        seed=seed,
        optimiser=s.optimiser,
        formats=s.formats,
        config=plan.config,
        **order,
        **hyper,
    )


def in_rounds(interval: int, tau: float, average: int) -> dict[str, float]:
    """Settings with which targets move as fast as with these, but only where a round of `average` steps ends.

    >>> in_rounds(1, 0.0, 10), in_rounds(25, 0.0, 10)
    ({'target_update_interval': 10, 'tau': 0.0}, {'target_update_interval': 30, 'tau': 0.0})
    >>> round(in_rounds(1, 0.005, 10)["tau"], 4)
    0.0489
    """
    whole = -(-interval // average) * average
    return {"target_update_interval": whole, "tau": 1 - (1 - tau) ** (whole / interval) if interval else tau}
