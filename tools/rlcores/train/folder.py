"""The folder of a run: checkpoint, best weights, curve. Files are replaced whole or not at all."""

import csv
import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlcores import paths
from rlcores.errors import UserError
from rlcores.train.settings import Plan, differences

VERSION = 1
COLUMNS = ("step", "gradient_steps", "episodes", "training_return", "look", "choice", "weights")


class Folder:
    """Where a run keeps its files."""

    def __init__(self, path: Path) -> None:
        """path: made on the first write."""
        self.path = Path(path)

    @property
    def checkpoint_file(self) -> Path:
        """The checkpoint."""
        return self.path / "checkpoint.npz"

    def check_free(self) -> None:
        """Raises UserError when a run is here already."""
        for name in ("checkpoint.npz", "best.npz", "curve.csv", "run.json"):
            if (self.path / name).exists():
                raise UserError(
                    f"'{self.path}' already holds a run ({name}); go on with --resume, or give another --checkpoint"
                )
        if self.path.exists() and not self.path.is_dir():
            raise UserError(f"'{self.path}' is not a folder")

    def save(self, plan: Plan, state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Write the checkpoint. Raises UserError when it cannot be written."""
        document = {"version": VERSION, "plan": plan.as_dict(), "state": state}
        self._write_npz("checkpoint.npz", {**arrays, "run": np.array(json.dumps(document))})

    def load(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, np.ndarray]]:
        """The plan as a dictionary, the state, the arrays. Raises UserError: no checkpoint, or a damaged one."""
        file = self.checkpoint_file
        if not file.exists():
            raise UserError(f"there is no checkpoint in '{self.path}'")
        try:
            with np.load(file, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            document = json.loads(str(arrays.pop("run")))
            version, plan, state = document["version"], document["plan"], document["state"]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise UserError(f"'{file}' is not a checkpoint of rlcores train: {' '.join(str(error).split())}") from error
        if version != VERSION:
            raise UserError(f"'{file}' is a checkpoint of version {version}; this rlcores reads version {VERSION}")
        return plan, state, arrays

    def save_best(self, layers: Sequence[tuple[np.ndarray, np.ndarray]], about: Mapping[str, Any]) -> None:
        """The best policy: layer l's weights under PyTorch's names '0.weight', '0.bias', '2.weight', …"""
        arrays = {}
        for layer, (w, b) in enumerate(layers):
            arrays |= {f"{2 * layer}.weight": w, f"{2 * layer}.bias": b}
        self._write_npz("best.npz", {**arrays, "about": np.array(json.dumps(about))})

    def write_curve(self, rows: Sequence[Sequence[Any]]) -> None:
        """curve.csv, a line an evaluation. Nothing in it depends on the clock, so equal runs have equal files."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([["" if x is None else x for x in row] for row in rows])
        self._write("curve.csv", text.getvalue().encode())

    def write_picture(self, rows: Sequence[Sequence[Any]], title: str, until: float) -> Path:
        """curve.png."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(7, 4))
        x = [row[0] for row in rows]
        for column, colour, label in ((3, "tab:grey", "while training"), (4, "tab:blue", "greedy, 10 episodes")):
            y = [np.nan if row[column] is None else row[column] for row in rows]
            axes.plot(x, y, color=colour, marker=".", linewidth=1.5, label=label)
        chosen = [(row[0], row[5]) for row in rows if row[5] is not None]
        if chosen:
            axes.plot(*zip(*chosen, strict=True), "o", color="tab:orange", label="greedy, 50 episodes")
        if np.isfinite(until):
            axes.axhline(until, color="grey", linestyle=":", linewidth=1)
        axes.set(title=title, xlabel="environment steps", ylabel="return")
        axes.legend(frameon=False)
        figure.tight_layout()
        text = io.BytesIO()
        figure.savefig(text, dpi=110, format="png")
        pyplot.close(figure)
        self._write("curve.png", text.getvalue())
        return self.path / "curve.png"

    def write_result(self, plan: Plan, result: Mapping[str, Any]) -> None:
        """run.json: the plan, and what came of it."""
        self._write("run.json", (json.dumps({"plan": plan.as_dict(), **result}, indent=2) + "\n").encode())

    def _write_npz(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        data = io.BytesIO()
        np.savez(data, **arrays)
        self._write(name, data.getbuffer())

    def _write(self, name: str, data: bytes | memoryview) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            part = self.path / f".{name}.part"
            part.write_bytes(data)
            os.replace(part, self.path / name)
        except OSError as error:
            raise UserError(f"cannot write '{self.path / name}': {error.strerror}") from error


def default(plan: Plan) -> Path:
    """A folder in build/train that no run has yet."""
    name = f"{plan.algo}-{plan.environment.replace('/', '_').replace(':', '_')}-{plan.backend}-{plan.seed}"
    base = paths.build() / "train"
    folder, k = base / name, 2
    while folder.exists():
        folder, k = base / f"{name}-{k}", k + 1
    return folder


def check(kept: dict[str, Any], plan: Plan, path: Path) -> None:
    """Raises UserError unless a run with `plan` can go on from a checkpoint of the plan `kept`.

    What only ends or judges a run may change. The backends 'model' and 'rtl' are equal bit for bit, so one may go on
    where the other was.
    """
    mine = plan.as_dict()
    for name in differences(kept, mine):
        if name in ("steps", "until", "report") or (
            name == "backend" and {kept["backend"], mine["backend"]} == {"model", "rtl"}
        ):
            continue
        old, new = (_at(d, name) for d in (kept, mine))
        raise UserError(f"the checkpoint in '{path}' was made with {name} = {old}, not {new}; it cannot be resumed so")


def _at(plan: dict[str, Any], name: str) -> Any:
    for part in name.split("."):
        plan = plan.get(part) if isinstance(plan, dict) else None
    return plan
