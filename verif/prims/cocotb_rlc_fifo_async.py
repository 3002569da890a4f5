"""rlc_fifo_async: every item comes once and in order at any two clocks, and as many wait as there are places."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

PERIODS = [(10000, 10000), (3000, 17000), (17000, 3000), (10000, 9902)]


class Bench:
    """Both sides, each at its own chance of a clock without a transfer."""

    def __init__(self, dut, periods: tuple[int, int]) -> None:
        self.dut, self.sent, self.taken, self.came = dut, deque(), 0, 0
        self.push, self.pop = 0.0, 0.0  # chances
        dut.s_valid.value = dut.m_ready.value = 0
        dut.s_rst.value = dut.m_rst.value = 1
        for clk, period in zip((dut.s_clk, dut.m_clk), periods, strict=True):
            cocotb.start_soon(Clock(clk, period, "ps").start())
        cocotb.start_soon(self.source())
        cocotb.start_soon(self.sink())

    async def source(self) -> None:
        dut, offered, width = self.dut, False, len(self.dut.s_data)
        await FallingEdge(dut.s_clk)
        while True:
            offered = not int(dut.s_rst.value) and (offered or random.random() < self.push)
            if offered and not int(dut.s_valid.value):
                dut.s_data.value = random.getrandbits(width)
            dut.s_valid.value = int(offered)
            await RisingEdge(dut.s_clk)
            if offered and int(dut.s_ready.value) and not int(dut.s_rst.value):
                self.sent.append(int(dut.s_data.value))
                self.taken += 1
                offered = False
            await FallingEdge(dut.s_clk)
            dut.s_valid.value = int(offered)

    async def sink(self) -> None:
        dut, held = self.dut, None
        await FallingEdge(dut.m_clk)
        while True:
            ready = not int(dut.m_rst.value) and random.random() < self.pop
            dut.m_ready.value = int(ready)
            await RisingEdge(dut.m_clk)
            valid = not int(dut.m_rst.value) and int(dut.m_valid.value)
            assert held is None or (valid and int(dut.m_data.value) == held), "what waits has changed"
            held = int(dut.m_data.value) if valid and not ready else None
            if valid and ready:
                assert self.sent, "an item that nobody sent"
                assert int(dut.m_data.value) == self.sent.popleft()
                self.came += 1
            await FallingEdge(dut.m_clk)

    async def clocks(self, count: int) -> None:
        """So many of both."""
        for _ in range(count):
            await FallingEdge(self.dut.s_clk)
            await FallingEdge(self.dut.m_clk)


@cocotb.test()
@cocotb.parametrize(periods=PERIODS)
async def items_come_once_and_in_order(dut, periods):
    bench = Bench(dut, periods)
    stages, places = int(dut.STAGES.value), 1 << int(dut.DEPTH_LOG2.value)
    for reader_first in (True, False):
        # Both sides in reset for STAGES + 1 clocks of either, one of them longer.
        dut.s_rst.value = dut.m_rst.value = 1
        bench.push = bench.pop = 0.0
        await bench.clocks(stages + 2)
        bench.sent.clear()
        assert (int(dut.s_ready.value), int(dut.m_valid.value)) == (0, 0)
        before = bench.taken
        if reader_first:
            dut.m_rst.value = 0
            await bench.clocks(6)
            assert not int(dut.m_valid.value)
            dut.s_rst.value = 0
        else:
            dut.s_rst.value = 0
            bench.push = 1.0
            await bench.clocks(2 * places + 10)
            assert bench.taken - before == places, "the reader is in reset: all places are taken and no more"
            dut.m_rst.value = 0
            await bench.clocks(2 * stages + 4)
            assert bench.taken - before == places and int(dut.m_valid.value)
        for push, pop in ((1.0, 1.0), (0.3, 1.0), (1.0, 0.3), (0.5, 0.5), (0.05, 0.05)):
            bench.push, bench.pop = push, pop
            await bench.clocks(80)
        bench.push, bench.pop = 1.0, 0.0
        await bench.clocks(2 * places + 2 * stages + 10)
        assert len(bench.sent) == places and not int(dut.s_ready.value)
        bench.push, bench.pop = 0.0, 1.0
        # An item that is offered stays so.
        await bench.clocks(2 * places + 4 * stages + 20)
        assert not bench.sent and not int(dut.m_valid.value) and int(dut.s_ready.value)
    assert bench.came > 150
