"""Several learners at full speed, for `rlcores bench learners`: nothing ever pauses, and steps are seen at the pins."""

import cocotb
from bench_pins import start_clock
from cocotb.triggers import RisingEdge
from foreign_bus import ForeignBus
from learners_memory import Memories, Part
from uvm_bench import parameters


class Rounds:
    """When each learner was done with each step, in clocks."""

    def __init__(self, dut, learners: int) -> None:
        self.dut, self.done, self.clock = dut, [[] for _ in range(learners)], 0

    async def watch(self) -> None:
        """For ever."""
        while True:
            await RisingEdge(self.dut.clk)
            self.clock += 1
            done = int(self.dut.step_done.value)
            for number, clocks in enumerate(self.done):
                if done >> number & 1:
                    clocks.append(self.clock)

    def forget(self) -> None:
        """No step is done."""
        for clocks in self.done:
            clocks.clear()


async def begin(dut, core: str, sources: tuple[str, ...]) -> tuple:
    """Parameters of the core of each learner, and the bus, out of reset."""
    known = parameters(dut, core)
    start_clock(dut.clk, high=False)  # so that the first edge sees the reset
    dut.rst.value = 1
    bus = ForeignBus(dut, sources, ("m_axis_read",), share=0.0)
    await bus._reset()
    return known, bus


async def remember(dut, core) -> list[Part]:
    """Memories of the learners."""
    memories = Memories(dut, core, 1.0, 0)
    cocotb.start_soon(memories.run())
    return memories.parts
