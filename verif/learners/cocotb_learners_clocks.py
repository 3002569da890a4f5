"""Clocks of rounds: several learners with memories that never pause, for `rlcores bench learners`."""

import cocotb
import numpy as np
from bench_hits import leave
from cocotb.task import bridge
from cocotb_learners import begin, drivers
from replay_cases import experiences, start

from rlcores.cores.learners.driver import SharedDriver

# H, and how many rounds are counted; of H = 0 steps. All but the first with importance weights over all banks.
ROUNDS = {
    "step 0": (0, 24),
    "exact": (0, 24),
    "step 1": (1, 24),
    "step 5": (5, 5),
    "step 10": (10, 4),
    "step 25": (25, 3),
}


def counts(dut, core, bus, memories, rounds) -> dict[str, float]:
    rng = np.random.default_rng(1)
    reals = drivers(bus, memories)
    shared = SharedDriver(bus, len(reals))
    slots, batch = core["CAPACITY"], core["BATCH_MAX"]
    start(rng, *reals, batch=batch, capacity=slots, ahead=1, sync_interval=0, double=False, lag=True)
    for real in reals:
        real.insert(real.layout.pack(*experiences(rng, real.learner.shape, slots)))
    found = {}
    for name, (average, count) in ROUNDS.items():
        shared.begin_rounds(average)
        shared.exact = name != "step 0"
        each = max(average, 1)
        warm = -(-4 // each) * each
        for done in rounds.done:
            done.clear()
        for real in reals:
            real.start(warm + count * each)
        for real in reals:
            real.wait()
        # From the end of a round to the end of the last one.
        done = rounds.done[0]
        found[name] = (done[-1] - done[warm - 1]) / (count * each)
    return found


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def clocks_of_rounds(dut):
    given = await begin(dut, 1.0, 0)
    found = await bridge(counts)(dut, *given)
    leave(found)
