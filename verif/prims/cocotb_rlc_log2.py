"""rlc_log2 against its model: every power of two, its neighbours, every segment, at the header's latency."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline
from prims_bench import words

from rlcores.cores.common import log2exp2


@cocotb.test()
async def every_answer_equals_the_model(dut):
    width = len(dut.x)
    latency = 4 + next(n for n in (1, 2, 3) if width <= 4**n)
    inputs = [0, *(x for e in range(width) for x in ((1 << e) - 1, 1 << e, (1 << e) + 1, (2 << e) - 1))]
    # Left and right end of each segment, in any octave wide enough to tell them apart.
    if width > 10:
        for segment in range(512):
            scale = random.randrange(10, width)
            left = ((512 + segment) << scale) >> 9
            inputs += [left, left - 1]
    inputs += [x >> random.randrange(width) for x in words(1000, width)]
    inputs = [x & ((1 << width) - 1) for x in inputs]
    random.shuffle(inputs)
    expected = log2exp2.log2_fixed(np.array(inputs, dtype=np.uint64)).tolist()
    await start(dut, x=0)
    await pipeline(dut, {"x": inputs}, {"y": expected, "zero": [x == 0 for x in inputs]}, latency)
    assert len(inputs) > 1000
