"""rlc_learner_prio: the priorities of a wave's columns in a row, a clock each when nobody stalls."""

import random
from collections import deque

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly

WAVES = 300


async def traffic(dut, p: float) -> int:
    """Waves of random columns; the clocks from the first taken to the last priority."""
    columns, width = int(dut.DP.value), int(dut.WIDTH.value)
    await start(dut, "s_valid", "m_ready")
    waves = [
        [(random.getrandbits(width), p == 1 or random.random() < 0.7, random.random() < 0.2) for _ in range(columns)]
        for _ in range(WAVES)
    ]
    wanted = deque((number * record, last) for wave in waves for number, record, last in wave if record or last)
    clocks = offered = 0
    while wanted:
        wave = waves[offered] if offered < WAVES else None
        dut.s_valid.value = int(wave is not None and (int(dut.s_valid.value) or random.random() < p))
        for name, at, bits in (("data", 0, width), ("record", 1, 1), ("last", 2, 1)):
            getattr(dut, f"s_{name}").value = sum(int(c[at]) << bits * d for d, c in enumerate(wave or ()))
        dut.m_ready.value = int(random.random() < p)
        await ReadOnly()
        offered += int(dut.s_valid.value) and int(dut.s_ready.value)
        if int(dut.m_valid.value) and int(dut.m_ready.value):
            assert (int(dut.m_data.value), bool(int(dut.m_last.value))) == wanted.popleft()
        await FallingEdge(dut.clk)
        clocks += 1
        if int(dut.s_valid.value) and offered == WAVES:
            dut.s_valid.value = 0
        assert clocks < 20 * WAVES * columns, "stuck"
    return clocks


@cocotb.test()
async def every_priority_comes_once_and_in_order(dut) -> None:
    await traffic(dut, 0.6)


@cocotb.test()
async def a_wave_takes_a_clock_a_column(dut) -> None:
    columns = int(dut.DP.value)
    assert await traffic(dut, 1.0) <= WAVES * columns + 2
