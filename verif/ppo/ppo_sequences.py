"""Sequences of the PPO core behind AXI: what software and environments do, and what they should not do."""

import random

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from ppo_formats import formats_of
from ppo_records import WatchedRecords
from ppo_uvm import COVERAGE, PpoEnv
from uvm_axil import AxilItem
from uvm_axis import AxisItem
from uvm_bench import One, clock_number, parameters, reset
from uvm_core import CoreSequence

from rlcores.cores.env import beats
from rlcores.cores.env.physics import REWARD_FRACTION
from rlcores.cores.learner.format import WEIGHT_FRAC
from rlcores.cores.learner.layout import MOMENT, SQUARES, WEIGHTS, WeightLayout
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.ppo import model, settings
from rlcores.cores.ppo.driver import KEPT
from rlcores.cores.ppo.records import Records
from rlcores.cores.ppo.registers import planes, rollout_words
from rlcores.cores.ppo.registers import registers as values_of
from rlcores.cores.ppo.words import NETWORKS
from rlcores.eda import registers
from rlcores.train.chip import Episodes

PATIENCE = 300  # looks of 50 clocks before the core counts as stuck
PLANES = WEIGHTS, MOMENT, SQUARES
EMPTY = {"EPISODE_LENGTH", "EPISODE_LOW", "EPISODE_HIGH"}  # mean nothing while no episode has ended


def unsigned(words: np.ndarray) -> list[int]:
    """Words as they travel."""
    return [int(x) & 2**64 - 1 for x in words]


class Drawn:
    """Environments outside that answer anything; `actions` and `answers` keep what was done and said."""

    def __init__(self, rng: np.random.Generator, count: int, observations: int) -> None:
        self.rng, self.count, self.dtype = rng, count, beats.dtype(observations)
        self.rollouts: list[list[int]] = []  # of each the rewards, of steps that all end an episode; none: drawn
        self.actions: list[int] = []
        self.answers: list[np.ndarray] = []

    def start(self) -> np.ndarray:
        records = self._records(self.count)
        records["first"] = True
        return records

    def step(self, actions: np.ndarray) -> np.ndarray:
        records = self._records(len(actions))
        most = 1 << int(self.rng.choice([20, 26]))
        records["reward"] = self.rng.integers(-most, most, len(actions))
        records["terminated"], records["truncated"] = self.rng.random((2, len(actions))) < 0.2
        if self.rollouts:
            records["reward"], records["terminated"] = np.resize(self.rollouts[0], len(actions)), True
        COVERAGE.hit("cut off", bool((records["truncated"] & ~records["terminated"]).any()))
        COVERAGE.hit("terminated", bool(records["terminated"].any()))
        self.actions += actions.tolist()
        self.answers.append(records)
        return records

    def _records(self, count: int) -> np.ndarray:
        records = np.zeros(count, self.dtype)
        for name in ("obs", "final"):
            records[name] = self.rng.integers(-(1 << 17), 1 << 17, records[name].shape)
        return records


