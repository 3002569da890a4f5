"""Runs of a study that are kept, a JSON file each; what was made with other settings is made again."""

import json
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from rlcores.base import files

Run = TypeVar("Run")


def fingerprint(settings: object) -> str:
    """Changes with everything that a run depends on."""
    return sha256(repr(settings).encode()).hexdigest()[:12]


def kept(file: Path, kind: type[Run], settings: str) -> Run | None:
    """The run in a file, with the fingerprint that it has; None without a file, or when that is another."""
    if not file.exists():
        return None
    run = files.read_as(file, "a result of this study; remove it", lambda given: files.entry(kind, given))
    return run if run.settings == settings else None


def once(file: Path, kind: type[Run], settings: str, make: Callable[[], Run]) -> Run:
    """The run of a file; made and kept there where there is none."""
    run = kept(file, kind, settings)
    if run is None:
        run = make()
        files.replace(file, json.dumps(asdict(run)) + "\n")
    return run
