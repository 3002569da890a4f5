"""Rounds of several lengths, with importance weights over all banks and without."""

from cocotb.task import bridge
from learners_sequence import LearnersSequence
from learners_uvm import COVERAGE


class TrainsInRounds(LearnersSequence):
    """Whole rounds, and some that one run begins and the next one ends; experiences in between."""

    async def body(self) -> None:
        lengths = self.random.sample((1, 2, 3), 3)
        for average, exact in zip(lengths, self.random.sample((True, True, False), 3), strict=True):
            await self.begin(average, exact=exact)
            await self.insert(self.learners)
            for steps in (2 * average, average + 1, 2 * average - 1):
                await self.insert(self.random.randint(0, self.learners + 1))
                await self.train(steps)
                COVERAGE.hit("round.halves", any(self.rounds.inside))
            await self.compare(f"in rounds of {average}, exact {exact}")
            COVERAGE.hit("sync.in a round's last step", self.exacts[0].learner.steps // self.sync)
            assert self.rounds.rounds.now == self.together.rounds == 5
        await self.apart()

    async def apart(self) -> None:
        """No rounds: learners that share nothing, and counters from 0 on."""
        await bridge(self.shared.clear_counters)()
        await self.count()
        await bridge(self.rounds_of)(0, False)
        await self.train(3)
        await self.compare("in no rounds")
