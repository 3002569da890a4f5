"""The AXI wrapper at its pins, in both simulators, with random back-pressure on every stream."""

import pytest
from axi_cores import CORES
from simulators import IN_ICARUS

from rlcores.eda import sim

CORE = "rlcores:sumtree:axi_bench"


@pytest.mark.parametrize("core", [pytest.param("maths"), pytest.param("plain", marks=pytest.mark.slow)])
@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_answers_are_exact_and_in_the_order_of_the_pins(simulator: str, core: str, seed: int) -> None:
    hits = sim.run(CORE, "axi" if simulator == "verilator" else "axi_icarus", CORES[core], seed=seed).coverage
    streams = ("s_axis_op", "m_axis_op", "s_axis_sample", "m_axis_sample")
    needed = [f"{name} {what}" for name in streams for what in ("taken", "stalled")]
    needed += [f"sample {kind} status 0" for kind in range(4)] + [f"kind {kind} status 0" for kind in range(6)]
    needed += ["sample 2 status 2", "kind 4 status 2", "kind 7 status 3", "both in one clock", "dropped"]
    needed += [f"answers left at m_axis_{name}" for name in ("op", "sample")]
    needed += [f"answers of m_axis_{name} dropped" for name in ("op", "sample")]
    needed += ["abort of a draw", "abort of an idle tree", "abort of a tree that cannot go on"]
    needed += ["abort of half a batch"]
    needed += [f"{what} lost in a reset" for what in ("operations", "samples", "accesses")]
    needed += [f"s_axil_{channel} moved" for channel in ("aw", "w", "ar")]
    needed += [f"s_axil_{channel} {what}" for channel in ("b", "r") for what in ("moved", "waited")]
    needed += ["kind 3 status 1"] if CORES[core].get("GENERATION_WIDTH") else []
    assert all(hits.get(name, 0) > 0 for name in needed), hits
    assert hits["resets"] == 6
