"""The UVM tests of the PPO core behind AXI. `rlcores regress` adds configurations and seeds."""

import re

import pytest

from rlcores.base import tools
from rlcores.engine import configs, sim

needs_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")


@pytest.mark.slow
@needs_icarus
@pytest.mark.parametrize(("core", "tests"), [("ppo", 5), ("ppo_env", 1)])
def test_both_simulators_see_the_models_learning_at_the_same_clocks(seed: int, core: str, tests: int) -> None:
    """All UVM tests of the configuration tiny; a failing one, or an unhit coverage bin, raises."""
    given = configs.load(core, "tiny")
    results = [sim.run(configs.core(core).vlnv, target, given, seed=seed) for target in sim.TARGETS.values()]
    assert all(len(result.tests) == tests + 1 for result in results)
    seen = [re.findall(r"transcript (\w+) at clock \d+", (r.folder / "log.txt").read_text()) for r in results]
    assert seen[0] == seen[1] and len(seen[0]) == tests
