"""The folder of a run: claimed by one run at a time; checkpoint, best weights, curve, each replaced whole."""

import contextlib
import csv
import errno
import fcntl
import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import files, forks, paths
from rlcores.errors import UserError
from rlcores.train.settings import BACKENDS, Plan, differences

VERSION = 4
COLUMNS = ("step", "gradient_steps", "episodes", "training_return", "eval_10", "eval_50", "weights")


class Folder:
    """Where a run keeps its files."""

    def __init__(self, path: Path) -> None:
        """path: made when it is claimed, or on the first write."""
        self.path = Path(path)
        self._claim: int | None = None  # the folder, open and locked
        forks.leave_in_child(self, Folder._leave)

    def claim(self, *, new: bool = True) -> None:
        """Have the folder for this process alone until release(), or until it ends, however it ends.

        new: make it, and refuse one that holds a run already. Raises UserError when another run works in it.
        """
        while self._claim is None:
            try:
                if new:
                    self.path.mkdir(parents=True, exist_ok=True)
                folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            except FileExistsError:
                raise UserError(f"'{self.path}' is not a folder") from None
            except OSError as error:
                raise UserError(f"the folder '{self.path}' cannot be used: {files.reason(error)}") from error
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever had it before may have removed it just now.
                if os.path.exists(self.path) and os.path.samestat(os.fstat(folder), os.stat(self.path)):
                    self._claim = folder
            except OSError as error:
                if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                    raise UserError(f"another run works in '{self.path}'; give another --checkpoint") from None
                raise UserError(f"the folder '{self.path}' cannot be locked: {files.reason(error)}") from error
            finally:
                if self._claim is None:
                    os.close(folder)
        if new:
            try:
                self._check_free()
                # Of a run that was killed while it wrote its first files.
                for part in self.path.glob(".*.part"):
                    with contextlib.suppress(OSError):
                        part.unlink()
            except BaseException:
                self.release()
                raise

    def release(self) -> None:
        """Leave the folder to others; an empty one goes."""
        if self._claim is None:
            return
        with contextlib.suppress(OSError):
            self.path.rmdir()
        os.close(self._claim)
        self._claim = None

    def _leave(self) -> None:
        """In a process that was forked from the run's: it has no claim, and keeps none for it."""
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    @property
    def checkpoint_file(self) -> Path:
        """The checkpoint."""
        return self.path / "checkpoint.npz"

    def _check_free(self) -> None:
        for name in ("checkpoint.npz", "best.npz", "curve.csv", "run.json"):
            if (self.path / name).exists():
                raise UserError(
                    f"'{self.path}' already holds a run ({name}); go on with --resume, or give another --checkpoint"
                )

    def save(self, plan: Plan, state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Write the checkpoint. Raises UserError when it cannot be written."""
        document = {"version": VERSION, "plan": plan.as_dict(), "state": state}
        document["digest"] = _digest(document["plan"], state, arrays)
        self._write_npz("checkpoint.npz", {**arrays, "run": np.array(json.dumps(document))})

    def load(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, np.ndarray]]:
        """The plan as a dictionary, the state, the arrays: as they were saved. Raises UserError: none, or damaged."""
        file = self.checkpoint_file
        if not os.path.lexists(file):
            raise UserError(f"there is no checkpoint in '{self.path}'")
        what = "a checkpoint of rlcores train"
        arrays = files.read_arrays(file, what)
        wrong = f"'{file}' is not {what}"
        run = arrays.pop("run", None)
        if run is None or run.dtype.kind != "U" or run.ndim:
            raise UserError(f"{wrong}: it has no text 'run'")
        document = files.parse_json(str(run), wrong)
        version = document.get("version")
        if version is None:
            raise UserError(f"{wrong}: it has no version")
        if version != VERSION or isinstance(version, bool):
            raise UserError(f"'{file}' is a checkpoint of version {str(version)[:40]}; this rlcores reads {VERSION}")
        files.checked(document, {"plan": dict, "state": dict, "digest": str}, wrong)
        if document["digest"] != _digest(document["plan"], document["state"], arrays):
            raise UserError(f"{wrong}: its contents are not those that were written")
        _check_state(document["state"], wrong)
        _check_plan(document["plan"], wrong)
        # As many are made as it says, so they are counted first.
        if document["plan"]["envs"] != sum(n.startswith("actor.") and n.endswith(".number") for n in arrays):
            raise UserError(f"{wrong}: it has not as many environments as its plan")
        return document["plan"], document["state"], arrays

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
        files.replace(self.path / name, data)


def _digest(plan: Mapping[str, Any], state: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of everything in a checkpoint."""
    text = hashlib.sha256(json.dumps([VERSION, plan, state]).encode())
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        text.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        text.update(np.ascontiguousarray(array).tobytes())
    return text.hexdigest()


_NUMBER = (int, float)
_STATE = {
    **{name: int for name in ("step", "rounds", "episodes", "best_step")},
    **{
        "best": (int, float, str),
        "sure": (int, float, str),
        "seconds": _NUMBER,
        "digest": str,
        "recent": list,
        "curve": list,
    },
}
_PLAN = {
    **{name: str for name in ("algo", "environment", "backend", "on")},
    **{name: int for name in ("seed", "steps", "envs", "round_steps", "evaluate_every", "report")},
    **{"until": (int, float, str), "state_scale": list, "settings": dict},
}


def _check_state(state: Mapping[str, Any], wrong: str) -> None:
    files.checked({"sure": "-inf", **state}, _STATE, wrong)
    if unknown := set(state) - set(_STATE):
        raise UserError(f"{wrong}: it has an unknown '{min(unknown)[:40]}'")
    for name in ("step", "rounds", "episodes", "best_step"):
        if not 0 <= state[name] < 2**62:
            raise UserError(f"{wrong}: its '{name}' is out of range")
    for name in ("best", "sure"):
        if isinstance(text := state.get(name, 0), str) and text not in ("inf", "-inf"):
            raise UserError(f"{wrong}: its '{name}' is no number")
    rows = [state["recent"], *state["curve"]]
    if not all(isinstance(row, list) for row in rows) or any(len(row) != len(COLUMNS) for row in rows[1:]):
        raise UserError(f"{wrong}: its 'curve' has other columns")
    numbers = [*rows[0], *(x for row in rows[1:] for x in row[:-1] if x is not None)]
    if any(isinstance(x, bool) or not isinstance(x, _NUMBER) for x in numbers):
        raise UserError(f"{wrong}: its 'recent' and 'curve' hold more than numbers")


def _check_plan(plan: Mapping[str, Any], wrong: str) -> None:
    files.checked(plan, _PLAN, wrong)
    for name in ("algo", "environment", "backend", "config", "on"):
        text = plan.get(name)
        if not isinstance(text, str | None) or not (text is None or (text.isprintable() and len(text) <= 200)):
            raise UserError(f"{wrong}: its '{name}' is no name")
    if isinstance(plan["until"], str) and plan["until"] not in ("inf", "-inf"):
        raise UserError(f"{wrong}: its 'until' is no number")
    for name in ("steps", "envs", "round_steps", "evaluate_every", "report"):
        if not 1 <= plan[name] < 2**31:
            raise UserError(f"{wrong}: its '{name}' is out of range")


def default(plan: Plan) -> Folder:
    """A folder in build/train that no run has yet, claimed. Raises UserError when none can be made."""
    place = "-chip" if plan.on_chip else ""
    name = f"{plan.algo}{place}-{plan.environment.replace('/', '_').replace(':', '_')}-{plan.backend}-{plan.seed}"
    base = paths.build() / "train"
    k = 1
    while True:
        folder = Folder(base / (name if k == 1 else f"{name}-{k}"))
        try:
            folder.claim()
        except UserError:
            # Somebody has it, or a run was here. What is wrong with the folder above is wrong with every name in it.
            if not folder.path.exists():
                raise
            k += 1
        else:
            return folder


def check(kept: dict[str, Any], plan: Plan, path: Path) -> None:
    """Raises UserError unless a run with `plan` can go on from a checkpoint of the plan `kept`.

    What only ends or judges a run may change, and the backend: they are equal bit for bit.
    """
    mine = plan.as_dict()
    for name in differences(kept, mine):
        if name in ("steps", "until", "report") or (name == "backend" and kept[name] in BACKENDS):
            continue
        old, new = (_short(_at(d, name)) for d in (kept, mine))
        raise UserError(f"the checkpoint in '{path}' was made with {name} = {old}, not {new}; it cannot be resumed so")


def _at(plan: dict[str, Any], name: str) -> Any:
    for part in name.split("."):
        plan = plan.get(part) if isinstance(plan, dict) else None
    return plan


def _short(x: Any) -> str:
    text = str(x)
    return text if len(text) <= 80 else text[:77] + "..."
