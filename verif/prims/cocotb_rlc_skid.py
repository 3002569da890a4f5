"""rlc_skid: nothing is lost, and nothing slows down."""

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly
from prims_bench import stream, words


@cocotb.test()
async def items_survive_random_stalls(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    for p_valid, p_ready in [(1.0, 0.5), (0.5, 1.0), (0.5, 0.5), (0.9, 0.9), (0.1, 0.9), (0.9, 0.1)]:
        await stream(dut, words(300, len(dut.s_data)), p_valid, p_ready)


@cocotb.test()
async def one_item_a_clock(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    # The first item leaves in the clock after it came, and no clock is lost after that.
    assert await stream(dut, words(200, len(dut.s_data)), 1.0, 1.0) == 201


@cocotb.test()
async def takes_two_items_while_stalled_and_not_three(dut):
    await start(dut, s_valid=1, s_data=0, m_ready=0)
    taken = 0
    for _ in range(8):
        await ReadOnly()
        taken += int(dut.s_ready.value)
        await FallingEdge(dut.clk)
    assert taken == 2


@cocotb.test()
async def reset_empties_and_closes_it(dut):
    await start(dut, s_valid=1, s_data=1, m_ready=0)
    for _ in range(5):
        await FallingEdge(dut.clk)
    assert int(dut.m_valid.value) == 1
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    assert int(dut.m_valid.value) == 0 and int(dut.s_ready.value) == 0
    dut.rst.value = 0
    dut.s_valid.value = 0
    await FallingEdge(dut.clk)
    await stream(dut, words(50, len(dut.s_data)), 0.7, 0.7)
