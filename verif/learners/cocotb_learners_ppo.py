"""Several PPO cores on a chip: every weight and moment of each is the model's behind whole iterations."""

import random
from dataclasses import replace

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.task import bridge
from foreign_bus import ForeignBus
from learners_bench import Rounds
from uvm_bench import parameters

from rlcores.cores.env.environments import of_core
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.learners.ppo import PpoLearners
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.ppo.model import ACC_OVERFLOW, Ppo
from rlcores.train import chip

PLANES = [0, 2, 3]  # of a network: weights and moments
TIME_LIMIT = 9  # some episodes are cut off, and some end


async def begin(dut) -> tuple:
    core = parameters(dut, "ppo_env")
    start_clock(dut.clk, high=False)  # so that the first edge sees the reset
    dut.rst.value = 1
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


def begun(core, real: PpoDriver, exact: Ppo, seed: int) -> EnvModel:
    """A core that is to begin with a learner's weights, and its environments as their model."""
    real.environments.abort()
    real.environments.write_register("TIME_LIMIT", TIME_LIMIT)
    real.adopt(exact)
    real.clear_counters()
    real.begin(seed)
    count = real.shape.environments
    return EnvModel(of_core(int(core["ENV"]), count), count, TIME_LIMIT)


def trains(dut, core, bus, rounds, seed: int) -> None:
    count = int(core["LEARNERS"])
    reals = [PpoDriver(LearnerWindow(bus, "ppo_env", number)) for number in range(count)]
    shared = SharedDriver(bus, count)
    firsts = learner(core, reals[0], seed)
    shown = learner(core, reals[0], seed + 1)
    for average in (3, 1, 2):
        exacts = [learner(core, real, seed + number) for number, real in enumerate(reals)]
        environments, seen = [], []
        shared.begin_rounds(average)
        shared.clear_counters()
        for number, (real, exact) in enumerate(zip(reals, exacts, strict=True)):
            exact.restore(firsts.save() | {"generators": exact.save()["generators"]})
            environments.append(begun(core, real, exact, seed + 10 + number))
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
        assert [len(done) for done in rounds.done] == [steps] * count and shared.rounds == together.rounds
        # The last minibatches of rounds end in one clock, others need not.
        for step in range(average - 1, steps, average):
            assert len({done[step] for done in rounds.done}) == 1, f"minibatch {step} of rounds of {average}"
        HITS["apart"] += sum(len({done[step] for done in rounds.done}) > 1 for step in range(steps))


def same(one: Ppo, other: Ppo, what: str) -> None:
    for name in ("actor", "critic"):
        found, wanted = (getattr(own, name).planes[PLANES] for own in (one, other))
        assert np.array_equal(found, wanted), f"{name}, {what}"
    assert np.array_equal(one.logs, other.logs), f"log-deviations, {what}"
    one.counters[ACC_OVERFLOW] = other.counters[ACC_OVERFLOW]  # words there, numbers here
    pairs = enumerate(zip(one.counters.tolist(), other.counters.tolist(), strict=True))
    apart = {stage: pair for stage, pair in pairs if pair[0] != pair[1]}
    assert not apart, f"counters here and in the model, {what}: {apart}"


def goes_on(dut, core, bus, rounds, seed: int) -> None:
    """One that no other comes to meet waits, until rounds are off; then it ends its run by itself."""
    count = int(core["LEARNERS"])
    shared, real = SharedDriver(bus, count), PpoDriver(LearnerWindow(bus, "ppo_env", count - 1))
    exact = learner(core, real, seed)
    environments = begun(core, real, exact, seed)
    shared.begin_rounds(2)
    real.start(1)
    while not shared.waits():
        bus.run(100)
    bus.run(1000)
    assert shared.waits() == (count - 1,) and shared.rounds == 0
    assert len(rounds.done[count - 1]) == 1
    shared.begin_rounds(0)
    real.wait()
    assert shared.waits() == () and shared.rounds == 0 and shared.waited >= 1000
    rollout, _ = exact.collect(environments, environments.start(seed)["obs"].astype(np.int64))
    exact.train(rollout)
    shown = learner(core, real, seed + 1)
    real.show(shown)
    same(shown, exact, "after it had waited for nobody")


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def a_learner_whose_others_have_stopped_goes_on_by_itself(dut):
    given = await begin(dut)
    await bridge(goes_on)(dut, *given, random.getrandbits(31))


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def learners_are_the_model_over_whole_iterations(dut):
    given = await begin(dut)
    await bridge(trains)(dut, *given, random.getrandbits(31))
    report()
