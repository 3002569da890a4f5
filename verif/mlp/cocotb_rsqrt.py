"""rlc_nn_rsqrt against its model: small numbers, powers of two, every row of the table, and where rounding turns."""

import random

import cocotb
import numpy as np
from bench_pins import start
from bench_pipeline import pipeline

from rlcores.cores.mlp import norm

LATENCY = 8


def numbers(rng: random.Random) -> list[int]:
    """The 18 highest bits choose row and rest; what is below them must not count, and all are shifted down by twos."""
    rows, rest = norm.words()[:, None], np.arange(512)[None]
    value = ((rows >> 15) << 9) - (rows & 0x7FFF) * rest
    turns = np.abs((value & 0xFFF) - 2048) <= 1
    turns[:, [0, 511]] = True
    inputs = [*range(1, 3000), *(1 << n for n in range(48)), *((1 << n) - 1 for n in range(1, 49))]
    for row, at in np.argwhere(turns).tolist():
        low = rng.getrandbits(29)
        whole = 1 << 47 | (row & 255) << 39 | at << 30 | low << 1 if row >> 8 else 1 << 46 | row << 38 | at << 29 | low
        inputs.append(whole >> 2 * rng.choice([0, 0, rng.randrange(23)]))
    return inputs


@cocotb.test()
async def every_root_is_the_models(dut) -> None:
    inputs = numbers(random.Random(cocotb.RANDOM_SEED))
    y, shift = norm.rsqrt(np.array(inputs))
    await start(dut)
    await pipeline(dut, {"x": inputs}, {"y": y, "shift": shift}, LATENCY)
    assert len(inputs) > 4000
