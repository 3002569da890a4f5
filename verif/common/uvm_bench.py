"""Shared by all environments: parameters, clock and reset, seeds, and random back-pressure."""

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import cocotb
from bench_pins import clock_number, start_clock
from cocotb.triggers import ClockCycles, RisingEdge
from pyuvm import uvm_analysis_export, uvm_sequence

from rlcores.eda import declared

_drawn: Counter[str] = Counter()


def seeded(name: str) -> random.Random:
    """A generator of its own for each purpose, so that no choice depends on the order in which tasks run.

    A name that is used again, as in the next test of a simulation, gives another generator.
    """
    _drawn[name] += 1
    return random.Random(f"{cocotb.RANDOM_SEED} {name} {_drawn[name]}")


def parameters(dut, core: str) -> dict[str, int | str]:
    """The Verilog parameters that a top of a core has: those that the run was given, and the others as the top says."""
    values = json.loads(os.environ["RLCORES_PARAMETERS"])
    for name, parameter in declared.of(core).items():
        if name not in values and hasattr(dut, name):
            # Simulators hand texts on in their own ways, Icarus not at all; the declaration has the RTL's default.
            values[name] = parameter.default if parameter.listed else int(getattr(dut, name).value)
    return values


class One(uvm_sequence):
    """One item."""

    def __init__(self, item) -> None:
        super().__init__("one")
        self.item = item

    async def body(self) -> None:
        await self.start_item(self.item)
        await self.finish_item(self.item)


class Listener(uvm_analysis_export):
    """Hands what an analysis port publishes to a function."""

    def __init__(self, name: str, parent, call: Callable[[Any], None]) -> None:
        super().__init__(name, parent)
        self.write = call


async def first_clock(signal) -> int:
    """The clock in which a signal is high first."""
    while True:
        await RisingEdge(cocotb.top.clk)
        if int(signal.value):
            return clock_number()


async def reset(dut, clocks: int = 4) -> None:
    """Hold rst for some clocks."""
    dut.rst.value = 1
    await ClockCycles(dut.clk, clocks)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)


async def start(dut) -> None:
    """Start the clock and reset."""
    start_clock(dut.clk)
    await reset(dut)


def pauses(rng: random.Random) -> Iterator[bool]:
    """Endless back-pressure, one bool a clock: free running, now and then, mostly stopped, in turns."""
    while True:
        share = rng.choice([0, 0, 0.1, 0.3, 0.7])
        for _ in range(rng.randint(5, 60)):
            yield rng.random() < share
