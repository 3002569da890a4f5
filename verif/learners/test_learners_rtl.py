"""The core of several learners in both simulators: the model's bits over whole rounds, whatever the memories do."""

import pytest

from rlcores.eda import configs, sim
from rlcores_lab.bench import learners

TINY = configs.load("replay_learner", "tiny")
CASES = {
    "two": {"LEARNERS": 2, "CROSS": 1},
    # Adam, averaged targets, and a division that is no shift.
    "three": {"LEARNERS": 3, "OPTIMISER": 2, "POLYAK": 1, "CROSS": 2},
    "four": {"LEARNERS": 4, "OPTIMISER": 1, "CROSS": 1},
    # An actor beside the critic, and averaged targets.
    "ddpg": configs.load("replay_learner", "ddpg_tiny") | {"LEARNERS": 2, "CROSS": 1},
}


@pytest.mark.parametrize(
    ("case", "simulator"),
    [
        ("two", "verilator"),
        pytest.param("two", "icarus", marks=pytest.mark.slow),
        pytest.param("three", "verilator", marks=pytest.mark.slow),
        pytest.param("four", "verilator", marks=pytest.mark.slow),
        ("ddpg", "verilator"),
        pytest.param("ddpg", "icarus", marks=pytest.mark.slow),
    ],
)
def test_learners_are_the_model_over_whole_rounds(case: str, simulator: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners", sim.TARGETS[simulator], TINY | CASES[case], seed=seed)
    hits = run.coverage
    assert len(run.tests) == 2
    # Five rounds of 3, 1 and 2 steps, with importance weights over all banks in two of these; learners waited for
    # others, and between the ends of rounds they went apart.
    assert hits["rounds"] == 15 and hits["steps"] == 30 and hits["exact"] in (15, 20, 25)
    assert hits["waits"] > 50 and hits["apart"] > 5 and hits["memory mixed"] > 10
    assert hits["memory r"] > 300 and hits["memory w"] > 100


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


@pytest.mark.parametrize(
    ("case", "simulator"),
    [
        ("two", "verilator"),
        pytest.param("small", "icarus", marks=pytest.mark.slow),
        pytest.param("three", "verilator", marks=pytest.mark.slow),
        pytest.param("gaussian", "verilator", marks=pytest.mark.slow),
    ],
)
def test_ppo_learners_are_the_model_over_whole_iterations(case: str, simulator: str, seed: int) -> None:
    run = sim.run("rlcores:learners:learners_ppo", sim.TARGETS[simulator], PPO | PPO_CASES[case], seed=seed)
    hits = run.coverage
    assert len(run.tests) == 2
    # A run of one iteration and one of two, in rounds of 3, 1 and 2. 4 minibatches an epoch, 8 epochs of Pendulum.
    iteration = 4 * (8 if case == "gaussian" else 4)
    steps = 3 * iteration
    assert hits["steps"] == 3 * steps and hits["rounds"] == steps // 3 + steps + steps // 2
    # Minibatches in front of the first average of each run. The second run goes on in the middle of a round of three.
    assert hits["waits"] > 50 and hits["apart"] >= 2 + (2 - iteration % 3) + 1 + 1


@pytest.mark.slow
def test_four_learners_in_rounds_of_ten_lose_less_than_a_twentieth(seed: int) -> None:
    figures, rows = learners.counted(4, seed)
    found = {figure.name: figure.value for figure in figures}
    assert found["learners.scaling_l4_h10"] >= 0.95 and len(rows) == 4
    # No more than averaging's own clocks, and a wait for the last learner.
    assert all(found[f"learners.scaling_l4_h{h}"] <= 1.0 for h in (1, 5, 10, 25))
