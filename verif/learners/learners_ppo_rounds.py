"""Iterations in rounds of several lengths, also such as an iteration begins and the next one ends."""

from cocotb.task import bridge
from learners_ppo_sequence import LearnersPpoSequence
from learners_ppo_uvm import COVERAGE


class Iterates(LearnersPpoSequence):
    """A run of one iteration and one of two, in rounds of 3 minibatches, 1 and 2; then one in no rounds."""

    async def body(self) -> None:
        for average in self.random.sample((3, 1, 2), 3):
            await self.begin(average)
            for iterations in (1, 2):
                await self.train(iterations)
                COVERAGE.hit("round.halves", any(self.rounds.inside))
                await self.compare(f"in rounds of {average}")
            assert self.rounds.rounds.now == self.together.rounds == 3 * self.minibatches // average
        await bridge(self.shared.clear_counters)()
        await self.count()
        await bridge(self.rounds_of)(0)
        await self.train(1)
        await self.compare("in no rounds")
