"""Sequences of the tensor core behind AXI: what a driver does, and what it should not do."""

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from uvm_axis import AxisItem
from uvm_bench import One, clock_number, parameters, reset
from uvm_core import CoreSequence

from rlcores.cores.rl.batch import batch_of
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.rl.td3 import Td3Settings as Td3Settings
from rlcores.cores.tensor import beats
from rlcores.cores.tensor import parameters as planes
from rlcores.cores.tensor.driver import FRACTIONS, MEMORIES
from rlcores.cores.tensor.learner import networks, programs_of, told_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.cores.tensor.trainer import RECORD
from rlcores.cores.tensor.words import BEATS, DONE, LOAD, NUMBER, READ, RESULT, STEP

PATIENCE = 4000  # looks of 50 clocks before the core counts as stuck
BATCH, STATES, ACTIONS = 3, 3, 2
MADE = {
    "dqn": lambda seed: Dqn(STATES, ACTIONS, DqnSettings(network=(3,)), seed=seed, backend="model"),
    "td3": lambda seed: Td3(STATES, ACTIONS, Td3Settings(network=(3, 2)), seed=seed, backend="model"),
    "sac": lambda seed: Sac(STATES, ACTIONS, SacSettings(network=(3, 2)), seed=seed, backend="model"),
}


class TensorSequence(CoreSequence):
    """A driver of the core, with the model of what it trains."""

    async def start(self, *arguments) -> None:
        built = parameters(cocotb.top, "tensor")
        self.built, self.shape = built, TensorShape(built["SIDE"], built["BLOCKS"], built["PASS_SUMS"])
        await super().start(*arguments)

    async def send(self, *stream) -> None:
        """Beats in packets of any length."""
        words = [int(word) for word in beats.joined(stream)[:, 0]]
        while words:
            size = self.rng.choice((1, 7, 400, len(words)))
            packet, words = words[:size], words[size:]
            await One(AxisItem(packet)).start(self.env.sources["s_axis_in"].sequencer)

    def expect(self, kind: int, lane: int, number: int | None) -> None:
        """A beat that must come."""
        self.predictor.expected.append((kind, lane, number))

    async def status(self, name: str, expected: int) -> None:
        field = self.map["STATUS"].by_name[name]
        value = (await self.read("STATUS") & field.mask) >> field.low
        self.env.scoreboard.check("s_axil", f"STATUS.{name}", value, expected, clock_number())

    async def settle(self) -> None:
        """Until all that must come has come, and every unit rests."""
        top = cocotb.top
        for _ in range(PATIENCE):
            await ClockCycles(top.clk, 50)
            if not (self.predictor.waiting or int(top.busy.value) or int(top.working.value) or int(top.hosting.value)):
                return
        raise AssertionError(f"{self.predictor.waiting} beats never came")

    async def load(self, name: str) -> None:
        """A learner of this name, all of it, into the core."""
        self.model_of = MADE[name](self.rng.getrandbits(31))
        self.programs = programs_of(self.model_of, self.shape, BATCH)
        first, known = self.programs[0], self.programs[0].exponents
        self.entries, self.settled = [0], True
        for program in self.programs[:-1]:
            self.entries.append(self.entries[-1] + len(program.program))
        for samples in (1, 2, 5, BATCH):
            await self.write("SAMPLES", samples, posted=True)
        await self.check("SAMPLES", BATCH)
        steps = [word for program in self.programs for word in program.program]
        await self.send(*(beats.step(address, word) for address, word in enumerate(steps)))
        await self.send(
            *(
                beats.fraction(n, first.setting(n), told_of(known[n])) if n < len(known) else beats.fraction(n, 0)
                for n in range(FRACTIONS)
            )
        )
        if hasattr(self.model_of, "generator"):
            await self.send(beats.seed(self.model_of.generator.state))
        for kept in networks(first):
            for plane in range(4):
                for layer, place, (w, b) in self._layers(kept, plane):
                    word = planes.update(self.shape, layer, kind=LOAD, plane=plane, first=place, target_first=place)
                    await self.send(beats.parameters(word), beats.groups(planes.groups_of(self.shape, layer, w, b)))

    def _layers(self, kept, plane: int):
        return zip(kept.net.layers, kept.net.firsts, kept.network.integers.matrices(plane), strict=True)

    async def step(self) -> None:
        """One step of the model, and of the core."""
        own, rng = self.model_of, np.random.default_rng(self.rng.getrandbits(32))
        discrete = isinstance(own, Dqn)
        actions = rng.integers(0, ACTIONS, BATCH) if discrete else rng.uniform(-1, 1, (BATCH, ACTIONS))
        states, following = rng.normal(size=(2, BATCH, STATES))
        arrays = (
            states,
            actions,
            rng.normal(size=BATCH),
            following,
            rng.choice([0, 0.9], BATCH),
            rng.uniform(0, 1, BATCH),
        )
        early = len(self.programs) > 1 and (own.steps + 1) % own.settings.policy_delay != 0
        program = self.programs[early]
        batch = dict(zip(RECORD, arrays, strict=True)) if discrete else batch_of(STATES, ACTIONS, arrays)
        sent = [beats.rates(slot, rates) for slot, rates in program.rates()]
        for name, numbers in program.records(batch).items():
            sent.append(beats.vector(program.record[name], numbers, self.shape.side))
        own.step(*arrays)
        for sample, number in enumerate(np.ravel(own.td)):
            self.expect(RESULT, sample % self.shape.side, int(number))
        self.expect(DONE, 0, None)
        await self.send(*sent, beats.start(self.entries[early] + self.settled))
        self.settled = False

    async def compare(self) -> None:
        """Fractions and every plane, and what tensors have told."""
        first = self.programs[0]
        self.expect(DONE, 0, None)
        await self.send(beats.start(self.entries[0] + first.settle))
        self.settled = True
        await self.settle()
        self.env.coverage.hit("settled")
        fractions = [exponent.frac for exponent in first.exponents] + [0] * 64
        for n in range(16):
            await self.check(f"FRACTIONS{n}", sum(fractions[4 * n + k] << 8 * k for k in range(4)))
        moving = [n for n, e in enumerate(first.exponents) if any(e is other for other in self.model_of.moving())]
        for n in self.rng.sample(moving, 3):
            # Of magnitudes the core has the OR, whose highest bit is the largest number's.
            self.expect(DONE, 0, None)
            await self.send(beats.ask(n))
            await self.settle()
            told, wanted = self.predictor.clocks, told_of(first.exponents[n])
            same = (
                (told >> 27, (told & (1 << 27) - 1).bit_length()),
                (wanted >> 27, (wanted & (1 << 27) - 1).bit_length()),
            )
            self.env.scoreboard.check("m_axis_out", f"what fraction {n} has told", *same, clock_number())
        for kept in networks(first):
            for plane in range(4):
                for layer, place, (w, b) in self._layers(kept, plane):
                    for group in planes.groups_of(self.shape, layer, w, b):
                        for lane, number in enumerate(group):
                            whole = int(number) & (1 << 48) - 1
                            self.expect(NUMBER, lane, whole - (whole >> 47 << 48))
                    self.expect(DONE, 0, None)
                    word = planes.update(self.shape, layer, kind=READ, plane=plane, first=place, target_first=place)
                    await self.send(beats.parameters(word))
        await self.settle()
        if hasattr(self.model_of, "generator"):
            for n, word in enumerate(self.model_of.generator.state):
                await self.check(f"STATE{n}", int(word))