class PpoSequence(CoreSequence):
    """Software on the registers, environments on the streams, the model beside them."""

    def __init__(self, env: PpoEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.shape = env.predictor.shape
        self.n_envs = self.shape.environments
        self.layouts = {name: WeightLayout(net) for name, net in self.shape.networks.items()}

    async def status(self, name: str) -> int:
        return (await self.read("STATUS") & self.map["STATUS"].by_name[name].mask) != 0

    async def command(self, *names: str) -> None:
        await self.write("COMMAND", sum(self.map["COMMAND"].by_name[name].mask for name in names))

    async def flags(self, *names: str) -> None:
        """These flags are raised, and no others but SATURATED, with their interrupt; forget them."""
        fields = self.map["FLAGS"].by_name
        flags_read = await self.read("FLAGS") & ~fields["SATURATED"].mask
        wanted = sum(fields[name].mask for name in names)
        self.env.scoreboard.check("s_axil", f"flags {names}", flags_read, wanted, clock_number())
        for name in names:
            COVERAGE.hit(f"flag.{name}")
        await self.write("FLAGS", self.map["FLAGS"].mask("w1c"))

    async def interrupt(self, *names: str) -> None:
        """The line is high and these are set; forget all."""
        fields = self.map["IRQ_STATUS"].by_name
        assert int(cocotb.top.irq.value), f"no interrupt for {names}"
        status = await self.read("IRQ_STATUS")
        for name in names:
            assert status & fields[name].mask, f"IRQ_STATUS.{name} is 0"
            COVERAGE.hit(f"interrupt.{name}")
        await self.write("IRQ_STATUS", self.map["IRQ_STATUS"].mask("w1c"))
        await ClockCycles(cocotb.top.clk, 2)
        assert not int(cocotb.top.irq.value)

    async def until_idle(self, *fields: str) -> None:
        mask = sum(self.map["STATUS"].by_name[name].mask for name in fields or ("running",))
        for _ in range(PATIENCE):
            if not await self.read("STATUS") & mask:
                return
            await ClockCycles(cocotb.top.clk, 50)
        raise AssertionError("the core is stuck")

    # --- a learner ---

    async def setup(
        self, weights: bool = True, lockstep: int | None = None, bits: int = 21, says: int | None = None, sign: int = 0
    ) -> None:
        """Any settings and weights, into the core and into a model; environments that have not begun.

        weights: else the core keeps its own, so that only what the registers say is the model's. lockstep: whether the
        environments answer all at once; None: drawn. bits: of the weights. says: what the critic says of everything,
        sfix(27,16), within 16.0. sign: of the weights of its last layer, so of what it says.
        """
        rng, shape = np.random.default_rng(self.rng.getrandbits(32)), self.shape
        steps, minibatches = self.rollout(rng)
        formats = formats_of(shape.actor.layers, shape.critic.layers)
        self.settings = settings.registers(
            formats, gaussian=shape.gaussian, envs=self.n_envs, steps=steps, minibatches=minibatches,
            record_bits=shape.record_bits,
            epochs=int(rng.integers(1, 3)), entropy=0.02, learning_rate=0.01, norm_limit=0.3,
            value_clip=float(rng.choice([0, 0.5])), falls=4, seed=self.rng.getrandbits(32),
            lockstep=self.rng.randrange(2) if lockstep is None else lockstep,
        )  # fmt: skip
        self.ppo = model.Ppo(
            shape.actor.sizes, shape.critic.sizes, formats, self.settings, shape.gaussian, columns=shape.columns
        )
        if shape.record_bits:
            self.ppo.records = WatchedRecords(shape.record_bits, COVERAGE.hit)
        for name, value in values_of(formats, self.settings, shape.columns).items():
            await self.write(name, value, posted=self.rng.random() < 0.5)
        await self.write("EXTERNAL_ROLLOUT", 0)
        assert await self.status("formats_fit")
        if weights:
            for name in self.layouts:
                network = getattr(self.ppo, name)
                network.start(rng.integers(-(1 << bits), 1 << bits, network.size))
            if says is not None:
                constant = np.zeros(self.ppo.critic.size, np.int64)
                constant[-1] = says << WEIGHT_FRAC - OUT_FRAC  # the bias of its last layer
                self.ppo.critic.start(constant)
            if sign:
                critic = self.ppo.critic
                signed = critic.planes[WEIGHTS].copy()
                signed[critic.starts[-2] :] = sign * np.abs(signed[critic.starts[-2] :])
                critic.start(signed)
            if shape.gaussian:
                self.ppo.logs[0] = rng.integers(-(1 << 22), 1 << 21, self.ppo.outputs)
            for name, plane, words in planes(self.ppo, self.layouts):
                await self.load(name, plane, words)
            await self.command("fresh")
        self.envs = Drawn(rng, self.n_envs, shape.actor.sizes[0])
        self.returns = Episodes(np.zeros(self.n_envs))
        self.ended: list[tuple[float, int]] = []

    def rollout(self, rng: np.random.Generator) -> tuple[int, int]:
        """Any number of steps, of which a half of the core's are enough, and of minibatches."""
        most = self.shape.minibatch
        while True:
            steps, size = int(rng.integers(1, self.shape.steps // 2 + 1)), int(rng.integers(most // 2, most + 1))
            if self.n_envs * steps % size == 0:
                return steps, self.n_envs * steps // size

    async def host(self, command: str, name: str, plane: int) -> None:
        await self.write("HOST", plane | NETWORKS.index(name) << 2)
        await self.command(command)

    async def load(self, name: str, plane: int, words: np.ndarray) -> None:
        await self.host("load", name, plane)
        await One(AxisItem(unsigned(words))).start(self.env.sources["s_axis_load"].sequencer)
        await self.until_idle("host")

    async def compare(self, only: tuple[int, ...] = PLANES) -> None:
        """These planes of the core are the model's."""
        for name, plane, words in planes(self.ppo, self.layouts):
            if plane in only:
                last = len(words) - 1
                beats = ((word, k == last) for k, word in enumerate(unsigned(words)))
                self.env.scoreboard.expect("m_axis_read", *beats)
                await self.host("read", name, plane)
                await self.until_idle("host")
                await self.settle()

    async def settle(self) -> None:
        for _ in range(PATIENCE):
            if not self.predictor.waiting:
                return
            await ClockCycles(cocotb.top.clk, 20)
        raise AssertionError(f"{self.predictor.waiting} beats never came")

    async def give(self, records: np.ndarray) -> None:
        """Answers of environments."""
        await self.send([sum(int(word) << 64 * i for i, word in enumerate(beat)) for beat in beats.pack(records)])

    async def send(self, words: list[int]) -> None:
        await One(AxisItem(words)).start(self.env.sources["s_axis_env"].sequencer)

    def iterate(self) -> None:
        """An iteration of the model."""
        rollout, self.observations = self.ppo.collect(self.envs, self.observations)
        self.ppo.train(rollout)
        COVERAGE.hit("no deviation", rollout.advantages.min() == rollout.advantages.max())
        self.ended += [(ret, int(length)) for _, _, ret, length in self.returns.ended(rollout).tolist()]

    async def iterations(self, count: int, new: bool, halts: bool = False) -> None:
        """`count`, by the model and then by the core, with every action compared. halts: TODO 0, and COMMAND.halt."""
        if new:
            first = self.envs.start()
            self.observations = first["obs"].astype(np.int64)
        self.envs.actions, self.envs.answers = [], []
        for _ in range(count):
            self.iterate()
            del self.envs.rollouts[:1]
        for k, action in enumerate(self.envs.actions):
            self.env.scoreboard.expect("m_axis_act", (action & 2**18 - 1, k % self.n_envs == self.n_envs - 1))
        self.predictor.moves.clear()
        await self.write("TODO", 0 if halts else count)
        await self.command("start" if new else "resume")
        assert await self.status("running")
        COVERAGE.hit("resume", not new)
        if new:
            await self.give(first)
        # An environment answers when it has its action: the last one of a turn may wait for an answer of the next turn.
        answers, together = np.concatenate(self.envs.answers), self.n_envs if self.settings.lockstep else 1
        for k in range(0, len(answers), together):
            for _ in range(together):
                await self._taken()
            if halts and k + together == len(answers):
                await self.command("halt")
                COVERAGE.hit("halt")
            await self.give(answers[k : k + together])
        COVERAGE.hit("lockstep", together > 1)
        await self.until_idle()
        assert not self.predictor.waiting
        COVERAGE.hit("iteration", count)

    async def _taken(self) -> None:
        for _ in range(PATIENCE * 15):
            if self.predictor.moves:
                self.predictor.moves.popleft()
                return
            await ClockCycles(cocotb.top.clk, 3)
        raise AssertionError("the core does not act")

    async def episodes(self) -> None:
        """What the registers say of episodes is what happened."""
        total = sum(int(ret * 2**REWARD_FRACTION) for ret, _ in self.ended)
        await self.check("EPISODES", len(self.ended))
        await self.check("RETURNS_LOW", total & 2**32 - 1)
        await self.check("RETURNS_HIGH", total >> 32 & 2**32 - 1)
        kept = self.ended[-KEPT:]
        places = {0, len(kept) - 1, *(self.rng.randrange(len(kept)) for _ in range(3))} if kept else ()
        for back in sorted(places):
            ret, length = kept[-1 - back]
            word = int(ret * 2**REWARD_FRACTION)
            await self.write("EPISODE", back)
            await self.check("EPISODE_LENGTH", length)
            await self.check("EPISODE_LOW", word & 2**32 - 1)
            await self.check("EPISODE_HIGH", word >> 32 & 2**16 - 1)
            COVERAGE.hit("episode")

    async def counters(self) -> None:
        """Saturations are the model's; large sums are counted by words."""
        first = self.map["SAT_NONE"].address
        for stage in range(model.COUNTERS):
            if stage != model.ACC_OVERFLOW:
                item = AxilItem(False, first + 4 * stage)
                await One(item).start(self.env.axil.sequencer)
                expected = int(self.ppo.counters[stage])
                self.env.scoreboard.check("s_axil", f"counter {stage}", item.data, expected, clock_number())


class Learn(PpoSequence):
    """A run, another one that goes on with it until it is halted, and a new one: weights, episodes, counters."""

    async def body(self) -> None:
        shape = self.shape
        await self.write("IRQ_ENABLE", 0b1011)
        await self.check("ID", 0x5250504F)
        await self.check(
            "PARAM0",
            shape.record_bits << 17
            | shape.gaussian << 16
            | shape.columns << 8
            | shape.actor.layers << 4
            | shape.critic.layers,
        )
        await self.check("PARAM2", shape.steps)
        await self.setup()
        await self.interrupt("host")
        await self.iterations(1, new=True)
        await self.interrupt("done", "iteration")
        await self.check("ITERATION", 1)
        await self.episodes()
        await self.compare((WEIGHTS,))
        await self.interrupt("host")
        await self.iterations(2, new=False, halts=True)
        await self.interrupt("done", "iteration")
        await self.check("ITERATION", 3)
        await self.episodes()
        await self.compare()
        await self.counters()
        assert await self.read("CLOCKS") > 3 * self.n_envs * self.settings.steps
        await self.command("clear_counters")
        await self.check("CLOCKS", 0)
        await self.flags()


class Extremes(PpoSequence):
    """Rollouts of equal numbers, which do not deviate, and of numbers at the ends of a record's codes and beyond."""

    async def body(self) -> None:
        first = Records(self.shape.record_bits or 8)
        one, (of_reward, of_value, _) = 1 << OUT_FRAC, first.steps.tolist()
        most = 1 << first.bits - 1
        within = [most - 1 << of_reward, -most << of_reward, -1 << of_reward, 1]
        # What the critic says, and rewards of each rollout, sfix(27,16). All steps end, so advantages are differences.
        for says, rollouts in (
            (0, [[0], [*within, 3 * one, -3 * one]]),
            (1, [[1], [1]]),
            (-16 * one, [[-2 << of_reward, 0]]),  # the greatest advantage's code, and one more
            (most - 1 << of_value, [[-1 << of_value, -one]]),  # the least, and less
        ):
            await self.setup(says=says)
            self.envs.rollouts = [[reward << REWARD_FRACTION - OUT_FRAC for reward in each] for each in rollouts]
            await self.trained(len(rollouts))
        for sign in (1, -1):
            await self.setup(bits=26, sign=sign)
            await self.trained(1)

    async def trained(self, count: int) -> None:
        """A run of `count` iterations."""
        await self.command("clear_counters")
        await self.iterations(count, new=True)
        await self.compare((WEIGHTS,))
        await self.counters()
        await self.flags()


class Elsewhere(PpoSequence):
    """Rollouts that were collected elsewhere: the core trains on them, and asks no environment."""

    async def body(self) -> None:
        await self.setup()
        self.observations = self.envs.start()["obs"].astype(np.int64)
        await self.write("EXTERNAL_ROLLOUT", 1)
        await self.iteration("start")
        await self.write("EXTERNAL_ROLLOUT", 0)  # a run keeps what it began with
        await self.iteration("resume")
        await self.check("EPISODES", 0)
        await self.compare()
        await self.flags()
        # Records that come while no run goes on, and those of a rollout that is given up.
        await self.send(self.records()[:2])
        await self.flags("DROPPED")
        await self.check("DROPPED", 2)
        await self.write("EXTERNAL_ROLLOUT", 1)
        await self.command("start")
        await self.send(self.records()[:-1])
        await self.command("abort")
        await self.until_idle("aborting", "running")
        await self.flags()
        await self.setup(lockstep=1)
        await self.iterations(1, new=True)
        await self.episodes()
        await self.compare((WEIGHTS,))

    def records(self) -> list[int]:
        """A rollout of the model, on which it trains."""
        rollout, self.observations = self.ppo.collect(self.envs, self.observations)
        self.ppo.train(rollout)
        return list(rollout_words(rollout, self.settings.gamma, cut=self.ppo.records is not None))

    async def iteration(self, command: str) -> None:
        records = self.records()
        await self.write("TODO", 1)
        await self.command(command)
        await self.send(records)
        await self.until_idle()
        COVERAGE.hit("external", len(records))


class Aborts(PpoSequence):
    """An abort at any time: what stands at a port stays, and the next run is whole."""

    async def body(self) -> None:
        for turn in range(3):
            await self.setup(weights=turn == 0)
            await self.command("abort")
            COVERAGE.hit("abort idle")
            await self.until_idle("aborting", "running")
            self.predictor.free = True
            self.predictor.moves.clear()
            if turn == 0:
                # A read: one word stays, the rest is forgotten.
                self.env.sinks["m_axis_read"].driver.stop()
                await self.host("read", "actor", WEIGHTS)
                await ClockCycles(cocotb.top.clk, 60)
                await self.command("abort")
                COVERAGE.hit("abort of a read")
                await self.until_idle("aborting", "host")
                assert await self.status("stale_read")
                COVERAGE.hit("stale read")
                self.env.sinks["m_axis_read"].driver.go()
                await self.until_idle("stale_read")
            else:
                # A run that waits with an action, or for an answer.
                if turn == 1:
                    self.env.sinks["m_axis_act"].driver.stop()
                await self.write("TODO", 0)
                await self.command("start")
                await self.give(self.envs.start())
                await ClockCycles(cocotb.top.clk, self.rng.randrange(600, 1200))
                await self.command("abort")
                COVERAGE.hit("abort running")
                await self.until_idle("aborting", "running")
                assert not await self.status("resumes")
                if turn == 1:
                    assert await self.status("stale_act")
                    COVERAGE.hit("stale action")
                    self.env.sinks["m_axis_act"].driver.go()
                    await self.until_idle("stale_act")
            await self.flags()
            self.predictor.free = False
            await self.setup()
            await self.iterations(1, new=True)
            await self.episodes()
            await self.compare((WEIGHTS,))


class Refusals(PpoSequence):
    """What may not be written changes nothing and is flagged."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 0b0100)
        await self.setup()
        columns, formats = self.shape.columns, self.ppo.formats
        for name, value in values_of(formats, self.settings, columns).items():
            await self.check(name, value)
        for name, value in (
            ("STEPS", 0),
            ("STEPS", self.shape.steps + 1),
            ("BATCH", 1),
            ("EPOCHS", 0),
            ("GAMMA", 1 << 18),
        ):
            kept = await self.read(name)
            await self.write(name, value)
            await self.interrupt("flag")
            await self.flags("CONFIG")
            await self.check(name, kept)
        await self.command("start", "read")
        await self.flags("CONFIG")
        await self.command("resume")  # there was no run
        await self.flags("BUSY")
        fits = await self.read("NET0_ACT_FRAC")
        await self.write("NET0_ACT_FRAC", 12)
        assert not await self.status("formats_fit")
        await self.command("start")
        await self.flags("FORMAT")
        assert not await self.status("running")
        await self.write("NET0_ACT_FRAC", fits)
        # An answer that nobody waits for.
        await self.give(self.envs.start()[:1])
        await ClockCycles(cocotb.top.clk, 10)
        await self.flags("DROPPED")
        assert await self.read("DROPPED") == 1
        # While a run goes on.
        await self.command("start")
        await self.write("GAMMA", 5)
        await self.flags("BUSY")
        await self.command("start")
        await self.flags("BUSY")
        await self.command("fresh")
        await self.flags("BUSY")
        for command in ("load", "read"):
            await self.command(command)
            await self.flags("HOST")
        await self.command("abort", "start")
        await self.until_idle("aborting", "running")
        await self.flags()
        await self.iterations(1, new=True)
        await self.compare()
        await self.crowd()


class Resets(PpoSequence):
    """A reset at any time leaves a core as after the first one."""

    async def body(self) -> None:
        for turn in range(2):
            await self.setup(weights=turn == 0)
            self.predictor.free = True
            await self.command("start")
            cocotb.start_soon(self.give(self.envs.start()))
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 900))
            await reset(cocotb.top, self.rng.choice([1, 3]))
            COVERAGE.hit("reset")
            await self.check("STATUS", self.map["STATUS"].by_name["formats_fit"].mask)
            for name, register in self.map.items():
                if register.mask("rw"):
                    await self.check(name, register.reset)
            self.predictor.free = False
            await self.setup()
            await self.iterations(1, new=True)
            await self.compare((WEIGHTS,))


class Registers(PpoSequence):
    """What is written is kept, each register by itself, up to its limits and not beyond; a reset takes it back."""

    async def body(self) -> None:
        self.map = registers.load("ppo", parameters(cocotb.top, "ppo"))
        for number in range(2):
            await reset(cocotb.top)
            for name, register in self.map.items():
                if name not in EMPTY:
                    await self.check(name, register.reset, f"{name} after reset {number}")
            kept = {name: self.legal(name) for name, register in self.map.items() if register.mask("rw")}
            for name in self.rng.sample(sorted(kept), len(kept)):
                await self.write(name, kept[name])
            for name, value in kept.items():
                await self.check(name, value, f"{name} as written after reset {number}")
            await self.check("FLAGS", 0, "no flag behind writes that fit")
            for name, (least, most) in self.limits().items():
                for value in {most + 1, max(least - 1, 0)} - {least, 1 << 32}:
                    await self.write(name, value)
                    await self.flags("CONFIG")
                    await self.check(name, kept[name], f"{name} behind {value}")
            # A byte without its strobe clears no flag.
            await self.write("EPOCHS", 0)
            item = AxilItem(True, self.map["FLAGS"].address, 2**32 - 1, skip=1)
            await One(item).start(self.env.axil.sequencer)
            await self.flags("CONFIG")
        COVERAGE.hit("registers")

    def limits(self) -> dict[str, tuple[int, int]]:
        """The least and the largest number that a register takes, where that is not all that its fields hold."""
        fractions = dict.fromkeys(("GAMMA", "GAMMA_LAMBDA", "REWARD_SCALE", "VALUE"), (0, 1 << 17))
        lengths = {"STEPS": (1, self.shape.steps), "BATCH": (2, self.shape.minibatch), "EPOCHS": (1, 255)}
        return {
            **fractions,
            **lengths,
            "BATCH_BITS": (0, 12),
            "LOGS_FRAC": (10, 20),
            "EPISODE": (0, 127),
            "HOST": (0, 7),
        }

    def legal(self, name: str) -> int:
        """Some value that the register takes, often its least or its largest."""
        if name in self.limits():
            least, most = self.limits()[name]
            return self.rng.choice((least, most, self.rng.randint(least, most)))
        word = 0
        for field in self.map[name].fields:
            most = (1 << field.width) - 1
            word |= self.rng.choice((int(name == "BATCH_SLICES"), most, self.rng.randint(1, most))) << field.low
        return word
