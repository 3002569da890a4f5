"""Every reset, however long, gives the next epoch to what is written and read: answers of before it are told apart."""

import random

import cocotb
from bench_pins import clocks, start_clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def every_reset_begins_an_epoch(dut) -> None:
    dut.rst.value = 0
    start_clock(dut.clk)
    bits = len(dut.m_axi_awid) - 2
    known = None
    for count in (3, 1, 4, 2, *(random.randint(1, 9) for _ in range(8))):
        dut.rst.value = 1
        await clocks(dut, count)
        dut.rst.value = 0
        for _ in range(random.randint(1, 4)):
            await FallingEdge(dut.clk)
            epoch = int(dut.m_axi_awid.value) >> bits
            assert known is None or epoch == (known + 1) % 4, f"after a reset of {count} clocks"
        known = epoch
