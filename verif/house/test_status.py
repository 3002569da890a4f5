"""The stages of verification: a core is no further than what was measured of it."""

import re

import pytest

from rlcores.base import paths
from rlcores_lab import structural
from rlcores_lab.status import Facts, measured

WHOLE = {"line": 97.0, "branch": 91.0, "toggle": 90.0}


@pytest.mark.parametrize(
    ("simulators", "bins", "structure", "mutants", "stage"),
    [
        (0, None, {}, 1.0, "V0"),
        (1, 100.0, WHOLE, 1.0, "V0"),
        (2, None, {}, 1.0, "V1"),
        (2, 99.0, WHOLE, 1.0, "V1"),
        (2, 100.0, {"line": 89.0}, 1.0, "V1"),
        (2, 100.0, {"line": 90.0}, 1.0, "V2"),
        (2, 100.0, WHOLE, None, "V2"),
        (2, 100.0, WHOLE, 0.96, "V2"),
        (2, 100.0, WHOLE | {"toggle": 89.9}, 1.0, "V2"),
        (2, 100.0, WHOLE, 0.97, "V3"),
    ],
)
def test_the_stage_is_the_furthest_whose_conditions_all_hold(simulators, bins, structure, mutants, stage) -> None:
    assert Facts("core", simulators, 1, 0, bins, structure, mutants).stage == stage


def test_a_run_says_nothing_of_a_folder_that_has_a_bench_of_its_own() -> None:
    def run(core: str, **figures: float) -> dict:
        return {"core": core, "figures": [{"name": f"{f}.coverage_line", "value": x} for f, x in figures.items()]}

    coverage = measured([run("policy", policy=99.0, learner=10.0, common=80.0), run("gae", gae=95.0, common=70.0)])
    assert coverage == {"policy.coverage_line": 99.0, "gae.coverage_line": 95.0, "common.coverage_line": 80.0}


@pytest.mark.parametrize("waiver", structural.waivers(), ids=lambda each: f"{each.module} {each.signals[0]}")
def test_a_waiver_is_about_signals_that_there_are(waiver: structural.Waiver) -> None:
    """A signal of another name would be waived no more, and nobody would be told."""
    assert len(waiver.reason.split()) > 5
    (file,) = (paths.root() / "rtl" / waiver.folder).rglob(f"{waiver.module}.*v")
    text = file.read_text()
    parts = {part for signal in waiver.signals for part in signal.split(".")}
    # A macro makes the signals of a stream or an AXI bus from its name.
    made = re.compile(r"_(data|wstrb|a[wr](addr|len|size|burst|cache|prot))$")
    assert not [part for part in sorted(parts) if not re.search(rf"\b({part}|{made.sub('', part)})\b", text)]
