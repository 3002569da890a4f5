"""rlc_counter: events are counted, those beside a clear too, and at the largest number as SATURATE says."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge


@cocotb.test()
async def every_event_is_counted(dut):
    largest = 2 ** len(dut.q) - 1
    saturate = int(dut.SATURATE.value)
    await start(dut, count=0, clear=0)
    expected, ends, beside = 0, 0, 0
    for _ in range(3000):
        count, clear = random.random() < 0.8, random.random() < 0.02
        dut.count.value, dut.clear.value = int(count), int(clear)
        ends += expected == largest and count and not clear
        beside += count and clear
        base = 0 if clear else expected
        expected = base if saturate and base == largest else (base + count) & largest
        await FallingEdge(dut.clk)
        assert int(dut.q.value) == expected
    assert ends and beside
    dut.count.value, dut.rst.value = 1, 1
    await FallingEdge(dut.clk)
    assert int(dut.q.value) == 0
