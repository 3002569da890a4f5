"""Runs of short plans, each in a folder of its own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "replay_server"))  # the proxy with faults
sys.path.insert(0, str(Path(__file__).parent))  # 'train_envs:…', here and in actors' processes

from train_runs import make

from rlcores.train import loop
from rlcores.train.loop import Run
from rlcores.train.settings import Plan


@pytest.fixture(autouse=True)
def short_looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at a policy is of 2 episodes and a choice of 4, where a test is not slow.

    With 10 and 50, a run of 256 steps would be followed by 20,000 of evaluation.
    """
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(loop, "LOOK", 2)
        monkeypatch.setattr(loop, "CHOICE", 4)


@pytest.fixture
def ran(tmp_path: Path) -> Callable[..., Run]:
    """Runs a plan to its end, in a folder of its own."""
    count = 0

    def run(plan: Plan, actors: int = 1) -> Run:
        nonlocal count
        count += 1
        made = make(plan, tmp_path / f"run{count}", actors)
        try:
            made.run()
        finally:
            made._pool.close()
        return made

    return run
