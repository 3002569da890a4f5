"""The deployed network against its model, in both simulators: every answer in its clock, while weights are swapped."""

import sys

import numpy as np
import pytest
from simulators import NO_ICARUS

from rlcores.base import paths
from rlcores.cores.mlp.model import MlpModel
from rlcores.eda import configs, sim

sys.path.insert(0, str(paths.root() / "verif" / "mlp"))
from mlp_cases import CASES, IDENTITY, weights

CORE = "rlcores:mlp:mlp"
QUICK = (("icarus", "relu"), ("verilator", "units"))


def runs() -> list:
    """Every network in both simulators; two of them in `make test`."""
    params = []
    for run in ((simulator, name) for name in CASES for simulator in ("icarus", "verilator")):
        marks = [NO_ICARUS] if run[0] == "icarus" else []
        params.append(pytest.param(*run, marks=marks if run in QUICK else [*marks, pytest.mark.slow]))
    return params


@pytest.mark.parametrize(("simulator", "name"), runs())
def test_every_answer_is_the_models_and_comes_in_its_clock(simulator, name, seed):
    target = "sim" if simulator == "verilator" else "sim_icarus"
    parameters = CASES[name].parameters() | {"IDENTITY": IDENTITY}
    hits = sim.run(CORE, target, parameters, seed=seed, env={"RLCORES_CASE": name}).coverage
    assert hits["answers"] >= 180 and hits["resets"] == 2
    # Twelve sets in each of three parts, four of them good.
    assert hits["taken"] >= 9 and hits["refused"] >= 20
    assert min(hits[kind] for kind in ("cut", "long", "other", "short")) == 6 and hits["sets that wait"]


@pytest.mark.parametrize(
    "target",
    [pytest.param("sim_icarus", marks=NO_ICARUS, id="icarus"), pytest.param("sim", marks=pytest.mark.slow)],
)
def test_every_root_is_the_models(target, seed):
    assert sim.run("rlcores:mlp:rsqrt_verif", target, seed=seed).tests


@pytest.mark.slow
@pytest.mark.parametrize(("target", "config"), [("sim", c.name) for c in configs.simulated("mlp")])
def test_configurations_of_the_regression_answer_as_the_model(target, config, seed):
    hits = sim.run(CORE, target, configs.load("mlp", config), seed=seed).coverage
    assert hits["answers"] >= 180 and hits["taken"] >= 9


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("of", [1, 2])
def test_answers_follow_the_observations(name, of):
    shape = CASES[name]
    top = 1 << (shape.act_widths[0] - 1)
    x = np.random.default_rng(1).integers(-top, top, (200, shape.sizes[0]))
    answers = {tuple(row) for row in MlpModel(weights(shape, of)).act(x).tolist()}
    assert len(answers) >= (3 if shape.argmax else 50)
