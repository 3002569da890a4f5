"""The replay learner between cocotbext-axi's masters and its RAM: our drivers see what the integer model says."""

import random

import cocotb
import numpy as np
import pytest
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.task import bridge
from cocotb.triggers import RisingEdge
from foreign_bus import ForeignBus, watch
from replay_cases import experiences, model, same, start, state_of_all
from uvm_bench import parameters

from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model import MemoryFault

CORE: dict[str, int | str] = {}  # its parameters
BASE = 0x2340_0000


async def watch_answers(dut) -> None:
    """In which order memory answers reads."""
    asked: list[int] = []
    before = None
    while True:
        await RisingEdge(dut.clk)
        if int(dut.rst.value):
            asked, before = [], None
            continue
        if int(dut.m_axi_arvalid.value) and int(dut.m_axi_arready.value):
            asked.append(int(dut.m_axi_arid.value))
        if int(dut.m_axi_rvalid.value) and int(dut.m_axi_rready.value):
            number = int(dut.m_axi_rid.value)
            epoch, place = divmod(number, CORE["READS"])
            HITS["epochs"] |= 1 << epoch
            HITS["ids"] |= 1 << place
            if number not in asked:
                # Of a read from before a reset, which the memory did not forget in time.
                assert all(epoch != other // CORE["READS"] for other in asked), "an answer to no read"
                HITS["late"] += 1
                continue
            HITS["overtaken"] += asked[0] != number
            HITS["mixed"] += before not in (None, number)
            before = None if int(dut.m_axi_rlast.value) else number
            if int(dut.m_axi_rlast.value):
                asked.remove(number)


async def begin(dut, share: float) -> ForeignBus:
    CORE.update(parameters(dut, "replay_learner"))
    start_clock(dut.clk)
    dut.rst.value = 1
    dut.hold_sampling.value = dut.hold_steps.value = 0
    bus = ForeignBus(
        dut, ("s_axis_exp", "s_axis_load"), ("m_axis_read",), share=share, memory="m_axi",
    )  # fmt: skip
    cocotb.start_soon(watch_answers(dut))
    cocotb.start_soon(watch(dut, HITS, "s_axil", "m_axi", *bus.sources, *bus.sinks))
    await bus._reset()
    return bus


def both(bus: ForeignBus, rng: np.random.Generator, **given) -> tuple:
    """The core and the model with the same start."""
    pair = ReplayLearnerDriver(bus, BASE), model(CORE)
    start(rng, *pair, **given)
    return pair


def give(rng: np.random.Generator, count: int, *drivers) -> None:
    rows = drivers[0].layout.pack(*experiences(rng, drivers[0].learner.shape, count))
    for driver in drivers:
        driver.insert(rows)


def trains(bus: ForeignBus, seed: int) -> None:
    rng = np.random.default_rng(seed)
    slots, batch = 12, 5
    for turn in range(2):
        real, exact = both(bus, rng, batch=batch, capacity=slots, ahead=turn * CORE["AHEAD_MAX"])
        for call in range(2):
            give(rng, slots if call else slots // 2, real, exact)
            for driver in (real, exact):
                driver.train(4)
            same(state_of_all(real, slots), state_of_all(exact, slots), f"{turn} {call}")
            HITS["steps"] += 4
        assert not real.flags() and real.fault() is None
        # In the middle of training, and with experiences on their way.
        real.start(0)
        bus.run(int(rng.integers(1, 600)))
        bus.reset()


def fails(bus: ForeignBus, seed: int) -> None:
    rng = np.random.default_rng(seed)
    slots = 12
    real, exact = both(bus, rng, batch=4, capacity=slots, ahead=0)
    give(rng, slots, real, exact)
    bad = int(rng.integers(slots))
    first = BASE + bad * real.stride
    bus.memory.bad = set(range(first, first + real.stride))
    with pytest.raises(MemoryFault, match="answered a read with an error") as e:
        real.train(1000)
    bus.memory.bad = set()
    assert e.value.address == first
    exact.train(e.value.batches, unreadable={bad})
    same(state_of_all(real, slots), state_of_all(exact, slots), "a read error")
    for driver in (real, exact):
        driver.train(2)
    same(state_of_all(real, slots), state_of_all(exact, slots), "training on")
    HITS["faults"] += 1


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def the_loop_is_exact_on_a_foreign_memory_with_pauses_orders_and_resets(dut):
    bus = await begin(dut, random.choice((0.2, 0.5)))
    await bridge(trains)(bus, random.getrandbits(32))
    report()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def a_foreign_memory_s_error_is_reported_with_its_address(dut):
    bus = await begin(dut, 0.1)
    await bridge(fails)(bus, random.getrandbits(32))
    report()
