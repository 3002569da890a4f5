"""What the sequences of several replay learners have: drivers over the agents, the model beside them, comparisons."""

import random

from cocotb.task import bridge
from learners_uvm import COVERAGE, LearnersEnv
from replay_cases import experiences, start, state_of_all
from replay_memory import Recorded
from shared_sequence import SharedSequence
from uvm_bench import clock_number, reset

from rlcores.cores.common.draws import state_of
from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.learners.model import LearnersModel
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver


class LearnersSequence(SharedSequence):
    """reals: drivers of the learners. exacts: their models, and `together` what happens between them."""

    def __init__(self, env: LearnersEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.core = env.predictor.core

    async def begin(self, average: int, *, exact: bool) -> None:
        """Learners and models with the same start behind a reset, each with its draws, in rounds of `average` steps."""
        await reset(self.dut, self.random.randint(1, 4))
        self.env.words.clear()
        self.predictor.reset()
        self.slots = self.random.randint(10, 14)
        await bridge(self._begin)(average, exact)
        COVERAGE.hit("exact.on" if exact else "exact.off")

    def _begin(self, average: int, exact: bool) -> None:
        base = 0x2340_0000
        self.reals, self.exacts = [], []
        for number, memory in enumerate(self.env.memories.parts):
            window = LearnerWindow(self.bus, "replay_learner", number, memory)
            own = base + number * 0x10_0000
            self.reals.append(ReplayLearnerDriver(window, own))
            self.exacts.append(Recorded(self.core, base=own))
        self.shared = SharedDriver(self.bus, self.learners)
        most = int(self.core["AHEAD_MAX"])
        self.sync = max(average, 1) * self.random.randint(1, 2)
        start(
            self.rng, *self.reals, *self.exacts, batch=self.random.randint(3, 5), capacity=self.slots,
            ahead=self.random.randint(0, most), sync_interval=self.sync, lag=True,
        )  # fmt: skip
        for pair in zip(self.reals, self.exacts, strict=True):
            self.draws(*pair)
        self.rounds_of(average, exact)
        self.predictor.restart(self.exacts)

    def draws(self, *drivers) -> None:
        """The same draws from now on, and no others'."""
        state = state_of(int(self.rng.integers(0, 2**63)))
        for driver in drivers:
            driver.load_draws(state)

    def rounds_of(self, average: int, exact: bool) -> None:
        """Rounds of `average` steps from now on."""
        self.shared.begin_rounds(average)
        self.shared.exact = exact
        self.together = LearnersModel(self.exacts, average, exact=exact)

    @property
    def beta(self) -> int:
        return self.exacts[0].tree.registers.beta

    async def insert(self, packets: int) -> None:
        """Experiences to the learners in turn, until they are committed."""
        for _ in range(packets):
            await bridge(self._insert)(self.random.choice((1, self.random.randint(2, 8))))

    def _insert(self, count: int) -> None:
        real = self.reals[self.predictor.turn]
        real.insert(real.layout.pack(*experiences(self.rng, real.learner.shape, count)))

    async def train(self, steps: int) -> None:
        """The core first, then the models."""
        order = self.random.sample(self.reals, self.learners)
        for real in order:
            await bridge(real.start)(steps)
            await self.clocks(40)
        for real in order:
            await bridge(real.wait)()
        self.together.train(steps, self.beta)

    async def compare(self, what: str, *who: int) -> None:
        """All that software sees of these learners, or of all, is the models'."""
        for number in who or range(self.learners):
            real, exact, own = self.reals[number], self.exacts[number], self.predictor.each[number]
            about = f"of learner {number}, {what}"
            actual, wanted = await bridge(state_of_all)(real, self.slots), state_of_all(exact, self.slots)
            for name, value in wanted.items():
                self.env.scoreboard.check("state", f"{name} {about}", actual[name], value, clock_number())
            own.compare(await bridge(real.counters)(), exact.learner.steps, about)
        assert not self.predictor.waiting, f"{self.predictor.waiting} bursts of cores or models are left"
        await self.count()
