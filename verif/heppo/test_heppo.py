"""The GAE core as a block of an SoC, its array on a clock of its own, in both simulators."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import configs, sim

CORE = "rlcores:system:heppo"
TARGET = {"verilator": "sim", "icarus": "sim_icarus"}
TINY = configs.load("gae", "tiny")
# In `make test` Icarus runs the tests at one ratio of the clocks.
ONE_RATIO = "/ratio=1$"


@pytest.mark.parametrize(
    ("simulator", "only", "more"),
    [
        pytest.param("verilator", "", {}, id="verilator-tiny"),
        pytest.param("icarus", ONE_RATIO, {}, id="icarus-tiny-one-ratio", marks=NO_ICARUS),
        *(
            pytest.param(simulator, "", more, id=f"{simulator}-{name}", marks=[*marks, pytest.mark.slow])
            for simulator, name, more, marks in [
                ("icarus", "tiny", {}, [NO_ICARUS]),
                ("icarus", "short-fifo", {"FIFO_LOG2": 2, "STAGES": 4}, [NO_ICARUS]),
                ("verilator", "short-fifo", {"FIFO_LOG2": 2, "STAGES": 4}, []),
            ]
        ),
    ],
)
def test_two_clocks_change_nothing_that_software_sees(simulator: str, only: str, more: dict, seed: int) -> None:
    run = sim.run(CORE, TARGET[simulator], TINY | more, testcase=only or None, seed=seed)
    hits = run.coverage
    # Five comparisons, and two more after the resets; two measurements of the pace. Or one of each.
    tests, comparisons, least, resets = (3, 2, 10, 13) if only else (9, 7, 50, 26)
    assert len(run.tests) == tests
    assert hits["elements"] == comparisons * 8 * 11 and hits["irq"] > least
    assert hits.get("short", 0) == (2 if more else 0), "the pace is measured wherever it is promised"
    channels = ("s_axis_t", "m_axis_t", *(f"s_axil_{channel}" for channel in ("b", "r")))
    assert all(hits[f"{channel} {what}"] > least for channel in channels for what in ("moved", "waited")), hits
    assert all(hits[f"s_axil_{channel} moved"] > 50 for channel in ("aw", "w", "ar")), hits
    assert hits["bus left last"] >= 12
    assert hits["resets"] >= resets and hits["resets in traffic"] > least // 10, hits
