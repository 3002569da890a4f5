"""Sequences of the PPO core behind AXI: what software and environments do, and what they should not do."""

import random

import cocotb
import numpy as np
from cocotb.triggers import ClockCycles
from ppo_uvm import COVERAGE, PpoEnv
from uvm_axil import AxilItem
from uvm_axis import AxisItem
from uvm_bench import One, clock_number, reset
from uvm_core import CoreSequence

from rlcores.cores.env import beats
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.physics import REWARD_FRACTION
from rlcores.cores.learner.format import Formats as NetworkFormats
from rlcores.cores.learner.layout import MOMENT, SQUARES, WEIGHTS, Layout
from rlcores.cores.ppo import model, settings
from rlcores.cores.ppo.driver import KEPT
from rlcores.cores.ppo.registers import registers as values_of
from rlcores.train.chip import Episodes

PATIENCE = 300  # looks of 50 clocks before the core counts as stuck
PLANES = WEIGHTS, MOMENT, SQUARES
TIME_LIMIT = 7  # so that episodes are cut off


class Recorder:
    """Environments that keep what was done in them and what they answered."""

    def __init__(self, envs: EnvModel) -> None:
        self.envs, self.actions, self.answers = envs, [], []

    def step(self, actions: np.ndarray) -> np.ndarray:
        self.actions += actions.tolist()
        self.answers.append(self.envs.step(actions))
        COVERAGE.hit("cut off", bool((self.answers[-1]["truncated"] & ~self.answers[-1]["terminated"]).any()))
        COVERAGE.hit("terminated", bool(self.answers[-1]["terminated"].any()))
        return self.answers[-1]


class PpoSequence(CoreSequence):
    """Software on the registers, environments on the streams, the model beside them."""

    def __init__(self, env: PpoEnv, rng: random.Random) -> None:
        super().__init__(env, rng)
        self.shape = env.predictor.shape
        self.n_envs = self.shape.environments
        self.layouts = {name: Layout(net) for name, net in self.shape.networks.items()}

    async def status(self, name: str) -> int:
        return (await self.read("STATUS") & self.map["STATUS"].by_name[name].mask) != 0

    async def command(self, *names: str) -> None:
        await self.write("COMMAND", sum(self.map["COMMAND"].by_name[name].mask for name in names))

    async def flags(self, *names: str) -> None:
        """These flags are raised, and no others but SATURATED, with their interrupt; forget them."""
        fields = self.map["FLAGS"].by_name
        found = await self.read("FLAGS") & ~fields["SATURATED"].mask
        wanted = sum(fields[name].mask for name in names)
        self.env.scoreboard.check("s_axil", f"flags {names}", found, wanted, clock_number())
        for name in names:
            COVERAGE.hit(f"flag.{name}")
        await self.write("FLAGS", self.map["FLAGS"].mask("w1c"))

    async def interrupt(self, *names: str) -> None:
        """The line is high and these are set; forget all."""
        fields = self.map["IRQ_STATUS"].by_name
        assert int(cocotb.top.irq.value), f"no interrupt for {names}"
        found = await self.read("IRQ_STATUS")
        for name in names:
            assert found & fields[name].mask, f"IRQ_STATUS.{name} is 0"
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

    async def setup(self) -> None:
        """Any settings and weights, into the core and into a model; environments that have not begun."""
        rng, shape = np.random.default_rng(self.rng.getrandbits(32)), self.shape
        made = [NetworkFormats((14, *(13,) * (n - 1), 16), (0, *(12,) * (n - 1), 13), (0, *range(18, 18 + n)))
                for n in (shape.actor.layers, shape.critic.layers)]  # fmt: skip
        formats = settings.Formats(*made)
        self.settings = settings.registers(
            formats, gaussian=False, envs=self.n_envs, steps=shape.steps, minibatches=shape.minibatches, epochs=2,
            entropy=0.02, learning_rate=0.01, norm_limit=0.3, value_clip=float(rng.choice([0, 0.5])), falls=4,
            seed=self.rng.getrandbits(32),
        )  # fmt: skip
        self.ppo = model.Ppo(shape.actor.sizes, shape.critic.sizes, formats, self.settings, columns=shape.columns)
        for name, value in values_of(formats, self.settings, shape.columns).items():
            await self.write(name, value, posted=self.rng.random() < 0.5)
        assert await self.status("formats_fit")
        for name in self.layouts:
            network = getattr(self.ppo, name)
            network.start(rng.integers(-(1 << 21), 1 << 21, network.size))
            for plane in PLANES:
                await self.load(name, plane)
        await self.command("fresh")
        self.envs = EnvModel(CartPole(), self.n_envs, TIME_LIMIT)
        self.returns = Episodes(np.zeros(self.n_envs))
        self.ended: list[tuple[float, int]] = []

    def words(self, name: str, plane: int) -> list[int]:
        return [int(x) & 2**64 - 1 for x in self.layouts[name].to_stream(getattr(self.ppo, name).matrices(plane))]

    async def host(self, command: str, name: str, plane: int) -> None:
        await self.write("HOST", plane | (name == "actor") << 2)
        await self.command(command)

    async def load(self, name: str, plane: int) -> None:
        await self.host("load", name, plane)
        await One(AxisItem(self.words(name, plane))).start(self.env.sources["s_axis_load"].sequencer)
        await self.until_idle("host")

    async def compare(self) -> None:
        """Every plane of the core is the model's."""
        for name in self.layouts:
            for plane in PLANES:
                words = self.words(name, plane)
                self.predictor.expected["read"] += [(word, k == len(words) - 1) for k, word in enumerate(words)]
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
        words = [sum(int(word) << 64 * i for i, word in enumerate(beat)) for beat in beats.pack(records)]
        await One(AxisItem(words)).start(self.env.sources["s_axis_env"].sequencer)

    async def iterations(self, count: int, new: bool, halts: bool = False) -> None:
        """So many, by the model and then by the core, with every action compared. halts: TODO 0, and COMMAND.halt."""
        recorder = Recorder(self.envs)
        if new:
            self.observations = None
            self.start = self.envs.start(self.rng.getrandbits(32))
            self.observations = self.start["obs"].astype(np.int64)
        for _ in range(count):
            rollout, self.observations = self.ppo.collect(recorder, self.observations)
            self.ppo.train(rollout)
            self.ended += [(ret, int(length)) for _, _, ret, length in self.returns.ended(rollout).tolist()]
        for k, action in enumerate(recorder.actions):
            self.predictor.expected["act"].append((int(action), k % self.n_envs == self.n_envs - 1))
        self.predictor.moves.clear()
        await self.write("TODO", 0 if halts else count)
        await self.command("start" if new else "resume")
        assert await self.status("running")
        COVERAGE.hit("resume", not new)
        if new:
            await self.give(self.start)
        for k, answers in enumerate(recorder.answers):
            await self._taken(self.n_envs)
            await self.give(answers)
            if halts and k == len(recorder.answers) - 2:
                await self.command("halt")
                COVERAGE.hit("halt")
        await self.until_idle()
        assert not self.predictor.waiting
        COVERAGE.hit("iteration", count)

    async def _taken(self, count: int) -> None:
        for _ in range(PATIENCE * 15):
            if len(self.predictor.moves) >= count:
                for _ in range(count):
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
            if stage != model.RANGE:
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
        await self.check("PARAM0", shape.columns << 8 | shape.actor.layers << 4 | shape.critic.layers)
        await self.check("PARAM2", shape.steps)
        await self.setup()
        await self.interrupt("host")
        await self.iterations(1, new=True)
        await self.interrupt("done", "iteration")
        await self.check("ITERATION", 1)
        await self.episodes()
        await self.compare()
        await self.interrupt("host")
        await self.iterations(2, new=False, halts=True)
        await self.interrupt("done", "iteration")
        await self.check("ITERATION", 3)
        await self.episodes()
        await self.compare()
        await self.counters()
        assert await self.read("CLOCKS") > 3 * shape.records
        await self.command("clear_counters")
        await self.check("CLOCKS", 0)
        await self.flags()


