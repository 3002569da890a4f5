"""The replay learner with somebody else's bus models on every side, in both simulators."""

import pytest
from replay_cases import CORES

from rlcores.eda import sim


# Icarus needs minutes for a network.
@pytest.mark.parametrize(
    ("core", "simulator"),
    [
        pytest.param("split", "verilator", marks=pytest.mark.slow),
        pytest.param("tiny", "verilator", marks=pytest.mark.slow),
        pytest.param("tiny", "icarus", marks=pytest.mark.slow),
    ],
)
def test_foreign_masters_and_memory_change_nothing(core: str, simulator: str, seed: int) -> None:
    parameters = CORES[core]
    run = sim.run(
        "rlcores:system:replay_learner", sim.TARGETS[simulator], parameters, seed=seed,
    )  # fmt: skip
    hits = run.coverage
    assert len(run.tests) == 2
    assert hits["steps"] == 16 and hits["resets"] == 2 and hits["faults"] == 1
    # Every place of a read, in each epoch between resets.
    assert hits["epochs"].bit_count() >= 3 and hits["ids"] == (1 << parameters["READS"]) - 1
    assert hits["overtaken"] > 5 and hits["mixed"] > 5
    axil = [f"s_axil_{channel}" for channel in ("aw", "w", "b", "ar", "r")]
    streams = [f"{name}_t" for name in ("s_axis_exp", "s_axis_load", "m_axis_read")]
    memory = [f"m_axi_{channel}" for channel in ("aw", "w", "b", "ar", "r")]
    assert all(hits[f"{channel} moved"] > 20 for channel in (*axil, *streams, *memory)), hits
    assert all(hits[f"{channel} waited"] > 5 for channel in (axil[2], axil[4], *memory[:2], memory[3], streams[2])), (
        hits
    )
