"""Parameter banks of PPO cores go over one pair of streams, to and from the learner that is asked."""

from cocotb.task import bridge
from learners_ppo_sequence import LearnersPpoSequence
from learners_ppo_uvm import COVERAGE
from uvm_bench import clock_number


class PpoBanks(LearnersPpoSequence):
    """Every bank of every learner is loaded and read, in orders that have nothing to do with each other."""

    async def body(self) -> None:
        await self.begin(0)
        held = {}
        for number in self.random.sample(range(self.learners), self.learners):
            own = await bridge(self.reals[number].state_dict)()
            held[number] = {name: self.rng.integers(0, 2**20, len(words)) for name, words in own.items()}
            await bridge(self.reals[number].load_state_dict)(held[number])
            COVERAGE.hit("banks.load")
        for number in self.random.sample(range(self.learners), self.learners):
            state = await bridge(self.reals[number].state_dict)()
            for name, words in held[number].items():
                check = self.env.scoreboard.check
                check("banks", f"{name} of learner {number}", state[name].tolist(), words.tolist(), clock_number())
            COVERAGE.hit("banks.read")
