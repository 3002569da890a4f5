"""The agent between environments in Python and cocotbext-axi's masters and RAM is the model, whatever waits."""

import json
import os
import random
from collections import Counter, deque
from dataclasses import replace

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pack, start_clock, write
from cocotb.task import bridge
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from foreign_bus import ForeignBus, watch
from replay_cases import formats, model, same, start, state_of_all
from uvm_bench import clock_number, parameters

from rlcores.cores.agent.model import SHIFT_MAX, AgentModel, Schedule, policy_of
from rlcores.cores.common.draws import state_of
from rlcores.cores.env import beats
from rlcores.cores.env.environments import named
from rlcores.cores.env.model import EnvModel
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver

LIMIT = 3  # steps of an episode at most
EVENTS = ("step", "block", "ended", "terminated", "published", "dropped")


class Plant:
    """N environments behind the agent's stream. Either side waits as often as `share` says."""

    def __init__(self, dut, envs: EnvModel) -> None:
        self.dut, self.envs, self.share = dut, envs, 0.0
        self.answers: deque[int] = deque()
        self.actions: list[int] = []
        self.fastest: int | None = None  # clocks from an answer to its action at the least
        self.numbers = not envs.physics.actions  # an action is a number, and not an index

    def begin(self, state: tuple[int, ...]) -> None:
        """All episodes begin anew."""
        self.answers.clear()
        self._give(self.envs.start(state=state))

    def _give(self, observed: np.ndarray) -> None:
        bits = beats.width(observed["obs"].shape[1])
        for words in beats.pack(observed):
            beat = pack(words, 64)
            assert beat < 1 << bits
            self.answers.append(beat)

    async def run(self) -> None:
        """Answers and actions, clock by clock."""
        dut, edge, offered = self.dut, RisingEdge(self.dut.clk), False
        taken_at: deque[int] = deque()  # answers whose actions are to come
        while True:
            await ReadOnly()
            clock = clock_number()
            taken = offered and int(dut.s_env_ready.value)
            HITS["answers wait"] += offered and not taken
            acts = int(dut.m_env_valid.value) and int(dut.m_env_ready.value)
            action = int(dut.m_env_data.value) if acts else 0
            if int(dut.rst.value) or int(dut.again.value):
                taken_at.clear()
            elif int(dut.m_env_valid.value):
                self.fastest = min(self.fastest or clock, clock - taken_at[0])
                if acts:
                    taken_at.popleft()
            if taken:
                taken_at.append(clock)
            HITS["actions wait"] += int(dut.m_env_valid.value) and not acts
            await edge
            if taken:
                self.answers.popleft()
                offered = False
            if acts and not int(dut.abort_in.value):
                self.actions.append(action)
                if self.numbers:
                    action -= (action >> 17) << 18
                self._give(self.envs.step(np.array([action])))
            if not offered and self.answers and not int(dut.abort_in.value) and random.random() >= self.share:
                offered = True
                dut.s_env_data.value = self.answers[0]
            dut.s_env_valid.value = offered
            dut.m_env_ready.value = random.random() >= self.share


async def count(dut, counted: Counter, returns: list[int]) -> None:
    """What the core says that it did, and the sums of its episodes."""
    edge = RisingEdge(dut.clk)
    while True:
        await edge
        for name in EVENTS:
            counted[name] += int(getattr(dut, f"ev_{name}").value)
        if int(dut.ev_ended.value):
            returns.append(dut.ev_return.value.to_signed())


def pulse_of(dut, name: str):
    """A function that pulses an input, for a thread."""

    async def pulse() -> None:
        getattr(dut, name).value = 1
        await RisingEdge(dut.clk)
        getattr(dut, name).value = 0
        await ClockCycles(dut.clk, 3)

    return pulse


