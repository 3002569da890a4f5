"""Learners in parallel without their clocks, bit for bit: L replay learners, a bank each, and rounds of local SGD.

A round is H gradient steps of every learner on its own weights. In the last one the new weights are averaged before
anybody computes with them, and the target networks follow the average: what is bootstrapped from stands still within a
round (Zhang 2022, algorithms 5 and 7). Moments stay with their learner. H = 1 averages every step.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.model import ACTOR_WEIGHT, WEIGHT, DdpgLearner, ValueLearner
from rlcores.cores.learner.update import sync
from rlcores.cores.learners.rounds import MEAN, Made, Share, Work, over_all_banks, together
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


class InRounds:
    """A replay learner's part in rounds of `average` steps.

    driver: of the learner, in the integer model or the native engine, its tree and experiences wherever they are.
    since: steps of the present round that are done.
    """

    def __init__(self, driver: ReplayLearnerModelDriver, average: int, exact: bool) -> None:
        self.driver, self.average, self.exact, self.since = driver, average, exact, 0

    def train(self, batches: int, beta: int) -> Work[None]:
        """Batches of gradient steps, and all their updates. beta: ufix(16,15), of the tree."""
        driver, waiting = self.driver, deque[Any]()
        ahead = driver.registers.ahead
        for number in range(batches + ahead):
            if number < batches:
                waiting.append(driver.drawn())
            if number >= ahead:
                yield from self._step(driver.answered(waiting.popleft()), beta)

    def _step(self, batch: Drawn, beta: int) -> Work[None]:
        if self.exact:
            batch.answers["weight"] = yield from over_all_banks(batch.answers, beta)
        model = self.driver.learner.model
        before = model.since_sync
        self.since += 1
        if self.since < self.average or not self.average:
            self.driver.train_on(batch)
            return
        model.since_sync = HELD  # the targets wait for the average
        self.driver.train_on(batch)
        self.since = 0
        new = yield Share(MEAN, {name: network.planes[WEIGHTS] for name, network in self._networks()})
        model.since_sync = take_average(model, list(new.values()), before + 1)

    def shared(self) -> Made:
        """What all learners have alike behind a round."""
        planes = {name: network.planes[[WEIGHTS, TARGET]] for name, network in self._networks()}
        return planes | {"since_sync": np.array(self.driver.learner.model.since_sync)}

    def take(self, shared: Made) -> None:
        """Have the same; moments stay."""
        for name, network in self._networks():
            for plane, flat in zip((WEIGHTS, TARGET), shared[name], strict=True):
                network.set_flat(flat, plane)
        self.driver.learner.model.since_sync = int(shared["since_sync"])
        self.since = 0

    def _networks(self) -> list[tuple[str, Any]]:
        return [(f"network{n}", network) for n, network in enumerate(self.driver.learner.model.networks)]


class LearnersModel:
    """L drivers of replay learners in the integer model or the native engine, and what happens between them.

    learners: with equal settings. since: steps of the present round that are done. average: H. exact: importance
    weights are those of all banks together; else each bank's batch has its own.
    """

    def __init__(self, learners: Sequence[ReplayLearnerModelDriver], average: int, exact: bool) -> None:
        self.learners, self.rounds = list(learners), 0
        self.begin_rounds(average, exact=exact)

    def begin_rounds(self, average: int, *, exact: bool = True, done: int = 0) -> None:
        """Rounds of `average` steps from now on, of which `done` of the first are done."""
        self.average, self.exact = average, exact
        self._each = [InRounds(one, average, exact) for one in self.learners]
        for one in self._each:
            one.since = done

    @property
    def since(self) -> int:
        return self._each[0].since

    def begin(self) -> None:
        """All learners take the first one's weights and targets, bit for bit."""
        first, *others = self._each
        for one in others:
            one.take(first.shared())

    def train(self, batches: int, beta: int) -> None:
        """Batches of gradient steps of every learner, and all their updates. beta: ufix(16,15), of all trees."""
        done = self.since + batches
        together([one.train(batches, beta) for one in self._each])
        self.rounds += done // self.average if self.average else 0
