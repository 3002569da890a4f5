"""Sequences of the native learner: batches of every kind, loads and reads in between, and what random ones miss."""

import os
import random
from collections.abc import Callable, Iterable

import cocotb
import learner_traffic as traffic
from bench_pins import PERIOD_NS
from cocotb.triggers import RisingEdge, with_timeout
from learner_env import LearnerEnv
from learner_reference import PORTS
from uvm_bench import reset
from uvm_native import PATIENCE, NativeSequence

from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.records import Records, pack_records
from rlcores.cores.learner.registers import pack_fractions, ports
from rlcores.cores.learner.words import FRACTIONS

# Clocks of an idle core until its counters have settled.
QUIET = 40


class LearnerSequence(NativeSequence):
    """Registers, weights and batches, each in one of the moods of learner_traffic."""

    steps = int(os.environ.get("LEARNER_STEPS", "100"))  # of a long run

    def __init__(self, env: LearnerEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.shape = env.predictor.shape
        self.formats: LearnerFormats | DdpgFormats | None = None
        self.settings: LearnerSettings | None = None
        self.mood = "calm"

    @property
    def effort(self) -> int:
        """How often the shorter sequences go around."""
        return max(1, self.steps // 50)

    async def configure(self, mood: str, batch: int | None = None, **registers: int) -> None:
        """Random registers of a mood; new fractions come with a new seed."""
        rng, shape = self.rng, self.shape
        if batch is None:
            most = shape.batch_max
            batch = rng.choice((1, most, rng.randint(1, most), min(shape.columns, most)))
        self.mood = mood
        self.formats = traffic.formats(rng, shape, mood)
        settings = traffic.settings(rng, shape, self.formats, mood, batch)
        self.settings = LearnerSettings(**{**vars(settings), **registers})
        await self.write()
        await self.pins("seed_load")

    async def write(self) -> None:
        """The registers as they are in formats and settings."""
        values = dict.fromkeys((f"cfg_{name}" for name in PORTS), 0) | ports(self.formats, self.settings)
        await self.pins(**values)

    async def change(self, **registers: int) -> None:
        """Some registers, fractions and seed as before."""
        self.settings = LearnerSettings(**{**vars(self.settings), **registers})
        await self.write()

    async def load(self, mood: str | None = None) -> None:
        """Every plane of every network, random."""
        for number, network in enumerate(self.shape.networks):
            for plane in planes(self.shape):
                pairs = traffic.plane(self.rng, self.shape, network, plane, mood or self.mood)
                words = self.predictor.reference.layouts[number].to_stream(pairs)
                await self.host(number, plane, words.tolist())

    async def read(self) -> None:
        """Every plane of every network; the scoreboard compares."""
        for network, _ in enumerate(self.predictor.reference.networks()):
            for plane in planes(self.shape):
                await self.host(network, plane, None)

    async def words(self, name: str, words: Iterable[int]) -> None:
        """Words on a port, until the last one was taken."""
        await self.feed(name, ({"data": word} for word in words))

    async def host(self, network: int, plane: int, words: list[int] | None) -> None:
        """Load a plane, or with None read it."""
        await self.pins("host_start", host_network=network, host_param_bank=plane, host_read=int(words is None))
        if words is not None:
            await self.words("s_load", (word & 2**64 - 1 for word in words))
        board, busy = self.env.scoreboard, self.dut.host_busy
        await self.until(lambda: not int(busy.value) and not board.waiting, "the host's turn")

    def batch(self, mood: str | None = None) -> Records:
        """Random records of the present length."""
        return traffic.records(self.rng, self.shape, self.formats, self.settings.batch, mood or self.mood)

    async def send(self, batches: list[Records]) -> None:
        """Records into the core; returns when the last word was taken."""
        lanes = self.shape.value.lanes[0]
        words = (
            sum(int(word) << 32 * lane for lane, word in enumerate(beat))
            for records in batches
            for beat in pack_records(records, lanes).tolist()
        )
        await self.words("s_rec", words)

    async def train(self, batches: list[Records]) -> None:
        """Run these batches to their end."""
        await self.pins(run=1)
        await self.send(batches)
        await self.pins(run=0)
        await self.quiet()

    async def transfers(self, count: int) -> None:
        """Wait until `count` words of records have been taken since the start."""
        await self.until(lambda: self.env.sources["s_rec"].monitor.transfers >= count, "the records", 1)

    async def quiet(self) -> None:
        """Wait until every batch is done, then compare the state."""
        predictor, board = self.predictor, self.env.scoreboard

        def done() -> bool:
            steps = predictor.steps_seen == predictor.batches
            return steps and not board.waiting and not int(self.dut.busy.value)

        await self.until(done, "the batch", QUIET)
        predictor.compare_state()


class HundredSteps(LearnerSequence):
    """The long run: registers of a real training, batches one after the other, weights compared at the end."""

    async def body(self) -> None:
        await self.configure("calm", sync_interval=3)
        await self.load()
        left = self.steps
        while left:
            count = min(left, self.rng.choice((1, 5, 25)))
            await self.train([self.batch() for _ in range(count)])
            left -= count
        await self.read()


class EveryMood(LearnerSequence):
    """Any registers, weights and records, a few steps each."""

    async def body(self) -> None:
        for mood in traffic.MOODS * self.effort:
            await self.configure(mood)
            await self.load()
            await self.train([self.batch() for _ in range(self.rng.randint(1, 4))])
            await self.read()


class Limits(LearnerSequence):
    """Until every stage has saturated a number."""

    async def body(self) -> None:
        await self.configure("calm")
        await self.load()
        await self.train([self.batch()])
        for _ in range(60):
            missing = self.sampler.missing("sat.")
            if not missing:
                break
            ranges = any(name.startswith("sat.range") for name in missing)
            mood = self.rng.choice(("hot", "far") if ranges else ("hot", "hot", "loose"))
            if missing == ["sat.none"]:
                mood = "calm"
            await self.configure(mood, batch=self.rng.randint(1, self.shape.batch_max))
            await self.load(self.rng.choice((mood, "calm")) if mood == "hot" else mood)
            await self.train([self.batch() for _ in range(2)])
        await self.read()


class Batches(LearnerSequence):
    """Every length of a batch, with weights that stay."""

    async def body(self) -> None:
        most, columns = self.shape.batch_max, self.shape.columns
        await self.configure("calm")
        await self.load()
        lengths = [1, most, columns, max(columns - 1, 1), min(columns + 1, most), most - 1, 1]
        lengths += [self.rng.randint(1, most) for _ in range(2 * self.effort)]
        for batch in lengths:
            await self.change(batch=batch)
            await self.train([self.batch() for _ in range(2)])
        await self.read()


class Losses(LearnerSequence):
    """Kinds of loss and of records."""

    async def body(self) -> None:
        prefixes = ("loss.", "huber.", "terminated.", "weight.", "reward", "gamma.", "priority.", "double.", "action.")
        for number in range(200):
            missing = self.sampler.missing(*prefixes, "lag.")
            if not missing and number >= 3 * self.effort:
                break
            await self.configure(self.rng.choice(("calm", "loose", "hot")), double=bool(number % 2))
            if number == 0 or self.rng.random() < 0.4:
                await self.load()
            wanted = self.rng.choice(("any", "any", "none", "none last", "zero"))
            batches = [self.batch(self.rng.choice(("calm", "loose"))) for _ in range(3)]
            if wanted == "zero":
                # Nothing to learn: Q and reward are 0.
                await self.zero()
                for records in batches:
                    records.rewards[:] = 0
            if wanted.startswith("none") and self.shape.actor is None:
                for records in batches:
                    records.actions[-1 if wanted == "none last" else slice(None)] = self.shape.value.sizes[-1]
            if self.rng.random() < 0.2:
                for records in batches:
                    records.terminated[:] = True
            await self.train(batches)
        await self.read()

    async def zero(self) -> None:
        """All weights 0."""
        for actor, layout in enumerate(self.predictor.reference.layouts):
            for plane in planes(self.shape):
                await self.host(actor, plane, [0] * layout.beats)


class Updates(LearnerSequence):
    """Rates of the optimiser and of the target network; generators that go on or begin again."""

    async def body(self) -> None:
        prefixes = ("sync.", "adam.", "rate.", "momentum.")
        await self.configure("calm")
        await self.load()
        for number in range(200):
            if not self.sampler.missing(*prefixes) and number >= 4 * self.effort:
                break
            rng = self.rng
            other = traffic.settings(rng, self.shape, self.formats, rng.choice(("calm", "loose")), self.settings.batch)
            taken = {name: value for name, value in vars(other).items() if name not in ("seed", "batch")}
            # A rate that this network's fractions allow.
            await self.change(**taken)
            if number % 3 == 0:
                await self.pins("seed_load")
                self.sampler.hit("seed.same_again")
            else:
                self.sampler.hit("seed.goes_on")
            await self.train([self.batch() for _ in range(rng.choice((1, 2, 4)))])
        await self.read()


class Pressure(LearnerSequence):
    """Priorities that nobody takes hold the core up, stage by stage, and nothing is lost."""

    async def body(self) -> None:
        for number in range(2 * self.effort):
            await self.configure(self.rng.choice(("calm", "hot")), batch=self.shape.batch_max)
            await self.load()
            self.full_speed()
            priorities = self.env.sinks["m_prio"].driver.pace
            priorities.stop()
            await self.pins(run=1)
            # More than the queues inside hold.
            count = 3 + (self.shape.records + 48) * self.shape.columns // self.shape.batch_max
            sending = cocotb.start_soon(self.send([self.batch() for _ in range(count)]))
            # Until no more records are taken.
            await self.until(self._stuck(), "the back-pressure", 200)
            assert not sending.done(), f"{count} batches went in without a priority taken"
            self.sampler.hit("pressure.held")
            priorities.go() if number % 2 else priorities.full_speed()
            await with_timeout(sending, PATIENCE * PERIOD_NS, "ns")
            await self.pins(run=0)
            await self.quiet()
            self.random_pace()
        await self.read()

    def _stuck(self) -> Callable[[], bool]:
        before = -1

        def same() -> bool:
            nonlocal before
            now = self.env.sources["s_rec"].monitor.transfers
            still, before = now == before, now
            return still

        return same


class StopAndGo(LearnerSequence):
    """`run` falls at any time: the batch is trained to its end, the next one waits; weights change in between."""

    async def body(self) -> None:
        for number in range(60):
            if number >= 3 * self.effort and not self.sampler.missing("run.stopped_inside"):
                break
            await self.configure(self.rng.choice(traffic.MOODS), batch=self.rng.randint(2, self.shape.batch_max))
            if number % 2 == 0:
                await self.load()
            beats = self.settings.batch * self.shape.record_beats
            batches = [self.batch() for _ in range(2)]
            before = self.predictor.batches
            start = self.env.sources["s_rec"].monitor.transfers
            await self.pins(run=1)
            self.sampler.hit("run.again", number > 0)
            sending = cocotb.start_soon(self.send(batches))
            await self.transfers(start + self.rng.randint(1, beats - 1))
            await self.pins(run=0)
            taken = self.env.sources["s_rec"].monitor.transfers - start
            await self.until(lambda: not int(self.dut.busy.value), "the batch", QUIET)
            done = self.predictor.batches - before
            assert done >= 1 and self.env.sources["s_rec"].monitor.transfers - start == done * beats
            self.sampler.hit("run.stopped_inside", taken < beats and done == 1)
            self.predictor.compare_state()
            # While it does not run, the host may read and load; the other batch waits at the port.
            await self.host(0, 0, None)
            await self.pins("sat_clear")
            await self.until(lambda: True, "the clear", 4)
            self.predictor.compare_state()
            await self.pins(run=1)
            await with_timeout(sending, PATIENCE * PERIOD_NS, "ns")
            await self.pins(run=0)
            await self.quiet()
        # Running with nothing to do.
        await self.pins(run=1)
        await self.until(lambda: not int(self.dut.busy.value), "nothing", 100)
        await self.pins(run=0)
        self.sampler.hit("run.idle")
        await self.read()


class Refused(LearnerSequence):
    """Fractions whose shifts do not exist: the core says so and takes no record."""

    async def body(self) -> None:
        await self.configure("calm")
        await self.load()
        for _ in range(1 + self.effort):
            good = self.settings, self.formats
            value = self.formats.value if isinstance(self.formats, DdpgFormats) else self.formats
            layers = value.layers
            wrong = self.rng.choice(
                (
                    {"act": 31 << 5 * layers},
                    {"grad": pack_fractions([63] * (layers + 1), 6)},
                    {"delta": 31 << 5 * layers, "act": 0},
                )
            )
            others, value_bits = ports(self.formats, self.settings)["cfg_fracs"], FRACTIONS.bits
            own = FRACTIONS.pack(**(FRACTIONS.unpack(others) | wrong))
            await self.pins(cfg_fracs=others >> value_bits << value_bits | own)
            await self.until(lambda: not int(self.dut.cfg_ok.value), "cfg_ok", 3)
            await self.pins(run=1)
            before = self.env.sources["s_rec"].monitor.transfers
            sending = cocotb.start_soon(self.send([self.batch()]))
            await self.until(lambda: True, "the wait", 200)
            assert self.env.sources["s_rec"].monitor.transfers == before, "fractions do not fit, and records were taken"
            self.sampler.hit("config.refused")
            await self.pins(run=0)
            self.settings, self.formats = good
            await self.write()
            await self.until(lambda: bool(int(self.dut.cfg_ok.value)), "cfg_ok", 3)
            await self.pins(run=1)
            await with_timeout(sending, PATIENCE * PERIOD_NS, "ns")
            await self.pins(run=0)
            await self.quiet()
        await self.read()


class Resets(LearnerSequence):
    """A reset at any time leaves a core that works as soon as it is loaded again."""

    async def body(self) -> None:
        for number in range(3 * self.effort):
            await self.configure("calm")
            await self.load()
            if number % 3 == 2:
                await self.train([self.batch()])
                self.sampler.hit("reset.idle")
            else:
                await self.pins(run=1)
                # What was not taken when the reset comes is offered to the core after it, so all goes in before.
                whole = self.shape.record_beats * self.settings.batch
                await self.partial(self.rng.randint(1, whole))
                for _ in range(self.rng.randint(1, 60)):
                    await RisingEdge(self.dut.clk)
                self.sampler.hit("reset.inside")
            await self.pins(run=0)
            await reset(self.dut, self.rng.randint(1, 4))
            self.predictor.forget()
            await self.configure(self.rng.choice(("calm", "hot")))
            await self.load()
            await self.train([self.batch() for _ in range(2)])
            await self.read()

    async def partial(self, beats: int) -> None:
        """The first beats of a batch."""
        lanes = self.shape.value.lanes[0]
        rows = pack_records(self.batch(), lanes).tolist()[:beats]
        words = (sum(int(word) << 32 * lane for lane, word in enumerate(beat)) for beat in rows)
        await self.words("s_rec", words)


WAITING = 16  # batch slices whose priorities can wait: BATCH_SLICES of rlc_rl_td_loss


class Aborts(LearnerSequence):
    """An abort at any time: whole batches are trained, half a one leaves no trace, and the core is idle."""

    async def body(self) -> None:
        kinds = {
            "inside": self.inside,
            "stuck": self.stuck,
            "load": self.loading,
            "read": self.reading,
            "whole": self.whole,
            "idle": self.nothing,
        }
        for number in range(len(kinds) * (self.effort + 1)):
            kind, begin = list(kinds.items())[number % len(kinds)]
            most = self.shape.batch_max
            await self.configure(self.rng.choice(("calm", "hot")), batch=most if kind == "inside" else None)
            await self.load()
            await begin()
            await self.abort(kind, runs=number < len(kinds), again=number % 4 == 1)
            if kind == "load":
                await self.load()  # what was loaded in part
            await self.pins("sat_clear")  # half a batch may have counted
            await self.until(lambda: True, "the clear", 4)
            self.predictor.compare_state()
            await self.read()
            await self.train([self.batch() for _ in range(2)])
            await self.read()

    async def inside(self) -> None:
        beats = self.settings.batch * self.shape.record_beats
        await self.pins(run=1)
        await self.partial(beats * self.rng.randint(0, 1) + self.rng.randint(1, beats - 1))
        for _ in range(self.rng.randint(0, 80)):
            await RisingEdge(self.dut.clk)

    async def stuck(self) -> None:
        """Nobody takes priorities; as much as fits is inside."""
        self.full_speed()
        self.env.sinks["m_prio"].driver.pace.stop()
        await self.pins(run=1)
        batch = self.settings.batch
        records = min(batch * max(1, 4 // batch), WAITING * self.shape.columns)
        await self.partial(self.rng.randint(1, records * self.shape.record_beats))
        for _ in range(self.rng.randint(0, 300)):
            await RisingEdge(self.dut.clk)

    async def whole(self) -> None:
        await self.pins(run=1)
        await self.partial(self.settings.batch * self.shape.record_beats)
        for _ in range(self.rng.randint(0, 40)):
            await RisingEdge(self.dut.clk)

    async def loading(self) -> None:
        await self.pins("host_start", host_network=0, host_param_bank=0, host_read=0)
        words = self.predictor.reference.words(0, 0)
        some = [word & 2**64 - 1 for word in words[: self.rng.randint(0, len(words) - 1)]]
        await self.words("s_load", some)

    async def reading(self) -> None:
        self.env.sinks["m_read"].driver.pace.stop()
        await self.pins("host_start", host_network=0, host_param_bank=0, host_read=1)
        for _ in range(self.rng.randint(10, 40)):
            await RisingEdge(self.dut.clk)

    async def nothing(self) -> None:
        await self.pins(run=0)

    async def abort(self, kind: str, *, runs: bool, again: bool) -> None:
        """Until the core is idle, and what stands at its ports is taken."""
        dut, predictor = self.dut, self.predictor
        self.sampler.hit(f"abort.{kind}", kind != "whole" or predictor.batches > predictor.steps_seen)
        await self.pins("abort_in", **({} if runs else {"run": 0}))
        self.sampler.hit("abort.run", runs and kind not in ("load", "read", "idle"))
        if again:
            await self.pins("abort_in")
            self.sampler.hit("abort.again")
        await self.pins(run=0)
        await self.until(lambda: not int(dut.aborting.value), "the abort", 1)
        await self.until(lambda: not int(dut.busy.value), "the core", QUIET)
        assert not int(dut.host_busy.value)
        assert predictor.steps_seen == predictor.batches, "a whole batch was not trained"
        self.sampler.hit("abort.stale", int(dut.stale.value))
        self.random_pace()
        await self.until(lambda: not int(dut.stale.value), "what is left", QUIET)
        predictor.aborted()

    async def partial(self, beats: int) -> None:
        """The first beats of some batches."""
        lanes = self.shape.value.lanes[0]
        rows: list[list[int]] = []
        while len(rows) < beats:
            rows += pack_records(self.batch(), lanes).tolist()
        words = (sum(int(word) << 32 * lane for lane, word in enumerate(beat)) for beat in rows[:beats])
        await self.words("s_rec", words)
