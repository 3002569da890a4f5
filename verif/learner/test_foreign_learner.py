"""The learner's AXI wrapper with somebody else's bus models around it, in both simulators."""

import pytest
from learner_axi_cores import CORES

from rlcores.eda import sim

TARGET = {"verilator": "axi", "icarus": "axi_icarus"}


@pytest.mark.slow
@pytest.mark.parametrize("core", ["dqn", "ddpg"])
def test_foreign_masters_and_streams_change_nothing(simulator: str, core: str, seed: int) -> None:
    run = sim.run("rlcores:learner:foreign_bench", TARGET[simulator], CORES[core], seed=seed)
    hits = run.coverage
    assert hits["steps"] == 6 and hits["resets"] == 2
    streams = [f"{name}_t" for name in ("s_axis_rec", "s_axis_load", "m_axis_prio", "m_axis_read")]
    channels = [*streams, *(f"s_axil_{channel}" for channel in ("aw", "w", "b", "ar", "r"))]
    assert all(hits[f"{channel} moved"] > 10 for channel in channels), hits
    # One access at a time, and queues that take what comes in.
    assert all(hits[f"{channel} waited"] > 0 for channel in ("m_axis_read_t", "s_axil_b", "s_axil_r")), hits
