"""rlc_sumtree_draw against the model: stalls, restarts and seeds at random, every draw and every clock of filling."""

import random

import cocotb
from bench_handshake import Standing
from bench_hits import leave
from bench_pins import clocks, integers, pack, start_clock, write
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.common.draws import Draws, state_of

DRAWS = 4000
STRATA = [0, 1, 2, 3, 7, 32, 1000, 65535]


@cocotb.test()
async def draws_are_those_of_the_model(dut) -> None:
    width, divides, bits, first, step = integers(dut, "DRAW_WIDTH", "STRATA", "BITS", "FIRST", "STEP")
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
    # Of the strata only what stands there at the end of reset counts.
    write(dut, "cfg_restart", "cfg_seed_valid", "cfg_seed", "m_ready", rst=1, cfg_strata=STRATA[3])
    start_clock(dut.clk)
    await clocks(dut, 3)
    dut.cfg_strata.value = strata
    await clocks(dut, 1)
    dut.rst.value = 0

    empty = filling(strata)
    p_ready, p_restart = 1.0, 0.0
    taken_since = run = 0
    standing = Standing("m")
    while hits["draws"] < DRAWS:
        if random.random() < 0.01:
            p_ready, p_restart = random.choice([0.1, 0.5, 1.0, 1.0]), random.choice([0.0, 0.01, 0.02, 0.1])
        ready, restart, seed = (random.random() < p for p in (p_ready, p_restart, p_restart / 2))
        state = random.choice([(0, 0, 0, 0), (0, 0, 0, 1), state_of(random.getrandbits(64))])
        strata = random.choice(STRATA)
        write(dut, m_ready=int(ready), cfg_restart=int(restart), cfg_seed_valid=int(seed))
        write(dut, cfg_strata=strata, cfg_seed=pack(state, 32))
        await ReadOnly()

        valid = bool(dut.m_valid.value)
        assert valid == (empty == 0), f"valid is {valid}, {empty} clocks before the pipeline is full"
        standing.look(valid, ready or restart or seed, int(dut.m_draw.value) if valid else None)
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
