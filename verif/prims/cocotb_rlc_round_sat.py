"""rlc_round_sat: every input of the width, against Python's integers."""

import cocotb
from cocotb.triggers import Timer


def rounded_and_saturated(x: int, frac: int, wout: int, symmetric: bool) -> tuple[int, bool]:
    """floor(x / 2^frac + 1/2), saturated; and whether the limit changed it. From the definition, in integers."""
    value = (2 * x + 2**frac) // 2 ** (frac + 1)
    high = 2 ** (wout - 1) - 1
    low = -high if symmetric else -high - 1
    saturated = min(max(value, low), high)
    return saturated, saturated != value


@cocotb.test()
async def every_input_is_rounded_half_up_and_saturated(dut):
    win, frac, wout, symmetric = (int(p.value) for p in (dut.WIN, dut.FRAC, dut.WOUT, dut.SYMMETRIC))
    checked = 0
    for x in range(-(2 ** (win - 1)), 2 ** (win - 1)):
        dut.in_data.value = x & (2**win - 1)
        await Timer(1, "ns")
        value, saturated = rounded_and_saturated(x, frac, wout, bool(symmetric))
        assert int(dut.out_data.value) == value & (2**wout - 1), f"{x}: expected {value}"
        assert int(dut.saturated.value) == saturated, f"{x}: expected saturated={saturated}"
        checked += 1
    assert checked == 2**win
