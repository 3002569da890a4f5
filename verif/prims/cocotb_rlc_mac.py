"""rlc_mac: p is c + a*b, on top of itself when asked, at the header's latencies, extremes and clears included."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


def operand(low: int, high: int) -> int:
    """Any value of a range, its ends and those around 0 often."""
    return random.choice([low, high, -1, 0, 1]) if random.random() < 0.3 else random.randint(low, high)


@cocotb.test()
async def p_is_c_plus_a_times_b(dut):
    a_width, b_width, c_width, p_width = (len(s) for s in (dut.a, dut.b, dut.c, dut.p))
    a_reg, b_reg, c_reg, m_reg = (int(p.value) for p in (dut.A_REG, dut.B_REG, dut.C_REG, dut.M_REG))
    accumulates = int(dut.ACC.value)
    highs = {"a": 2 ** (a_width - 1) - 1, "b": 2 ** (b_width - 1) - 1}
    # The caller guarantees that the sum fits, so c leaves room for any product.
    highs["c"] = min(2 ** (c_width - 1), 2 ** (p_width - 1) - 2 ** (a_width + b_width - 2)) - 1
    # Inputs by age; at age 1 the last rising edge took them.
    seen: dict[str, list[int]] = {name: [] for name in ("a", "b", "c", "m_clear", "c_clear", "acc")}
    await start(dut, a=0, b=0, c=0, m_clear=0, c_clear=0, acc=0)
    cleared = {"m_clear": 0, "c_clear": 0}
    checks = kept = 0
    total = None  # what p holds, once it is known
    for clock in range(1000):
        inputs = {name: operand(-high - 1, high) for name, high in highs.items()}
        inputs |= {name: int(random.random() < 0.2) for name in cleared}
        inputs["acc"] = int(random.random() < 0.7)
        for name, value in inputs.items():
            signal = getattr(dut, name)
            signal.value = value & (2 ** len(signal) - 1)
            seen[name] = [value, *seen[name][:3]]
        await ReadOnly()
        if clock >= 3:
            product = seen["a"][a_reg + m_reg + 1] * seen["b"][b_reg + m_reg + 1]
            addend = seen["c"][c_reg + 1]
            m_clear, c_clear = seen["m_clear"][m_reg + 1], seen["c_clear"][c_reg + 1]
            expected = (0 if c_clear else addend) + (0 if m_clear else product)
            if accumulates and seen["acc"][1]:
                if total is None:
                    await FallingEdge(dut.clk)
                    continue
                kept += 1
                expected += total
            # A sum of many terms leaves the range of p and wraps.
            total = expected
            assert int(dut.p.value) == expected & (2**p_width - 1), f"clock {clock}: expected {expected}"
            cleared["m_clear"] += m_clear and product != 0
            cleared["c_clear"] += c_clear and addend != 0
            checks += 1
        await FallingEdge(dut.clk)
    assert checks > 900 and min(cleared.values()) > 50
    assert kept > 500 or not accumulates
