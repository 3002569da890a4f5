"""The agent with its environments behind AXI is the model: rlcores's own driver over cocotbext-axi's masters."""

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
from foreign_bus import ForeignBus, watch
from replay_cases import formats, model, same, start, state_of_all
from uvm_bench import parameters

from rlcores.cores.agent.driver import AgentDriver, AgentError
from rlcores.cores.agent.model import EPSILON_BITS, AgentModel, Schedule
from rlcores.cores.common.draws import state_of
from rlcores.cores.env.model import EnvModel
from rlcores.cores.policy.model import PolicyModel

HITS: Counter[str] = Counter()


async def _bus(dut) -> ForeignBus:
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    share = random.choice((0.0, 0.1, 0.3))
    bus = ForeignBus(dut, ("s_axis_load",), ("m_axis_read",), share=share, memory="m_axi")
    cocotb.start_soon(watch(dut, HITS, "m_axi"))
    await ClockCycles(dut.clk, 6)
    await bus._reset()
    return bus


def _pair(
    bus: ForeignBus, rng: np.random.Generator, core: dict, schedule: Schedule
) -> tuple[AgentDriver, AgentModel, int]:
    """The core and its model with the same start."""
    real = AgentDriver(bus)
    exact = model(core)
    slots = int(rng.integers(core["WRITES"] + 5, core["WRITES"] + 9))
    ahead = int(rng.integers(0, core["AHEAD_MAX"] + 1))
    start(rng, real.loop, exact, batch=int(rng.integers(1, 6)), capacity=slots, ahead=ahead)
    act_frac = formats(exact.learner.shape).act_frac
    policy = PolicyModel(exact.learner.shape.value.sizes, act_frac)
    agent = AgentModel(EnvModel(real.physics, real.n_envs, real.time_limit), policy, exact)
    real.act_frac = act_frac
    one = 1 << EPSILON_BITS
    real.schedule = agent.schedule = schedule
    real.epsilon_first = agent.epsilon = one
    real.epsilon_end = agent.epsilon_end = one >> 3
    real.epsilon_fall = agent.epsilon_fall = one >> 3
    agent.reload()
    state, acting = (state_of(int(rng.integers(2**63))) for _ in range(2))
    real.begin(state, acting)
    agent.begin(state, acting)
    return real, agent, slots


def _compare(real: AgentDriver, agent: AgentModel, slots: int, what: str) -> None:
    same(state_of_all(real.loop, slots), state_of_all(agent.loop, slots), what)
    wanted = {name: agent.counters[name] for name in real.counters}
    assert real.counters == wanted, f"{what}: {real.counters} instead of {wanted}"
    assert (real.epsilon, real.returned) == (agent.epsilon, agent.returned), what
    assert real.take_returns() == agent.take_returns()[:64], what
    assert not real.flags() - {"SATURATED", "LOST"}, real.flags()


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def runs_leave_what_the_model_leaves(dut):
    core = parameters(dut, "agent")
    bus = await _bus(dut)
    for lag in random.sample(range(3), 2):
        rng = np.random.default_rng(random.getrandbits(32))
        rounds = int(rng.integers(1, 4)) if lag < 2 else 1
        schedule = Schedule(rounds, int(rng.integers(1, 4)), int(rng.integers(1, 4)), lag)
        await bus._reset()
        real, agent, slots = await bridge(_pair)(bus, rng, core, schedule)
        for blocks in (int(rng.integers(1, 6)), schedule.learning_starts + 3):
            await bridge(real.run)(blocks)
            agent.run(blocks)
            HITS["runs"] += 1
        await bridge(_compare)(real, agent, slots, f"{schedule}")
        HITS["gradient steps"] += agent.loop.counters()["batches"]
        HITS["ended"] += agent.counters["episodes"]


def _halts(real: AgentDriver) -> None:
    """Whatever goes on is cut off; then the core is at rest, and refuses what cannot be."""
    real.write_register("BLOCKS", 0)
    real._command("start")
    real.loop.start(0)
    for _ in range(random.randrange(40)):
        real.status("idle")
    real.halt()
    real.loop.learner.stop()
    assert real.status("idle") and not real.status("running")


def _refusals(real: AgentDriver) -> None:
    for name, value in (
        ("TRAIN_FREQ", 0),
        ("GRADIENT_STEPS", 0),
        ("STARTS", 0),
        ("SCHEDULE", 3),
        ("EPSILON", 2**31 + 1),
    ):
        try:
            real.write_register(name, value)
        except AgentError as error:
            assert "CONFIG" in str(error)
            HITS["refused"] += 1
    real.write_register("SCHEDULE", 2)
    real.write_register("TRAIN_FREQ", 2)
    try:
        real._command("start")
    except AgentError as error:
        assert "CONFIG" in str(error)
        HITS["refused"] += 1
    assert real.status("idle")


def _stops(real: AgentDriver) -> dict[str, int]:
    """A run without end is stopped: whole blocks, each experience stored."""
    real.write_register("BLOCKS", 0)
    real._command("start")
    real.loop.start(0)
    for _ in range(random.randrange(10, 60)):
        real.status("idle")
    try:
        real.write_register("TRAIN_FREQ", 3)
    except AgentError as error:
        assert "BUSY" in str(error)
        HITS["refused"] += 1
    real._command("stop")
    while real.status("running"):
        pass
    real.loop.stop()
    real.loop.wait()
    while not real.status("idle"):
        pass
    return real.counters


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def stop_free_and_halt_end_at_rest_and_a_run_after_them_is_the_models(dut):
    core = parameters(dut, "agent")
    bus = await _bus(dut)
    rng = np.random.default_rng(random.getrandbits(32))
    schedule = Schedule(2, 2, 2, 1)
    real, _, _ = await bridge(_pair)(bus, rng, core, schedule)
    for free in (0, 1):
        before = await bridge(lambda: (real.counters, real.loop.counters()))()
        await bridge(real._configure)()
        await bridge(real.write_register)("SCHEDULE", free << 8 | 1)
        real.schedule = schedule
        found = await bridge(_stops)(real)
        steps, blocks = (found[name] - before[0][name] for name in ("steps", "blocks"))
        assert blocks > 0 and steps == blocks * schedule.train_freq * real.n_envs
        trained = (await bridge(real.loop.counters)())["batches"] - before[1]["batches"]
        HITS["stopped blocks"] += blocks
        if not free:
            assert trained >= schedule.gradient_steps * schedule.training_blocks(blocks) - 2 * core["AHEAD_MAX"] - 2, (
                trained,
                blocks,
            )
        assert (await bridge(real.loop.counters)())["committed"] == found["steps"]
    await bridge(_halts)(real)
    HITS["halted"] += 1
    await bridge(_refusals)(real)
    # And on from there as if nothing had been.
    await bus._reset()
    real, agent, slots = await bridge(_pair)(bus, rng, core, schedule)
    await bridge(real.run)(4)
    agent.run(4)
    await bridge(_compare)(real, agent, slots, "after a halt")
    HITS["runs"] += 1
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(HITS))
