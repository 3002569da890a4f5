"""rlc_sincos against its model at the header's latency: the ends of every segment of every eighth, random angles."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline
from prims_bench import words

from rlcores.cores.common.sincos import sincos_fixed

LATENCY = 8


@cocotb.test()
async def every_answer_equals_the_model(dut):
    inputs = [(quarter << 24) + k & 0x3FFFFFF for quarter in range(4) for k in (-2, -1, 0, 1, 2)]
    for segment in range(8 * 512):
        left = segment << 14
        inputs += [left, left + 16383, left + random.randrange(16384)]
    inputs += words(20000, 26)
    random.shuffle(inputs)
    sine, cosine = sincos_fixed(np.array(inputs))
    await start(dut, angle=0)
    await pipeline(dut, {"angle": inputs}, {"sine": sine, "cosine": cosine}, LATENCY)
