"""Several PPO cores on a chip: every weight and moment of each is the model's behind whole iterations."""

import json
import os
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.task import bridge
from foreign_bus import ForeignBus
from learners_bench import OneOf, Rounds, set_average
from uvm_bench import parameters

from rlcores.cores.env.environments import of_core
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learners.ppo import PpoLearners
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.ppo.model import RANGE, Ppo
from rlcores.train import chip

HITS: Counter[str] = Counter()
PLANES = [0, 2, 3]  # of a network: weights and moments
TIME_LIMIT = 9  # some episodes are cut off, and some end


async def begin(dut) -> tuple:
    core = parameters(dut, "ppo_env")
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value, dut.cfg_average.value = 1, 0
    bus = ForeignBus(dut, ("s_axis_load",), ("m_axis_read",), share=0.2)
    await bus._reset()
    rounds = Rounds(dut, int(core["LEARNERS"]), HITS)
    cocotb.start_soon(rounds.watch())
    return core, bus, rounds


def learner(core, driver: PpoDriver, seed: int) -> Ppo:
    """One with random weights for that core."""
    shape = driver.shape
    task = replace(chip.task_of("pendulum" if shape.gaussian else "cartpole"), network=shape.actor.sizes[1:-1])
    own = chip.learner(task, seed, envs=shape.environments, steps=shape.steps, minibatches=4)
    own.columns = shape.columns
    return own


def trains(dut, core, bus, rounds, seed: int) -> None:
    count = int(core["LEARNERS"])
    reals = [PpoDriver(OneOf(bus, number)) for number in range(count)]
    firsts = learner(core, reals[0], seed)
    shown = learner(core, reals[0], seed + 1)
    for average in (3, 1, 2):
        exacts = [learner(core, real, seed + number) for number, real in enumerate(reals)]
        physics = of_core(int(core["ENV"]), reals[0].shape.environments)
        environments = [EnvModel(physics, reals[0].shape.environments, TIME_LIMIT) for _ in reals]
        seen = []
        set_average(dut, average)
        for number, (real, exact) in enumerate(zip(reals, exacts, strict=True)):
            exact.restore(firsts.save() | {"generators": exact.save()["generators"]})
            real.environments.abort()
            real.environments.write_register("TIME_LIMIT", TIME_LIMIT)
            real.adopt(exact)
            real.clear_counters()
            real.begin(seed + 10 + number)
            seen.append(environments[number].start(seed + 10 + number)["obs"].astype(np.int64))
        together = PpoLearners(exacts, average)
        for done in rounds.done:
            done.clear()
        steps = 0
        for iterations in (1, 2):
            for _ in range(iterations):
                played = [e.collect(envs, x) for e, envs, x in zip(exacts, environments, seen, strict=True)]
                together.train([rollout for rollout, _ in played])
                seen = [observations for _, observations in played]
            for real in reals:
                real.start(iterations)
                bus.run(random.randint(100, 400))  # so that they are apart until their first average
            for real in reals:
                real.wait()
            for number, (real, exact) in enumerate(zip(reals, exacts, strict=True)):
                real.show(shown)
                same(shown, exact, f"H = {average}, learner {number}")
            steps = exacts[0].updates
        HITS["steps"] += steps
        HITS["rounds"] += together.rounds
        assert [len(done) for done in rounds.done] == [steps] * count
        # The last minibatches of rounds end in one clock, others need not.
        for step in range(average - 1, steps, average):
            assert len({done[step] for done in rounds.done}) == 1, f"minibatch {step} of rounds of {average}"
        HITS["apart"] += sum(len({done[step] for done in rounds.done}) > 1 for step in range(steps))


def same(one: Ppo, other: Ppo, what: str) -> None:
    for name in ("actor", "critic"):
        found, wanted = (getattr(own, name).planes[PLANES] for own in (one, other))
        assert np.array_equal(found, wanted), f"{name}, {what}"
    assert np.array_equal(one.logs, other.logs), f"log-deviations, {what}"
    one.counters[RANGE] = other.counters[RANGE]  # words there, numbers here
    pairs = enumerate(zip(one.counters.tolist(), other.counters.tolist(), strict=True))
    apart = {stage: pair for stage, pair in pairs if pair[0] != pair[1]}
    assert not apart, f"counters here and in the model, {what}: {apart}"


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def learners_are_the_model_over_whole_iterations(dut):
    given = await begin(dut)
    await bridge(trains)(dut, *given, random.getrandbits(31))
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(HITS))
