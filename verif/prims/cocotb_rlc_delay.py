"""rlc_delay: what goes in comes out CLOCKS later, every clock."""

import random

import cocotb
from bench_pins import start
from bench_pipeline import pipeline


@cocotb.test()
async def what_goes_in_comes_out_clocks_later(dut):
    clocks = int(dut.CLOCKS.value)
    await start(dut, d=0)
    words = [random.getrandbits(len(dut.d)) for _ in range(300)]
    await pipeline(dut, {"d": words}, {"q": words}, clocks)
