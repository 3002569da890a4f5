"""The UVM tests of the native sum tree, in every simulated configuration. `rlcores regress` adds seeds and traffic."""

from collections.abc import Callable

import pytest

from rlcores.base import tools
from rlcores.eda import configs, declared, sim

VLNV = "rlcores:sumtree:sumtree"
CONFIGS = [config.name for config in configs.simulated("sumtree")]
# Left to `make regress`: three levels are in mixed, too, RAMs as those of ecp5 in the tests of the banks, a binary
# tree, radix 4 and shared leaves in the million operations of test_exact.
LATER = ["small", "ecp5", "tiny", "binary", "shared"]
TESTS = 9
# Operations and samples of one traffic: here, and where nobody waits.
FEW, MANY = 60, 1000


def run(simulator: str, config: str, seed: int, items: int) -> sim.SimResult:
    """All UVM tests of a configuration; a failing one, or an unhit coverage bin, raises."""
    parameters, env = configs.load("sumtree", config), {"SUMTREE_ITEMS": str(items)}
    result = sim.run(VLNV, sim.TARGETS[simulator], parameters, seed=seed, env=env)
    assert len(result.tests) == TESTS
    assert min(result.coverage["operations"], result.coverage["samples"]) >= 20 * items
    return result


@pytest.mark.parametrize("config", [pytest.param(c, marks=pytest.mark.slow if c in LATER else []) for c in CONFIGS])
def test_every_answer_equals_the_model_at_the_same_clock_in_both_simulators(
    seed: int, config: str, same_transcripts: Callable[..., int]
) -> None:
    simulators = [s for s in sim.TARGETS if s != "icarus" or tools.have("iverilog")]
    assert same_transcripts(*(run(simulator, config, seed, FEW) for simulator in simulators)) == TESTS - 1


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_every_answer_equals_the_model_in_long_traffic(seed: int, config: str) -> None:
    run("verilator", config, seed + 1, MANY)


@pytest.mark.slow
@pytest.mark.parametrize("capacity", [200, 16, 3, 2, 1])
def test_a_capacity_that_leaves_children_without_slots_reaches_every_bin_that_it_has(seed: int, capacity: int) -> None:
    parameters = declared.completed("sumtree", {"LEAVES_LOG2": 8, "CAPACITY": capacity})
    assert len(sim.run(VLNV, sim.TARGETS["verilator"], parameters, seed=seed).tests) == TESTS
