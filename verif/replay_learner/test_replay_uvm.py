"""The replay learner with somebody else's bus models on every side, in both simulators, beside the integer model."""

import pytest
from replay_cases import CORES
from simulators import NO_ICARUS

from rlcores.eda import sim


@pytest.mark.slow
@pytest.mark.parametrize("core", ["tiny", "ddpg_tiny", "split"])
def test_experiences_steps_and_all_that_disturbs_them_leave_what_the_model_leaves(core: str, seed: int) -> None:
    run = sim.run("rlcores:system:replay_learner", "sim", CORES[core], seed=seed)
    hits = run.coverage
    assert len(run.tests) == 10 and hits["event.step_done"] >= 60 and hits["event.ev_kept"] >= 200
    assert hits["memory.overtaken"] > 5 and hits["memory.mixed"] > 5


@pytest.mark.slow  # Icarus needs minutes for a network
@NO_ICARUS
@pytest.mark.parametrize(
    "testcase",
    [
        "experiences_and_steps_in_turns_leave_what_the_model_leaves",
        "lost_and_doubled_words_cost_their_records_and_no_other",
        "registers_keep_what_is_written_and_a_reset_takes_it_back",
    ],
)
def test_icarus_agrees(testcase: str, seed: int) -> None:
    run = sim.run("rlcores:system:replay_learner", "sim_icarus", CORES["tiny"], testcase=testcase, seed=seed)
    assert run.passed and len(run.tests) == 1
