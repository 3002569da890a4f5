"""rlc_sumtree_draw against the model: stalls, restarts and seeds at random, every draw and every clock of filling."""

import random

import cocotb
from bench_hits import leave
from bench_pins import start_clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.common.draws import Draws, state_of

DRAWS = 4000
STRATA = [0, 1, 2, 3, 7, 32, 1000, 65535]


def packed(state: tuple[int, ...]) -> int:
    """s0 … s3, s0 in the low bits."""
    return sum(word << 32 * i for i, word in enumerate(state))


@cocotb.test()
async def draws_are_those_of_the_model(dut) -> None:
    parameters = (dut.DRAW_WIDTH, dut.STRATA, dut.BITS, dut.FIRST, dut.STEP)
    width, divides, bits, first, step = (int(p.value) for p in parameters)
    hits = {
        name: 0
        for name in ("draws", "stalls", "restarts", "seeds", "zero seeds", "withdrawn", "taken with a restart",
                     "taken with a seed", "restarts while filling", "wraps", "runs")
    }  # fmt: skip

    def filling(strata: int) -> int:
        """Clocks without a draw after a restart."""
        wraps = max(first // max(strata, 1), step // max(strata, 1))
        return 4 + (-(-width // bits) + max(wraps - 1, 0) if divides else 0)

    strata = random.choice(STRATA)
    model = Draws(width, strata=strata if divides else 1, first=first, step=step)
    dut.cfg_restart.value = dut.cfg_seed_valid.value = dut.cfg_seed.value = dut.m_ready.value = 0
    dut.rst.value = 1
    start_clock(dut.clk)
    dut.cfg_strata.value = STRATA[3]  # only what stands there at the end of reset counts
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.cfg_strata.value = strata
    await FallingEdge(dut.clk)
    dut.rst.value = 0

    empty = filling(strata)
    p_ready, p_restart = 1.0, 0.0
    taken_since = run = 0
    stalled = None
    while hits["draws"] < DRAWS:
        if random.random() < 0.01:
            p_ready, p_restart = random.choice([0.1, 0.5, 1.0, 1.0]), random.choice([0.0, 0.01, 0.02, 0.1])
        ready, restart, seed = (random.random() < p for p in (p_ready, p_restart, p_restart / 2))
        state = random.choice([(0, 0, 0, 0), (0, 0, 0, 1), state_of(random.getrandbits(64))])
        strata = random.choice(STRATA)
        dut.m_ready.value, dut.cfg_restart.value, dut.cfg_seed_valid.value = int(ready), int(restart), int(seed)
        dut.cfg_strata.value, dut.cfg_seed.value = strata, packed(state)
        await ReadOnly()

        valid = bool(dut.m_valid.value)
        assert valid == (empty == 0), f"valid is {valid}, {empty} clocks before the pipeline is full"
        if stalled is not None:
            assert int(dut.m_draw.value) == stalled, "the draw changed while stalled"
        stalled = int(dut.m_draw.value) if valid and not (ready or restart or seed) else None
        taken = valid and ready
        if taken:
            before = model.stratum
            expected = model.next()
            assert int(dut.m_draw.value) == expected, f"draw {hits['draws']}, {taken_since} after a restart"
            taken_since += 1
            run += 1
            hits["wraps"] += model.stratum < before
            hits["runs"] += run == 50
        else:
            run = 0
        hits["draws"] += taken
        hits["stalls"] += valid and not ready
        hits["taken with a restart"] += taken and restart
        hits["taken with a seed"] += taken and seed
        hits["withdrawn"] += valid and not ready and restart
        hits["restarts while filling"] += restart and not valid
        hits["restarts"] += restart
        hits["seeds"] += seed
        hits["zero seeds"] += seed and not any(state)
        if seed:
            model.load(state)
        if restart or seed:
            model.restart(strata if divides else 1)
            empty, taken_since = filling(strata), 0
        elif empty:
            empty -= 1
        await FallingEdge(dut.clk)
    leave(hits)
