"""Sequences of the GAE core: accesses, commands, whole rollouts, refused things, resets."""

import random
from collections.abc import Awaitable, Callable
from functools import partial

import cocotb
import numpy as np
from bench_pins import PERIOD_NS
from cocotb.triggers import ClockCycles, with_timeout
from gae_env import AUTO_RUN, SETTLED, GaeEnv, busy
from gae_rollouts import (
    LONGEST,
    Command,
    Raw,
    Record,
    RolloutShape,
    Step,
    Write,
    beats,
    coefficient_scale,
    configuration,
    episode_records,
    manual_scale,
    random_rollout,
    rollout_steps,
    wrong_elements,
)
from uvm_axil import AxilItem
from uvm_axis import AxisItem
from uvm_bench import One, reset
from uvm_core import CoreSequence

from rlcores.cores.gae.scale import BOOT, GAMMA_ONE, STEP, TERMINATED

# Polls of STATUS before a command counts as hung.
PATIENCE = 3000
# Clocks that a pass may wait and take.
PASS_CLOCKS = 200_000


class GaeSequence(CoreSequence):
    """What software does, on all ports of an environment."""

    def __init__(self, env: GaeEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.shape: RolloutShape = env.predictor.shape
        self.sampler = env.predictor.sampler
        self.source, self.sink = env.sources["s_axis"], env.sinks["m_axis"]

    @property
    def bus(self):
        """The model as it stands."""
        return self.predictor.bus

    def steps(self, count: int) -> list[Record]:
        return [(STEP, self.rng.randint(-999, 999), self.rng.randint(-999, 999)) for _ in range(count)]

    def end(self) -> Record:
        return (BOOT, 0, self.rng.randint(-999, 999))

    async def stream(self, words: np.ndarray) -> None:
        """Offer a pass and wait until it was taken."""
        await One(AxisItem([int(word) for word in words])).start(self.source.sequencer)

    async def begin(self, name: str) -> None:
        await self.write("COMMAND", self.shape.commands[name])

    async def command(self, name: str, words: np.ndarray | None = None) -> None:
        """Do a command and wait until the core is idle; its pass is offered before, while or after it is written."""
        by_interrupt = self.rng.random() < 0.3 and name != "RESET_STATS"
        if by_interrupt:
            await self.write("IRQ_STATUS", 3)
            await self.write("IRQ_ENABLE", 3)
        sending = None
        if words is not None:
            sending = cocotb.start_soon(self.stream(words))
            if self.rng.random() < 0.5:
                await ClockCycles(cocotb.top.clk, self.rng.randrange(20))
        await self.begin(name)
        if sending is not None:
            await with_timeout(sending, PASS_CLOCKS * PERIOD_NS, "ns")
        if by_interrupt:
            for _ in range(PATIENCE):
                if int(cocotb.top.irq.value):
                    break
                await ClockCycles(cocotb.top.clk, 10)
            else:
                raise AssertionError(f"{name}: no interrupt came")
        await self.wait_idle(name)
        if by_interrupt:
            await self.read("IRQ_STATUS")
            await self.write("IRQ_STATUS", 3)
            await self.read("IRQ_STATUS")
            await self.write("IRQ_ENABLE", 0)

    async def wait_idle(self, name: str) -> None:
        for _ in range(PATIENCE):
            if not await self.read("STATUS") & 1:
                return
        raise AssertionError(f"{name} did not end")

    async def do(self, steps: list[Step]) -> None:
        """Steps of a rollout, looking at the core after each command."""
        for step in steps:
            if isinstance(step, Write):
                await self.write(step.name, step.value, posted=True)
            elif isinstance(step, Command):
                await self.command(step.name, step.words)
                await self.look(0.1)
                if step.name == "START":
                    for name in ("CYCLES", "STALLS", "ELEMENTS", "SATURATED", "LOADED"):
                        await self.glance(name)

    async def look(self, share: float = 1.0) -> None:
        """Read the flags and a share of all other registers, and clear what was raised."""
        names = [n for n in self.shape.address if n not in ("FLAGS", "STALLS", "CYCLES")]
        for name in ["FLAGS", "CYCLES", "STALLS", *names]:
            if name == "FLAGS" or self.rng.random() < share:
                if name == "STALLS":
                    await self.glance("CYCLES")
                await self.glance(name)
        await self.write("FLAGS", 0xFFFF)
        await self.write("IRQ_STATUS", 3)

    def settings(self, **values: int) -> list[Step]:
        """Writes of all configuration registers: harmless numbers, except what is given."""
        p = self.shape.parameters
        known = {
            **{"CONTROL": 3, "QBITS": p["QBITS"], "CLIP": 1024, "SHIFT": self.shape.formats.shift_max},
            **{"VALUE_POINT": 16, "GAMMA": GAMMA_ONE, "GAMMA_LAMBDA": GAMMA_ONE, "REWARD_OFFSET": 0},
        }
        if self.shape.formats.wide:
            known["OUT_DROP"] = self.shape.drop
        return [Write(name, value) for name, value in {**known, **values}.items()]

    async def good_rollout(self) -> None:
        """A random one, which shows that the core still works and that nothing was left behind."""
        await self.do(random_rollout(self.rng, self.shape))

    async def reset(self) -> None:
        """Reset the core and everything that knows its state."""
        self.predictor.reset()
        await reset(cocotb.top)
        self.predictor.reset()


class Corners(GaeSequence):
    """Shapes and numbers that random rollouts seldom have."""

    async def body(self) -> None:
        await self.shapes()
        await self.ends_in_the_window()
        await self.saturation()
        await self.limits()
        await self.roundings()
        if self.shape.parameters.get("TRACE"):
            await self.coefficients()
        await self.degenerate_statistics()
        await self.registers_of_a_rollout()
        await self.writes_after_scale()

    async def shapes(self) -> None:
        """Lanes of every length from nothing to full, BOOT everywhere, several passes, holes."""
        depth, stop = self.shape.depth, (TERMINATED, 5, -7)
        patterns = [
            [*self.steps(depth), self.end()],
            [*self.steps(1), self.end()],
            [stop, self.end()],
            [self.end()],
            [self.end(), self.end()],
            [self.end(), *self.steps(1), self.end(), self.end()],
            [stop] * depth + [self.end()],
            [self.end()] * (depth + 1),
        ]
        patterns = [p for p in patterns if len(p) <= depth + 1]
        while patterns:
            used = self.rng.sample(range(self.shape.lanes), min(len(patterns), max(1, self.shape.lanes - 1)))
            lanes = {lane: patterns.pop() for lane in used}
            steps = rollout_steps(self.rng, self.shape, self.settings(), lanes, holes=0.3)
            whole = next(i for i, s in enumerate(steps) if isinstance(s, Command) and s.name == "LOAD")
            words = np.concatenate([s.words for s in steps if isinstance(s, Command) and s.name == "LOAD"])
            half = len(words) // self.shape.beat // 2 * self.shape.beat
            loads = [Command("LOAD", part) for part in (words[:half], words[half:]) if len(part)]
            await self.do([*steps[:whole], *loads, Command("START"), Command("READ")])

    async def ends_in_the_window(self) -> None:
        """An episode that ends at each distance of the look-ahead window, in all lanes at once."""
        reach = self.shape.parameters["LOOKAHEAD"]
        for gamma, gae_lambda in ((1.0, 1.0), (0.99, 0.95)):
            lanes = {}
            for lane in range(self.shape.lanes):
                first, second = (TERMINATED, 3, 4), (BOOT, 0, 9)
                if lane % 2:
                    first, second = second, first
                shift = lane % 3
                records = [*self.steps(reach + shift), first, *self.steps(reach), second, *self.steps(reach)]
                lanes[lane] = [*records[-self.shape.depth :], self.end()]
            gains = {"GAMMA": int(gamma * GAMMA_ONE), "GAMMA_LAMBDA": int(gamma * gae_lambda * GAMMA_ONE)}
            await self.do(rollout_steps(self.rng, self.shape, self.settings(**gains), lanes))

    async def saturation(self) -> None:
        """Sums beyond the output codes, both ways; rewards that software scales."""
        for sign in (1, -1):
            # Raw 1000 is far beyond the largest code, so each reward is the largest; a value is 0.
            scales = {"REWARD_MEAN": 0, "REWARD_INV": 1 << 16, "REWARD_INV_SHIFT": 9, "VALUE_MEAN": 0}
            scales |= {"VALUE_INV": 0, "VALUE_INV_SHIFT": 1, "VALUE_SCALE": 0, "VALUE_OFFSET_LO": 0}
            if self.shape.formats.wide:
                scales["OUT_DROP"] = 0
            settings = self.settings(CONTROL=0, VALUE_OFFSET_HI=0, **scales)
            lane = [*[(STEP, sign * 1000, 0)] * min(self.shape.depth, LONGEST), self.end()]
            lanes = {self.rng.randrange(self.shape.lanes): lane}
            await self.do(rollout_steps(self.rng, self.shape, settings, lanes))

        # Equal values cancel in the advantage, but the return is as large as they are.
        known = self.shape.formats
        for mean in (known.value_offset_max, -known.value_offset_max):
            word = mean & ((1 << known.value_offset_bits) - 1)
            large = {"VALUE_OFFSET_LO": word & 0xFFFFFFFF, "VALUE_OFFSET_HI": word >> 32}
            if known.wide:
                large["OUT_DROP"] = 0
            lane = [(STEP, 0, 0), self.end()]
            await self.do(rollout_steps(self.rng, self.shape, self.plain(**large), {0: lane}))

    def plain(self, **values: int) -> list[Step]:
        """Settings by software: a raw number is its own code, and a value counts nothing."""
        scale = {"MEAN": 0, "INV": 1 << 14, "INV_SHIFT": 16}
        scales = {f"{side}_{name}": value for side in ("REWARD", "VALUE") for name, value in scale.items()}
        nothing = {"VALUE_SCALE": 0, "VALUE_OFFSET_LO": 0, "VALUE_OFFSET_HI": 0}
        return self.settings(**{"CONTROL": 0, **scales, **nothing, **values})

    async def limits(self) -> None:
        """Codes up to the largest, and one more, which clips."""
        raw = [sign * (self.largest + more) for sign in (1, -1) for more in (-1, 0, 1)]
        for start in range(0, len(raw), self.shape.depth):
            part = raw[start : start + self.shape.depth]
            lane = [*[(TERMINATED, x, -x) for x in part], self.end()]
            settings = self.plain(SHIFT=0, VALUE_SCALE=1 << self.shape.formats.fraction)
            await self.do(rollout_steps(self.rng, self.shape, settings, {0: lane}))

    async def roundings(self) -> None:
        """Numbers that the smallest error of a rounding would carry to another result code."""
        known = self.shape.formats
        edge = 1 << (self.shape.drop - 1)
        # v is one u beyond the edge between two codes, and only because its half rounds it up.
        offset = ((edge + 1) << known.fraction) - (1 << (known.fraction - 1))
        lane = [(TERMINATED, 0, 0), self.end()]
        await self.do(rollout_steps(self.rng, self.shape, self.plain(VALUE_OFFSET_LO=offset), {0: lane}))
        # The discount is half a step of its bits below the least that carries the largest reward over an edge.
        reward, bits = self.largest << known.shift_max, known.coefficient
        for number in range(4):
            least = -((-(2 * number + 1) * edge << bits) // reward)
            if least <= 1 << bits:
                lane = [(STEP, 0, 0), (TERMINATED, self.largest, 0), self.end()]
                settings = self.plain(GAMMA_LAMBDA=(least << (31 - bits)) - (1 << (30 - bits)))
                await self.do(rollout_steps(self.rng, self.shape, settings, {0: lane}))

    async def coefficients(self) -> None:
        """Of a core with TRACE: coefficients at and beyond 0 and 1, and products of coefficients that round."""
        known, largest = self.shape.formats, self.largest
        # A code counts one LSB of the coefficient: a few about 0 and about 1.
        for middle in (-1 << known.coefficient, 0):
            word = (middle << known.fraction) & ((1 << known.value_offset_bits) - 1)
            scale = {"VALUE_SCALE": 1 << known.fraction, "VALUE_OFFSET_LO": word & 0xFFFFFFFF}
            codes = [(STEP, self.largest, code) for code in range(-3, 4)]
            for start in range(0, len(codes), self.shape.depth):
                lane = [*codes[start : start + self.shape.depth], self.end()]
                settings = self.plain(**scale, VALUE_OFFSET_HI=word >> 32)
                await self.do(rollout_steps(self.rng, self.shape, settings, {0: lane}))
        # Coefficients near 1 in all lanes, so that the sums keep what every product rounds.
        for top in (1.0, 0.97, self.rng.uniform(0.5, 1)):
            length = min(self.shape.depth, 24)
            lanes = {}
            for lane in range(min(self.shape.lanes, 8)):
                codes = [self.rng.randint(largest // 2, largest) for _ in range(length)]
                rewards = [self.rng.randint(-largest, largest) for _ in codes]
                lanes[lane] = [*zip([STEP] * length, rewards, codes, strict=True), self.end()]
            settings = self.plain(**coefficient_scale(self.shape, largest, top))
            await self.do(rollout_steps(self.rng, self.shape, settings, lanes))

    @property
    def largest(self) -> int:
        """The greatest code."""
        return (1 << (self.shape.parameters["QBITS"] - 1)) - 1

    async def degenerate_statistics(self) -> None:
        """Standard deviation 0, and scales that do not fit."""
        await self.command("RESET_STATS")
        flat = {0: [*[(STEP, 7, -5)] * 3, (BOOT, 0, -5)]}
        await self.do(rollout_steps(self.rng, self.shape, self.settings(SHIFT=0), flat))
        # Too large on purpose: SCALE saturates and says so; the array is not asked.
        wide = {0: [(STEP, 1, 1 << 22), (STEP, 2, -1 << 22), (BOOT, 0, 1 << 22)]}
        point = self.settings(VALUE_POINT=-40 & 0xFF)
        await self.do([*point, Command("MEASURE", beats(self.rng, self.shape, wide)), Command("SCALE")])
        await self.good_rollout()

    async def registers_of_a_rollout(self) -> None:
        """Both orders, manual and automatic, discounts 0 and 1, fewer code bits: each at least once."""
        low = max(3, self.shape.parameters["QBITS"] - 1)
        choices = [
            {"CONTROL": 3, "GAMMA": 0, "GAMMA_LAMBDA": 0, "QBITS": low},
            {"CONTROL": 7, "GAMMA": GAMMA_ONE, "GAMMA_LAMBDA": GAMMA_ONE, "SHIFT": 0},
            {"CONTROL": 7, "GAMMA": GAMMA_ONE // 2, "GAMMA_LAMBDA": 0, "QBITS": 3},
            {"CONTROL": 4, "GAMMA": GAMMA_ONE - 1, "GAMMA_LAMBDA": GAMMA_ONE // 3, "VALUE_SCALE": 3000},
        ]
        for chosen in choices:
            chosen = dict(chosen)
            if not chosen["CONTROL"] & 3:
                chosen |= manual_scale(self.rng, "REWARD") | manual_scale(self.rng, "VALUE")
            reward, value = Raw(self.rng), Raw(self.rng)
            lanes = {n: episode_records(self.rng, min(6, self.shape.depth), reward, value) for n in range(2)}
            lanes = {n: records for n, records in lanes.items() if n < self.shape.lanes}
            await self.do(rollout_steps(self.rng, self.shape, self.settings(**chosen), lanes, holes=0.2))
            await self.look()

    async def writes_after_scale(self) -> None:
        """The array runs with what SCALE accepted, whatever is written after it."""
        lane = [*[(STEP, self.largest // 2, self.largest)] * min(self.shape.depth, 4), (BOOT, 0, 0)]
        known = self.shape.formats
        late_writes = [("SHIFT", 0), ("VALUE_SCALE", known.scale_max), ("VALUE_OFFSET_LO", 1 << 31)]
        if known.wide:
            late_writes.append(("OUT_DROP", 0))
        for late in late_writes:
            settings = self.plain(VALUE_SCALE=1 << known.fraction)
            await self.do(rollout_steps(self.rng, self.shape, settings, {0: lane}, start=False))
            await self.do([Write(*late), Command("START"), Command("READ")])


class Refusals(GaeSequence):
    """Everything that must be refused, and after each that nothing was lost or overwritten."""

    async def body(self) -> None:
        await self.empty_core()
        await self.configurations()
        await self.unknown_addresses()
        await self.wrong_records()
        await self.busy()
        await self.results_waiting()

    def lanes(self) -> dict[int, list[Record]]:
        lengths = {lane: self.rng.randint(1, min(6, self.shape.depth)) for lane in range(self.shape.lanes)}
        reward, value = Raw(self.rng), Raw(self.rng)
        return {lane: episode_records(self.rng, n, reward, value) for lane, n in lengths.items()}

    async def refused(self, name: str) -> None:
        """A command that must be over at once."""
        await self.begin(name)
        await self.wait_idle(name)
        await self.look(0.3)

    async def empty_core(self) -> None:
        await self.refused("START")
        await self.refused("READ")
        for code in (0, 16, 1 << 31, 0x108):
            await self.write("COMMAND", code)
            await self.look(0.2)
        await self.write("IRQ_ENABLE", 2)
        await self.write("COMMAND", 0)
        await self.read("IRQ_STATUS")
        await self.write("IRQ_STATUS", 3)
        await self.read("IRQ_STATUS")
        await self.write("IRQ_ENABLE", 0)
        await self.good_rollout()

    async def configurations(self) -> None:
        p, known = self.shape.parameters, self.shape.formats
        await self.do(self.settings())
        await self.command("SCALE")
        causes = {
            "qbits_low": ("QBITS", 2),
            "qbits_high": ("QBITS", p["QBITS"] + 1),
            "clip_zero": ("CLIP", 0),
            "shift_high": ("SHIFT", known.shift_max + 1),
            "gamma_high": ("GAMMA", GAMMA_ONE + 1),
            "gamma_lambda_high": ("GAMMA_LAMBDA", 0xFFFFFFFF),
            "offset_high": ("REWARD_OFFSET", known.reward_offset_max + 1),
            "value_scale_high": ("VALUE_SCALE", known.scale_max + 1),
        }
        for cause, (name, value) in causes.items():
            # A value scale is software's only where VALUE_AUTO is off.
            control = [Write("CONTROL", 1)] if name == "VALUE_SCALE" else []
            await self.do([*self.settings(), *control, Write(name, value)])
            await self.command("SCALE")
            if self.bus.read(self.shape.address["FLAGS"]) & self.predictor.flag_bits["CONFIG"]:
                self.sampler.hit(f"config.{cause}")
            await self.look(0.2)
        for name, value in (
            *(("QBITS", 32), ("CLIP", 1 << 16), ("SHIFT", 32), ("OUT_DROP", 32)),
            *(("REWARD_INV_SHIFT", 64), ("VALUE_INV_SHIFT", 1 << 31)),
        ):
            await self.write(name, value)
            if self.bus.read(self.shape.address["FLAGS"]) & self.predictor.flag_bits["CONFIG"]:
                self.sampler.hit(f"config.write_{name.lower()}")
            await self.look(0.2)
        await self.do(self.settings())
        await self.good_rollout()

    async def unknown_addresses(self) -> None:
        last = max(self.shape.address.values())
        for address in (last + 4, 0x800, 0xFFC):
            await self.access(AxilItem(True, address, 0xFFFFFFFF))
            await self.access(AxilItem(False, address))
        await self.look()

    async def wrong_records(self) -> None:
        """Full lanes, lanes that do not exist, no BOOT: in the middle of loads whose records must all come out."""
        shape = self.shape
        lanes = self.lanes()
        full = self.rng.randrange(shape.lanes)
        reward, value = Raw(self.rng), Raw(self.rng)
        lanes[full] = episode_records(self.rng, shape.depth, reward, value)
        more = {full: [(STEP, 1, 2), (BOOT, 0, 3), (TERMINATED, 4, 5)]}
        wrong = wrong_elements(self.rng, shape, 12)
        steps = rollout_steps(self.rng, shape, self.settings(), lanes, 0.2, wrong, start=False)
        await self.do([*steps, Command("LOAD", beats(self.rng, shape, more)), Command("START"), Command("READ")])
        # A lane of DEPTH steps takes its BOOT but no further step.
        brim = {full: [*[(STEP, 1, 2)] * shape.depth, (STEP, 9, 9)]}
        last = {full: [(TERMINATED, 9, 9), (BOOT, 0, 4)]}
        await self.do([*self.settings(), Command("MEASURE", beats(self.rng, shape, brim)), Command("SCALE")])
        await self.do([Command("LOAD", beats(self.rng, shape, brim))])
        await self.refused("START")
        await self.do([Command("LOAD", beats(self.rng, shape, last)), Command("START"), Command("READ")])
        await self.good_rollout()

    async def busy(self) -> None:
        """Commands and configuration while a pass is open, and while results wait for a slow reader."""
        shape = self.shape
        words = beats(self.rng, shape, self.lanes())
        await self.do([*self.settings(), Command("MEASURE", words), Command("SCALE")])
        await self.begin("LOAD")
        for name in shape.commands:
            await self.begin(name)
        await self.write("COMMAND", 0)
        for name in ("CONTROL", "QBITS", "GAMMA", "REWARD_INV", "VALUE_OFFSET_HI", "REWARD_OFFSET"):
            await self.write(name, 0xFFFFFFFF)
        await self.read("STATUS")
        await with_timeout(self.stream(words), PASS_CLOCKS * PERIOD_NS, "ns")
        await self.wait_idle("LOAD")
        await self.look()
        await self.do([Command("START")])
        self.sink.driver.stop()
        await ClockCycles(cocotb.top.clk, 3)
        await self.begin("READ")
        for name in shape.commands:
            await self.begin(name)
        await ClockCycles(cocotb.top.clk, 50)
        self.sink.driver.go()
        await self.wait_idle("READ")
        await self.look()
        await self.good_rollout()

    async def results_waiting(self) -> None:
        """LOAD and START while results wait: refused, and the results are still right; CLEAR gives them up."""
        shape = self.shape
        steps = rollout_steps(self.rng, shape, self.settings(), self.lanes(), start=False)
        await self.do([*steps, Command("START")])
        await self.refused("LOAD")
        await self.refused("START")
        words = beats(self.rng, shape, self.lanes())
        await self.do([Command("MEASURE", words), Command("SCALE"), Command("READ")])
        await self.refused("READ")
        steps = rollout_steps(self.rng, shape, self.settings(), self.lanes(), start=False)
        await self.do([*steps, Command("START"), Command("CLEAR")])
        await self.refused("READ")
        await self.refused("START")
        # CLEAR of half-loaded lanes.
        await self.do([Command("LOAD", words), Command("CLEAR")])
        await self.good_rollout()


class Aborts(GaeSequence):
    """ABORT at any moment of any command: the core is idle soon, and goes on as if the command had not been given."""

    TRIES = 12  # a short command may be over before the abort comes

    async def body(self) -> None:
        await self.abort_when_idle()
        for command in ("MEASURE", "LOAD"):
            await self.until(f"{command}_without_beats", partial(self.of_a_pass, command, 0, 0))
            previous = 4 if command == "LOAD" else 0
            await self.until(f"{command}_with_beats", partial(self.of_a_pass, command, previous, 40))
        await self.until("LOAD_with_beats", partial(self.of_a_pass, "LOAD", 0, 40, True))
        for command in ("SCALE", "START"):
            await self.until(f"in_{command}", partial(self.of_own_work, command))
        await self.until("READ_left", partial(self.of_a_read, True))
        await self.until("READ_some_came", partial(self.of_a_read, False))
        await self.good_rollout()

    async def until(self, name: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Once, and again until the abort came in time."""
        before = self.sampler.coverage.hits[f"abort.{name}"]
        for _ in range(self.TRIES):
            await attempt()
            if self.sampler.coverage.hits[f"abort.{name}"] > before:
                break

    def lanes(self, longest: int = 6) -> dict[int, list[Record]]:
        """Records for a third of a lane at most, so that three passes fit."""
        reward, value = Raw(self.rng), Raw(self.rng)
        length = max(1, min(longest, self.shape.depth // 3 - 1))
        return {n: episode_records(self.rng, length, reward, value) for n in range(self.shape.lanes)}

    async def abort(self) -> None:
        await self.write("COMMAND", 8 | self.rng.randrange(8))
        await self.wait_idle("ABORT")
        await self.look(0.3)

    async def abort_when_idle(self) -> None:
        await self.abort()
        await self.good_rollout()

    async def of_a_pass(self, command: str, previous: int, wait: int, at_once: bool = False) -> None:
        """A pass is cut; what follows on the stream is the next pass, to its own TLAST. at_once: after a START."""
        shape = self.shape
        first = beats(self.rng, shape, self.lanes(2))
        settings = self.settings(CONTROL=3 | previous)
        await self.do([*settings, Command("MEASURE", first), Command("SCALE"), Command("LOAD", first)])
        self.sampler.hit("abort.after_a_load", command == "LOAD")
        self.sampler.hit("abort.order_previous", bool(previous) and command == "LOAD")
        before = {name: self.bus.read(shape.address[name]) for name in self.kept()}
        # Long enough to be cut, however few records there are.
        words = beats(self.rng, shape, self.lanes(2), holes=0.85)
        if wait:
            sending = cocotb.start_soon(self.stream(words))
        await self.begin(command)
        await ClockCycles(cocotb.top.clk, self.rng.randint(0, wait) if wait else self.rng.randint(0, 3))
        await self.abort()
        # All of it had been taken before the abort came.
        whole = wait and sending.done()
        if not whole:
            after = {name: self.bus.read(shape.address[name]) for name in self.kept()}
            assert after == before, f"{command} was undone, but {before} became {after}"
            if at_once:
                await self.do([Command("START"), Command("READ")])
            if not wait:
                sending = cocotb.start_soon(self.stream(words))
            await self.begin(command)
            await with_timeout(sending, PASS_CLOCKS * PERIOD_NS, "ns")
            await self.wait_idle(command)
        await self.look(0.2)
        if self.bus.level.any():
            await self.do([Command("START")])
        if self.bus.results is None:  # a lane whose BOOT went with the pass
            await self.look(0.1)
            await self.do([Command("CLEAR")])
        else:
            await self.do([Command("READ")])

    def kept(self) -> list[str]:
        """Registers that a pass changes and its abort restores."""
        sums = [f"{side}_{what}" for side in ("REWARD", "VALUE") for what in ("COUNT_LO", "SUM_LO", "SQR_0", "SQR_1")]
        return ["LOADED", *sums]

    async def of_own_work(self, command: str) -> None:
        """What needs nothing from outside is finished."""
        words = beats(self.rng, self.shape, self.lanes())
        await self.do([*self.settings(), Command("MEASURE", words), Command("SCALE"), Command("LOAD", words)])
        await self.begin(command)
        await self.abort()
        await self.do([Command("START"), Command("READ")] if command == "SCALE" else [Command("READ")])

    async def of_a_read(self, stopped: bool) -> None:
        """The results stay for a READ from their start; a beat that was offered is taken first, unchanged."""
        words = beats(self.rng, self.shape, self.lanes())
        await self.do([*self.settings(), Command("MEASURE", words), Command("SCALE"), Command("LOAD", words)])
        await self.do([Command("START")])
        if stopped:
            self.sink.driver.stop()
            await ClockCycles(cocotb.top.clk, 3)
        await self.begin("READ")
        await ClockCycles(cocotb.top.clk, self.rng.randint(0, 40))
        await self.abort()
        if stopped and self.rng.random() < 0.5:
            # Another READ while that beat still stands there.
            await self.begin("READ")
            await ClockCycles(cocotb.top.clk, 30)
            self.sink.driver.go()
            await self.wait_idle("READ")
        else:
            self.sink.driver.go()
            if self.bus.results is not None:
                await self.do([Command("READ")])
        await self.look(0.2)


class Overlaps(GaeSequence):
    """Automatic rollouts, one behind the other: what loads, runs and is read at once stays apart."""

    AT_ONCE = ("load_and_run", "load_and_read", "run_and_read", "load_waits")
    TRIES = 40

    async def body(self) -> None:
        if self.shape.parameters["STACKS"] == 1:
            await self.one_stack()
            return
        watching = cocotb.start_soon(self.watch())
        await self.back_to_back()
        await self.full()
        await self.refused_auto_run()
        await self.in_the_way()
        for what in self.AT_ONCE:
            for _ in range(self.TRIES):
                await self.abort_at(what)
                if self.sampler.coverage.hits[f"auto_run.abort_{what}"]:
                    break
        await self.reset_on_the_way()
        await self.good_rollout()
        watching.kill()

    async def one_stack(self) -> None:
        """A core with one stack does not know the command."""
        await self.write("COMMAND", AUTO_RUN | self.shape.commands["LOAD"])
        await self.look(0.2)
        await self.good_rollout()

    def now(self) -> set[str]:
        """What the core does at once, as its inside says; of a netlist nothing is known, and all counts."""
        dut = cocotb.top
        if not hasattr(dut, "u_gae"):
            return set(self.AT_ONCE)
        core = dut.u_gae
        loads, waits = (int(core.state.value) == state for state in (4, 10))
        runs, reads = bool(int(core.on_the_way.value)), bool(int(core.reading.value))
        overlaps = {"load_and_run": loads and runs, "load_and_read": loads and reads, "run_and_read": runs and reads}
        return {name for name, does in (overlaps | {"load_waits": waits}).items() if does}

    async def watch(self) -> None:
        while True:
            await ClockCycles(cocotb.top.clk, 1)
            if int(cocotb.top.rst.value) == 0:
                for what in self.now():
                    self.sampler.hit(f"auto_run.{what}")

    def rollout(self, longest: int = 6) -> np.ndarray:
        """A pass of a whole rollout, with lanes that are full or nearly empty."""
        reward, value = Raw(self.rng), Raw(self.rng)
        most = min(self.shape.depth, self.rng.choice([1, longest, longest, self.shape.depth]))
        count = max(1, self.rng.randint(1, self.shape.lanes))
        lanes = {
            lane: episode_records(self.rng, self.rng.randint(0, most), reward, value)
            for lane in self.rng.sample(range(self.shape.lanes), count)
        }
        return beats(self.rng, self.shape, lanes, holes=self.rng.choice([0, 0.4]))

    async def auto_run(self, words: np.ndarray) -> None:
        """LOAD of an automatic rollout, to its end."""
        sending = cocotb.start_soon(self.stream(words))
        await self.write("COMMAND", AUTO_RUN | self.shape.commands["LOAD"])
        await with_timeout(sending, PASS_CLOCKS * PERIOD_NS, "ns")
        await self.wait_idle("LOAD")

    async def settle(self, in_flight: int = 0) -> None:
        """Until `in_flight` rollouts are on their way, and nothing has moved for a while; then look at the core."""
        for _ in range(PATIENCE):
            if await self.read("STATUS") >> 9 & 3 <= in_flight:
                break
        else:
            raise AssertionError("the rollouts on their way were not sent")
        await ClockCycles(cocotb.top.clk, SETTLED + 50)
        await self.read("SENT")
        await self.look(0.2)

    async def prepare(self) -> None:
        """Scales for the next rollout, while those before are on their way."""
        steps = configuration(self.rng, self.shape.parameters)
        measure = Command("MEASURE", self.rollout())
        # Not do(): what it looks at is moving.
        for step in steps:
            await self.write(step.name, step.value, posted=True)
        if self.rng.random() < 0.6:
            await self.command("MEASURE", measure.words)
        await self.command("SCALE")

    async def back_to_back(self) -> None:
        await self.do([*self.settings(), Command("MEASURE", self.rollout()), Command("SCALE")])
        for _ in range(4):
            await self.auto_run(self.rollout())
        await self.settle()
        for number in range(10):
            if number % 5 < 3:
                await self.prepare()
            if self.rng.random() < 0.3:
                # Several passes to one rollout: only the last one has auto_run.
                await self.command("LOAD", self.rollout(1))
                await self.auto_run(self.final())
            else:
                await self.auto_run(self.rollout())
            if self.rng.random() < 0.2:
                await self.settle()
        await self.settle()

    def final(self) -> np.ndarray:
        """A BOOT on every lane, which ends what is there."""
        return beats(self.rng, self.shape, {n: [self.end()] for n in range(self.shape.lanes)})

    async def full(self) -> None:
        """Both stacks are on their way and nobody reads: LOAD waits, and looks show the rollouts before."""
        self.sink.driver.stop()
        for _ in range(2):
            await self.auto_run(self.rollout())
        await self.settle(2)
        self.sampler.hit("auto_run.two", await self.read("STATUS") >> 9 & 3 == 2)
        sending = cocotb.start_soon(self.auto_run(self.rollout()))
        await ClockCycles(cocotb.top.clk, 60)
        assert not sending.done()
        self.sink.driver.go()
        await with_timeout(sending, PASS_CLOCKS * PERIOD_NS, "ns")
        await self.settle()

    async def refused_auto_run(self) -> None:
        """A rollout without its last BOOT stays; with it, it goes."""
        await self.auto_run(beats(self.rng, self.shape, {0: self.steps(1)}))
        await self.settle()
        await self.auto_run(beats(self.rng, self.shape, {0: [self.end()]}))
        await self.settle()
        await self.auto_run(beats(self.rng, self.shape, {0: self.steps(1)}))
        await self.look(0.3)
        await self.do([Command("CLEAR")])

    async def in_the_way(self) -> None:
        """CLEAR, START and READ while a rollout is on its way: ignored."""
        self.sink.driver.stop()
        await self.auto_run(self.rollout())
        await self.settle(1)
        for name in ("CLEAR", "START", "READ"):
            await self.begin(name)
        await self.look(0.3)
        # What is loaded meanwhile waits for its START.
        await self.command("LOAD", self.rollout())
        self.sink.driver.go()
        await self.settle()
        await self.do([Command("START"), Command("READ")])

    async def abort_at(self, what: str) -> None:
        """An abort while the core does this: what was sent was right, the rest is given up, and the core goes on."""
        await self.do([*self.settings(), Command("MEASURE", self.rollout()), Command("SCALE")])
        stopped = self.rng.random() < (0.9 if what != "load_and_run" else 0.3)
        if stopped:
            self.sink.driver.stop()
        long = {n: episode_records(self.rng, self.shape.depth // 2, Raw(self.rng), Raw(self.rng)) for n in range(1)}
        for _ in range(1 if what in ("load_and_run", "load_and_read") else 2):
            await self.auto_run(self.rollout() if self.rng.random() < 0.5 else beats(self.rng, self.shape, long))
            if not stopped and what != "load_and_run":
                await ClockCycles(cocotb.top.clk, self.rng.randrange(30))
        sending = None
        if what != "run_and_read":
            words = beats(self.rng, self.shape, long, holes=0.9)
            sending = cocotb.start_soon(self.stream(words))
            await self.write("COMMAND", AUTO_RUN | self.shape.commands["LOAD"])
            await ClockCycles(cocotb.top.clk, self.rng.randint(1, 4 if what == "load_and_run" else 40))
        doing = self.now()
        for _ in range(60):  # it may come soon
            if what in doing:
                break
            await ClockCycles(cocotb.top.clk, 1)
            doing = self.now()
        await self.write("COMMAND", 8)
        await self.wait_idle("ABORT")
        if what in doing:
            self.sampler.hit(f"auto_run.abort_{what}")
        await self.settle()
        if sending is not None and not sending.done():
            # The producer is in the middle of its pass: what is left of it is one of its own.
            await self.begin("MEASURE")
            await with_timeout(sending, PASS_CLOCKS * PERIOD_NS, "ns")
            await self.wait_idle("MEASURE")
        self.sink.driver.go()
        await self.do([Command("CLEAR")])
        for _ in range(2):
            await self.auto_run(self.rollout())
        await self.settle()

    async def reset_on_the_way(self) -> None:
        await self.do([*self.settings(), Command("MEASURE", self.rollout()), Command("SCALE")])
        self.sink.driver.stop()
        await self.auto_run(self.rollout())
        self.sampler.hit("auto_run.reset", await self.read("STATUS") >> 9 & 3 == 1)
        await self.reset()
        self.sink.driver.go()
        await self.look()


class Resets(GaeSequence):
    """A reset while a command runs: registers as after power-up, and the next rollout is right."""

    async def body(self) -> None:
        for command in ("LOAD", "START", "READ", "SCALE"):
            # A short command may be over before the reset comes.
            for _ in range(10):
                if await self.during(command):
                    self.sampler.hit(f"reset.in_{command}")
                    break
            await self.good_rollout()

    async def during(self, command: str) -> bool:
        """Reset soon after a command; whether the core was busy then."""
        reward, value = Raw(self.rng), Raw(self.rng)
        length = min(self.shape.depth, 12)
        lanes = {n: episode_records(self.rng, length, reward, value) for n in range(self.shape.lanes)}
        words = beats(self.rng, self.shape, lanes)
        before = {"LOAD": [], "SCALE": [], "START": [Command("LOAD", words)]}
        before["READ"] = [*before["START"], Command("START")]
        steps = [*self.settings(VALUE_POINT=40), Command("MEASURE", words), Command("SCALE"), *before[command]]
        await self.do(steps)
        if command == "LOAD":
            cocotb.start_soon(self.stream(words))
        if command == "READ":
            self.sink.driver.stop()
            await ClockCycles(cocotb.top.clk, 3)
        await self.begin(command)
        await ClockCycles(cocotb.top.clk, self.rng.randint(1, 9))
        was_busy = busy(cocotb.top)
        await self.reset()
        if command == "READ":
            self.sink.driver.go()
        await self.look()
        await self.refused_when_empty()
        await self.refused_before_scale(words)
        return was_busy

    async def refused_before_scale(self, words: np.ndarray) -> None:
        """Records may be loaded with the registers' reset values, but the array has no constants to run with."""
        await self.do([Command("LOAD", words)])
        await self.begin("START")
        await self.wait_idle("START")
        if self.bus.read(self.shape.address["FLAGS"]) & self.predictor.flag_bits["CONFIG"]:
            self.sampler.hit("config.start_before_scale")
        await self.look(0.3)
        await self.do([Command("CLEAR")])

    async def refused_when_empty(self) -> None:
        await self.begin("START")
        await self.wait_idle("START")
        await self.look(0.1)
