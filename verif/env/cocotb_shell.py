"""rlc_env around CartPole: a number that a step limits is counted, and what is left at the port is said at once.

No episode of the core limits a number, since it ends before; here a state is put in its way.
"""

import cocotb
import numpy as np
from bench_handshake import Sink, port, send
from bench_pins import clocks, pack, pulse, start, until
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.env import beats
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel

SEED = (1, 2, 3, 4)
FASTEST = (1 << 31) - 1  # of the numbers of a state
PATIENCE = 200  # clocks


def word(answers: np.ndarray) -> list[int]:
    """Beats as they leave."""
    return [pack(words, 64) for words in beats.pack(answers)]


async def begin(dut) -> EnvModel:
    """Reset and start; the model's episodes have begun too. Ends at a falling edge."""
    physics = ENVIRONMENTS["cartpole"]
    await start(dut, "cfg_time_limit", "start", "stop", "s_valid", "s_data", "m_ready", cfg_seed=pack(SEED, 32))
    await pulse(dut, dut.start)
    return EnvModel(physics, int(dut.N_ENVS.value), 0)


async def answers(dut, count: int, events: dict[str, int]) -> list[int]:
    """`count` answers are taken; events: pulses by name, counted."""
    answers: list[int] = []
    sink = Sink(dut, *port("m", ["data"]))
    for _ in range(PATIENCE):
        sink.drive()
        await ReadOnly()
        for name in events:
            events[name] += int(getattr(dut, name).value)
        if word := sink.sample():
            answers.append(word["data"])
        await FallingEdge(dut.clk)
        if len(answers) == count:
            sink.rest()
            return answers
    raise AssertionError(f"{count - len(answers)} answers never came")


@cocotb.test()
async def a_step_that_limits_a_number_is_counted_and_no_other(dut):
    model = await begin(dut)
    assert await answers(dut, model.n_envs, {}) == word(model.start(state=SEED))
    for fast in (False, True):
        if fast:
            model._state[0, 1] = FASTEST
        events = {"ev_saturated": 0, "ev_step": 0}
        before = dict(model.counters)
        wanted = word(model.step(np.ones(model.n_envs, np.int64)))
        for place in range(model.n_envs):
            await send(dut, "s", data=1)
            if fast and not place:  # its state is on the way to the physics
                state = int(dut.state_q.value)
                dut.state_q.value = state & ~(0xFFFFFFFF << 32) | FASTEST << 32
        assert await answers(dut, model.n_envs, events) == wanted
        assert model.counters["saturated"] - before["saturated"] == events["ev_saturated"] == fast
        assert events["ev_step"] == model.n_envs


@cocotb.test()
async def an_answer_that_waits_when_the_episodes_end_is_said_to_be_left_from_the_next_clock_on(dut):
    model = await begin(dut)
    wanted = word(model.start(state=SEED))[0]
    await until(dut, lambda: int(dut.m_valid.value))
    await clocks(dut, 21)  # others come behind it
    await pulse(dut, dut.stop)
    for _ in range(5):
        await ReadOnly()
        assert int(dut.stale.value) and int(dut.m_valid.value) and int(dut.m_data.value) == wanted
        await FallingEdge(dut.clk)
    assert await answers(dut, 1, {}) == [wanted]
    for _ in range(20):
        await ReadOnly()
        assert not int(dut.m_valid.value) and not int(dut.stale.value)
        await FallingEdge(dut.clk)
