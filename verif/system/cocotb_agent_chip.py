"""The agent with its environments and its memory on the chip: the integer model, and how busy its learner is."""

import json
import os
import random
from collections import Counter
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.task import bridge
from cocotb.triggers import ClockCycles
from cocotb_agent import count, pulse_of, until_idle, words_of
from foreign_bus import ForeignBus
from replay_cases import formats, model, planes_of, start
from uvm_bench import parameters

from rlcores.cores.agent.model import AgentModel, Schedule
from rlcores.cores.common.draws import state_of
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.physics import Physics
from rlcores.cores.policy.model import PolicyModel
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver

BLOCKS = 60  # of a run


async def dbg(chip):
    d = chip.dut
    for _ in range(4):
        await ClockCycles(d.clk, 700)
        t = d.u_agent.u_turns
        print(dict(chip.counted), {n: str(getattr(t, n).value) for n in ("running_q","enter_q","act_q","store_q","keep_q","settles_q","way_q","step_q","batch_q","entered_q","acted_q","kept_q","hold_sampling","hold_steps","may_act","may_store","taken","settled")}, "loaded", d.u_agent.u_policy.loaded.value, d.cfg_ok.value, d.answer_valid.value, d.answer_ready.value, d.action_valid.value, d.action_ready.value, d.u_env.running.value, d.m_axi_awvalid.value, d.m_axi_awready.value, file=open("/tmp/chipdbg","a"), flush=True)


