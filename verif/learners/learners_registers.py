"""Registers of several replay learners."""

from cocotb.task import bridge
from shared_registers import SharedRegisters

from rlcores.cores.learners.driver import LearnerWindow
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver


class Registers(SharedRegisters):
    own, scratch, banks = "replay_learner", "HOST_INDEX", 1

    async def interrupt(self, number: int) -> None:
        """A run that waits for experiences is stopped, so it is done."""
        memory = self.env.memories.parts[number]
        self.of = await bridge(ReplayLearnerDriver)(LearnerWindow(self.bus, self.own, number, memory))
        await bridge(self.of.write)("MIN_SIZE", 1)
        await bridge(self.of.start)(1)
        await bridge(self.of.stop)()
        await self.until(lambda: int(self.dut.irq.value), "an interrupt")

    async def calm(self, number: int) -> None:
        await bridge(self.of.wait)()
