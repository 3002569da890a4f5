"""Batches longer than the learner's own queues: acting, storing and learning at once still end, as the model does."""

import numpy as np
import pytest
from replay_cases import formats, model, same, start, state_of_all

from rlcores.cores.agent.driver import AgentDriver
from rlcores.cores.agent.model import EPSILON_BITS, AgentModel, Schedule, policy_of
from rlcores.cores.common.draws import state_of
from rlcores.cores.env.model import EnvModel
from rlcores.eda import configs
from rlcores.errors import RunFailed

# Eight of these batches find no room in the learner, its records in front and the reads on their way.
LONG = {**configs.load("agent", "tiny"), "BATCH_MAX": 96}
SLOTS = 20
LIMIT = 400_000  # clocks without an answer of the core


@pytest.fixture(scope="module")
def driver() -> AgentDriver:
    """The core, built once."""
    return AgentDriver.verilated(LONG)


def run(driver: AgentDriver, schedule: Schedule, ahead: int, seed: int) -> None:
    """Two runs of one schedule, and whatever they leave beside what the model leaves."""
    bus, rng = driver.memory_bus, np.random.default_rng(seed)
    bus.reset()
    real, exact = AgentDriver(bus), model(LONG)
    start(rng, real.loop, exact, batch=LONG["BATCH_MAX"] - int(rng.integers(0, 5)), capacity=SLOTS, ahead=ahead)
    policy = policy_of(exact.learner.shape, formats(exact.learner.shape))
    real.act_frac = policy.act_frac
    agent = AgentModel(EnvModel(real.physics, real.n_envs, real.time_limit), policy, exact)
    real.schedule = agent.schedule = schedule
    for each in (real, agent):
        each.epsilon_end = each.epsilon_fall = 1 << EPSILON_BITS - 3
    real.epsilon_first = agent.epsilon = 1 << EPSILON_BITS
    agent.reload()
    states = state_of(seed), state_of(seed + 1)
    real.begin(*states)
    agent.begin(*states)
    for blocks in (schedule.learning_starts + 7, schedule.learning_starts + 2):
        real.launch(blocks)
        deadline = bus.cycles + LIMIT
        while not real.status("idle") or real.loop.status("busy"):
            if bus.cycles > deadline:
                raise RunFailed(f"stands still: {schedule}, {ahead} ahead, batch {real.loop.read('BATCHES')}")
        real.finish()
        agent.run(blocks)
    same(state_of_all(real.loop, SLOTS), state_of_all(exact, SLOTS), f"{schedule}, {ahead} ahead, seed {seed}")
    assert real.counters == {name: agent.counters[name] for name in real.counters}


@pytest.mark.parametrize("lag", [0, *(pytest.param(lag, marks=pytest.mark.slow) for lag in (1, 2))])
def test_a_run_with_batches_longer_than_the_learners_queues_ends_as_the_models(
    driver: AgentDriver, lag: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    for ahead in range(LONG["AHEAD_MAX"] + 1):
        rounds = int(rng.integers(1, 4)) if lag < 2 else 1
        schedule = Schedule(rounds, int(rng.integers(1, 4)), int(rng.integers(1, 4)), lag)
        run(driver, schedule, ahead, int(rng.integers(2**31)))
