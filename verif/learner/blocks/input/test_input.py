"""The learner's records, and the join in front of a critic, bit for bit as their models, in both simulators."""

import pytest

from rlcores.base import tools
from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:learner:input_verif"
NO_ICARUS = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")


def both(*cases: dict[str, int], quick: int = 1) -> list:
    """Every case in both simulators; in `make test` the first `quick` in Verilator, the next to the third in Icarus."""
    found = []
    for number, case in enumerate(cases):
        name = " ".join(f"{parameter}{value}" for parameter, value in case.items())
        later = [pytest.mark.slow] if number >= quick else []
        early = [] if quick <= number < 3 else [pytest.mark.slow]
        found.append(pytest.param("icarus", case, marks=[NO_ICARUS, *early], id=f"icarus {name}"))
        found.append(pytest.param("verilator", case, marks=later, id=f"verilator {name}"))
    return found


def run(target: str, simulator: str, seed: int, parameters: dict[str, int]) -> dict[str, int]:
    """Simulate a target of input.core and hand over what it covered."""
    name = target if simulator == "verilator" else f"{target}_{simulator}"
    return sim.run(CORE, name, parameters, seed=seed).coverage


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


JOINS = both(
    {"WORDS_A": 3, "WORDS_B": 1}, {"WORDS_A": 1, "WORDS_B": 1, "WIDTH": 5}, {"WORDS_A": 2, "WORDS_B": 5}, quick=0
)


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
