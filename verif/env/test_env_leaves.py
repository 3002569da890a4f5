"""The physics of each environment in RTL is its integer model, in both simulators."""

import json

import comparisons
import pytest
from simulators import NO_ICARUS

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.eda import sim

SUFFIX = {"verilator": "", "icarus": "_icarus"}
# Verilator has to build each one, and takes three times as long: in `make test` one with a sine and long products.
# The two largest take as long as the five others.
LARGE = {"acrobot", "quadrotor"}
CASES = [pytest.param("icarus", n, marks=[NO_ICARUS, *[pytest.mark.slow] * (n in LARGE)]) for n in ENVIRONMENTS]
QUICK = "mountaincar"
CASES += [pytest.param("verilator", n, marks=[] if n == QUICK else pytest.mark.slow) for n in ENVIRONMENTS]


@pytest.mark.parametrize(("simulator", "name"), CASES)
def test_a_step_and_a_reset_a_clock_are_the_models(simulator: str, name: str, seed: int) -> None:
    target, parameters = ENVIRONMENTS[name].leaf, ENVIRONMENTS[name].leaf_parameters
    known = json.dumps(comparisons.of(f"rlc_env_{target}", parameters))
    env = {"LEAF": name, "LEAF_COMPARISONS": known, "LEAF_SIMULATOR": simulator}
    assert len(sim.run("rlcores:env:leaves", target + SUFFIX[simulator], parameters, seed=seed, env=env).tests) == 2


@NO_ICARUS
def test_the_inverse_of_acrobot_is_the_models_where_a_unit_more_rounds_otherwise(seed: int) -> None:
    assert sim.run("rlcores:env:leaves", "inverse_icarus", seed=seed).passed


@NO_ICARUS
def test_a_saturated_number_is_counted_and_a_left_answer_is_said(seed: int) -> None:
    assert len(sim.run("rlcores:env:leaves", "shell_icarus", {"N_ENVS": 3}, seed=seed).tests) == 2


def test_the_comparisons_of_a_leaf_are_those_that_its_text_has() -> None:
    goal = {"signal": "position_s16", "bits": 32, "constant": 1 << 28}
    assert goal in comparisons.of("rlc_env_mountaincar", {"CONTINUOUS": 0})
    assert {c["signal"] for c in comparisons.of("rlc_env_acrobot", {})} >= {"g_link[0].v_s101", "g_link[1].v_s101"}
