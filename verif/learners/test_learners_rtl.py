"""The core of several learners in both simulators: the model's bits over whole rounds, whatever the memories do."""

import pytest

from rlcores.eda import configs, sim
from rlcores_lab.bench import learners, learners_ppo

TINY = configs.load("replay_learner", "tiny")
CASES = {
    "two": {"LEARNERS": 2, "CROSS": 1},
    # Adam, averaged targets, and a division that is no shift.
    "three": {"LEARNERS": 3, "OPTIMISER": 2, "POLYAK": 1, "CROSS": 2},
    "four": {"LEARNERS": 4, "OPTIMISER": 1, "CROSS": 1},
    # An actor beside the critic, and averaged targets.
    "ddpg": configs.load("replay_learner", "ddpg_tiny") | {"LEARNERS": 2, "CROSS": 1},
}


# What takes minutes is in the long run. CI runs both environments of two learners besides, by `rlcores regress`.
SLOW = pytest.mark.slow
WHOLE, ITERATIONS = r"\.learners_(are|whose)_", r"\.learners_are_"


@pytest.mark.parametrize(
    ("case", "only"), [("two", ITERATIONS), *(pytest.param(case, WHOLE, marks=SLOW) for case in ("two", "ddpg"))]
)
def test_learners_are_the_model_over_whole_rounds(case: str, only: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners", "sim", TINY | CASES[case], testcase=only, seed=seed)
    hits = run.coverage
    # Five rounds of 3, 1 and 2 steps each, and two behind each release.
    assert len(run.tests) == 1 + (only == WHOLE) and hits["round.one step"] == 5 and hits["round.some steps"] >= 10
    least = 300 if only == WHOLE else 100
    assert hits["waits.0"] > least and hits["waits.1"] > least
    assert hits["steps.apart"] > 5 and hits["memory.overtaken"] > 10


@SLOW
@pytest.mark.parametrize("case", CASES)
def test_whatever_learners_do_leaves_what_the_model_leaves(case: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners", "sim", TINY | CASES[case], seed=seed)
    hits = run.coverage
    assert len(run.tests) == 7 and hits["released"] >= 3 and hits["abort.at work"] == 2


@SLOW
@pytest.mark.parametrize("case", ["two", "ddpg"])
def test_icarus_agrees_on_learners(case: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners", "sim_icarus", TINY | CASES[case], testcase=WHOLE, seed=seed)
    assert run.passed and len(run.tests) == 2


PPO = configs.load("ppo_env", "tiny")
PPO_CASES = {
    "two": {"LEARNERS": 2, "CROSS": 1},
    "three": {"LEARNERS": 3, "CROSS": 2},
    # As little as there can be, for Icarus.
    "small": {
        "LEARNERS": 2, "CROSS": 1, "DP": 1, "N_ENVS": 2, "STEPS": 4, "BATCH_MAX": 2, "SIZES": "4-4-1:4-4-2",
        "LANES": "1-2-1:1-2-1", "FORWARD": "1-1:1-1", "BACKWARD": "1-1:1-1", "UPDATE_ROWS": "2-1:2-1",
        "UPDATE_COLS": "1-1:1-1",
    },
    # Log-deviations, and a number for an action.
    "gaussian": {
        "LEARNERS": 2, "CROSS": 1, "ENV": 3, "GAUSSIAN": 1, "SIZES": "3-8-8-1:3-8-8-1",
    },
}  # fmt: skip


@SLOW
def test_ppo_learners_are_the_model_over_whole_iterations(seed: int) -> None:
    run = sim.run("rlcores:learners:learners_ppo", "sim", PPO | PPO_CASES["two"], testcase=ITERATIONS, seed=seed)
    hits = run.coverage
    # Three iterations of 8 minibatches for each H.
    assert len(run.tests) == 1 and hits["round.one step"] == 24 and hits["round.some steps"] == 20
    assert hits["waits.0"] > 50 and hits["waits.1"] > 50 and hits["round.halves"] == 1


@SLOW
@pytest.mark.parametrize("case", ["two", "three", "gaussian"])
def test_whatever_ppo_learners_do_leaves_what_the_model_leaves(case: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners_ppo", "sim", PPO | PPO_CASES[case], seed=seed)
    hits = run.coverage
    assert len(run.tests) == 5 and hits["released"] == 2 and hits["abort.at work"] == 1


@SLOW
def test_icarus_agrees_on_ppo_learners(seed: int) -> None:
    run = sim.run(
        "rlcores:learners:learners_ppo", "sim_icarus", PPO | PPO_CASES["small"], testcase=ITERATIONS, seed=seed
    )
    assert run.passed and len(run.tests) == 1


@SLOW
def test_four_learners_in_rounds_of_ten_lose_less_than_a_twentieth(seed: int) -> None:
    figures, rows = learners.counted(4, seed)
    by_name = {figure.name: figure.value for figure in figures}
    assert by_name["learners.scaling_l4_h10"] >= 0.95 and len(rows) == 4
    # No more than averaging's own clocks, and a wait for the last learner.
    assert all(by_name[f"learners.scaling_l4_h{h}"] <= 1.0 for h in (1, 5, 10, 25))


@SLOW
def test_ppo_learners_take_the_clocks_of_one_and_of_their_averages(seed: int) -> None:
    bench = learners_ppo.measure(configs.load("learners_ppo", "tiny"), seed)
    # With an average every minibatch, every epoch and every iteration. Episodes that end take some clocks more or less.
    every, epoch, iteration = bench.clocks.values()
    assert every > epoch > iteration and every > bench.alone + 60
    for average, clocks in bench.clocks.items():
        assert abs(bench.model[average] / clocks - 1) <= 0.05
        assert 1.9 < bench.speedup(average) < 1.01 * bench.learners