class Trains(TensorSequence):
    """Each learner: some steps, then all of it is the model's."""

    STEPS = 3

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 2)
        await self.check("ID", 0x5254454E)
        await self.check("VERSION", 1 << 16)
        await self.check("ARRAY", self.shape.blocks << 8 | self.shape.side)
        for name in (*MEMORIES, "PASS_SUMS"):
            await self.check(name, self.built[name])
        for name in MADE:
            await self.load(name)
            await self.command("clear_counters")
            for _ in range(self.STEPS):
                await self.step()
                if self.rng.random() < 0.5:
                    await self.settle()
            await self.settle()
            assert int(cocotb.top.irq.value), "the end of a program without its interrupt"
            await self.check("PROGRAMS", self.STEPS)
            await self.check("DROPPED", 0)
            await self.compare()
            await self._quiet()
            self.env.coverage.hit(f"trained {name}")
        await self.flags(*await self._saturated())
        await self._records()

    async def _saturated(self) -> list[str]:
        """Flags of what may be saturated; none of what is refused."""
        fields = self.map["FLAGS"].by_name
        word = await self.read("FLAGS")
        await self.write("IRQ_ENABLE", 3)
        return [name for name in ("WEIGHT_SATURATED", "VALUE_SATURATED", "ACC_OVERFLOW") if word & fields[name].mask]

    async def _records(self) -> None:
        """Numbers come while a program runs."""
        place = self.programs[0].words + 1
        assert place < self.built["WORDS"]
        await self.step()
        await self.send(beats.vector(place, np.ones((BATCH, 1), int), self.shape.side))
        await self.settle()


