"""The UVM tests of the native learner. `rlcores regress` adds configurations, seeds and traffic."""

from collections.abc import Callable

import pytest
from learner_shapes import SHAPES, Parameters
from learner_structure import structure

from rlcores.base import tools
from rlcores.cores.learner.shape import LearnerShape
from rlcores.eda import configs, sim

VLNV = "rlcores:learner:learner"
CONFIGS = [config.name for config in configs.simulated("learner")]
# Small enough for both simulators while somebody waits.
QUICK = ["3-2 sgd"]
OTHERS = ["1-1-1 sgd dp3", "2-3-2 adam dp2", *(name for name in CONFIGS if name not in QUICK)]
# Shapes in which a forward unit stands still when nobody takes priorities; in others the units before it run dry first.
HELD = ("3-2 sgd", "ddpg_tiny")
TESTS = 12
FEW, MANY = 10, 100


def parameters(name: str) -> Parameters:
    """Of a configuration, or of a small shape that only the tests have."""
    return SHAPES[name] if name in SHAPES else configs.load("learner", name)


def run(simulator: str, name: str, seed: int, steps: int) -> sim.SimResult:
    """All UVM tests of a shape; a failing one, or an unhit coverage bin, raises."""
    env = {"LEARNER_STEPS": str(steps)}
    result = sim.run(VLNV, sim.TARGETS[simulator], parameters(name), seed=seed, env=env)
    assert len(result.tests) == TESTS
    assert result.coverage["steps"] >= steps + 40 and result.coverage["records"] >= 2 * result.coverage["steps"]
    waits = sum(hits for bin_, hits in result.coverage.items() if bin_.startswith(("wait.fw", "wait.tfw")))
    assert waits or name not in HELD, "no forward unit ever waited for room"
    return result


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_every_answer_equals_the_model_at_the_same_clock_in_both_simulators(
    seed: int, name: str, same_transcripts: Callable[..., int]
) -> None:
    simulators = [s for s in sim.TARGETS if s != "icarus" or tools.have("iverilog")]
    assert same_transcripts(*(run(simulator, name, seed, FEW) for simulator in simulators)) == TESTS - 1


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_every_answer_equals_the_model_in_long_traffic(seed: int, config: str) -> None:
    run("verilator", config, seed + 1, MANY)


def test_the_simulated_shapes_together_have_everything_that_a_shape_can_have() -> None:
    """Each simulation must hit the bins of its own shape; these are the shapes that there must be among them."""
    wanted = {f"layers.{n}" for n in (2, 3, 4, 5)} | {"actor.0", "actor.1"} | {f"dp.{n}" for n in (1, 2, 3, 4)}
    wanted |= {f"optimiser.{name}" for name in ("sgd", "momentum", "adam")} | {"polyak.0", "polyak.1"}
    wanted |= {f"round.{name}" for name in ("nearest", "floor", "stochastic")}
    parts = ("width.divisible", "width.not_divisible", "words.one", "words.more", "lanes.more", "forward.one_group")
    parts += ("forward.groups", "forward.groups_not_divisible", "backward.groups", "backward.groups_not_divisible")
    wanted |= {f"value.{part}" for part in (*parts, "update.lanes", "update.part_of_a_word")}
    wanted |= {f"actor.{part}" for part in ("width.not_divisible", "words.more", "lanes.more", "update.lanes")}
    simulated = set().union(*(structure(LearnerShape.of(parameters(name))) for name in {*QUICK, *OTHERS}))
    assert wanted <= simulated, f"no simulated shape has {', '.join(sorted(wanted - simulated))}"
