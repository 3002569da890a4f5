"""Several PPO learners that train one policy, without their clocks, bit for bit (rlc_learners_ppo).

Each plays its own environments and trains on its own rollouts. Behind every H minibatches the weights of all, and their
log-deviations, become their average, before anybody computes with them. Moments stay with their learner.
"""

from collections.abc import Sequence

import numpy as np

from rlcores.cores.learner.layout import WEIGHTS
from rlcores.cores.learners.average import mean
from rlcores.cores.ppo.model import Ppo, Rollout


class PpoLearners:
    """L learners with the same weights and settings, of equal minibatches; average: H.

    since: minibatches of the present round that are done. rounds: averages so far.
    """

    def __init__(self, learners: Sequence[Ppo], average: int) -> None:
        self.learners, self.average = list(learners), average
        self.since = self.rounds = 0

    def begin(self) -> None:
        """All learners take the first one's weights."""
        first, *others = self.learners
        for one in others:
            for network, kept in zip(one.own_networks, first.own_networks, strict=True):
                network.start(kept.planes[WEIGHTS].copy())
            one.logs[:] = first.logs

    def train(self, rollouts: Sequence[Rollout]) -> None:
        """All epochs of each learner over its rollout."""
        each = (one.minibatches(rollout) for one, rollout in zip(self.learners, rollouts, strict=True))
        for minibatches in zip(*each, strict=True):
            for one, minibatch in zip(self.learners, minibatches, strict=True):
                one.step(*minibatch)
            self.since += 1
            if self.since == self.average:
                self._average()
        for one in self.learners:
            one.finish()

    def _average(self) -> None:
        self.since, self.rounds = 0, self.rounds + 1
        for networks in zip(*(one.own_networks for one in self.learners), strict=True):
            new = mean(np.stack([network.planes[WEIGHTS] for network in networks]))
            for network in networks:
                network.set_flat(new, WEIGHTS)
        logs = mean(np.stack([one.logs[0] for one in self.learners]))
        for one in self.learners:
            one.logs[0] = logs
