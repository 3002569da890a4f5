"""PPO cores that wait for one that begins late, or never, or is aborted, until they meet it or are let go."""

from cocotb.task import bridge
from learners_ppo_sequence import LearnersPpoSequence
from learners_ppo_uvm import COVERAGE


class Held(LearnersPpoSequence):
    """Each learner in its turn is the one that the rest waits for."""

    async def body(self) -> None:
        for number in self.random.sample(range(self.learners), self.learners):
            await self.begin(3)
            await self.late(number, self.others(number))
        for kind, average in ((self.never, 2), (self.aborted, 8)):
            number = self.random.randrange(self.learners)
            await self.begin(average)
            await kind(number, self.others(number))
        for meets in (True, False):
            number = self.random.randrange(self.learners)
            await self.begin(8)  # minibatches of an iteration
            await self.last_step(number, self.others(number), meets)

    def others(self, number: int) -> list[int]:
        """All but one."""
        return [other for other in range(self.learners) if other != number]

    async def go(self, *who: int) -> None:
        for number in who:
            await bridge(self.reals[number].start)(1)

    async def end(self, *who: int) -> None:
        for number in who:
            await bridge(self.reals[number].wait)()

    async def late(self, number: int, others: list[int]) -> None:
        """It begins when all others wait, and their weights are those that a punctual one leaves."""
        await self.go(*others)
        await self.until_waiting(*others)
        await self.go(number)
        await self.end(number, *others)
        assert self.rounds.stood[number] < min(self.rounds.stood[other] for other in others)
        COVERAGE.hit(f"slowest.{number}")
        self.together.train([self.played(each) for each in range(self.learners)])
        await self.compare(f"when {number} was late")

    async def never(self, number: int, others: list[int]) -> None:
        """It does not come, and AVERAGE is set to 0: the others end their runs alone."""
        await self.go(*others)
        await self.until_waiting(*others)
        await self.release()
        await self.end(*others)
        self.alone(*others)
        await self.compare(f"when {number} did nothing")

    async def aborted(self, number: int, others: list[int]) -> None:
        """It is aborted in front of its first average; the others are let go, and all begin anew together."""
        await self.go(*others, number)
        await self.until(lambda: self.rounds.done[number] or self.rounds.waits.now, "a minibatch")
        await self.release()
        await bridge(self.reals[number].abort)()
        COVERAGE.hit("abort.at work")
        await bridge(self.reals[number].abort)()
        COVERAGE.hit("abort.again")
        await self.end(*others)
        COVERAGE.hit("abort.waited for")
        self.alone(*others)
        await self.compare(f"when {number} was aborted", *others)
        await bridge(self.start_all)(1)
        await self.train(1)
        await self.compare(f"behind an abort of {number}")

    async def last_step(self, number: int, others: list[int], meets: bool) -> None:
        """It is aborted where it waits: it ends the minibatch with the others, or by itself when it is let go."""
        await self.go(number)
        await self.until_waiting(number)
        over = await self.aborting(number, self.reals[number])
        if meets:
            await self.go(*others)
            await self.end(*others)
            self.together.train([self.played(each) for each in range(self.learners)])
        else:
            await self.release()
            self.alone(number)
        await over
        assert self.rounds.rounds.now == meets
        COVERAGE.hit("abort.last step" if meets else "abort.last step alone")
        await self.compare(f"when {number} was aborted in a round's last step")
        await bridge(self.start_all)(1)
        await self.train(1)
        await self.compare(f"behind an abort of {number} in a round's last step")

    def alone(self, *who: int) -> None:
        """An iteration of models that share nothing."""
        for number in who:
            self.exacts[number].train(self.played(number))