async def until_idle(dut) -> None:
    for _ in range(40_000):
        await RisingEdge(dut.clk)
        if int(dut.idle.value):
            return
    raise AssertionError("the run does not end")


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def acting_and_learning_are_the_models_whatever_waits(dut):
    core = parameters(dut, "replay_learner")
    n_envs = json.loads(os.environ["RLCORES_PARAMETERS"])["N_ENVS"]
    start_clock(dut.clk)
    quiet = ("start", "stop", "again", "abort_in", "cfg_free", "sat_clear", "s_env_valid", "m_env_ready")
    write(dut, *quiet, rst=1)
    share = random.choice((0.0, 0.2, 0.6))
    bus = ForeignBus(dut, ("s_axis_load",), ("m_axis_read",), share=share / 2, memory="m_axi")
    numbers = ":" in str(core["SIZES"])
    physics = named("pendulum" if numbers else "cartpole")
    plant = Plant(dut, EnvModel(physics, n_envs, LIMIT))
    counted: Counter[str] = Counter()
    returns: list[int] = []
    cocotb.start_soon(watch(dut, HITS, "m_axi"))
    await ClockCycles(dut.clk, 6)
    await bus._reset()
    cocotb.start_soon(plant.run())
    cocotb.start_soon(count(dut, counted, returns))

    for turn in range(3):
        if turn:
            await bus._reset()  # which also forgets when the target was last updated
        rng = np.random.default_rng(random.getrandbits(32))
        lag, ahead = turn, int(rng.integers(0, core["AHEAD_MAX"] + 1))
        rounds = int(rng.integers(1, 4)) if lag < 2 else 1
        # Nothing waits in the first turn, and its second block acts with the weights of the first one.
        plant.share, starts = (share, int(rng.integers(1, 4))) if turn else (0.0, int(rng.integers(2, 4)))
        schedule = Schedule(rounds, int(rng.integers(1, 4)), starts, lag)
        batch, slots = int(rng.integers(1, 6)), int(rng.integers(core["WRITES"] + 5, core["WRITES"] + 9))
        real, exact = await bridge(ReplayLearnerDriver)(bus, 0), model(core)
        scale, noise, log_std = (
            int(rng.integers(1, 1 << 17)),
            bool(rng.integers(4)),
            int(rng.integers(-(1 << 24), 1 << 22)),
        )
        shift = int(rng.integers(0, SHIFT_MAX + 1))
        write(dut, cfg_scale=scale, cfg_noise=noise, cfg_shift=shift, cfg_log_std=log_std & (1 << 27) - 1)
        await bridge(start)(rng, real, exact, batch=batch, capacity=slots, ahead=ahead)
        await ClockCycles(dut.clk, 4)
        model_formats = formats(real.learner.shape)
        agent = AgentModel(EnvModel(physics, n_envs, LIMIT), policy_of(exact.learner.shape, model_formats), exact)
        act_frac = agent.policy.act_frac
        agent.schedule = schedule
        if numbers:
            agent.settings = replace(agent.settings, scale=scale, noise=noise)
            agent.log_deviation, agent.shift = log_std, shift
        agent.epsilon, agent.epsilon_end, agent.epsilon_fall = 1 << 31, 1 << 28, 1 << 28
        agent.reload()
        dut.cfg_act_frac.value = sum(frac << 5 * i for i, frac in enumerate(act_frac))
        dut.cfg_epsilon.value, dut.cfg_epsilon_end.value, dut.cfg_epsilon_fall.value = 1 << 31, 1 << 28, 1 << 28
        dut.cfg_train_freq.value, dut.cfg_gradient_steps.value = schedule.train_freq, schedule.gradient_steps
        dut.cfg_starts.value, dut.cfg_lag.value = schedule.learning_starts, lag
        state, acting = (state_of(int(rng.integers(2**63))) for _ in range(2))
        dut.cfg_seed.value = pack(acting, 32)
        await pulse_of(dut, "again")()
        await ClockCycles(dut.clk, 4)
        plant.begin(state)
        agent.begin(state, acting)
        before, ended, acted = Counter(counted), len(returns), len(plant.actions)
        for blocks in (int(rng.integers(1, 6)), schedule.learning_starts + 2):
            dut.cfg_blocks.value = blocks
            steps = schedule.gradient_steps * schedule.training_blocks(blocks)
            await pulse_of(dut, "start")()
            if steps:
                await bridge(real.start)(steps)
                await bridge(real.wait)()
            await until_idle(dut)
            await ClockCycles(dut.clk, 8)
            agent.run(blocks)
            HITS["runs"] += 1
            HITS["gradient steps"] += steps
        same(await bridge(state_of_all)(real, slots), state_of_all(exact, slots), f"turn {turn}, {schedule}")
        events = {name: counted[name] - before[name] for name in EVENTS}
        assert returns[ended:] == agent.returns
        assert int(dut.epsilon.value) == agent.epsilon
        assert len(plant.actions) - acted == agent.counters["steps"] == events["step"]
        hits = {name: events[name] for name in ("block", "terminated", "dropped", "ended")}
        counters = agent.counters
        assert hits == {
            "block": counters["blocks"], "terminated": counters["terminated"], "dropped": 0,
            "ended": counters["episodes"],
        }  # fmt: skip
        HITS.update(hits)
    assert plant.fastest is not None
    HITS["act clocks"] = plant.fastest
    report()
