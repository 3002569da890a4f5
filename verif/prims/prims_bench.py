"""Shared by the benches of the primitives: clock and reset, and traffic with random stalls.

A bench writes inputs just after the falling edge and samples everything when that has settled, still before the
rising edge. What it sees is what the rising edge will act on, in Icarus and Verilator alike.
"""

import random
from collections import deque
from collections.abc import Callable

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

PERIOD_NS = 10


async def start(dut, **inputs: int) -> None:
    """Start the clock, set the inputs, and reset for three clocks if there is an rst; ends at a falling edge."""
    for name, value in inputs.items():
        getattr(dut, name).value = value
    cocotb.start_soon(Clock(dut.clk, PERIOD_NS, "ns").start())
    await FallingEdge(dut.clk)
    if hasattr(dut, "rst"):
        dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.rst.value = 0


async def stream(
    dut,
    items: list[int],
    p_valid: float,
    p_ready: float,
    each_clock: Callable[[int, deque], None] | None = None,
) -> int:
    """Send items through s_* and take them from m_*, each side ready to move with the given probability.

    Checks that the items come out in order, and that m_valid and m_data stand still while stalled. each_clock is
    called once a clock with the clock's number and what is inside. Returns the number of clocks it took.
    """
    waiting = deque(items)
    inside: deque[int] = deque()
    received = 0
    stalled = None
    offering = False
    for clock in range(100 * len(items) + 1000):
        offering = bool(waiting) and (offering or random.random() < p_valid)
        dut.s_valid.value = int(offering)
        dut.s_data.value = waiting[0] if offering else random.getrandbits(len(dut.s_data))
        dut.m_ready.value = int(random.random() < p_ready)
        await ReadOnly()
        if each_clock:
            each_clock(clock, inside)
        m_valid, m_ready = int(dut.m_valid.value), int(dut.m_ready.value)
        accepted = offering and int(dut.s_ready.value)
        if stalled is not None:
            assert m_valid, "valid was withdrawn while stalled"
            assert int(dut.m_data.value) == stalled, "data changed while stalled"
        stalled = int(dut.m_data.value) if m_valid and not m_ready else None
        if m_valid and m_ready:
            assert inside, "an item came out that nobody put in"
            assert int(dut.m_data.value) == inside.popleft(), f"item {received} is wrong"
            received += 1
        if accepted:
            inside.append(waiting.popleft())
            offering = False
        await FallingEdge(dut.clk)
        if received == len(items):
            dut.s_valid.value = 0
            dut.m_ready.value = 0
            return clock + 1
    raise AssertionError(f"only {received} of {len(items)} items came out")


def words(count: int, width: int) -> list[int]:
    """Random words of a width in bits."""
    return [random.getrandbits(width) for _ in range(count)]
