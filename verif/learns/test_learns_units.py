"""Parts of the chip that learns by itself: its scores and its text."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import sim

CORE = "rlcores:system:learns_units"
SIMULATORS = [
    pytest.param("_icarus", marks=NO_ICARUS, id="icarus"),
    pytest.param("", marks=pytest.mark.slow, id="verilator"),
]


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("envs", [16, 1, 5])
def test_a_score_is_that_of_the_episodes_that_ended(simulator: str, envs: int, seed: int):
    hits = sim.run(CORE, f"score{simulator}", {"N_ENVS": envs, "GOAL": 475}, seed=seed).coverage
    assert hits["scores"] + hits["no episode"] == 180 and hits["scores"] > 20 and hits["no episode"] > 10, hits


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_numbers_on_the_line_are_those_that_were_given(simulator: str, seed: int):
    hits = sim.run(CORE, f"text{simulator}", {"CLOCKS_PER_BIT": 5}, seed=seed).coverage
    assert hits["numbers"] + hits["titles"] == 60 and hits["numbers"] > 40, hits
