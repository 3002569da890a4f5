"""Short runs of `rlcores train --on chip`: begun, stopped, gone on with, and what they leave."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.train.folder import Folder
from rlcores.train.loop import Callback, Run, make_trainer
from rlcores.train.on_chip import ChipPool
from rlcores.train.session import Request, make_plan


def run(folder: Path, watch: Callback | None = None, plan: dict[str, Any] | None = None, **request: Any) -> Run:
    """A run into a folder, to its end. plan: what is changed in the plan that the request gives."""
    made = _made(folder, Request(**request), None, plan)
    made.run(watch)
    return made


def go_on(folder: Path, plan: dict[str, Any] | None = None, **request: Any) -> Run:
    """The run that was stopped in a folder, to its end."""
    kept = Folder(folder).load()
    made = _made(folder, Request(checkpoint=folder, resume=True, **request), kept[0], plan)
    made.restore(*kept[1:])
    made.run()
    return made


def _made(folder: Path, request: Request, kept: Any, plan: dict[str, Any] | None) -> Run:
    made, spaces = make_plan(request, kept)
    made = replace(made, **(plan or {}))
    return Run(made, spaces, make_trainer(made, spaces), ChipPool(made, spaces), Folder(folder))


class Stop(Callback):
    """Ctrl-C behind a step of the run; every round before has these rewards, and episodes that ended."""

    def __init__(self, step: int, rewards: int) -> None:
        self._step, self._rewards = step, rewards

    def progress(self, run, seen):
        assert seen.rewards.size == self._rewards and len(seen.episodes) > 0
        if run.state.step == self._step:
            run.stop.set()


def curve(folder: Path) -> bytes:
    """The curve that a run wrote."""
    return (folder / "curve.csv").read_bytes()


def check_policy(folder: Path, hidden: int, inputs: int) -> None:
    """The exported policy has three layers under PyTorch's names."""
    with np.load(folder / "best.npz") as best:
        assert [name for name in best.files if name != "about"] == [
            f"{k}.{w}" for k in (0, 2, 4) for w in ("weight", "bias")
        ]
        assert best["0.weight"].shape == (hidden, inputs)
