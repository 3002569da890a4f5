"""The GAE core as a block of an SoC, its array on a clock of its own, in both simulators."""

import pytest

from rlcores.eda import configs, sim

CORE = "rlcores:system:heppo"
TARGET = {"verilator": "sim", "icarus": "sim_icarus"}
TINY = configs.load("gae", "tiny")


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({}, id="tiny"),
        pytest.param({"FIFO_LOG2": 2, "STAGES": 4}, id="short-fifo", marks=pytest.mark.slow),
    ],
)
def test_two_clocks_change_nothing_that_software_sees(simulator: str, more: dict, seed: int) -> None:
    run = sim.run(CORE, TARGET[simulator], TINY | more, seed=seed)
    hits = run.coverage
    # Five comparisons, and two more after the resets; two measurements of the pace.
    assert len(run.tests) == 9
    assert hits["elements"] == 7 * 8 * 11 and hits["irq"] > 50
    assert hits.get("short", 0) == (2 if more else 0), "the pace is measured wherever it is promised"
    channels = ("s_axis_t", "m_axis_t", *(f"s_axil_{channel}" for channel in ("b", "r")))
    assert all(hits[f"{channel} {what}"] > 50 for channel in channels for what in ("moved", "waited")), hits
    assert all(hits[f"s_axil_{channel} moved"] > 50 for channel in ("aw", "w", "ar")), hits
    assert hits["bus left last"] >= 12
    assert hits["resets"] >= 26 and hits["resets in traffic"] > 5, hits