class Refusals(TensorSequence):
    """What does not fit changes nothing and is flagged."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 1)
        await self.write("SAMPLES", 0)
        await self.flags("CONFIG")
        await self.load("dqn")
        beyond = beats.vector(self.built["WORDS"], np.ones((1, 1), int), self.shape.side)
        lanes = beats.beats(BEATS["RECORD_NUMBER"], self.shape.side, 0)
        wrong = (
            [0],
            beats.beats(15, 1, 1),
            beats.start(self.built["STEPS"]),
            beyond,
            lanes,
            beats.groups(np.zeros((1, 2), int)),
        )
        for count, some in enumerate(wrong, 1):
            before = await self.read("DROPPED")
            await self.send(some)
            await ClockCycles(cocotb.top.clk, 10)
            await self.check("DROPPED", before + len(some), f"beats left out, {count}")
            await self.flags("DROPPED")
        await self.step()
        while not int(cocotb.top.busy.value):
            await ClockCycles(cocotb.top.clk, 1)
        await self.write("SAMPLES", 9)
        await self.flags("BUSY")
        await self.settle()
        await self.check("SAMPLES", BATCH)
        await self.compare()
        await self._far()
        await self.crowd()

    async def _far(self) -> None:
        """A step that drops less than nothing, and weights at their end: flagged, and the program ends."""
        program = self.programs[0].program
        at = next(n for n, word in enumerate(program) if STEP.unpack(word)["unit"] == 3)
        fields = STEP.unpack(program[at]) | {"k": 0x80, "p": 0, "q": 0, "r": 0}
        kept = networks(self.programs[0])[0]
        for layer, place, (w, b) in self._layers(kept, 0):
            word = planes.update(self.shape, layer, kind=LOAD, plane=0, first=place, target_first=place)
            most = np.full_like(w, (1 << 26) - 1), np.full_like(b, (1 << 26) - 1)
            await self.send(beats.parameters(word), beats.groups(planes.groups_of(self.shape, layer, *most)))
        await self.settle()
        await self.write("FLAGS", self.map["FLAGS"].mask("w1c"))
        await self._quiet()
        await self.send(beats.step(at, STEP.pack_whole(**fields)))
        raised: set[str] = set()
        for _ in range(6):
            self.predictor.expected.extend(
                [(RESULT, n % self.shape.side, None) for n in range(BATCH)] + [(DONE, 0, None)]
            )
            await self.send(beats.start(0))
            await self.settle()
            word = await self.read("FLAGS")
            raised |= {name for name, field in self.map["FLAGS"].by_name.items() if word & field.mask}
        assert {"SHIFT", "WEIGHT_SATURATED"} <= raised, raised
        for name in ("SHIFT", "WEIGHT_SATURATED"):
            self.env.coverage.hit(f"flag.{name}")
        await self.write("FLAGS", self.map["FLAGS"].mask("w1c"))
        await self._quiet()


class Aborts(TensorSequence):
    """Aborts at any time, into any stall: what stands at the port stays, and the next learner is trained as ever."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 1)
        sink = self.env.sinks["m_axis_out"].driver
        for turn in range(3):
            await self.load("dqn")
            if turn:
                sink.stop()
            await self.step()
            # Into the step, or into its results.
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 1200) if turn < 2 else 4000)
            await self.command("abort")
            await ClockCycles(cocotb.top.clk, 4)
            await self.status("busy", 0)
            await self.status("dropping", 1)
            await self.status("stale_out", bool(self.predictor.waiting))
            await self.send(beats.start(0))  # is left out
            sink.go()
            await self.settle()
            await self.send(beats.begin())
            await ClockCycles(cocotb.top.clk, 10)
            await self.status("dropping", 0)
            await self.flags("DROPPED")
        await self.load("dqn")
        await self.step()
        await self.settle()
        await self.compare()


class Resets(TensorSequence):
    """A reset at any time leaves a core as after the first one."""

    async def body(self) -> None:
        for _ in range(2):
            await self.load("dqn")
            await self.step()
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 1000))
            await reset(cocotb.top, self.rng.choice((1, 3)))
            await self.status("busy", 0)
            for name, register in self.map.items():
                if register.mask("rw"):
                    await self.check(name, register.reset)
        await self.load("dqn")
        await self.step()
        await self.settle()
        await self.compare()
