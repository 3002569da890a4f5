"""rlc_popcount: the number of ones, every bit counted, at the header's latency."""

import random
from math import ceil, log2

import cocotb
from bench_pins import start
from bench_pipeline import pipeline
from cocotb.triggers import FallingEdge
from prims_bench import words


@cocotb.test()
async def every_bit_is_counted(dut):
    width = len(dut.d)
    latency = 1 + ceil(log2(ceil(width / 6)))
    # Each bit alone and each bit missing, then anything, the sparse and the full included.
    inputs = [0, 2**width - 1, *(1 << i for i in range(width)), *(2**width - 1 ^ 1 << i for i in range(width))]
    inputs += [a & b for a, b in zip(words(100, width), words(100, width), strict=True)] + words(200, width)
    random.shuffle(inputs)
    await start(dut, d=0)
    await pipeline(dut, {"d": inputs}, {"count": [word.bit_count() for word in inputs]}, latency)
    assert len(inputs) > 300


@cocotb.test()
async def a_reset_takes_back_what_is_on_its_way(dut):
    width = len(dut.d)
    latency = 1 + ceil(log2(ceil(width / 6)))
    await start(dut, d=0)
    for before in range(1, latency + 1):
        dut.d.value = 2**width - 1
        for _ in range(before):
            await FallingEdge(dut.clk)
        dut.d.value, dut.rst.value = 0, 1
        for _ in range(latency + 2):
            await FallingEdge(dut.clk)
            dut.rst.value = 0
            assert int(dut.count.value) == 0, f"{before} words before the reset"
