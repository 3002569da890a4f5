"""Sequences of the policy core behind AXI: what software and an agent do, and what they should not do."""

from itertools import pairwise

import cocotb
import numpy as np
from bench_pins import PERIOD_NS
from cocotb.triggers import ClockCycles, with_timeout
from policy_env import RESET_FRAC, STREAMS
from uvm_axis import AxisItem
from uvm_bench import One, clock_number, first_clock, reset
from uvm_core import CoreSequence

from rlcores.cores.policy.driver import COUNTERS
from rlcores.cores.policy.model import DROPPED, TAKEN
from rlcores_lab.cycles.policy import PolicyShape

PATIENCE = 400  # looks of 50 clocks before the core counts as stuck
_SIZES = (14, 18, 20, 22)  # bits of weights


class PolicySequence(CoreSequence):
    """Software on the registers, an agent on the streams."""

    @property
    def shape(self) -> PolicyShape:
        """The network of the core."""
        return self.predictor.shape

    async def status(self, name: str, expected: int) -> None:
        field = self.map["STATUS"].by_name[name]
        value = (await self.read("STATUS") & field.mask) >> field.low
        self.env.scoreboard.check("s_axil", f"STATUS.{name}", value, expected, clock_number())

    async def observe(self, count: int) -> None:
        """Send observations, in packets of any length."""
        words = [self.rng.getrandbits(32) >> self.rng.choice((0, 0, 16)) for _ in range(count * self.shape.sizes[0])]
        while words:
            size = self.rng.choice((1, self.shape.sizes[0], 40))
            packet, words = words[:size], words[size:]
            sent = cocotb.start_soon(One(AxisItem(packet)).start(self.env.sources["s_axis_obs"].sequencer))
            await with_timeout(sent, PATIENCE * 50 * PERIOD_NS, "ns")

    def any_set(self) -> list[int]:
        rng = np.random.default_rng(self.rng.getrandbits(32))
        top, spread = 1 << self.rng.choice(_SIZES), 1 << self.rng.choice((20, 22, 24))
        sizes = self.shape.sizes
        matrices = [(rng.integers(-top, top, (n, m)), rng.integers(-top, top, n)) for m, n in pairwise(sizes)]
        logs = rng.integers(-spread, spread, self.predictor.logs)
        return [int(n) & 2**64 - 1 for n in (*logs, *self.predictor.layout.to_stream(matrices))]

    async def load(self) -> None:
        """Send a set of weights, in one packet or two."""
        words = self.any_set()
        cut = self.rng.choice((len(words), self.rng.randrange(1, len(words))))
        for packet in (words[:cut], words[cut:]):
            if packet:
                await One(AxisItem(packet)).start(self.env.sources["s_axis_w"].sequencer)

    async def settle(self) -> None:
        """Wait until every answer was taken and every set has come."""
        for _ in range(PATIENCE):
            await ClockCycles(cocotb.top.clk, 50)
            if not self.predictor.waiting and not int(cocotb.top.busy.value):
                return
        raise AssertionError(f"{self.predictor.waiting} answers never came")

    async def settings(self) -> None:
        """Any, while nothing is inside."""
        rng, last = self.rng, self.shape.layers
        fractions = (*(rng.choice((11, 12, 13)) for _ in range(last)), rng.choice((13, 16, 18)))
        await self.write("ACT_FRAC", sum(frac << 5 * place for place, frac in enumerate(fractions)))
        self.predictor.fractions = self.model.act_frac = fractions
        self.model.shifts = [22 + a - b for a, b in pairwise(fractions)]
        await self.write("SQUASH", rng.randrange(3))
        await self.write("SCALE", rng.choice((1 << 15, rng.randrange(1 << 17))))
        await self.change()

    async def change(self) -> None:
        """Those that may change at any time."""
        await self.write("EPSILON", self.rng.choice((0, 1 << 16, self.rng.randrange(1 << 16))))
        await self.write("NOISE", self.rng.randrange(2))

    async def seeded(self, command: str, times: int = 1) -> None:
        """A command, and that the generator takes its seed so often with it."""
        before = self.predictor.seeds
        await self.command(command)
        await ClockCycles(cocotb.top.clk, 3)
        self.env.scoreboard.check("s_axil", f"seeds of {command}", self.predictor.seeds - before, times, clock_number())

    async def clear(self) -> None:
        """Counters and flags from 0 on."""
        await self.forget()
        self.model.counters[:] = 0

    async def counters(self) -> None:
        """All counters are the model's, and the flags say so."""
        for name, count in zip(COUNTERS, self.model.counters, strict=True):
            await self.check(name, int(count))
        counts = self.model.counters.copy()
        dropped = counts[DROPPED] > 0
        counts[[DROPPED, TAKEN]] = 0
        await self.flags(*["DROPPED"] * bool(dropped), *["SATURATED"] * bool(counts.any()))


