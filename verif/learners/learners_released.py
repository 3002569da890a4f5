"""Learners that wait for others which have stopped, until software lets them go on."""

from cocotb.task import bridge
from cocotb.triggers import ClockCycles
from learners_sequence import LearnersSequence
from learners_uvm import COVERAGE


class Released(LearnersSequence):
    """AVERAGE becomes 0 while a round waits, WEIGHTS while a batch does: who waited ends its run alone."""

    async def body(self) -> None:
        for number in self.random.sample(range(self.learners), self.learners):
            await self.round_of(number)
        await self.batch_of(self.random.randrange(self.learners))

    async def round_of(self, number: int) -> None:
        """All but one end a round in front of its average."""
        average = self.random.randint(2, 4)
        await self.begin(average, exact=False)
        await self.insert(self.learners)
        others = [other for other in range(self.learners) if other != number]
        for other in others:
            await bridge(self.reals[other].start)(average + 2)
        await self.until_waiting(*others)
        await self.release()
        for other in others:
            await bridge(self.reals[other].wait)()
            self.exacts[other].train(average + 2)
        await self.compare(f"when {number} did nothing")
        # From here on they meet again.
        await bridge(self.rounds_of)(2, True)
        await self.train(3)
        await self.compare(f"when {number} is back")

    async def batch_of(self, number: int) -> None:
        """One alone has sampled a batch whose weights it does not know."""
        await self.begin(0, exact=True)
        await self.insert(self.learners)
        await bridge(self.reals[number].start)(5)
        await ClockCycles(self.dut.clk, 3000)
        assert not self.rounds.done[number], "a batch was trained without the others' weights"
        await self.write("WEIGHTS", 0)
        await bridge(self.reals[number].wait)()
        self.exacts[number].train(5)
        await self.compare("when it had waited for nobody", number)
        COVERAGE.hit("released batch")
