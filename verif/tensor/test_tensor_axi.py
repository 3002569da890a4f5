"""The tensor core behind AXI in its UVM environment, and the page's table of what it costs."""

import re
from collections.abc import Callable

import pytest
from simulators import NO_ICARUS

from rlcores.base import paths
from rlcores.eda import configs, sim
from rlcores_lab.dse import check

VLNV = "rlcores:tensor:tensor"
SLOW = pytest.mark.slow
TARGETS = ["sim", pytest.param("sim_icarus", marks=[NO_ICARUS, SLOW])]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("config", ["tiny", pytest.param("square", marks=SLOW)])
def test_behind_axi_beats_registers_and_aborts_are_the_models(config: str, target: str, seed: int) -> None:
    result = sim.run(VLNV, target, configs.load("tensor", config), seed=seed)
    assert len(result.tests) == 5


@SLOW
@NO_ICARUS
def test_both_simulators_see_the_same_at_the_same_clocks(seed: int, same_transcripts: Callable[..., int]) -> None:
    results = [sim.run(VLNV, target, configs.load("tensor", "tiny"), seed=seed) for target in ("sim", "sim_icarus")]
    assert same_transcripts(*results) == 4


def test_the_page_says_what_was_counted() -> None:
    text = (paths.root() / "docs/tensor.md").read_text()
    rows = list(check.rows(only="tensor"))
    for row in rows:
        (step,) = row.clocks
        if row.measured is None:  # by the model
            counts = [f"{row.model[r]:,g}" for r in ("lut", "dsp", "bram36", "uram")]
            counted = "not counted" if step.counted is None else f"{step.counted:,}"
            line = next(line for line in text.splitlines() if line.startswith(f"| `{row.config}` | "))
            assert line.endswith(f"| {step.model:,} | {counted} | {' | '.join(counts)} |")
            continue
        counts = [f"{row.measured[r]:,g}" for r in ("lut", "ff", "dsp", "bram36")]
        multipliers = row.measured["dsp"] - 7 * configs.load("tensor", row.config)["SIDE"] - 1
        assert f"| `{row.config}` | {multipliers:g} | {' | '.join(counts)} | {step.model:,} |" in text
    said = re.search(r"RTL takes ([\d,]+) and ([\d,]+)", text)
    counted = [row.clocks[0].counted for row in rows if row.measured is not None]
    assert said and [int(n.replace(",", "")) for n in said.groups()] == counted
