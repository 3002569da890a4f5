"""The learner's records, and the join in front of a critic, bit for bit as their models, in both simulators."""

from functools import partial

import pytest
from simulators import NO_ICARUS, both, covered

from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:learner:input_verif"
run = partial(covered, CORE)


BATCHES = both(
    {"DP": 2, "LANES": 4, "SIZE_S": 5, "SIZE_A": 3, "ACTIONS": 6},
    {"DP": 3, "LANES": 1, "SIZE_S": 4, "SIZE_A": 2, "ACTIONS": 1, "RECORDS": 1},
    {"DP": 1, "LANES": 8, "SIZE_S": 3, "ACTIONS": 4},
    {"DP": 4, "LANES": 2, "SIZE_S": 23, "ACTIONS": 500, "RECORDS": 6},
)


@pytest.mark.parametrize(("simulator", "parameters"), BATCHES)
def test_every_record_arrives_in_its_column_whenever_run_falls(simulator, parameters, seed):
    hits = run("batch", simulator, seed, parameters)
    needed = ["held back", "taken without run", "unknown action", "batch of 1", "full speed", "s refused"]
    needed += ["missing columns"] if parameters["DP"] > 1 else []
    assert hits["batches"] >= 36 and all(hits.get(name, 0) > 0 for name in needed), hits


JOINS = both({"WORDS_A": 3, "WORDS_B": 1}, {"WORDS_A": 1, "WORDS_B": 1, "WIDTH": 5}, {"WORDS_A": 2, "WORDS_B": 5})


@pytest.mark.parametrize(("simulator", "parameters"), JOINS)
def test_states_and_actions_alternate_in_the_critics_input(simulator, parameters, seed):
    hits = run("join", simulator, seed, parameters)
    assert hits["m words"] == 420 * (parameters["WORDS_A"] + parameters["WORDS_B"]), hits
    assert hits["full speed"] and hits["m stalled"] and hits["s_a refused"] and hits["s_b refused"], hits


ILLEGAL = [
    ("batch", {"RECORDS": 0}, "rlc_learner_batch: DP and LANES and RECORDS must be at least 1"),
    ("batch", {"SIZE_S": 0}, "rlc_learner_batch: SIZE_S must be at least 1 and SIZE_A 0 or more"),
    ("batch", {"ACTIONS": 0}, "rlc_learner_batch: ACTIONS must be 1 to 65535"),
    ("join", {"WORDS_B": 0}, "rlc_learner_join: WIDTH and WORDS_A and WORDS_B must be at least 1"),
]


@NO_ICARUS
@pytest.mark.parametrize(("target", "parameters", "message"), ILLEGAL)
def test_an_illegal_parameter_is_refused_in_words(target, parameters, message):
    with pytest.raises(RunFailed, match=message):
        sim.run(CORE, f"{target}_icarus", parameters)
