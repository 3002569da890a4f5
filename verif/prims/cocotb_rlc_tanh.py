"""rlc_tanh against its model at the header's latency: the ends of every segment, both signs, and random numbers."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline
from prims_bench import words

from rlcores.cores.common.tanh import tanh_fixed

LATENCY = 6


@cocotb.test()
async def every_answer_equals_the_model(dut):
    inputs = [0, 1, -1, (1 << 17) - 1, -(1 << 17), 1 - (1 << 17)]
    for segment in range(512):
        left = segment << 8
        inputs += [left, left + 255, left + random.randrange(256)]
        inputs += [-left, -left - 255, -left - random.randrange(256)]
    inputs += [word - (1 << 17) for word in words(20000, 18)]
    random.shuffle(inputs)
    expected = tanh_fixed(np.array(inputs))
    await start(dut, x=0)
    await pipeline(dut, {"x": inputs}, {"y": expected}, LATENCY)
