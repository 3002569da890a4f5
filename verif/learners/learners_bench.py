"""What benches of several learners share: the bus of one, and the clocks of their steps."""

from collections import Counter

from cocotb.task import resume
from cocotb.triggers import RisingEdge
from foreign_bus import ForeignBus

from rlcores.buses.bus import Window

WINDOW = 0x10000


class OneOf(Window):
    """The bus of one learner: its registers, its memory and its interrupt."""

    def __init__(self, bus: ForeignBus, number: int, memory=None) -> None:
        super().__init__(bus, number * WINDOW)
        self.memory, self._number, self._dut = memory, number, bus.dut
        self.wait_irq = resume(self._wait_irq)

    async def _wait_irq(self) -> None:
        while not int(self._dut.irq.value) >> self._number & 1:
            await RisingEdge(self._dut.clk)


class Rounds:
    """When each learner was done with each step, in clocks."""

    def __init__(self, dut, learners: int, hits: Counter) -> None:
        self.dut, self.done, self.hits = dut, [[] for _ in range(learners)], hits
        self.clock = 0

    async def watch(self) -> None:
        while True:
            await RisingEdge(self.dut.clk)
            self.clock += 1
            done, waits = int(self.dut.step_done.value), int(self.dut.waits.value)
            self.hits["waits"] += waits != 0
            for number, clocks in enumerate(self.done):
                if done >> number & 1:
                    clocks.append(self.clock)
