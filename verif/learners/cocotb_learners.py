"""Several learners on a chip: every weight, priority and experience of each is the model's, over whole rounds."""

import random

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.task import bridge
from foreign_bus import ForeignBus
from learners_bench import Rounds
from learners_memory import Memories
from replay_cases import experiences, model, same, start, state_of_all
from uvm_bench import parameters

from rlcores.cores.common.draws import state_of
from rlcores.cores.learners.driver import LearnerWindow, SharedDriver
from rlcores.cores.learners.model import LearnersModel
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver

BASE = 0x2340_0000


async def begin(dut, likely: float, latest: int) -> tuple:
    core = parameters(dut, "replay_learner")
    learners = int(core["LEARNERS"])
    start_clock(dut.clk, high=False)  # so that the first edge sees the reset
    dut.rst.value = 1
    bus = ForeignBus(dut, ("s_axis_exp", "s_axis_load"), ("m_axis_read",), share=0.0)
    widths = {"addr": core["ADDR_WIDTH"], "data": core["DATA_WIDTH"], "id": (core["READS"] - 1).bit_length() + 2}
    memories, rounds = Memories(dut, learners, widths, likely, latest), Rounds(dut, learners, HITS)
    cocotb.start_soon(memories.run())
    await bus._reset()
    cocotb.start_soon(rounds.watch())
    return core, bus, memories, rounds


def drivers(bus, memories) -> list[ReplayLearnerDriver]:
    """Of every learner, each with its memory."""
    windows = (LearnerWindow(bus, "replay_learner", number, part) for number, part in enumerate(memories.parts))
    return [ReplayLearnerDriver(window, BASE) for window in windows]


def trains(dut, core, bus, memories, rounds, seed: int) -> None:
    rng = np.random.default_rng(seed)
    slots, batch = 12, 4
    reals = drivers(bus, memories)
    exacts, shared = [model(core) for _ in reals], SharedDriver(bus, len(reals))
    for average, exact_weights in zip((3, 1, 2), random.Random(seed).sample((True, True, False), 3), strict=True):
        waited = HITS["waits"]
        ahead = int(rng.integers(0, core["AHEAD_MAX"] + 1))
        sync = average * int(rng.integers(1, 3))
        start(rng, *reals, *exacts, batch=batch, capacity=slots, ahead=ahead, sync_interval=sync, lag=True)
        shared.begin_rounds(average)
        shared.exact = exact_weights
        for real, exact in zip(reals, exacts, strict=True):
            draws = state_of(int(rng.integers(0, 2**63)))
            for driver in (real, exact):
                driver.load_draws(draws)
        together = LearnersModel(exacts, average, exact=exact_weights)
        for done in rounds.done:
            done.clear()
        for steps in (2 * average, average + 1, 2 * average - 1):
            for real, exact in zip(reals, exacts, strict=True):
                rows = real.layout.pack(*experiences(rng, real.learner.shape, int(rng.integers(3, slots))))
                for driver in (real, exact):
                    driver.insert(rows)
            for real in reals:
                real.start(steps)
            for real in reals:
                real.wait()
            together.train(steps, exacts[0].tree.registers.beta)
            for number, (real, exact) in enumerate(zip(reals, exacts, strict=True)):
                when = f"H = {average}, learner {number}, exact {exact_weights}"
                same(state_of_all(real, slots), state_of_all(exact, slots), when)
            HITS["steps"] += steps
            HITS["exact"] += steps * exact_weights
        assert together.rounds == shared.rounds == 5 and together.since == 0
        assert shared.waited == int(HITS["waits"] - waited)
        shared.clear_counters()
        # The last steps of rounds end in one clock, others need not.
        count = 5 * average
        assert [len(done) for done in rounds.done] == [count] * len(reals)
        for step in range(average - 1, count, average):
            assert len({done[step] for done in rounds.done}) == 1, f"step {step} of rounds of {average}"
        HITS["apart"] += sum(len({done[step] for done in rounds.done}) > 1 for step in range(count))
        HITS["rounds"] += 5


def goes_on(dut, core, bus, memories, rounds, seed: int) -> None:
    """With weights over all banks one whose others have stopped waits for their batch, until that is off."""
    rng = np.random.default_rng(seed)
    real, *_ = drivers(bus, memories)  # the one that gets the first experiences
    exact, shared = model(core), SharedDriver(bus, len(memories.parts))
    start(rng, real, exact, batch=4, capacity=12, ahead=1, sync_interval=2, lag=True)
    rows = real.layout.pack(*experiences(rng, real.learner.shape, 9))
    for driver in (real, exact):
        driver.insert(rows)
    shared.begin_rounds(0)
    shared.exact = True
    real.start(5)
    bus.run(3000)
    assert real.status("busy") and not real.learner.steps
    shared.exact = False
    real.wait()
    exact.train(5)
    same(state_of_all(real, 12), state_of_all(exact, 12), "it had waited for nobody")


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_learner_whose_others_have_stopped_goes_on_by_itself(dut):
    given = await begin(dut, 0.8, 10)
    await bridge(goes_on)(dut, *given, random.getrandbits(32))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def learners_are_the_model_over_whole_rounds(dut):
    given = await begin(dut, random.choice((0.5, 0.8)), 30)
    await bridge(trains)(dut, *given, random.getrandbits(32))
    HITS.update({f"memory {name}": count for name, count in given[2].moved.items()})
    report()
