"""rlc_smul: p is a*b without its lowest bits, rounded half up, at the header's latency, one a clock."""

import random

import cocotb
from bench_pins import start
from bench_pipeline import pipeline


def operand(width: int) -> int:
    """Any value, the ends and single bits often: the ends fill every carry between the slices."""
    top = (1 << (width - 1)) - 1
    any_value = random.getrandbits(width) - top - 1
    return random.choice([0, 1, -1, top, -top - 1, -top - 1, 1 << random.randrange(width - 1), any_value, any_value])


@cocotb.test()
async def p_is_a_times_b_rounded(dut):
    a_width, b_width, drop = len(dut.a), len(dut.b), int(dut.DROP.value)
    latency = 3 + (b_width > 18)
    assert len(dut.p) == a_width + b_width - drop
    await start(dut, a=0, b=0)
    a, b = ([operand(width) for _ in range(600)] for width in (a_width, b_width))
    products = [(2 * x * y + (1 << drop)) >> (drop + 1) for x, y in zip(a, b, strict=True)]
    await pipeline(dut, {"a": a, "b": b}, {"p": products}, latency)
    assert len(set(products)) >= min(2 ** (a_width + b_width - drop - 2), 100)