class Chip:
    """The chip, its driver, and what it says that it did."""

    def __init__(self, dut, bus: ForeignBus, core: dict[str, int | str], physics: Physics, n_envs: int) -> None:
        self.dut, self.bus, self.core, self.physics, self.n_envs = dut, bus, core, physics, n_envs
        self.counted: Counter[str] = Counter()
        self.returns: list[int] = []
        cocotb.start_soon(count(dut, self.counted, self.returns))

    async def prepare(self, rng: np.random.Generator, schedule: Schedule) -> AgentModel:
        """The same start for the chip and the model that it returns."""
        dut, core = self.dut, self.core
        self.real, exact = await bridge(ReplayLearnerDriver)(self.bus, 0), model(core)
        shape = self.real.learner.shape
        given = {"batch": core["BATCH_MAX"], "capacity": core["CAPACITY"], "ahead": core["AHEAD_MAX"]}
        # Nothing but a reset forgets when the target was last updated.
        await bridge(start)(rng, self.real, exact, **given, sync_interval=0)
        act_frac = formats(shape).act_frac
        envs, policy = EnvModel(self.physics, self.n_envs, 50), PolicyModel(shape.value.sizes, act_frac)
        agent = AgentModel(envs, policy, exact)
        agent.schedule, agent.epsilon = schedule, 1 << 31
        agent.reload()
        dut.cfg_act_frac.value = sum(frac << 5 * i for i, frac in enumerate(act_frac))
        dut.cfg_epsilon.value, dut.cfg_epsilon_end.value, dut.cfg_epsilon_fall.value = 1 << 31, 0, 0
        dut.cfg_train_freq.value, dut.cfg_gradient_steps.value = schedule.train_freq, schedule.gradient_steps
        dut.cfg_starts.value, dut.cfg_lag.value = schedule.learning_starts, schedule.lag
        dut.cfg_time_limit.value = 50
        state, acting = (state_of(int(rng.integers(2**63))) for _ in range(2))
        dut.cfg_seed.value, dut.cfg_env_seed.value = words_of(acting), words_of(state)
        await ClockCycles(dut.clk, 4)
        await pulse_of(dut, "again")()
        await ClockCycles(dut.clk, 8)
        agent.begin(state, acting)
        self.returns.clear()
        return agent

    async def clocks(self) -> int:
        """Clocks in which the loop was busy."""
        return (await bridge(self.real.counters)())["clocks"]

    async def run(self, agent: AgentModel, blocks: int) -> int:
        """A run of the chip and of the model; the loop's clocks."""
        before = await self.clocks()
        self.dut.cfg_blocks.value = blocks
        await pulse_of(self.dut, "start")()
        self.dbg = cocotb.start_soon(dbg(self))
        await bridge(self.real.start)(agent.schedule.gradient_steps * agent.schedule.training_blocks(blocks))
        await bridge(self.real.wait)()
        await until_idle(self.dut)
        await ClockCycles(self.dut.clk, 8)
        agent.run(blocks)
        return await self.clocks() - before

    async def same(self, agent: AgentModel) -> None:
        """The chip is what the model is."""
        assert await bridge(planes_of)(self.real) == planes_of(agent.loop)
        assert self.returns == agent.returns and int(self.dut.epsilon.value) == agent.epsilon
        found, wanted = await bridge(self.real.counters)(), agent.loop.counters()
        assert {name: found[name] for name in wanted} == wanted


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_chip_learns_as_the_model_and_its_learner_is_busy(dut):
    core = parameters(dut, "replay_learner")
    given = json.loads(os.environ["RLCORES_PARAMETERS"])
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    for name in ("start", "stop", "again", "abort_in", "cfg_free", "sat_clear"):
        getattr(dut, name).value = 0
    dut.rst.value = 1
    bus = ForeignBus(dut, ("s_axis_load",), ("m_axis_read",), share=0)
    await bus._reset()
    chip = Chip(dut, bus, core, list(ENVIRONMENTS.values())[given["ENV"]], given["N_ENVS"])
    rng = np.random.default_rng(random.getrandbits(32))
    starts = -(-core["BATCH_MAX"] // given["N_ENVS"])

    agent = await chip.prepare(rng, Schedule(1, 1, starts, 2))
    clocks = [await chip.run(agent, starts + n * BLOCKS) for n in range(3)]
    await chip.same(agent)
    hits = {"episodes": len(chip.returns), "steps": chip.counted["step"]}
    # The learner alone: all that it needs is stored.
    real, alone = chip.real, []
    for steps in (BLOCKS, 2 * BLOCKS):
        before = await chip.clocks()
        await bridge(real.train)(steps)
        alone.append(await chip.clocks() - before)
    hits |= {"clocks a step": (clocks[2] - clocks[1]) / BLOCKS, "alone": (alone[1] - alone[0]) / BLOCKS}
    hits["busy"] = hits["alone"] / hits["clocks a step"]

    # In no order, and without an end: nothing is lost, and a block goes on to its end.
    steps, stored = chip.counted["step"], (await bridge(real.counters)())["committed"]
    dut.cfg_blocks.value, dut.cfg_free.value, dut.cfg_train_freq.value = 0, 1, 3
    await pulse_of(dut, "start")()
    await bridge(real.start)(0)
    await ClockCycles(dut.clk, random.randint(500, 5000))
    await pulse_of(dut, "stop")()
    await bridge(real.stop)()
    await bridge(real.wait)()
    await until_idle(dut)
    hits["free steps"] = chip.counted["step"] - steps
    assert hits["free steps"] % (3 * given["N_ENVS"]) == 0
    assert (await bridge(real.counters)())["committed"] - stored == hits["free steps"]

    # An abort in the middle leaves a chip that starts anew.
    dut.cfg_free.value, dut.cfg_blocks.value = 0, 0
    await pulse_of(dut, "start")()
    await bridge(real.start)(0)
    await ClockCycles(dut.clk, random.randint(1, 3000))
    dut.abort_in.value = 1
    await bridge(real.abort)()
    dut.abort_in.value = 0
    await ClockCycles(dut.clk, 2)
    assert int(dut.idle.value)
    await bridge(real.clear_counters)()
    agent = await chip.prepare(rng, Schedule(2, 3, starts, 1))
    await chip.run(agent, starts + 5)
    await chip.same(agent)
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(hits))
