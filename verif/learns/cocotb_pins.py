"""rlc_learns_ulx3s at its pins, with nobody at the line: what they are in every clock from power-on on, as a file."""

import os

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def every_clock_is_written_down(dut):
    dut.btn_reset.value, dut.ftdi_txd.value = 0, 1
    start_clock(dut.clk_25mhz)
    seen = np.zeros(int(os.environ["RLCORES_CLOCKS"]), np.uint16)
    for clock in range(len(seen)):
        await FallingEdge(dut.clk_25mhz)
        seen[clock] = int(dut.led.value) | int(dut.ftdi_rxd.value) << 8 | int(dut.wifi_gpio0.value) << 9
    np.save(os.environ["RLCORES_TRANSCRIPT"], seen)
    HITS["clocks"] += len(seen)
    HITS["falling edges of the line"] += int(((seen[:-1] & ~seen[1:]) >> 8 & 1).sum())
    report()
