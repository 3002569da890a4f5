"""rlc_umul: p is a*b, whole, at the header's latency, one a clock."""

import random

import cocotb
from bench_pins import start
from bench_pipeline import pipeline


def operand(width: int) -> int:
    """Any value, the ends and single bits often: the ends fill every carry between the links."""
    top = 2**width - 1
    return random.choice([0, 1, top, top, 1 << random.randrange(width), random.getrandbits(width)])


@cocotb.test()
async def p_is_a_times_b(dut):
    a_width, b_width = len(dut.a), len(dut.b)
    macs = -(-a_width // 26) * -(-b_width // 17)
    latency = 3 + (macs - 1) * (1 + int(dut.C_REG.value))
    assert len(dut.p) == a_width + b_width
    await start(dut, a=0, b=0)
    a, b = ([operand(width) for _ in range(600)] for width in (a_width, b_width))
    products = [x * y for x, y in zip(a, b, strict=True)]
    await pipeline(dut, {"a": a, "b": b}, {"p": products}, latency)
    assert len(set(products)) >= min(2 ** (a_width + b_width - 2), 100)
