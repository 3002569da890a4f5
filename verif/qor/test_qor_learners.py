"""Learners in parallel take little more than as many cores alone, and their page says how much."""

import pytest

from rlcores.base import paths
from rlcores_lab.qor.baseline import Baseline

# Of the smallest cores.
MOST = {"lut": 1.05, "ff": 1.06, "dsp": 1.0}
PAIRS = (("learners", "replay_learner"), ("learners_ppo", "ppo_env"))


@pytest.mark.parametrize(("together", "alone"), PAIRS)
def test_two_learners_take_little_more_than_two_cores(together: str, alone: str) -> None:
    figures = Baseline().figures()
    for what, most in MOST.items():
        assert figures[f"{together}.tiny.{what}"] <= most * 2 * figures[f"{alone}.tiny.{what}"]
    assert figures[f"{together}.tiny.bram36"] <= 2 * figures[f"{alone}.tiny.bram36"] + 1


@pytest.mark.parametrize(("together", "alone"), PAIRS)
def test_the_page_has_the_accepted_areas(together: str, alone: str) -> None:
    figures = Baseline().figures()
    page = (paths.root() / "docs/learners.md").read_text()
    rows = [[figures[f"{core}.tiny.{what}"] for what in (*MOST, "bram36")] for core in (together, alone)]
    for row in rows:
        assert f"| {' | '.join(f'{count:,g}' for count in row)} |" in page
    more = [f"{100 * (two / (2 * one) - 1):.1f} %" for two, one in zip(*rows, strict=True)]
    assert f"| {' | '.join(more)} |" in page
