"""The matrix unit against the model of a network, in both simulators: any shape, networks of any size, on one array."""

import json
from itertools import product

import pytest
from simulators import NO_ICARUS

from rlcores.base import limits
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.tensor import clocks
from rlcores.cores.tensor.learners import trainer_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.eda import sim

CORE = "rlcores:tensor:tensor_verif"

SHAPES = {
    "2x2": {"SIDE": 2, "BLOCKS": 2, "PASS_SUMS": 16},
    "2x1": {"SIDE": 2, "BLOCKS": 1, "PASS_SUMS": 9},
    "4x1": {"SIDE": 4, "BLOCKS": 1, "PASS_SUMS": 64},
    "2x4": {"SIDE": 2, "BLOCKS": 4, "PASS_SUMS": 5},
    "4x2": {"SIDE": 4, "BLOCKS": 2, "PASS_SUMS": 40},
    "16x1": {"SIDE": 16, "BLOCKS": 1, "PASS_SUMS": 64},
}
QUICK = (("icarus", "2x2"),)


def runs() -> list:
    """Every shape in both simulators; in `make test` the first in Icarus."""
    params = []
    for run in ((simulator, name) for name in SHAPES for simulator in ("icarus", "verilator")):
        marks = [NO_ICARUS] if run[0] == "icarus" else []
        params.append(pytest.param(*run, marks=marks if run in QUICK else [*marks, pytest.mark.slow]))
    return params


@pytest.mark.parametrize(("simulator", "name"), runs())
def test_every_product_of_a_network_is_the_models(simulator, name, seed):
    target = "sim" if simulator == "verilator" else "sim_icarus"
    # Outputs of any size wait for their way into vectors, of which this bench has no use.
    hits = sim.run(CORE, target, SHAPES[name] | {"OUTPUT_WORDS": 256}, seed=seed).coverage
    # Six networks, of two and of three layers in turn: both planes forward, one backward, gradients.
    assert hits["told"] == 1 + 3 * (4 + 1 + 2) + 3 * (6 + 2 + 3)
    assert hits["gradients"] == 16 and hits["outputs"] == 12
    assert hits["saturated"] and hits["beyond"] and hits["updates"] == 15 and hits["waited for its turn"]
    assert hits["refused"] == 6
    assert hits["moments moved"] == 30 and hits["moments saturated"]


VECTORS = {
    "2x2": {"SIDE": 2, "BLOCKS": 2, "WORDS": 180, "QUEUE": 2},
    "4x1": {"SIDE": 4, "BLOCKS": 1, "WORDS": 240, "QUEUE": 5},
    "8x4": {"SIDE": 8, "BLOCKS": 4, "WORDS": 150, "QUEUE": 32},
    "16x1": {"SIDE": 16, "BLOCKS": 1, "WORDS": 120, "QUEUE": 32},
}


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("vector", "8x4"),
        pytest.param("vector_icarus", "2x2", marks=NO_ICARUS),
        pytest.param("vector", "4x1", marks=pytest.mark.slow),
        pytest.param("vector", "16x1", marks=pytest.mark.slow),
    ],
)
def test_every_command_of_the_vector_unit_is_the_models(target, name, seed):
    hits = sim.run(CORE, target, VECTORS[name], seed=seed).coverage
    assert hits["commands"] == 240 and hits["saturated"] and hits["left"] > 500
    operations = ("mac", "min", "max", "tanh", "exp2", "log2", "draw", "eq", "ne", "lt", "le")
    assert all(hits[name] for name in operations)


@pytest.mark.parametrize("target", ["fractions", pytest.param("fractions_icarus", marks=[NO_ICARUS, pytest.mark.slow])])
def test_fractions_follow_what_is_told_as_the_rule_says(target, seed):
    hits = sim.run(CORE, target, {}, seed=seed).coverage
    assert (
        hits["told"] > 10_000
        and hits["moved"] > 500
        and hits["lowered"] > 100
        and hits["long"] > 5
        and hits["looked"] > 400
    )


def in_the_loop(target: str, parameters: dict[str, int], seed: int, **case) -> dict[str, int]:
    return sim.run(
        CORE, target, parameters | {"STEPS": 1024}, seed=seed, env={"RLCORES_CASE": json.dumps(case)}
    ).coverage


