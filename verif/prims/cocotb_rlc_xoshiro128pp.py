"""rlc_xoshiro128pp: the published words, those of the model after any load, and none without a step."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.common.draws import Xoshiro128pp, state_of

# First words from the state 1, 2, 3, 4.
PUBLISHED = [
    641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
]  # fmt: skip


def packed(state: tuple[int, ...]) -> int:
    """s0 … s3, s0 in the low bits."""
    return sum(word << 32 * i for i, word in enumerate(state))


@cocotb.test()
async def words_are_the_published_ones(dut):
    await start(dut, load=1, state=packed((1, 2, 3, 4)), step=0)
    await FallingEdge(dut.clk)
    dut.load.value, dut.step.value = 0, 1
    for number, word in enumerate(PUBLISHED):
        await ReadOnly()
        assert int(dut.value.value) == word, f"word {number}"
        await FallingEdge(dut.clk)


@cocotb.test()
async def words_are_those_of_the_model(dut):
    await start(dut, load=0, state=0, step=0)
    model = Xoshiro128pp(state_of(0))  # what reset gives
    kinds = {"stood": 0, "stepped": 0, "loaded": 0, "both": 0}
    for clock in range(3000):
        load, step = random.random() < 0.05, random.random() < 0.7
        state = tuple(random.choice([0, 1, 2**32 - 1, random.getrandbits(32)]) for _ in range(4))
        if not any(state):  # has no successor, and is never loaded
            state = (1, 0, 0, 0)
        dut.load.value, dut.step.value, dut.state.value = int(load), int(step), packed(state)
        await ReadOnly()
        assert int(dut.state_q.value) == packed(model.state), f"clock {clock}"
        after = Xoshiro128pp(model.state)
        assert int(dut.value.value) == after.next(), f"clock {clock}"
        if load:
            model = Xoshiro128pp(state)
        elif step:
            model = after
        kinds["loaded"] += load
        kinds["both"] += load and step
        kinds["stepped"] += step and not load
        kinds["stood"] += not step and not load
        await FallingEdge(dut.clk)
    assert min(kinds.values()) > 20, kinds
