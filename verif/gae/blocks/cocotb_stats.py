"""rlc_gae_stats against the model: random passes, gaps, undone passes, resets; small counters that run full."""

import copy
import random

import cocotb
import numpy as np
from bench_hits import leave
from bench_pins import integers, pack, start
from cocotb.triggers import FallingEdge, RisingEdge

from rlcores.cores.gae import scale as gs

PASSES = 60


def draw(rng: np.random.Generator, count: int) -> np.ndarray:
    """Raw numbers: anything, near zero, or only the extremes."""
    style = rng.integers(4)
    if style == 0:
        return rng.choice([-(2**23), 2**23 - 1], count)
    if style == 1:
        return np.full(count, -(2**23))
    return rng.integers(*((-(2**23), 2**23) if style == 2 else (-9, 9)), count)


@cocotb.test()
async def sums_equal_the_model(dut) -> None:
    rng = np.random.default_rng(random.getrandbits(32))
    beat, count_bits = integers(dut, "BEAT", "CNT_WIDTH")
    model = gs.Statistics(beat=beat, count_bits=count_bits)
    seen = {"full": False}
    hits = {"beats": 0, "full": 0, "gaps": 0, "rewards": 0, "undone": 0, "resets": 0}

    async def watch_full() -> None:
        while True:
            await FallingEdge(dut.clk)
            seen["full"] |= bool(dut.full.value)

    await start(dut, "reset_rewards", "new_block", "mark", "undo", "s_valid", "s_reward", "s_value", "s_kind")
    cocotb.start_soon(watch_full())
    for number in range(PASSES):
        reset, block = rng.random() < 0.2, rng.random() < 0.6
        was_full = (model.rewards_full, model.values_full)
        kept = copy.deepcopy(model)
        if reset:
            model.reset_rewards()
        if block:
            model.new_block()
        beats = int(rng.integers(1, 30))
        rewards, values = draw(rng, beats * beat), draw(rng, beats * beat)
        kinds = rng.integers(4, size=beats * beat) if number % 3 else np.full(beats * beat, gs.STEP)
        before = model.rewards.n
        seen["full"] = False
        model.add(rewards, values, kinds)
        dut.reset_rewards.value, dut.new_block.value, dut.mark.value = int(reset), int(block), 1
        for i in range(0, beats * beat, beat):
            while rng.random() < 0.2:
                # Whatever stands on the wires, without valid it does not count.
                dut.s_valid.value, dut.s_kind.value = 0, pack(np.full(beat, gs.STEP), 2)
                hits["gaps"] += 1
                await RisingEdge(dut.clk)
                dut.reset_rewards.value = dut.new_block.value = dut.mark.value = 0
            dut.s_valid.value = 1
            dut.s_reward.value = pack(rewards[i : i + beat], 24)
            dut.s_value.value = pack(values[i : i + beat], 24)
            dut.s_kind.value = pack(kinds[i : i + beat], 2)
            hits["beats"] += 1
            await RisingEdge(dut.clk)
            dut.reset_rewards.value = dut.new_block.value = dut.mark.value = 0
        dut.s_valid.value = 0
        await RisingEdge(dut.clk)
        await FallingEdge(dut.clk)
        while dut.busy.value:
            await FallingEdge(dut.clk)
        for got, want in (
            ((dut.n_r, dut.sum_r, dut.sqr_r), model.rewards),
            ((dut.n_v, dut.sum_v, dut.sqr_v), model.values),
        ):
            n, total, squares = got
            assert int(n.value) == want.n, f"pass {number}: the count differs"
            assert total.value.to_signed() == want.total, f"pass {number}: the sum differs"
            assert int(squares.value) == want.squares, f"pass {number}: the sum of squares differs"
        # A pulse only speaks of beats that were left out now.
        newly = [f and not w for f, w in zip((model.rewards_full, model.values_full), was_full, strict=True)]
        if any(newly):
            hits["full"] += 1
            assert seen["full"], f"pass {number}: nobody said that the statistics are full"
        if not model.full:
            assert not seen["full"], f"pass {number}: full, it says, but it is not"
            hits["rewards"] += model.rewards.n - before
        if rng.random() < 0.3:
            # As if the pass had not been; its sums are looked at after the next one.
            dut.undo.value = 1
            await RisingEdge(dut.clk)
            dut.undo.value = 0
            for _ in range(4):
                await RisingEdge(dut.clk)
            hits["undone"] += 1
            model = kept
        if rng.random() < 0.3:
            # One clock of reset forgets everything, a beat on its way included.
            for _ in range(int(rng.integers(1, 10))):
                dut.s_valid.value, dut.s_kind.value = 1, pack(np.full(beat, gs.STEP), 2)
                dut.s_reward.value = dut.s_value.value = pack(draw(rng, beat), 24)
                await RisingEdge(dut.clk)
            dut.s_valid.value = 0
            for _ in range(int(rng.integers(0, 9))):
                await RisingEdge(dut.clk)
            dut.rst.value = 1
            await RisingEdge(dut.clk)
            dut.rst.value = 0
            await RisingEdge(dut.clk)
            await FallingEdge(dut.clk)
            assert not dut.busy.value, f"pass {number}: busy after a reset"
            hits["resets"] += 1
            model = gs.Statistics(beat=beat, count_bits=count_bits)
    leave(hits)
