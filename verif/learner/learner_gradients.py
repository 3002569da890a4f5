"""The integers' gradients against float64, step by step of a whole training run."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatValueLearner
from rlcores.cores.learner.format import WEIGHT_FRAC, LearnerBatch
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.update import target_of
from rlcores_lab.study import learning
from rlcores_lab.study.tasks import StudyTask

# Gradients of the batch's sum for the weights in `networks`: value, its target, and with DDPG actor and its target.
Reference = Callable[[StudyTask, dict[str, FloatNetwork], LearnerBatch], dict[str, np.ndarray]]


@dataclass
class Agreement:
    """How near the gradients of one network were, a number per step that was looked at."""

    median_error: list[float] = field(default_factory=list)  # |integer - exact| / |exact|, median of the parameters
    cosine: list[float] = field(default_factory=list)

    def see(self, integer: np.ndarray, exact: np.ndarray) -> None:
        """Takes one step's gradients into account; a step without any gradient says nothing."""
        there = np.abs(exact) > 0
        if there.any():
            self.median_error.append(float(np.median(np.abs(integer[there] / exact[there] - 1))))
            self.cosine.append(float(integer @ exact / max(np.linalg.norm(integer) * np.linalg.norm(exact), 1e-300)))


def real(network: NetworkModel) -> tuple[FloatNetwork, FloatNetwork]:
    """A network of integers and its target network in float64, exactly."""
    codes = network.planes[WEIGHTS], target_of(network.planes[TARGET], network.polyak)
    pair = FloatNetwork(network.sizes, np.float64), FloatNetwork(network.sizes, np.float64)
    for one, code in zip(pair, codes, strict=True):
        one.theta[:] = code * 2.0**-WEIGHT_FRAC
    return pair


def float64(task: StudyTask, networks: dict[str, FloatNetwork], batch: LearnerBatch) -> dict[str, np.ndarray]:
    """The reference of our own: learner_float in float64."""
    count = len(batch.rewards)
    if task.actor_sizes is None:
        learner = FloatValueLearner(task.sizes, task.floats, dtype=np.float64)
    else:
        learner = FloatDdpgLearner(task.sizes, task.actor_sizes, task.floats, dtype=np.float64)
        learner.actor.theta[:] = networks["actor"].theta
        learner.actor_target.theta[:] = networks["actor target"].theta
    learner.network.theta[:] = networks["value"].theta
    learner.target.theta[:] = networks["value target"].theta
    if task.actor_sizes is None:
        learner.gradients(batch)
        return {"value": learner.gradient * count}
    learner.critic_gradients(batch)
    learner.actor_gradients(batch)
    return {"value": learner.gradient * count, "actor": learner.actor_gradient * count}


def compare(task: StudyTask, reference: Reference, seed: int = 0, every: int = 1) -> dict[str, Agreement]:
    """Trains the integers on `task` and looks at every `every`-th step; DDPG with the lagged critic.

    Both sides get the weights of that step and the same real batch, so what is compared is one step's arithmetic: the
    rounding of states, activations, deltas and sums.
    """
    agreements: dict[str, Agreement] = {}

    def watch(
        learner: ValueLearner | DdpgLearner, batch: LearnerBatch, step: Callable[[LearnerBatch], np.ndarray]
    ) -> np.ndarray:
        if learner.steps % every:
            return step(batch)
        nets = {"value": learner.network}
        if isinstance(learner, DdpgLearner):
            nets["actor"] = learner.actor
        networks = {}
        for name, net in nets.items():
            networks[name], networks[f"{name} target"] = real(net)
        exact = reference(task, networks, batch)
        priorities = step(batch)
        for name, net in nets.items():
            integer = (learner.gradient if name == "value" else learner.actor_gradient) * 2.0**-net.grad_frac
            agreements.setdefault(name, Agreement()).see(integer, exact[name])
        return priorities

    learning.train(task, "integer", seed, watch)
    return agreements
