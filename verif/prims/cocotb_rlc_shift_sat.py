"""rlc_shift_sat against its model: every shift, the ends of the ranges and all halves between them, one a clock."""

import random

import cocotb
from bench_pins import start
from bench_pipeline import pipeline

from rlcores.cores.common.fixed import limits, round_shift, saturate

LATENCY = 3


def numbers(win: int, wout: int, shift: int) -> list[int]:
    """Numbers of win bits: around both limits of the output, around 0, the ends of the input, and random ones."""
    low, high = limits(win)
    centres = [0, low, high]
    for limit in (-(1 << (wout - 1)) - 1, -(1 << (wout - 1)), (1 << (wout - 1)) - 1, 1 << (wout - 1)):
        centres += [limit << shift, (limit << shift) + (1 << shift >> 1)]
    # Far below the limit, with low bits that rounding would carry out of.
    centres += [(-k << (wout + shift)) + (1 << (wout - 1 + shift)) for k in (1, 2, 3)]
    near = [centre + offset for centre in centres for offset in (-2, -1, 0, 1, 2)]
    # Of every size, so that neither the limits nor the small numbers swallow the rest.
    wide = [random.getrandbits(win) >> random.randrange(win) for _ in range(60)]
    return [x for x in near + wide + [-x for x in wide] if low <= x <= high]


@cocotb.test()
async def every_shift_rounds_half_up_and_saturates(dut):
    win, wout, shift_width, symmetric = (int(p.value) for p in (dut.WIN, dut.WOUT, dut.SHIFT_WIDTH, dut.SYMMETRIC))
    await start(dut, s_data=0, shift=0)
    saturations = plain = 0
    for shift in range(1 << shift_width):
        dut.shift.value = shift
        inputs = numbers(win, wout, shift)
        rounded = [round_shift(x, shift) for x in inputs]
        expected = [saturate(x, wout, bool(symmetric)) for x in rounded]
        saturated = [x != y for x, y in zip(rounded, expected, strict=True)]
        await pipeline(dut, {"s_data": inputs}, {"m_data": expected, "m_saturated": saturated}, LATENCY)
        assert shift < win or not any(expected)
        saturations += sum(saturated)
        plain += len(inputs) - sum(saturated)
    assert plain > 60 << shift_width
    assert saturations > 20 or win <= wout