@pytest.mark.parametrize("target", ["trainer", pytest.param("trainer_icarus", marks=[NO_ICARUS, pytest.mark.slow])])
def test_whole_steps_of_dqn_td3_and_sac_are_the_models(target, seed):
    hits = in_the_loop(target, SHAPES["2x4"], seed, steps=6, batch=7)
    assert hits["steps"] == 24 and all(hits[name] == 1 for name in ("Dqn", "Dueling", "Td3", "Sac"))
    # Fractions have moved, and the optimiser's state with them.
    assert hits["moves"] > 20


@NO_ICARUS
@pytest.mark.parametrize("batch", [7, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 5))])
def test_an_odd_batch_trains_in_icarus_too(batch, seed):
    """Lanes behind its last sample hold what nobody wrote, X there: nothing may ask for them."""
    hits = in_the_loop("trainer_icarus", SHAPES["2x4"], seed, steps=2, batch=batch, learners=["Dueling"])
    assert hits["steps"] == 2 and hits["Dueling"] == 1


SLOW_ICARUS = pytest.param("trainer_icarus", "2x2", marks=[NO_ICARUS, pytest.mark.slow])


@pytest.mark.parametrize(("target", "shape"), [pytest.param("trainer", "2x4", marks=pytest.mark.slow), SLOW_ICARUS])
@pytest.mark.parametrize(("activation", "normalisation"), list(product(limits.ACTIVATIONS, limits.NORMALISATIONS))[1:])
def test_whole_steps_with_any_hidden_layer_are_the_models(target, shape, activation, normalisation, seed):
    learners = ("Dueling", "Sac") if normalisation == "layer" else ("Dueling", "Td3", "Sac")
    hits = in_the_loop(target, SHAPES[shape], seed, steps=4, batch=6, network=[5, 3], states=2, actions=2,
                       activation=activation, normalisation=normalisation, learners=learners)  # fmt: skip
    assert hits["steps"] == 4 * len(learners) and all(hits[name] == 1 for name in learners)
    assert hits["moves"] > 5


@pytest.mark.slow
def test_steps_take_the_clocks_of_their_schedule(seed):
    """At a size at which hardly anything waits for a place in a tensor; the last step that moved no fraction."""
    hits = in_the_loop(
        "trainer", SHAPES["4x2"] | {"PASS_SUMS": 512, "A_TILES": 4096, "E_TILES": 1024, "GRAD_WORDS": 2048,
        "GRAD_ROWS": 256, "WORDS": 8192, "OUTPUT_WORDS": 64}, seed, steps=8, states=17, actions=6, network=[64, 64],
        batch=128,
    )  # fmt: skip
    made = {
        "Dqn": Dqn(17, 6, DqnSettings((64, 64), dueling=False, double=False, huber=0.0), backend="model"),
        "Dueling": Dqn(17, 6, DqnSettings((64, 64)), backend="model"),
        "Sac": Sac(17, 6, SacSettings((64, 64)), backend="model"),
    }
    for name, learner in made.items():
        counted = clocks.clocks(trainer_of(learner, TensorShape(4, 2, 512), 128))
        assert counted <= hits[f"least {name}"] <= 1.002 * counted, name


@pytest.mark.slow
def test_the_first_thousand_steps_are_the_models(seed):
    hits = in_the_loop("trainer", SHAPES["4x2"], seed, steps=1000)
    assert hits["steps"] == 4000


LARGE = {
    "SIDE": 8, "BLOCKS": 4, "PASS_SUMS": 512, "TARGET_BLOCKS": 4096, "TARGET_GROUPS": 32768, "A_TILES": 2048,
    "E_TILES": 512, "GRAD_WORDS": 1024, "GRAD_ROWS": 256, "WORDS": 8192,
}  # fmt: skip


@pytest.mark.slow
def test_a_step_of_sac_at_full_size(seed):
    hits = in_the_loop("trainer", LARGE, seed, steps=3, states=17, actions=6, network=[256, 256], batch=256,
                       learners=["Sac"])  # fmt: skip
    assert hits["steps"] == 3 and hits["least Sac"] <= 150_000
