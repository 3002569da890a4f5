"""When learners of a bench are done with their steps."""

from collections import Counter

from cocotb.triggers import RisingEdge


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