class Act(PolicySequence):
    """Observations and sets of weights at once, at any pace and with any settings."""

    ROUNDS, COUNT = 4, 24

    async def body(self) -> None:
        shape = self.shape
        await self.write("IRQ_ENABLE", 1)
        await self.check("ID", 0x52504F4C)
        await self.check("VERSION", 1 << 16)
        await self.check("PARAM0", shape.output_width << 8 | shape.continuous << 1 | shape.logp)
        for layer, (size, lanes) in enumerate(zip(shape.sizes, shape.lanes, strict=True)):
            await self.check(f"LAYER{layer}", lanes << 16 | size)
        for layer, (rows, cols) in enumerate(zip(shape.update_rows, shape.update_cols, strict=True), 1):
            await self.check(f"GROUP{layer}", cols << 16 | rows)
        await self.status("loaded", 0)
        for turn in range(self.ROUNDS):
            await self.clear()
            await self.settings()
            if not turn:  # every bin of noise, whatever is drawn later
                await self.write("EPSILON", 1 << 16)
                await self.write("NOISE", 1)
            else:
                words = [self.rng.getrandbits(32) for _ in range(4)]
                for place, word in enumerate(words):
                    await self.write(f"SEED{place}", word, posted=True)
                for place, word in enumerate(words):
                    await self.check(f"SEED{place}", word)
                await self.seeded("seed")
            observer = cocotb.start_soon(self.observe(self.COUNT))
            for _ in range(3):
                await self.load()
                await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 60))
                if turn:
                    await self.change()
            await observer
            await self.settle()
            await self.counters()
            await self.status("loaded", 1)
            await self.status("busy", 0)


class Aborts(PolicySequence):
    """Aborts at any time, into any stall; what stands at a port stays, and the next observations find new weights."""

    async def body(self) -> None:
        for turn in range(10):
            await self.load()
            for sink in self.env.sinks.values():
                if turn % 3:
                    sink.driver.stop()  # answers pile up
            observer = cocotb.start_soon(self.observe(self.rng.randrange(1, 8)))
            longest = 40 + 4 * self.shape.act_clocks
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, longest) if turn != 1 else 10 * longest)
            await self.seeded("abort")
            if turn % 3:  # what stands at a port still does
                for name in ("act", "log"):
                    await self.status(f"stale_{name}", bool(self.env.scoreboard.waiting_on(f"m_axis_{name}")))
            for sink in self.env.sinks.values():
                sink.driver.go()
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 60))
            # Nothing acts without weights, so what waits at the port does not move.
            await self.load()
            await observer
            # Whole observations again: the rest of one that was cut, if any, is filled up.
            missing = -self._elements() % self.shape.sizes[0]
            if missing:
                await One(AxisItem([0] * missing)).start(self.env.sources["s_axis_obs"].sequencer)
            await self.settle()
            await self.seeded("abort")
            await self.settle()
            await self.status("loaded", 0)

    def _elements(self) -> int:
        return len(self.predictor.elements)


