"""rlc_env around CartPole: a number that a step limits is counted, and what is left at the port is said at once.

No episode of the core limits a number, since it ends before; here a state is put in its way.
"""

import cocotb
import numpy as np
from bench_pins import reset, start_clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.env import beats
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel

SEED = (1, 2, 3, 4)
FASTEST = (1 << 31) - 1  # of the numbers of a state
PATIENCE = 200  # clocks


def word(answers: np.ndarray) -> list[int]:
    """Beats as they leave."""
    return [sum(int(part) << 64 * i for i, part in enumerate(words)) for words in beats.pack(answers)]


async def begin(dut) -> EnvModel:
    """Reset and start; the model's episodes have begun too. Ends at a falling edge."""
    physics = ENVIRONMENTS["cartpole"]
    start_clock(dut.clk)
    dut.cfg_seed.value = sum(part << 32 * i for i, part in enumerate(SEED))
    dut.cfg_time_limit.value = 0
    for name in ("start", "stop", "s_valid", "s_data", "m_ready"):
        getattr(dut, name).value = 0
    await reset(dut)
    dut.start.value = 1
    await FallingEdge(dut.clk)
    dut.start.value = 0
    return EnvModel(physics, int(dut.N_ENVS.value), 0)


async def answers(dut, count: int, events: dict[str, int]) -> list[int]:
    """So many answers are taken; events: pulses by name, counted."""
    found: list[int] = []
    dut.m_ready.value = 1
    for _ in range(PATIENCE):
        await ReadOnly()
        for name in events:
            events[name] += int(getattr(dut, name).value)
        if int(dut.m_valid.value):
            found.append(int(dut.m_data.value))
        await FallingEdge(dut.clk)
        if len(found) == count:
            dut.m_ready.value = 0
            return found
    raise AssertionError(f"{count - len(found)} answers never came")


async def act(dut, action: int) -> None:
    """One action enters; ends at the falling edge behind."""
    dut.s_valid.value, dut.s_data.value = 1, action
    while True:
        await ReadOnly()
        ready = int(dut.s_ready.value)
        await FallingEdge(dut.clk)
        if ready:
            dut.s_valid.value = 0
            return


@cocotb.test()
async def a_step_that_limits_a_number_is_counted_and_no_other(dut):
    model = await begin(dut)
    assert await answers(dut, model.n_envs, {}) == word(model.start(state=SEED))
    for fast in (False, True):
        if fast:
            model._state[0, 1] = FASTEST
        events = {"ev_limited": 0, "ev_step": 0}
        before = dict(model.counters)
        wanted = word(model.step(np.ones(model.n_envs, np.int64)))
        for place in range(model.n_envs):
            await act(dut, 1)
            if fast and not place:  # its state is on the way to the physics
                state = int(dut.state_q.value)
                dut.state_q.value = state & ~(0xFFFFFFFF << 32) | FASTEST << 32
        assert await answers(dut, model.n_envs, events) == wanted
        assert model.counters["limited"] - before["limited"] == events["ev_limited"] == fast
        assert events["ev_step"] == model.n_envs


@cocotb.test()
async def an_answer_that_waits_when_the_episodes_end_is_said_to_be_left_from_the_next_clock_on(dut):
    model = await begin(dut)
    wanted = word(model.start(state=SEED))[0]
    while not int(dut.m_valid.value):
        await FallingEdge(dut.clk)
    for _ in range(20):  # others come behind it
        await FallingEdge(dut.clk)
    dut.stop.value = 1
    await FallingEdge(dut.clk)
    dut.stop.value = 0
    for _ in range(5):
        await ReadOnly()
        assert int(dut.left.value) and int(dut.m_valid.value) and int(dut.m_data.value) == wanted
        await FallingEdge(dut.clk)
    assert await answers(dut, 1, {}) == [wanted]
    for _ in range(20):
        await ReadOnly()
        assert not int(dut.m_valid.value) and not int(dut.left.value)
        await FallingEdge(dut.clk)
