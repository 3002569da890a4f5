"""The GAE core between two clocks, driven by the driver that users have: its results are those of the integer model.

The driver runs in a thread of its own (cocotb's bridge) over a bus of cocotbext-axi agents on the bus's clock, so
nothing in it knows that it is simulated. The array's clock is beside it, at ratios that are far apart, close, and equal
but shifted.
"""

import random

import cocotb
import numpy as np
from bench_hits import HITS, report
from cocotb.clock import Clock
from cocotb.task import bridge, resume
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from foreign_bus import slow, watch

from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.gae.model import GaeModelBus
from rlcores.eda import registers
from rlcores_lab.cycles.gae import cycles

MAP = registers.load("gae")
PARAMETERS = ("ROWS", "LANES", "DEPTH", "LOOKAHEAD", "INTERLEAVE", "SPAN", "QBITS", "OUT_BITS", "BEAT")
# Periods of bus and core in ps: core slower, faster, much faster, alike but drifting, the same and shifted.
RATIOS = [(10000, 17300), (10000, 3300), (17000, 2100), (10000, 9902), (10000, 10000)]


class Bench:
    """The core with its two clocks; implements rlcores.buses.bus.Bus for a thread."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.parameters = {name: int(getattr(dut, name).value) for name in PARAMETERS}
        self.read, self.write = resume(self._read), resume(self._write)
        self.send, self.receive = resume(self._send), resume(self._receive)
        self.wait_irq = resume(self._wait_irq)

    async def start(self, ratio: tuple[int, int], stall: float) -> None:
        dut = self.dut
        dut.rst.value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
        for model in (self.master, self.source, self.sink):
            slow(model, stall)
        self.clocks = [cocotb.start_soon(Clock(dut.clk, ratio[0], "ps").start())]
        await Timer(random.randrange(1, ratio[1]), "ps")
        self.clocks.append(cocotb.start_soon(Clock(dut.core_clk, ratio[1], "ps").start()))
        await ClockCycles(dut.clk, 2)
        dut.rst.value = 0
        self.wires = cocotb.start_soon(watch(dut, HITS, "s_axil", "s_axis", "m_axis"))

    async def stop(self) -> None:
        for task in (*self.clocks, self.wires):
            task.cancel()
        await Timer(100, "ns")

    async def _read(self, address: int) -> int:
        return int(await self.master.read_dword(address))

    async def _write(self, address: int, value: int) -> None:
        await self.master.write_dword(address, value & 0xFFFFFFFF)

    async def _send(self, beats: np.ndarray) -> None:
        await self.source.send(AxiStreamFrame(np.ascontiguousarray(beats).tobytes()))
        await with_timeout(self.source.wait(), 2, "ms")

    async def _receive(self, capacity: int) -> np.ndarray:
        frame = await with_timeout(self.sink.recv(), 2, "ms")
        beats = np.frombuffer(bytes(frame.tdata), np.uint64).reshape(-1, self.parameters["BEAT"])
        assert len(beats) <= capacity
        return beats

    async def _wait_irq(self) -> None:
        for _ in range(100_000):
            await RisingEdge(self.dut.clk)
            if int(self.dut.irq.value):
                HITS["irq"] += 1
                return
        raise AssertionError("no interrupt came")


class Model(GaeModelBus):
    """The model, and the clocks that the array takes for what is loaded."""

    clocks = 0

    def write(self, address: int, value: int) -> None:
        if address == MAP["COMMAND"].address and value == MAP["COMMAND"].by_name["code"].values["START"]:
            self.clocks = cycles(self.parameters, self.level)
        super().write(address, value)


def rollout(rng: np.random.Generator, steps: int, count: int) -> tuple:
    rewards, values = rng.normal(1, 3, (steps, count)), rng.normal(0, 2, (steps, count))
    terminated, truncated = rng.random((2, steps, count)) < 0.08
    truncated &= ~terminated & (np.cumsum(truncated, axis=0) <= 2)
    return rewards, values, terminated, truncated, rng.normal(0, 2, count), np.where(truncated, values + 1, np.nan)


def compare(bench: Bench, seed: int) -> None:
    """The same rollout through the core and through the model; runs in a thread."""
    rng = np.random.default_rng(seed)
    model = Model(bench.parameters)
    model.parameters = bench.parameters
    lanes, depth = bench.parameters["LANES"], bench.parameters["DEPTH"]
    cores = [Gae(bench.parameters, backend=bus, reward_scaling="standardise") for bus in (bench, model)]
    # More environments than lanes: two groups.
    steps, count = depth // 2, lanes + 3
    arrays = rollout(rng, steps, count)
    computed, expected = (core.compute(*arrays) for core in cores)
    for field in ("advantages", "returns", "rewards", "values"):
        assert np.array_equal(getattr(computed, field), getattr(expected, field)), field
    assert (computed.shift, computed.elements, computed.flags) == (expected.shift, expected.elements, expected.flags)
    assert computed.elements == steps * count
    counters = cores[0].driver.counters()
    assert counters.cycles == model.clocks > 0, "the array does not keep its pace between two clocks"
    for of in ("REWARD", "VALUE"):
        assert cores[0].driver.statistics(of) == cores[1].driver.statistics(of)
    HITS["elements"] += computed.elements


@cocotb.test(timeout_time=250, timeout_unit="us")
@cocotb.parametrize(ratio=RATIOS)
async def results_are_those_of_the_model_at_any_two_clocks(dut, ratio):
    bench = Bench(dut)
    # Full speed is in the next test.
    await bench.start(ratio, random.choice([0.1, 0.5]))
    await bridge(compare)(bench, random.getrandbits(32))
    # Beyond the map the core's own answer comes back.
    beyond = max(r.address for r in MAP.values()) + 4
    for access in (bench.master.read(beyond, 4), bench.master.write(beyond, bytes(4))):
        assert int((await access).resp) == 2
    # Accesses do not wait for each other's answers, and each has its own.
    seeds = [random.getrandbits(31) for _ in range(6)]
    posted = [bench.master.write_dword(MAP["GAMMA"].address, seed) for seed in seeds]
    for task in [cocotb.start_soon(one) for one in posted]:
        await task
    asked = ["ID", "GAMMA", "STATUS", "ID", "GAMMA", "VERSION", "ID"]
    tasks = [cocotb.start_soon(bench.master.read_dword(MAP[name].address)) for name in asked]
    values = [int(await task) for task in tasks]
    wanted = {name: await bench._read(MAP[name].address) for name in asked}
    assert wanted["GAMMA"] == seeds[-1] and values == [wanted[name] for name in asked]
    await bench.stop()
    HITS[f"ratio {ratio[0]} {ratio[1]}"] += 1
    report()


@cocotb.test(timeout_time=250, timeout_unit="us")
@cocotb.parametrize(ratio=RATIOS[:2])
async def beats_flow_at_the_pace_of_the_slower_clock(dut, ratio):
    """Without stalls the crossing adds a few clocks to a pass, and none to a beat."""
    bench = Bench(dut)
    await bench.start(ratio, 0.0)
    lanes, beat = bench.parameters["LANES"], bench.parameters["BEAT"]
    words = np.arange(lanes, dtype=np.uint64) | np.uint64(1 << 48)  # a STEP for every lane
    count = 40 * (lanes // beat)

    def measure() -> None:
        driver = GaeDriver(bench)
        driver.measure(np.tile(words.reshape(-1, beat), (40, 1)))
        assert driver.statistics("REWARD").count == 40 * lanes

    before = HITS["s_axis_t moved"], HITS["s_axis_t waited"]
    await bridge(measure)()
    moved, waited = HITS["s_axis_t moved"] - before[0], HITS["s_axis_t waited"] - before[1]
    assert moved == count
    if 1 << int(dut.FIFO_LOG2.value) < 2 * int(dut.STAGES.value) + 4:
        HITS["short"] += 1  # too few places for a beat a clock: nothing is promised
    elif ratio[1] < ratio[0]:
        assert waited <= 8, f"{waited} clocks lost in {moved} beats though the core is faster"
    else:
        assert (moved + waited) * ratio[0] <= (count + 12) * ratio[1], f"{moved} beats took {moved + waited} clocks"
    await bench.stop()


async def bus_leaves_last(dut) -> None:
    """The bus side leaves reset when the core has left its own: a request that came earlier could meet half a reset."""
    while hasattr(dut, "bus_rst"):  # a netlist has no name for it
        await FallingEdge(dut.bus_rst)
        assert not int(dut.core_rst.value)
        HITS["bus left last"] += 1


@cocotb.test(timeout_time=250, timeout_unit="us")
@cocotb.parametrize(ratio=RATIOS[:2])
async def a_reset_at_any_time_empties_both_sides(dut, ratio):
    """Resets of one clock, some right after another, while registers and beats are on their way."""
    bench = Bench(dut)
    await bench.start(ratio, 0.2)
    order = cocotb.start_soon(bus_leaves_last(dut))
    beat = bench.parameters["BEAT"]
    for turn in range(12):
        # LOAD, and beats without end; half of the time the core is left in the middle of them.
        cocotb.start_soon(bench.master.write_dword(MAP["COMMAND"].address, 6 if turn % 2 else 3))
        bench.source.send_nowait(AxiStreamFrame(bytes([turn + 1] * (8 * beat * 60))))
        await ClockCycles(dut.clk, random.randrange(1, 60))
        for _ in range(random.randint(1, 3)):
            dut.rst.value = 1
            await ClockCycles(dut.clk, 1)
            dut.rst.value = 0
            await ClockCycles(dut.clk, random.randrange(1, 40))
    dut.rst.value = 1
    bench.source.clear()
    await ClockCycles(dut.clk, 1)
    dut.rst.value = 0
    bench.sink.clear()
    await ClockCycles(dut.clk, 200)
    assert not int(dut.irq.value) and not int(dut.m_axis_tvalid.value)
    for name in ("STATUS", "FLAGS", "IRQ_STATUS", "LOADED", "ELEMENTS"):
        assert await bench._read(MAP[name].address) == MAP[name].reset, name
    order.cancel()
    await bridge(compare)(bench, random.getrandbits(32))
    await bench.stop()
    report()
