"""rlc_divide against exact integers at the header's latency: every pair if there are few, else ends and random ones."""

import random
from itertools import product

import cocotb
from bench_pins import start
from bench_pipeline import pipeline


def numbers(low: int, high: int) -> list[int]:
    """Ends, neighbours of 0, and numbers of every size."""
    sizes = [random.getrandbits(random.randrange(high.bit_length() + 1)) for _ in range(20)]
    return [
        low,
        low + 1,
        high - 1,
        high,
        0,
        1,
        *(k if k <= high else high for k in sizes),
        *(max(low, -k) for k in sizes),
    ]


@cocotb.test()
async def every_quotient_is_the_rounded_and_saturated_one(dut):
    n_width, d_width, q_width = len(dut.n), len(dut.d), len(dut.q)
    fraction = int(dut.FRACTION.value)
    latency = 2 + -(-(q_width - 1) // int(dut.PER_CLOCK.value))
    top = (1 << (q_width - 1)) - 1
    low, high = -(1 << (n_width - 1)), (1 << (n_width - 1)) - 1
    if n_width + d_width <= 12:
        pairs = list(product(range(low, high + 1), range(1 << d_width)))
    else:
        pairs = list(product(numbers(low, high), numbers(0, (1 << d_width) - 1)))
    random.shuffle(pairs)
    quotients, saturated = [], []
    for n, d in pairs:
        exact = (2 * (n << fraction) + d) // (2 * d) if d else (1 << 200) * (-1 if n < 0 else 1)
        kept = min(max(exact, -top - 1), top)
        quotients.append(kept)
        saturated.append(kept != exact)
    await start(dut, n=0, d=0)
    n, d = zip(*pairs, strict=True)
    await pipeline(dut, {"n": n, "d": d}, {"q": quotients, "saturated": saturated}, latency)
