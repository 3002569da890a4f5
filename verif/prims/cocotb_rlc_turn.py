"""rlc_mod_counter: it counts to its last place and begins again, there or where it is told to."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge


@cocotb.test()
async def every_place_has_its_turn(dut):
    count = int(dut.COUNT.value)
    await start(dut, restart=1, step=0)
    await FallingEdge(dut.clk)
    at, rounds, both = 0, 0, 0
    for _ in range(300 + 30 * count):
        restart, step = random.random() < 0.5 / count, random.random() < 0.8
        dut.restart.value, dut.step.value = int(restart), int(step)
        rounds += step and not restart and at == count - 1
        both += step and restart and at != count - 1
        at = 0 if restart else (at + step) % count
        await FallingEdge(dut.clk)
        assert int(dut.at.value) == at and int(dut.last.value) == (at == count - 1)
    assert rounds and (both or count == 1)
