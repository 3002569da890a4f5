"""rlc_reciprocal against its model at the header's latency: the ends of every segment, and random numbers."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline
from prims_bench import words

from rlcores.cores.common.divide import reciprocal_fixed

LATENCY = 5


@cocotb.test()
async def every_answer_equals_the_model(dut):
    inputs = [end for segment in range(512) for end in (segment << 17, (segment << 17) + (1 << 17) - 1)]
    inputs += words(10000, 26)
    random.shuffle(inputs)
    expected = reciprocal_fixed(np.array(inputs))
    await start(dut, x=0)
    await pipeline(dut, {"x": inputs}, {"y": expected}, LATENCY)
