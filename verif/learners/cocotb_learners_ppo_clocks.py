"""Clocks of iterations of several PPO cores, with and without averages, for `rlcores bench learners`."""

import cocotb
import numpy as np
from bench_hits import leave
from cocotb.task import bridge
from learners_bench import Rounds, begin
from learners_ppo_start import MINIBATCHES, learner

from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.ppo.driver import PpoDriver

AVERAGES = (0, 1, 4, 16)  # H in minibatches; 16 are an iteration
ITERATIONS = 3


def counts(core, bus, rounds) -> dict[str, float]:
    reals = [PpoDriver(LearnerWindow(bus, "ppo_env", number)) for number in range(int(core["LEARNERS"]))]
    first, shared = learner(reals[0].shape, 1), SharedDriver(bus, len(reals))
    found = {}
    for average in AVERAGES:
        shared.begin_rounds(average)
        for number, real in enumerate(reals):
            real.environments.abort()
            real.adopt(first)
            real.begin(number)
        rounds.forget()
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
    core, bus = await begin(dut, "learners_ppo", ("s_axis_load",))
    rounds = Rounds(dut, int(core["LEARNERS"]))
    cocotb.start_soon(rounds.watch())
    leave(await bridge(counts)(core, bus, rounds))
