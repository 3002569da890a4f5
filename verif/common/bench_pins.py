"""The pins of a core in a bench without agents: clock, reset, pulses, and numbers side by side in one port.

Such a bench writes inputs just after the falling edge and samples everything when that has settled, still before the
rising edge. What it sees is what the rising edge acts on, in Icarus and Verilator alike.
"""

from collections.abc import Callable, Iterable

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer
from cocotb.utils import get_sim_time

PERIOD_NS = 10


def start_clock(clk, *, high: bool = True) -> None:
    """high: whether it begins with a rising edge at once, which a reset that is written in this moment may miss."""

    async def begin() -> None:
        if high:
            # As any other write, so that what is written beside it is there at the edge.
            clk.value = 1
            await Timer(PERIOD_NS // 2, "ns")
        # In C: a clock in Python takes a fifth of a simulation.
        Clock(clk, PERIOD_NS, "ns", impl="gpi").start(start_high=False)

    cocotb.start_soon(begin())


async def clocks(dut, count: int) -> None:
    """Falling edges of clk."""
    for _ in range(count):
        await FallingEdge(dut.clk)


def clock_number() -> int:
    """Clocks since the start of the simulation, from a rising edge to the next one."""
    return int(get_sim_time("ns") / PERIOD_NS + 0.25)


async def until(dut, true: Callable[[], object], patience: int = 1_000_000) -> int:
    """To the first clock, this one included, in which something is true when all has settled; how many went by."""
    clocks = 0
    await ReadOnly()
    while not true():
        clocks += 1
        assert clocks < patience, f"stuck for {clocks} clocks"
        await FallingEdge(dut.clk)
        await ReadOnly()
    return clocks


def write(dut, *zeros: str, **inputs: int) -> None:
    """Ports to 0, and ports to a value."""
    for name, value in (dict.fromkeys(zeros, 0) | inputs).items():
        getattr(dut, name).value = value


async def reset(dut, *, rest: int = 0) -> None:
    """Three clocks of reset, and `rest` behind it; ends at a falling edge."""
    dut.rst.value = 1
    await clocks(dut, 3)
    dut.rst.value = 0
    await clocks(dut, rest)


async def start(dut, *zeros: str, rest: int = 0, **inputs: int) -> None:
    """Inputs, clock, and a reset if there is an rst; ends at a falling edge."""
    write(dut, *zeros, **inputs)
    if hasattr(dut, "rst"):
        dut.rst.value = 1
        start_clock(dut.clk)
        await reset(dut, rest=rest)
    else:
        start_clock(dut.clk)
        await clocks(dut, 1 + rest)


async def pulse(dut, signal) -> None:
    """One clock high, from a falling edge to the next."""
    signal.value = 1
    await FallingEdge(dut.clk)
    signal.value = 0


def pack(values: Iterable[int], width: int) -> int:
    """Elements side by side, the first one lowest."""
    mask = (1 << width) - 1
    return sum((int(value) & mask) << place * width for place, value in enumerate(values))


def unpack(number: int, width: int, count: int) -> list[int]:
    """The reverse of pack, signed."""
    half, mask = 1 << width - 1, (1 << width) - 1
    return [((number >> place * width & mask) ^ half) - half for place in range(count)]


def integers(dut, *names: str) -> tuple[int, ...]:
    """Integer parameters of the top."""
    return tuple(int(getattr(dut, name).value) for name in names)
