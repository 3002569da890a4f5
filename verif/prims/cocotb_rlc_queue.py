"""rlc_queue: what a sender that counts its places sends comes out in order; one word too many stops the simulation."""

import random
from collections import deque

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly
from prims_bench import words


@cocotb.test()
async def every_word_comes_out_in_order(dut):
    depth = int(dut.DEPTH.value)
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    inside, levels, taken = deque(), set(), 0
    for clock, word in enumerate(words(2000, len(dut.s_data))):
        often = clock // 100 % 2 == 0
        # A place is free from the clock after its word was taken.
        sends = len(inside) < depth and random.random() < (0.9 if often else 0.3)
        dut.s_valid.value, dut.s_data.value = int(sends), word
        dut.m_ready.value = int(random.random() < (0.4 if often else 0.8))
        await ReadOnly()
        took = int(dut.m_valid.value) and int(dut.m_ready.value)
        if took:
            assert int(dut.m_data.value) == inside.popleft(), f"word {taken} is wrong"
            taken += 1
        if sends:
            inside.append(word)
        levels.add(len(inside))
        await FallingEdge(dut.clk)
    assert taken > 500 and levels == set(range(depth + 1))


@cocotb.test()
async def a_word_too_many(dut):
    """Never ends by itself."""
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    dut.s_valid.value = 1
    for _ in range(int(dut.DEPTH.value) + 2):
        await FallingEdge(dut.clk)
    cocotb.log.info("nobody minded")
