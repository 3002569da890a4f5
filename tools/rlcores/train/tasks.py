"""Tasks: environments for which settings are known. Each is a file of task_files/.

host: of an algorithm's name, fields of a plan, `settings` in place of the algorithm's own, and `study`, what the
learning study asks. chip: of an algorithm's name, fields of what it is on the chip (OnChip.settings).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlcores.base import files

HERE = Path(__file__).with_name("task_files")


@dataclass(frozen=True)
class TrainTask:
    """One file. name: ours, that of the file; environment: Gymnasium's."""

    name: str
    environment: str
    host: Mapping[str, Mapping[str, Any]]
    chip: Mapping[str, Mapping[str, Any]]


def _read(file: Path) -> TrainTask:
    content = files.read_yaml(file, "the settings of a task")
    return TrainTask(file.stem, content["environment"], content.get("host") or {}, content.get("chip") or {})


TASKS = {file.stem: _read(file) for file in sorted(HERE.glob("*.yaml"))}


def of(environment: str) -> TrainTask | None:
    """The task of an environment, by our name or Gymnasium's; None where there is none."""
    return next((t for t in TASKS.values() if environment in (t.name, t.environment)), None)


def on_chip(algo: str) -> dict[str, Mapping[str, Any]]:
    """What tasks say of an algorithm on the chip, by their names."""
    return {name: task.chip[algo] for name, task in TASKS.items() if algo in task.chip}
