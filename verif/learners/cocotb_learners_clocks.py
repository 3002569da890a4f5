"""Clocks of rounds: several learners with memories that never pause, for `rlcores bench learners`."""

import cocotb
import numpy as np
from bench_hits import leave
from cocotb.task import bridge
from learners_bench import Rounds, begin, remember
from replay_cases import experiences, start

from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver

# H, and how many rounds are counted; of H = 0 steps. All but the first with importance weights over all banks.
ROUNDS = {
    "step 0": (0, 24),
    "exact": (0, 24),
    "step 1": (1, 24),
    "step 5": (5, 5),
    "step 10": (10, 4),
    "step 25": (25, 3),
}


def counts(core, bus, memories, rounds) -> dict[str, float]:
    rng = np.random.default_rng(1)
    windows = [LearnerWindow(bus, "replay_learner", number, memory) for number, memory in enumerate(memories)]
    reals = [ReplayLearnerDriver(window) for window in windows]
    shared = SharedDriver(bus, len(reals))
    slots, batch = core["CAPACITY"], core["BATCH_MAX"]
    start(rng, *reals, batch=batch, capacity=slots, ahead=1, sync_interval=0, double=False, lag=True)
    for real in reals:
        real.insert(real.layout.pack(*experiences(rng, real.learner.shape, slots)))
    clocks = {}
    for name, (average, count) in ROUNDS.items():
        shared.begin_rounds(average)
        shared.exact = name != "step 0"
        each = max(average, 1)
        warm = -(-4 // each) * each
        rounds.forget()
        for real in reals:
            real.start(warm + count * each)
        for real in reals:
            real.wait()
        # From the end of a round to the end of the last one.
        done = rounds.done[0]
        clocks[name] = (done[-1] - done[warm - 1]) / (count * each)
    return clocks


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def clocks_of_rounds(dut):
    core, bus = await begin(dut, "learners", ("s_axis_exp", "s_axis_load"))
    memories, rounds = await remember(dut, core), Rounds(dut, int(core["LEARNERS"]))
    cocotb.start_soon(rounds.watch())
    leave(await bridge(counts)(core, bus, memories, rounds))
