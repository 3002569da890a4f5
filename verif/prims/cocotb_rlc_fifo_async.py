"""rlc_fifo_async: every item comes once and in order at any two clocks, and as many wait as there are places."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source, port
from bench_pins import integers, write
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

PERIODS = [(10000, 10000), (3000, 17000), (17000, 3000), (10000, 9902)]


class Bench:
    """Both sides, each at its own chance of a clock without a transfer."""

    def __init__(self, dut, periods: tuple[int, int]) -> None:
        self.dut, self.sent, self.taken, self.came = dut, deque(), 0, 0
        self.push, self.pop = 0.0, 0.0  # chances
        self.source, self.sink = Source(dut, *port("s", ["data"])), Sink(dut, *port("m", ["data"]))
        write(dut, "s_valid", "m_ready", s_rst=1, m_rst=1)
        for clk, period in zip((dut.s_clk, dut.m_clk), periods, strict=True):
            cocotb.start_soon(Clock(clk, period, "ps").start())
        cocotb.start_soon(self.put())
        cocotb.start_soon(self.take())

    async def put(self) -> None:
        dut, source, width = self.dut, self.source, len(self.dut.s_data)
        while True:
            await FallingEdge(dut.s_clk)
            if int(dut.s_rst.value):
                source.clear()
            source.share = self.push
            source.queue.extend({"data": random.getrandbits(width)} for _ in range(not source.queue))
            source.drive()
            await ReadOnly()
            if word := source.sample():
                self.sent.append(word["data"])
                self.taken += 1

    async def take(self) -> None:
        dut, sink = self.dut, self.sink
        while True:
            await FallingEdge(dut.m_clk)
            sink.share, sink.hold = self.pop, bool(int(dut.m_rst.value))
            if sink.hold:
                sink.clear()
            sink.drive()
            await ReadOnly()
            if not sink.hold and (word := sink.sample()):
                assert self.sent, "an item that nobody sent"
                assert word["data"] == self.sent.popleft()
                self.came += 1

    async def clocks(self, count: int) -> None:
        """`count` of both."""
        for _ in range(count):
            await FallingEdge(self.dut.s_clk)
            await FallingEdge(self.dut.m_clk)


@cocotb.test()
@cocotb.parametrize(periods=PERIODS)
async def items_come_once_and_in_order(dut, periods):
    bench = Bench(dut, periods)
    stages, places = integers(dut, "STAGES", "DEPTH_LOG2")
    places = 1 << places
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
