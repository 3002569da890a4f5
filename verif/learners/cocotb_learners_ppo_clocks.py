"""Clocks of iterations of several PPO cores, with and without averages, for `rlcores bench learners`."""

import cocotb
import numpy as np
from bench_hits import leave
from cocotb.task import bridge
from cocotb_learners_ppo import begin, learner

from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.ppo.driver import PpoDriver

AVERAGES = (0, 1, 4, 16)  # H in minibatches; 16 are an iteration
MINIBATCHES, ITERATIONS = 4, 3


def counts(dut, core, bus, rounds) -> dict[str, float]:
    reals = [PpoDriver(LearnerWindow(bus, "ppo_env", number)) for number in range(int(core["LEARNERS"]))]
    first, shared = learner(core, reals[0], 1), SharedDriver(bus, len(reals))
    found = {}
    for average in AVERAGES:
        shared.begin_rounds(average)
        for number, real in enumerate(reals):
            real.environments.abort()
            real.adopt(first)
            real.begin(number)
        for done in rounds.done:
            done.clear()
        for real in reals:
            real.start(ITERATIONS)
        for real in reals:
            real.wait()
        # From the end of the first iteration to the end of the last one, of the learner that takes longest.
        each = first.settings.epochs * MINIBATCHES
        longest = max(int(np.diff(done)[each - 1 :].sum()) for done in rounds.done)
        found[f"iteration {average}"] = longest / (ITERATIONS - 1)
    return found | {"steps": first.settings.envs * first.settings.steps, "minibatches": each}


@cocotb.test(timeout_time=2000, timeout_unit="ms")
async def clocks_of_iterations(dut):
    given = await begin(dut)
    found = await bridge(counts)(dut, *given)
    leave(found)
