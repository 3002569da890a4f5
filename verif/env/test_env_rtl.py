"""The UVM tests of the environment core, swept over its parameters. `rlcores regress` adds configurations and seeds."""

from collections.abc import Callable

import pytest

from rlcores.base import tools
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.eda import sim

VLNV = "rlcores:env:env"
SLOW = pytest.mark.slow
needs_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
# ENV, N_ENVS, TIME_LIMIT: one environment; fewer than the pipeline holds; a ring in block RAM.
SHAPES = [(0, 1, 500), (0, 65, 7), (0, 16, 500)]
SHAPES += [(number, 5, 500) for number in range(1, len(ENVIRONMENTS))]


def run(simulator: str, seed: int, shape: tuple[int, int, int]) -> sim.SimResult:
    """All UVM tests of the core with these parameters; a failing one, or an unhit coverage bin, raises."""
    parameters = dict(zip(("ENV", "N_ENVS", "TIME_LIMIT"), shape, strict=True))
    result = sim.run(VLNV, sim.TARGETS[simulator], parameters, seed=seed)
    assert len(result.tests) == 6
    return result


@needs_icarus
@pytest.mark.parametrize("shape", [(0, 3, 12), *(pytest.param(s, marks=SLOW) for s in SHAPES)])
def test_both_simulators_see_the_models_answers_at_the_same_clocks(
    seed: int, shape: tuple[int, int, int], same_transcripts: Callable[..., int]
) -> None:
    assert same_transcripts(*(run(simulator, seed, shape) for simulator in sim.TARGETS)) == 5
