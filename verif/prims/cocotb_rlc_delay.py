"""rlc_delay: what goes in comes out CLOCKS later, every clock."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def what_goes_in_comes_out_clocks_later(dut):
    clocks = int(dut.CLOCKS.value)
    await start(dut, d=0)
    given: list[int] = []
    checks = 0
    for clock in range(clocks + 300):
        given.append(random.getrandbits(len(dut.d)))
        dut.d.value = given[-1]
        await ReadOnly()
        if clock >= clocks:
            assert int(dut.q.value) == given[clock - clocks], f"clock {clock}"
            checks += 1
        await FallingEdge(dut.clk)
    assert checks == 300
