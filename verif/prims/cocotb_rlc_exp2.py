"""rlc_exp2 against its model: every exponent, every segment, both limits, at the header's latency."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline
from prims_bench import words

from rlcores.cores.common import log2exp2


@cocotb.test()
async def every_answer_equals_the_model(dut):
    in_width, out_width, out_frac = (int(p.value) for p in (dut.IN_WIDTH, dut.OUT_WIDTH, dut.OUT_FRAC))
    latency = 5 + (((out_width + 1).bit_length() + 1) // 2)
    low, high = -(1 << (in_width - 1)), (1 << (in_width - 1)) - 1
    inputs = [low, low + 1, high, high - 1]
    # Around each whole number from where the result vanishes to where it saturates.
    for whole in range(-out_frac - 4, out_width - out_frac + 3):
        inputs += [(whole << 26) + rest for rest in (-1, 0, 1, (1 << 26) - 1)]
        inputs += [(whole << 26) + random.getrandbits(26) for _ in range(20)]
    # Left and right end of each segment where the result has many bits.
    for segment in range(512):
        left = ((out_width - out_frac - 1 - random.randrange(3)) << 26) + (segment << 17)
        inputs += [left, left - 1]
    inputs += [x + low for x in words(300, in_width)]
    inputs = [x for x in inputs if low <= x <= high]
    random.shuffle(inputs)
    values, flags = log2exp2.exp2_fixed(np.array(inputs), out_width, out_frac)
    assert flags.any() and (values == 0).any() and not flags.all()
    await start(dut, x=0)
    await pipeline(dut, {"x": inputs}, {"y": values, "saturated": flags}, latency)
    assert len(inputs) > 1000
