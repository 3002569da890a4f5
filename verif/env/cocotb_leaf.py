"""The physics that LEAF names against its model, a step and a reset a clock: random states, and those near an edge."""

import os

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.float64 import LIVE, live_states, random_actions

COUNT = 500 if os.environ["LEAF"] == "acrobot" else 4000  # Acrobot's pipeline is long, and slow in Icarus


def packed(numbers: np.ndarray, width: int) -> list[int]:
    """Each row as one word, its first number lowest."""
    mask = (1 << width) - 1
    return [sum((int(x) & mask) << width * i for i, x in enumerate(row)) for row in numbers]


def states(name: str, rng: np.random.Generator) -> np.ndarray:
    """Half of their numbers are within a thousandth of an end of their range."""
    found = live_states(name, COUNT, rng)
    low, high = (ENVIRONMENTS[name].state_codes(end) for end in LIVE[name])
    near = rng.integers(0, (high - low) // 1000, found.shape)
    near = np.where(rng.random(found.shape) < 0.5, low + near, high - near)
    return np.where(rng.random(found.shape) < 0.5, near, found)


@cocotb.test()
async def every_step_and_reset_is_the_models(dut):
    physics = ENVIRONMENTS[os.environ["LEAF"]]
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    given, actions = states(physics.name, rng), random_actions(physics.name, COUNT, rng)
    draws = rng.integers(0, 1 << 32, (COUNT, physics.draws))
    draws[:4] = [[0], [(1 << 32) - 1], [1 << 31], [(1 << 31) - 1]]
    step, first = physics.step(given, actions), physics.reset(draws)
    wanted = {
        "m_state": packed(step.state, 32),
        "m_obs": packed(step.obs, 18),
        "m_reward": packed(step.reward[:, None], 27),
        "m_terminated": step.terminated.tolist(),
        "m_limited": step.limited.tolist(),
        "m_reset_state": packed(first[0], 32),
        "m_reset_obs": packed(first[1], 18),
    }
    assert physics.name == "pendulum" or 0 < step.terminated.sum() < COUNT
    inputs = packed(given, 32), packed(actions[:, None], 18), packed(draws, 32)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    await FallingEdge(dut.clk)
    for clock in range(COUNT + physics.latency):
        if clock < COUNT:
            dut.s_state.value, dut.s_action.value, dut.s_draw.value = (column[clock] for column in inputs)
        await ReadOnly()
        for name, column in wanted.items():
            at = clock - (physics.reset_latency if "reset" in name else physics.latency)
            if 0 <= at < COUNT:
                found = int(getattr(dut, name).value)
                assert found == column[at], f"{name} of {given[at]}, {actions[at]}: {found:x}, expected {column[at]:x}"
        await FallingEdge(dut.clk)
