"""PPO core, its DSP slices: those that yosys maps in the whole core are those that the model counts."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.ppo.shape import PpoShape, balanced
from rlcores.eda import sources
from rlcores.eda.synth import flow
from rlcores_lab.area import ppo as area

MULTIPLIERS = {"\\DSP48E2", "$mul"}


def multipliers(netlist: Path, top: str) -> Counter:
    """Cells that multiply in a module of an RTLIL file and in all that it is made of."""
    cells: dict[str, Counter] = {}
    for line in netlist.read_text().splitlines():
        if line.startswith("module "):
            inside = cells.setdefault(line[7:], Counter())
        elif line.startswith("  cell "):
            inside[line.split()[1]] += 1

    @cache
    def within(module: str) -> Counter:
        counted = Counter()
        for kind, count in cells.get(module, {}).items():
            for one, times in ({kind: 1} if kind in MULTIPLIERS else within(kind)).items():
                counted[one] += count * times
        return counted

    return within(f"\\{top}")


def tiny(outputs: int) -> PpoShape:
    """Networks of 8 neurons a layer, two columns."""
    groups = {"forward": (1, 2, 1), "backward": (1, 2, 1), "update_rows": (4, 2, 1), "update_cols": (1, 2, 2)}
    nets = [NetworkShape((4, 8, 8, last), (1, 4, 2, 1), **groups) for last in (outputs, 1)]
    return PpoShape(*nets, columns=2, environments=6, steps=8)


CASES = {"tiny": tiny(2), "tiny_gaussian": replace(tiny(1), gaussian=True), "balanced": balanced()}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CASES))
def test_the_model_counts_the_dsp_slices_that_yosys_maps(name):
    shape, read = CASES[name], sources.of_core("rlcores:system:ppo")
    commands = flow.elaborate(read, "xcup", "rlc_ppo", shape.parameters())
    files = [*read.files, *read.includes, *flow.maps()]
    folder = flow.made(f"ppo-multipliers-{name}", commands, files, f"elaborating rlc_ppo, {name}")
    mapped = multipliers(folder / "elaborated.il", "rlc_ppo")
    assert mapped == {"\\DSP48E2": area.dsp(shape)}
    if name == "balanced":
        assert area.dsp(shape) == 2150
