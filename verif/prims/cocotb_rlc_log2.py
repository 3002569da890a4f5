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
    given = [0, *(x for e in range(width) for x in ((1 << e) - 1, 1 << e, (1 << e) + 1, (2 << e) - 1))]
    # Left and right end of each segment, in any octave wide enough to tell them apart.
    if width > 10:
        for segment in range(512):
            scale = random.randrange(10, width)
            left = ((512 + segment) << scale) >> 9
            given += [left, left - 1]
    given += [x >> random.randrange(width) for x in words(1000, width)]
    given = [x & ((1 << width) - 1) for x in given]
    random.shuffle(given)
    expected = log2exp2.log2_fixed(np.array(given, dtype=np.uint64)).tolist()
    await start(dut, x=0)
    await pipeline(dut, {"x": given}, {"y": expected, "zero": [x == 0 for x in given]}, latency)
    assert len(given) > 1000