class Refusals(PolicySequence):
    """What may not be written changes nothing and is flagged."""

    async def body(self) -> None:
        await self.command("abort")
        await self.settle()
        await self.clear()
        await self.write("IRQ_ENABLE", 1)
        for name, greatest in (("EPSILON", 65536), ("SQUASH", 2)):
            before = await self.read(name)
            await self.write(name, greatest)
            await self.check(name, greatest)
            await self.write(name, greatest + 1)
            await self.flags("CONFIG")
            await self.check("FLAGS", 0)
            await self.check("IRQ_STATUS", 0)
            await self.check(name, greatest)
            await self.write(name, before)
        await self.fit()
        await self.load()
        await self.settle()
        await self.half()
        for sink in self.env.sinks.values():
            sink.driver.stop()
        await self.observe(1)
        await ClockCycles(cocotb.top.clk, self.shape.log_clocks + 20)
        await self.status("busy", 1)
        await self.clear()
        for name in ("ACT_FRAC", "SQUASH", "SCALE"):
            before = await self.read(name)
            await self.write(name, 1)
            await self.flags("BUSY")
            await self.check(name, before)
        await self.seeded("seed", 0)
        await self.flags("BUSY")
        await self.load()  # while an answer waits
        await ClockCycles(cocotb.top.clk, 10)
        for sink in self.env.sinks.values():
            sink.driver.go()
        await self.settle()
        await self.crowd()

    async def fit(self) -> None:
        """Fractions whose shift is the least and the largest that there may be, and one beyond."""
        before, layers = await self.read("ACT_FRAC"), self.shape.layers
        for first, second, fits in ((0, 22, 1), (0, 23, 0), (31, 6, 1), (31, 5, 0)):
            fractions = (first, *(second,) * layers)
            await self.write("ACT_FRAC", sum(frac << 5 * place for place, frac in enumerate(fractions)))
            await ClockCycles(cocotb.top.clk, 2)
            await self.status("formats_fit", fits)
        await self.write("ACT_FRAC", before)

    async def half(self) -> None:
        """While one of an observation's two answers waits, the core is busy."""
        for name in STREAMS[: 1 + self.shape.logp]:
            sink = self.env.sinks[f"m_axis_{name}"].driver
            sink.stop()
            await self.observe(1)
            await ClockCycles(cocotb.top.clk, 20 * self.shape.log_clocks)
            assert self.env.scoreboard.waiting == self.env.scoreboard.waiting_on(f"m_axis_{name}")
            await self.status("busy", 1)
            sink.go()
            await self.settle()


class Limits(PolicySequence):
    """A number that is saturated is flagged once, and counted always."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 1)
        await self.clear()
        ones = [((1 << 26) - 1) & 2**64 - 1] * (self.predictor.logs + self.predictor.layout.beats)
        words = [word * bool(used) for word, used in zip(ones, [1] * self.predictor.logs + self._used(), strict=True)]
        await One(AxisItem(words)).start(self.env.sources["s_axis_w"].sequencer)
        await self._saturated()
        await self.settle()
        await self.counters()
        await self.flags()
        await self._two_at_once()

    async def _saturated(self) -> None:
        await One(AxisItem([(1 << 17) - 1] * self.shape.sizes[0])).start(self.env.sources["s_axis_obs"].sequencer)

    async def _two_at_once(self) -> None:
        """A number is saturated in the clock in which a write is refused: two flags, and their interrupt."""
        wait = 20
        for _ in range(200):
            await self.clear()
            first = [cocotb.start_soon(first_clock(signal)) for signal in (cocotb.top.saturated, cocotb.top.misfit)]
            observer = cocotb.start_soon(self._saturated())
            await ClockCycles(cocotb.top.clk, wait)
            await self.write("EPSILON", 65537)
            await observer
            saturated, refused = [await one for one in first]
            await self.settle()
            await self.flags("SATURATED", "CONFIG")
            if saturated == refused:
                self.env.coverage.hit("two flags at once")
                return
            wait = max(1, wait + saturated - refused)

    def _used(self) -> list[int]:
        sizes = self.shape.sizes
        return self.predictor.layout.to_stream(
            [(np.ones((n, m), int), np.ones(n, int)) for m, n in pairwise(sizes)]
        ).tolist()


class Resets(PolicySequence):
    """A reset at any time leaves a core as after the first one."""

    async def body(self) -> None:
        for _ in range(5):
            await self.settings()
            sender = cocotb.start_soon(self.load())
            observer = cocotb.start_soon(self.observe(self.rng.randrange(1, 6)))
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 100))
            self.predictor.fractions = (RESET_FRAC,) * (self.shape.layers + 1)
            await reset(cocotb.top, self.rng.choice((1, 3)))
            await self.status("loaded", 0)
            for name, register in self.map.items():
                if register.mask("rw"):
                    await self.check(name, register.reset)
            await sender
            await self.command("abort")  # the rest of a set that was cut
            await self.load()
            await observer
            missing = -len(self.predictor.elements) % self.shape.sizes[0]
            if missing:
                await One(AxisItem([0] * missing)).start(self.env.sources["s_axis_obs"].sequencer)
            await self.observe(2)
            await self.settle()
