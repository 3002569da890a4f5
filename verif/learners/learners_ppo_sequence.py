"""What the sequences of several PPO cores have: drivers over the agents, the model beside them, comparisons."""

import random

import numpy as np
from cocotb.task import bridge
from learners_ppo_start import learner
from learners_ppo_uvm import COVERAGE, LearnersPpoEnv
from shared_sequence import SharedSequence
from uvm_bench import clock_number, reset

from rlcores.cores.env.environments import of_core
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.learners.ppo import PpoLearners
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.ppo.model import ACC_OVERFLOW, Ppo

PLANES = [0, 2, 3]  # of a network: weights and moments
TIME_LIMIT = 9  # some episodes are cut off, and some end


class LearnersPpoSequence(SharedSequence):
    """reals: drivers of the learners. exacts: their models, `environments` theirs, and what those have said last."""

    def __init__(self, env: LearnersPpoEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.core = env.predictor.core

    async def begin(self, average: int) -> None:
        """Learners and models with the same start behind a reset, each with its seeds, in rounds of `average`."""
        await reset(self.dut, self.random.randint(1, 4))
        self.env.words.clear()
        self.predictor.reset()
        await bridge(self.start_all)(average)

    def start_all(self, average: int) -> None:
        """Learners with the same weights whose next run is a new one, and models like them."""
        self.reals = [PpoDriver(LearnerWindow(self.bus, "ppo_env", number)) for number in range(self.learners)]
        self.shared = SharedDriver(self.bus, self.learners)
        first = self.learner()
        self.exacts = [self.learner() for _ in self.reals]
        self.environments, self.seen = [None] * self.learners, [None] * self.learners
        for number, exact in enumerate(self.exacts):
            exact.restore(first.save() | {"generators": exact.save()["generators"]})
            self.renew(number)
        self.rounds_of(average)

    def learner(self) -> Ppo:
        """One with random weights for the core."""
        return learner(self.reals[0].shape, self.random.getrandbits(31), epochs=2)

    def renew(self, number: int) -> None:
        """A core's next run is a new one, with its model's weights, and its environments as their model."""
        real, seed = self.reals[number], self.random.getrandbits(31)
        real.environments.abort()
        real.environments.write_register("TIME_LIMIT", TIME_LIMIT)
        real.adopt(self.exacts[number])
        real.clear_counters()
        real.begin(seed)
        count = real.shape.environments
        self.environments[number] = EnvModel(of_core(int(self.core["ENV"]), count), count, TIME_LIMIT)
        self.seen[number] = self.environments[number].start(seed)["obs"].astype(np.int64)

    def rounds_of(self, average: int) -> None:
        """Rounds of `average` minibatches from now on."""
        self.shared.begin_rounds(average)
        self.together = PpoLearners(self.exacts, average)

    def played(self, number: int):
        """A rollout of the model of one."""
        rollout, self.seen[number] = self.exacts[number].collect(self.environments[number], self.seen[number])
        return rollout

    @property
    def minibatches(self) -> int:
        """Of an iteration."""
        settings = self.exacts[0].settings
        return settings.epochs * settings.minibatches

    async def train(self, iterations: int) -> None:
        """The core first, then the models; the learners begin one after the other."""
        order = self.random.sample(range(self.learners), self.learners)
        for number in order:
            await bridge(self.reals[number].start)(iterations)
            await self.clocks(400)
        for number in order:
            await bridge(self.reals[number].wait)()
        for _ in range(iterations):
            self.together.train([self.played(number) for number in range(self.learners)])

    async def compare(self, what: str, *who: int) -> None:
        """Weights, moments and counters of these learners, or of all, are the models'."""
        for number in who or range(self.learners):
            await bridge(self._compare)(number, f"of learner {number}, {what}")
        await self.count()

    def _compare(self, number: int, about: str) -> None:
        real, exact, check = self.reals[number], self.exacts[number], self.env.scoreboard.check
        copy = self.learner()
        real.show(copy)
        for name in ("actor", "critic"):
            actual, wanted = (getattr(one, name).planes[PLANES].tolist() for one in (copy, exact))
            check("state", f"{name} {about}", actual, wanted, clock_number())
        check("state", f"log-deviations {about}", copy.logs.tolist(), exact.logs.tolist(), clock_number())
        copy.counters[ACC_OVERFLOW] = exact.counters[ACC_OVERFLOW]  # words there, numbers here
        check("state", f"counters {about}", copy.counters.tolist(), exact.counters.tolist(), clock_number())
        COVERAGE.hit("episodes.ended", len(real.ended()))
