"""Learners in parallel without their clocks, bit for bit: L replay learners, a bank each, and rounds of local SGD.

A round is H gradient steps of every learner on its own weights. In the last one the new weights are averaged before
anybody computes with them, and the target networks follow the average: what is bootstrapped from stands still within a
round (Zhang 2022, algorithms 5 and 7). Moments stay with their learner. H = 1 averages every step.
"""

from collections import deque
from collections.abc import Sequence

import numpy as np

from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.model import ACTOR_WEIGHT, WEIGHT, DdpgLearner, ValueLearner
from rlcores.cores.learner.update import sync
from rlcores.cores.learners.average import importance, mean
from rlcores.cores.replay_learner.model import Drawn, ReplayLearnerModelDriver

HELD = -(1 << 40)  # steps since a target update, with which none is due


def take_average(model: ValueLearner | DdpgLearner, new: Sequence[np.ndarray], since: int) -> int:
    """A learner takes the average of each of its networks' weights, and its targets follow if an update is due.

    new: int64 (size,) of each network. since: steps since the last target update; returns those after this one.
    """
    due = 0 < model.settings.sync_interval <= since
    for network, weights, base in zip(model.networks, new, (WEIGHT, ACTOR_WEIGHT), strict=False):
        network.set_flat(weights, WEIGHTS)
        if due:
            target, beyond = sync(weights, network.planes[TARGET], model.settings.tau, int(network.polyak))
            network.set_flat(target, TARGET)
            network.count_saturated(beyond, model.counters, base)
    return 0 if due else since


class LearnersModel:
    """L drivers of replay learners in the integer model or the native engine, and what happens between them.

    learners: with equal settings. since: steps of the present round that are done. average: H. exact: importance
    weights are those of all banks together; else each bank's batch has its own.
    """

    def __init__(self, learners: Sequence[ReplayLearnerModelDriver], average: int, exact: bool) -> None:
        self.learners, self.average, self.exact = list(learners), average, exact
        self.since = self.rounds = 0

    def begin_rounds(self, average: int, *, exact: bool = True, done: int = 0) -> None:
        """Rounds of `average` steps from now on, of which `done` of the first are done."""
        self.average, self.exact, self.since = average, exact, done

    def begin(self) -> None:
        """All learners take the first one's weights and targets, bit for bit."""
        first, *others = (one.learner.model.networks for one in self.learners)
        for networks in others:
            for network, model in zip(networks, first, strict=True):
                for plane in (WEIGHTS, TARGET):
                    network.set_flat(model.planes[plane], plane)

    def train(self, batches: int, beta: int) -> None:
        """Batches of gradient steps of every learner, and all their updates. beta: ufix(16,15), of all trees."""
        ahead = self.learners[0].registers.ahead
        waiting: deque[list[Drawn]] = deque()
        for number in range(batches + ahead):
            if number < batches:
                waiting.append(self._sample(beta))
            if number >= ahead:
                self._step(waiting.popleft())

    def _sample(self, beta: int) -> list[Drawn]:
        drawn = [one.drawn() for one in self.learners]
        if self.exact:
            for one, weights in zip(drawn, importance([one.answers for one in drawn], beta), strict=True):
                one.answers["weight"] = weights
        return drawn

    def _step(self, drawn: list[Drawn]) -> None:
        self.since += 1
        ends = self.since == self.average
        models = [one.learner.model for one in self.learners]
        before = [model.since_sync for model in models]
        for one, model, batch in zip(self.learners, models, drawn, strict=True):
            if ends:
                model.since_sync = HELD  # the targets wait for the average
            one.train_on(batch)
        if ends:
            self._average(before)

    def _average(self, before: list[int]) -> None:
        self.since, self.rounds = 0, self.rounds + 1
        models = [one.learner.model for one in self.learners]
        same = zip(*(model.networks for model in models), strict=True)
        new = [mean(np.stack([network.planes[WEIGHTS] for network in networks])) for networks in same]
        for model, since in zip(models, before, strict=True):
            model.since_sync = take_average(model, new, since + 1)
