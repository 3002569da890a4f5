"""rlc_sync_level: a level arrives after STAGES clocks, whenever it changes."""

import random

import cocotb
from bench_pins import PERIOD_NS, start
from cocotb.triggers import FallingEdge, ReadOnly, Timer


@cocotb.test()
async def a_level_arrives_after_stages_clocks(dut):
    stages = int(dut.STAGES.value)
    await start(dut, level_in=0)
    for _ in range(stages + 1):
        await FallingEdge(dut.clk)
    history = [0] * stages
    changes = 0
    for _ in range(500):
        level = random.getrandbits(1)
        # Anywhere in the clock's low half: the change has nothing to do with this clock.
        await Timer(random.randrange(1, 10 * PERIOD_NS // 2 - 1) * 100, "ps")
        changes += level != int(dut.level_in.value)
        dut.level_in.value = level
        await ReadOnly()
        assert int(dut.level_out.value) == history[-1]
        history = [level, *history[:-1]]
        await FallingEdge(dut.clk)
    assert changes > 100
