"""What software does with the agent core: runs beside the model, ends of every kind, and what is refused."""

import random
from dataclasses import replace

import cocotb
import numpy as np
from agent_uvm import COVERAGE, AgentEnv
from cocotb.task import bridge
from pyuvm import uvm_sequence
from replay_cases import formats, start, state_of_all
from replay_memory import Recorded, SequencedBus
from uvm_axil import AxilItem
from uvm_bench import One, clock_number, parameters, reset

from rlcores.buses.bus import BusError
from rlcores.cores.agent.driver import AGENT, AgentDriver, AgentError
from rlcores.cores.agent.model import EPSILON_BITS, SHIFT_MAX, AgentModel, Schedule, policy_of
from rlcores.cores.common.draws import state_of
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learner.format import WEIGHT_WIDTH
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.eda import registers

WEIGHT_MAX = 1 << WEIGHT_WIDTH - 1
KEPT = 64  # returns that wait for software
NOWHERE = 0x3004  # no register
EMPTY = {"ENDED_LOW", "ENDED_HIGH"}  # mean nothing while no episode has ended
# The largest numbers that a register takes; where none is said, all that its fields hold.
LARGEST = {name: 1 << EPSILON_BITS for name in ("EPSILON", "EPSILON_END", "EPSILON_FALL")}
LARGEST |= {"SCHEDULE.lag": 2, "ACTION.shift": SHIFT_MAX}
SATURATED = (
    "SATURATED1",
    "SATURATED2",
    "SATURATED3",
    "SATURATED4",
    "HEAD_SATURATED",
    "ACC_OVERFLOW",
)  # PolicyModel.counters from 1 on
POSITIVE = {"TRAIN_FREQ", "GRADIENT_STEPS", "STARTS"}


