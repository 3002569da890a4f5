"""rlc_ppo_grad_norm against the model: sums of every size, fractions far apart, factors on both sides of 1.0."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, pack, pulse, start, until
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.ppo import norm


@cocotb.test()
async def every_factor_is_the_models(dut):
    (layers,) = integers(dut, "LAYERS")
    await start(dut, "start")
    for number in range(120):
        near = random.randrange(10, 27)
        fractions = [min(63, near + random.choice((0, 0, 1, 3, random.randrange(37)))) for _ in range(layers)]
        sums = [random.getrandbits(random.randrange(1, 54)) for _ in range(layers)]
        sums = [random.choice((s, s, s, 0, 1, (1 << 53) - 1)) for s in sums]
        if number == 0:
            sums = [0] * layers
        total = sum(s >> 2 * (f - min(fractions)) for s, f in zip(sums, fractions, strict=True))
        # Mostly near to where the factor begins to be less than 1.0; the first ones just there.
        size = norm.log2_wide(total) if total else 0
        limit = size + random.choice((0, -1, 1, -(1 << 20), random.randrange(-(20 << 20), 4 << 20)))
        limit = size + (number - 2) if number < 5 else limit
        dut.squares.value, dut.frac.value = pack(sums, 56), pack(fractions, 6)
        dut.cfg_limit.value = limit & (1 << 28) - 1
        await pulse(dut, dut.start)
        clocks = 1 + await until(dut, lambda: int(dut.done.value), 200)
        assert clocks == 2 * layers + 20, f"{clocks} clocks"
        wanted = norm.factor(zip(sums, fractions, strict=True), limit)
        assert int(dut.factor.value) == wanted, f"{int(dut.factor.value)} instead of {wanted}"
        HITS["whole" if wanted == norm.ONE else "less"] += 1
        HITS["nothing"] += not total
        for _ in range(random.choice((1, 1, 3))):
            await FallingEdge(dut.clk)
            await ReadOnly()
            assert int(dut.factor.value) == wanted and not int(dut.done.value)
        await FallingEdge(dut.clk)
    report()
