"""A learner is aborted in a round's middle, while the others go on and wait, or in its last step, where it waits."""

from cocotb.task import bridge
from learners_sequence import LearnersSequence
from learners_uvm import COVERAGE

from rlcores.cores.learners.rounds import together

AVERAGE, STEPS = 24, 30  # an abort takes some steps, and is to be in a round's middle
SHORT = 3


class Aborted(LearnersSequence):
    """It comes back and ends the round with the others, or they are let go and end their run alone."""

    async def body(self) -> None:
        for number, returns in enumerate((True, False)):
            aborted = (number + self.random.randrange(self.learners)) % self.learners
            await self.one(aborted, returns)
        for meets in (True, False):
            await self.last_step(self.random.randrange(self.learners), meets)

    async def last_step(self, number: int, meets: bool) -> None:
        """It ends this step with the others, or by itself when it is let go, and then the abort is over."""
        await self.begin(SHORT, exact=False)
        await self.insert(self.learners)
        await bridge(self.reals[number].start)(SHORT)
        await self.until_waiting(number)
        over = await self.aborting(number, self.reals[number])
        if meets:
            others = [real for other, real in enumerate(self.reals) if other != number]
            for real in others:
                await bridge(real.start)(SHORT)
            for real in others:
                await bridge(real.wait)()
            await over
            self.together.train(SHORT, self.beta)
        else:
            await self.release()
            await over
            self.exacts[number].train(SHORT)
        assert self.rounds.rounds.now == meets
        COVERAGE.hit("abort.last step" if meets else "abort.last step alone")
        await bridge(self.adopt)(number)
        await self.compare(f"when {number} was aborted in a round's last step")
        await bridge(self.rounds_of)(2, True)
        await self.train(2)
        await self.compare(f"behind an abort of {number} in a round's last step")

    async def one(self, number: int, returns: bool) -> None:
        await self.begin(AVERAGE, exact=False)
        await self.insert(self.learners)
        for real in self.reals:
            await bridge(real.start)(STEPS)
        await self.until(lambda: self.rounds.inside[number] >= 3, "a step")
        await bridge(self.reals[number].abort)()
        done = self.rounds.done[number]
        assert 3 <= done < AVERAGE - 1, f"it was aborted behind {done} steps"
        COVERAGE.hit("abort.at work")
        self.exacts[number].train(done)
        await bridge(self.adopt)(number)
        others = [other for other in range(self.learners) if other != number]
        await self.until_waiting(*others)
        COVERAGE.hit("abort.waited for")
        if returns:
            await bridge(self.reals[number].start)(STEPS - done)
        else:
            await self.release()
        for real in [self.reals[other] for other in others] + [self.reals[number]] * returns:
            await bridge(real.wait)()
        if returns:
            each = self.together._each
            each[number].since = done
            together([one.train(STEPS - done * (n == number), self.beta) for n, one in enumerate(each)])
        else:
            for other in others:
                self.exacts[other].train(STEPS)
        await self.compare(f"when {number} was aborted{' and came back' * returns}")
        await bridge(self.rounds_of)(2, True)
        await self.train(2)
        await self.compare(f"behind a round without {number}")

    def adopt(self, number: int) -> None:
        """What an abort may change is taken over: draws and priorities; weights it may not."""
        real, exact, own = self.reals[number], self.exacts[number], self.predictor.each[number]
        own.early["read"].clear()  # of batches that were not trained
        real.clear_flags()
        exact.set_priorities(real.priorities(self.slots))
        exact.tree.model.largest = real.largest
        self.draws(real, exact)
        for driver in (real, exact):
            driver.clear_counters()
            driver.learner.clear_counters()
        own.begin_again()