class AgentSequence(uvm_sequence):
    """Drivers over the environment's agents, and the model beside them."""

    def __init__(self, env: AgentEnv, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env, self.random = env, rng
        self.rng = np.random.default_rng(rng.getrandbits(32))
        self.bus = SequencedBus(env, env.memory.ram)
        self.core = parameters(cocotb.top, "agent")
        self.begun, self.without = 0, rng.randrange(2)  # which begins of three have no noise

    async def begin(self, schedule: Schedule, ahead: int) -> None:
        """Core and model with the same start, behind a reset, which also forgets when the target was last updated."""
        await reset(cocotb.top)
        self.env.memory.ram.restart()
        self.env.words.clear()
        self.env.predictor.free = True
        await bridge(self._begin)(schedule, ahead)
        COVERAGE.hit(f"lag.{schedule.lag}")
        COVERAGE.hit(f"rounds.{'one' if schedule.train_freq == 1 else 'more'}")
        COVERAGE.hit(f"ahead.{'some' if ahead else 'none'}")

    def _begin(self, schedule: Schedule, ahead: int) -> None:
        rng = self.rng
        self.begun += 1
        self.real, exact = AgentDriver(self.bus), Recorded(self.core)
        real = self.real
        self.slots = int(rng.integers(self.core["WRITES"] + 5, self.core["WRITES"] + 9))
        start(rng, real.loop, exact, batch=int(rng.integers(1, 6)), capacity=self.slots, ahead=ahead)
        policy = policy_of(exact.learner.shape, formats(exact.learner.shape))
        limit = int(rng.integers(1, 6))
        real.write_register("TIME_LIMIT", limit)
        self.exact = agent = AgentModel(EnvModel(real.physics, real.n_envs, limit), policy, exact)
        real.act_frac = policy.act_frac
        if policy.continuous:
            scale, noise = int(rng.integers(1, 1 << 17)), self.begun % 3 != self.without
            real.settings = agent.settings = replace(agent.settings, scale=scale, noise=noise)
            real.log_deviation = agent.log_deviation = int(rng.integers(-(1 << 24), 1 << 22))
            real.shift = agent.shift = int(rng.integers(0, SHIFT_MAX + 1))
            real.configure()  # the deviation counts with the next weights
            real.loop.learner.load(exact.learner.read(WEIGHTS, True), WEIGHTS, True)
        one = 1 << EPSILON_BITS
        real.schedule = agent.schedule = schedule
        real.epsilon_first = agent.epsilon = one
        real.epsilon_end = agent.epsilon_end = one >> 3
        real.epsilon_fall = agent.epsilon_fall = one >> 3
        agent.reload()
        state, acting = (state_of(int(rng.integers(2**63))) for _ in range(2))
        real.begin(state, acting)
        agent.begin(state, acting)

    async def run(self, blocks: int) -> None:
        """A run of the model, and then of the core, whose bursts are compared with the model's."""
        predictor = self.env.predictor
        self.exact.loop.tell = predictor.expect
        predictor.free = False
        self.exact.run(blocks)
        await bridge(self.real.run)(blocks)
        predictor.free = True
        assert not predictor.waiting, f"{predictor.waiting} bursts never came"
        COVERAGE.hit("run")
        COVERAGE.hit("gradient step", self.real.schedule.gradient_steps * self.real.schedule.training_blocks(blocks))

    async def compare(self, what: str) -> None:
        """All that software sees of the core is the model's."""
        await bridge(self._compare)(what)

    def _compare(self, what: str) -> None:
        real, exact = self.real, self.exact
        actual, wanted = (state_of_all(each.loop, self.slots) for each in (real, exact))
        returns = exact.take_returns()
        actual |= real.counters | {"epsilon": real.epsilon, "returned": real.returned, "returns": real.take_returns()}
        wanted |= {name: exact.counters[name] for name in real.counters}
        wanted |= {"epsilon": exact.epsilon, "returned": exact.returned, "returns": returns[:KEPT]}
        for name, value in wanted.items():
            self.env.scoreboard.check("state", f"{name} {what}", actual[name], value, clock_number())
        saturated = exact.policy.counters[1:7]
        for name, value in zip(SATURATED, saturated, strict=True):
            self.env.scoreboard.check("state", f"{name} {what}", real.read_register(name), value, clock_number())
        assert real.flags() - {"LOST"} == ({"SATURATED"} if saturated.any() else set()), (real.flags(), saturated)
        COVERAGE.hit("episode", exact.counters["episodes"])
        COVERAGE.hit("return", len(returns))

    def interrupt(self, name: str) -> None:
        """The interrupt is there once it is enabled, and goes when it is cleared."""
        real, mask = self.real, self.real._mask("IRQ_STATUS", name)
        real._put("IRQ_ENABLE", mask)
        self.bus.wait_irq()
        real._put("IRQ_STATUS", mask)
        assert not real.read_register("IRQ_STATUS") & mask and not int(cocotb.top.irq.value)
        real._put("IRQ_ENABLE", 0)
        COVERAGE.hit(f"interrupt.{name}")


class Registers(AgentSequence):
    """What is written is kept, each register by itself, and a reset takes all of it back."""

    async def body(self) -> None:
        self.map = registers.load("agent", self.core)
        for number in range(3):
            await reset(cocotb.top)
            await self.settle()
            for name, register in self.map.items():
                if name not in EMPTY:
                    await self.check(name, register.reset, f"after reset {number}")
            kept = {name: self.legal(name) for name, r in self.map.items() if r.mask("rw") and name != "HALT"}
            for name in self.random.sample(sorted(kept), len(kept)):
                await self.put(name, kept[name])
            for name, value in kept.items():
                await self.check(name, value, f"as written after reset {number}")
            await self.check("FLAGS", 0, "behind writes that fit")
        COVERAGE.hit("registers")

    def legal(self, name: str) -> int:
        """Some value that the register takes, often its least or its largest."""
        word = 0
        for field in self.map[name].fields:
            path = f"{name}.{field.name}"
            most = LARGEST.get(name, LARGEST.get(path, (1 << field.width) - 1))
            least = int(name in POSITIVE)
            word |= self.random.choice((least, most, self.random.randint(least, most))) << field.low
        return word

    async def settle(self) -> None:
        """Until the core is idle: the tree clears itself first."""
        while not await self.get("STATUS") & self.map["STATUS"].by_name["idle"].mask:
            pass

    async def get(self, name: str) -> int:
        item = AxilItem(False, AGENT + self.map[name].address)
        await One(item).start(self.env.axil.sequencer)
        return item.data

    async def put(self, name: str, value: int) -> None:
        await One(AxilItem(True, AGENT + self.map[name].address, value)).start(self.env.axil.sequencer)

    async def check(self, name: str, wanted: int, what: str) -> None:
        self.env.scoreboard.check("register", f"{name} {what}", await self.get(name), wanted, clock_number())


class Runs(AgentSequence):
    """Runs with every lag, each in two parts."""

    async def body(self) -> None:
        for lag in self.random.sample(range(3), 3):
            rounds = self.random.randint(2, 3) if lag == 1 else 1
            ahead = self.random.randint(1, self.core["AHEAD_MAX"]) if lag else 0
            schedule = Schedule(rounds, self.random.randint(1, 3), self.random.randint(1, 3), lag)
            await self.begin(schedule, ahead)
            for blocks in (self.random.randint(1, 5), schedule.learning_starts + 3):
                await self.run(blocks)
            await self.compare(f"after runs with {schedule}")
            await bridge(self.interrupt)("done")


class Limits(AgentSequence):
    """Weights whose sums fit no layer: what is clipped is counted, and flagged once until the counters are cleared."""

    async def body(self) -> None:
        await self.begin(Schedule(1, 1, 1, 0), 0)
        await bridge(self.widen)()
        await self.run(4)
        await self.compare("with saturated numbers")
        await bridge(self.flagged_once)()
        await self.run(2)
        await bridge(self.flagged_once)()
        await bridge(self.flagged_anew)()
        COVERAGE.hit("saturated")

    def widen(self) -> None:
        """The largest weights in the network that acts, of both signs."""
        actor = self.real.loop.learner.shape.actor is not None
        largest = [
            (np.where(w < 0, -1, 1) * (WEIGHT_MAX - 1), np.where(b < 0, -1, 1) * (WEIGHT_MAX - 1))
            for w, b in self.exact.weights()
        ]
        for driver in (self.exact.loop, self.real.loop):
            driver.learner.load(largest, WEIGHTS, actor)
        self.exact.reload()

    def flagged_once(self) -> None:
        """A flag that was cleared stays so, while the counters stay."""
        self.real.clear_flags()
        assert "SATURATED" not in self.real.flags() and self.exact.policy.counters[1]

    def flagged_anew(self) -> None:
        """Behind cleared counters the next saturated number raises it."""
        self.real._command("clear_counters")
        assert "SATURATED" not in self.real.flags()
        self.real.run(1)
        assert "SATURATED" in self.real.flags()


class Ends(AgentSequence):
    """Runs without end are stopped and halted; what cannot be is refused; then a run is the model's."""

    async def body(self) -> None:
        schedule = Schedule(2, 2, 2, 1)
        await self.begin(schedule, 1)
        for free in (0, 1):
            await bridge(self.stops)(free)
        await bridge(self.halts)()
        await bridge(self.halts_shortly)()
        await bridge(self.refusals)()
        await self.crowd()
        await self.begin(schedule, 1)
        await self.run(4)
        await self.compare("after a halt")

    async def crowd(self) -> None:
        """Accesses of which none waits for the answer to the one before."""
        address = AGENT + self.real._map["IRQ_STATUS"].address
        for write in (False, True):
            for _ in range(8):
                await One(AxilItem(write, address, posted=True)).start(self.env.axil.sequencer)
        await One(AxilItem(False, address)).start(self.env.axil.sequencer)

    def stops(self, free: int) -> None:
        """A run without end is stopped: whole blocks, each experience stored."""
        real, schedule = self.real, self.real.schedule
        before, trained = real.counters, real.loop.counters()["batches"]
        real.configure()
        real.write_register("SCHEDULE", free << 8 | schedule.lag)
        real.write_register("BLOCKS", 0)
        real._command("start")
        real.loop.start(0)
        for _ in range(self.random.randrange(10, 60)):
            real.status("idle")
        self.refused("TRAIN_FREQ", 3, "BUSY")
        real._command("stop")
        while real.status("running"):
            pass
        real.loop.stop()
        real.loop.wait()
        while not real.status("idle"):
            pass
        steps, blocks = (real.counters[name] - before[name] for name in ("steps", "blocks"))
        assert blocks > 0 and steps == blocks * schedule.train_freq * real.n_envs
        trained = real.loop.counters()["batches"] - trained
        due = schedule.gradient_steps * schedule.training_blocks(blocks)
        assert free or trained >= due - 2 * self.core["AHEAD_MAX"] - 2, (trained, blocks)
        assert real.loop.counters()["committed"] == real.counters["steps"]
        COVERAGE.hit("free" if free else "stopped", blocks)

    def halts(self) -> None:
        """Whatever goes on is cut off; then the core is at rest."""
        real = self.real
        real.write_register("BLOCKS", 0)
        real._command("start")
        real.loop.start(0)
        for _ in range(self.random.randrange(40)):
            real.status("idle")
        real.halt()
        real.loop.learner.stop()
        assert real.status("idle") and not real.status("running")
        COVERAGE.hit("halt")

    def halts_shortly(self) -> None:
        """A halt of a few clocks while environments step, and no batch is sampled: no answer comes later."""
        real, actor = self.real, self.real.loop.learner.shape.actor is not None
        real.loop.learner.load(real.loop.learner.read(WEIGHTS, actor), WEIGHTS, actor)
        real.begin(*(state_of(int(self.rng.integers(2**63))) for _ in range(2)))
        real.write_register("STARTS", 1 << 20)
        real._command("start")
        for _ in range(self.random.randrange(10, 30)):
            real.status("idle")
        real._put("HALT", 1)
        real._put("HALT", 0)
        real.loop.abort()
        real.loop.learner.load(real.loop.learner.read(WEIGHTS, actor), WEIGHTS, actor)
        before = real.counters["steps"]
        assert before > 0
        # A run that nobody has begun episodes for has nothing to act on.
        real._command("start")
        for _ in range(40):
            assert real.status("running")
        assert real.counters["steps"] == before
        real._command("stop")
        while not real.status("idle"):
            pass
        COVERAGE.hit("short halt")

    def refused(self, name: str, value: int, flag: str) -> None:
        """A write is not heeded, and flagged."""
        before = self.real.read_register(name)
        try:
            self.real.write_register(name, value)
        except AgentError as error:
            assert f"({flag})" in str(error), error
        else:
            raise AssertionError(f"{name} = {value} was taken")
        assert not self.real.flags() & set(self.real.REFUSALS), "a flag stays though it was cleared"
        assert self.real.read_register(name) == before
        COVERAGE.hit(f"flag.{flag}")

    def refusals(self) -> None:
        """What does not fit, and no register."""
        real = self.real
        real._put("IRQ_STATUS", real._mask("IRQ_STATUS", "flag", "done"))
        for name, value in (
            *(("TRAIN_FREQ", 0), ("GRADIENT_STEPS", 0), ("STARTS", 0), ("SCHEDULE", 3)),
            *(("EPSILON", 2**31 + 1), ("ACTION", (SHIFT_MAX + 1) << 17)),
        ):
            self.refused(name, value, "CONFIG")
        self.interrupt("flag")
        real.write_register("SCHEDULE", 2)
        real.write_register("TRAIN_FREQ", 2)
        self.refused("COMMAND", real._mask("COMMAND", "start"), "CONFIG")
        real._put("HALT", 1)
        real.write_register("TRAIN_FREQ", 1)
        self.refused("COMMAND", real._mask("COMMAND", "start"), "CONFIG")
        real._put("HALT", 0)
        assert real.status("idle")
        try:
            self.bus.read(NOWHERE)
        except BusError:
            COVERAGE.hit("axil.slverr")
