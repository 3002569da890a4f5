"""The learner's AXI wrapper with somebody else's bus models around it, in both simulators."""

import json

import pytest
from learner_axi_cores import CORES

from rlcores import sim

TARGET = {"verilator": "axi", "icarus": "axi_icarus"}


@pytest.mark.slow
@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_foreign_masters_and_streams_change_nothing(simulator: str, core: str, seed: int) -> None:
    env = {"RLCORES_CORE": json.dumps(CORES[core])}
    run = sim.run("rlcores:learner:foreign_bench", TARGET[simulator], CORES[core], seed=seed, env=env)
    assert run.coverage == {"steps": 6, "resets": 2}
