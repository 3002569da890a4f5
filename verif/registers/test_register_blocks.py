"""Every block of registers that is written from SystemRDL does what its map says, clock by clock."""

import pytest

from rlcores.base import tools
from rlcores.eda import registers, sim

CORE = "rlcores:common:registers_verif"
# Beside those without parameters: what a map takes from a parameter.
MORE = {
    "agent": {"N_ENVS": 3, "TIME_LIMIT": 12},
    "learner": {"LAYERS_1": 2, "DECAYS": 1},
    "learners": {"BANKS": 0},
    "sumtree": {"PRIORITY_MATHS": 0},
    "gae": {"QBITS": 16},
}
CASES = [(core, {}) for core in registers.cores()]
CASES += [pytest.param(*case, marks=pytest.mark.slow) for case in MORE.items()]


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
@pytest.mark.parametrize(("core", "parameters"), CASES, ids=str)
def test_a_block_of_registers_does_what_its_map_says(core: str, parameters: dict[str, int], seed: int) -> None:
    assert sim.run(CORE, core, parameters, seed=seed).tests
