"""One learner's memory is slow: at the end of a round the others wait for it, whichever it is."""

from learners_sequence import LearnersSequence
from learners_uvm import COVERAGE


class OneIsSlower(LearnersSequence):
    """Each learner in its turn is the slow one; the rest stand still in their round's last step."""

    async def body(self) -> None:
        for number in self.random.sample(range(self.learners), self.learners):
            await self.begin(self.random.randint(2, 3), exact=False)
            await self.insert(self.learners)
            for place, memory in enumerate(self.env.memories.parts):
                memory.likely, memory.latest = (0.1, 100) if place == number else (1.0, 2)
            before = list(self.rounds.stood)
            await self.train(2 * self.together.average)
            stood = [now - then for now, then in zip(self.rounds.stood, before, strict=True)]
            assert all(clocks > 100 for place, clocks in enumerate(stood) if place != number), stood
            assert stood[number] == min(stood), f"learner {number} was to be the slow one, they waited {stood} clocks"
            COVERAGE.hit(f"slowest.{number}")
            for memory in self.env.memories.parts:
                memory.likely, memory.latest = self.env.memories.likely, self.env.memories.latest
            await self.compare(f"when {number} is slow")
