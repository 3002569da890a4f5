"""rlc_reset_sync: no reset is missed, and both edges of what comes out belong to clk."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly, Timer


@cocotb.test()
async def reset_is_high_from_power_up_until_the_clock_runs(dut):
    dut.rst_in.value = 0
    dut.clk.value = 0
    await Timer(1, "ns")
    assert int(dut.rst_out.value) == 1
    await start(dut, rst_in=0)
    for _ in range(int(dut.STAGES.value) + 1):
        await FallingEdge(dut.clk)
    assert int(dut.rst_out.value) == 0


@cocotb.test()
async def a_pulse_shorter_than_a_clock_still_resets(dut):
    stages = int(dut.STAGES.value)
    await start(dut, rst_in=0)
    for _ in range(stages + 2):
        await FallingEdge(dut.clk)
    for _ in range(20):
        await Timer(random.randrange(5, 30) * 100, "ps")
        dut.rst_in.value = 1 << random.randrange(len(dut.rst_in))
        await Timer(1, "ns")
        assert int(dut.rst_out.value) == 0, "the output moved without a clock"
        dut.rst_in.value = 0
        seen = []
        for _ in range(stages + 3):
            await FallingEdge(dut.clk)
            await ReadOnly()
            seen.append(int(dut.rst_out.value))
        # Caught before the first edge, through STAGES flip-flops, one clock long.
        assert seen == [0] * (stages - 1) + [1] + [0] * 3
        await FallingEdge(dut.clk)


@cocotb.test()
async def a_long_reset_is_released_after_stages_plus_one_clocks(dut):
    stages = int(dut.STAGES.value)
    await start(dut, rst_in=1 << random.randrange(len(dut.rst_in)))
    for _ in range(stages + 3):
        await FallingEdge(dut.clk)
    assert int(dut.rst_out.value) == 1
    dut.rst_in.value = 0
    seen = []
    for _ in range(stages + 2):
        await FallingEdge(dut.clk)
        await ReadOnly()
        seen.append(int(dut.rst_out.value))
    assert seen == [1] * stages + [0, 0]


@cocotb.test()
async def a_reset_that_another_takes_over_from_never_ends_in_between(dut):
    stages, sources = int(dut.STAGES.value), len(dut.rst_in)
    await start(dut, rst_in=1)
    for _ in range(stages + 2):
        await FallingEdge(dut.clk)
    for turn in range(1, 20):
        await Timer(random.randrange(1, 99) * 100, "ps")
        dut.rst_in.value = 1 << turn % sources  # the one falls in the moment in which the other rises
        for _ in range(random.randrange(4)):
            await FallingEdge(dut.clk)
            await ReadOnly()
            assert int(dut.rst_out.value) == 1
            await Timer(1, "ns")
