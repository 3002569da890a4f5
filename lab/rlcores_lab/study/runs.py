"""Runs of a study that are kept, a JSON file each; what was made with other settings is made again."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, fields, is_dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rlcores.base import files, report
from rlcores.errors import UserError

Run = TypeVar("Run")
_KEPT = "lab/rlcores_lab/study/*.json*"  # from the root


def commit() -> str:
    """The commit of the checkout; results that studies keep in it may differ."""
    return report.commit(_KEPT)


def fingerprint(settings: object) -> str:
    """Changes with everything that a run depends on, but not with the names of the classes that say it."""
    return sha256(repr(_plain(settings)).encode()).hexdigest()[:12]


def _plain(value: Any) -> Any:
    """A value whose data classes are dictionaries of the fields that their repr shows."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.repr}
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, list | tuple) else value


def kept(file: Path, kind: type[Run], settings: str) -> Run | None:
    """The run in a file, with the fingerprint that it has; None without a file, or when that is another."""
    if not file.exists():
        return None
    run = files.read_as(file, "a result of this study; remove it", lambda mapping: files.entry(kind, mapping))
    return run if run.settings == settings else None


def once(file: Path, kind: type[Run], settings: str, make: Callable[[], Run]) -> Run:
    """The run of a file; made and kept there where there is none."""
    run = kept(file, kind, settings)
    if run is None:
        run = make()
        files.replace(file, json.dumps(asdict(run)) + "\n")
    return run


def curve(ended: np.ndarray, steps: int, points: int) -> list[list[float]]:
    """[step, mean return of the episodes since the last point] of episodes (n, 2): the step each ended at, its return.

    A part without an episode keeps the last mean; those before the first episode have no point.

    >>> curve(np.array([[10.0, 1.0], [20.0, 3.0]]), 100, 4)
    [[25.0, 2.0], [50.0, 2.0], [75.0, 2.0], [100.0, 2.0]]
    """
    edges, pairs, last = np.linspace(0, steps, points + 1), [], float("nan")
    for low, high in pairwise(edges):
        part = ended[(ended[:, 0] > low) & (ended[:, 0] <= high), 1]
        last = float(part.mean()) if len(part) else last
        if last == last:
            pairs.append([float(high), last])
    return pairs


def lines(file: Path, kind: type[Run]) -> list[Run]:
    """The runs of a file of this repository, a line of JSON each, in their order; none where there is no file.

    Raises UserError for a line that is no run.
    """
    if not file.exists():
        return []
    made = []
    for number, line in enumerate(files.read_text(file, "runs of a study").splitlines(), 1):
        try:
            made.append(files.entry(kind, json.loads(line)))
        except (ValueError, TypeError) as error:
            raise UserError(f"'{file}' is damaged: line {number} is no run: {files.reason(error)}") from error
    return made


def add(file: Path, run: object) -> None:
    """Add a run at the end of such a file, numbers to five digits. Raises UserError when it cannot be written."""
    line = json.dumps(_short(asdict(run)), separators=(",", ":")) + "\n"
    try:
        with open(file, "ab") as out:
            out.write(line.encode())
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise UserError(f"cannot write '{file}': {files.reason(error)}") from error


def _short(x: object) -> object:
    if isinstance(x, dict):
        return {name: _short(value) for name, value in x.items()}
    if isinstance(x, list):
        return [_short(value) for value in x]
    return float(f"{x:.5g}") if isinstance(x, float) else x