class Aborts(PpoSequence):
    """An abort at any time: what stands at a port stays, and the next run is whole."""

    async def body(self) -> None:
        for turn in range(3):
            await self.setup()
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
                assert await self.status("left_read")
                COVERAGE.hit("left read")
                self.env.sinks["m_axis_read"].driver.go()
                await self.until_idle("left_read")
            else:
                # A run that waits with an action, or for an answer.
                if turn == 1:
                    self.env.sinks["m_axis_act"].driver.stop()
                await self.write("TODO", 0)
                await self.command("start")
                await self.give(self.envs.start(3))
                await ClockCycles(cocotb.top.clk, self.rng.randrange(600, 1200))
                await self.command("abort")
                COVERAGE.hit("abort running")
                await self.until_idle("aborting", "running")
                assert not await self.status("resumes")
                if turn == 1:
                    assert await self.status("left_act")
                    COVERAGE.hit("left action")
                    self.env.sinks["m_axis_act"].driver.go()
                    await self.until_idle("left_act")
            await self.flags()
            self.predictor.free = False
            await self.setup()
            await self.iterations(1, new=True)
            await self.episodes()
            await self.compare()


class Refusals(PpoSequence):
    """What may not be written changes nothing and is flagged."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 0b0100)
        await self.setup()
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
        fits = await self.read("ACT_FRAC")
        await self.write("ACT_FRAC", 12)
        assert not await self.status("formats_fit")
        await self.command("start")
        await self.flags("FORMAT")
        assert not await self.status("running")
        await self.write("ACT_FRAC", fits)
        # An answer that nobody waits for.
        await self.give(self.envs.start(1)[:1])
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
        for _ in range(2):
            await self.setup()
            self.predictor.free = True
            await self.command("start")
            cocotb.start_soon(self.give(self.envs.start(2)))
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 900))
            await reset(cocotb.top, self.rng.choice([1, 3]))
            COVERAGE.hit("reset")
            await self.check("STATUS", self.map["STATUS"].by_name["formats_fit"].mask)
            self.predictor.free = False
            await self.setup()
            await self.iterations(1, new=True)
            await self.compare()
