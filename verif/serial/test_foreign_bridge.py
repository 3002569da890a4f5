"""The serial bridge in front of somebody else's AXI4-Lite memory."""

import pytest
from test_serial_bridge import SHORT

from rlcores.eda import sim


@pytest.mark.slow
def test_a_foreign_memory_sees_each_access_once(simulator: str, seed: int) -> None:
    target = {"verilator": "foreign", "icarus": "foreign_icarus"}[simulator]
    run = sim.run("rlcores:system:serial_blocks", target, SHORT | {"PUTS": 1, "GETS": 1}, seed=seed)
    hits = run.coverage
    assert len(run.tests) == 2
    assert hits["writes"] > 10 and hits["reads"] > 10 and hits["writes"] + hits["reads"] == 50
    assert hits["refused"] > 3 and hits["repeats"] > 0, hits
    assert all(hits[f"m_axil_{channel} waited"] > 10 for channel in ("aw", "w", "ar")), hits
    # The memory's B and R never wait: the bridge takes them at once.
    assert all(hits[f"m_axil_{channel} moved"] > 20 for channel in ("aw", "w", "b", "ar", "r")), hits
    assert all(hits[f"reset while {channel} stands"] == 3 for channel in ("aw", "w", "b", "ar", "r"))
    assert hits["resets"] == 15 and hits["resets in traffic"] == 9, hits
