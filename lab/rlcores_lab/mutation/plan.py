"""What `rlcores mutate CORE` breaks, and the tests that should see it: verif/mutation/CORE.yaml.

    files: [rtl/common/*.v]          # what is broken
    without: [rtl/common/rlc_mac.v]   # of these, what is not
    tests:                           # what pytest is called with, one line a call
      - verif/prims/test_prims.py -k icarus

Every test that these calls collect counts. A test is asked for the mutants in what it builds and for no others, and
only what is part of something that a test builds is broken. Tests that have killed much at little cost come first. A
test that has not run yet comes in front of them if the plan has it in front of the best of them, else last: so a plan
has its cheap tests first.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

import yaml

from rlcores.base import paths
from rlcores.errors import UserError


@dataclass(frozen=True)
class Plan:
    """The plan of one core."""

    name: str
    files: tuple[Path, ...]
    tests: tuple[tuple[str, ...], ...]


def folder() -> Path:
    """Where the plans are."""
    return paths.verif() / "mutation"


def names() -> list[str]:
    """The cores that have a plan."""
    return sorted(path.stem for path in folder().glob("*.yaml") if path.stem != "equal")


def load(name: str, place: Path | None = None) -> Plan:
    """The plan of a core, or of a file. Raises UserError when there is none, or when it names nothing."""
    if place is None:
        if name not in names():
            raise UserError(f"there is no mutation plan for '{name}'; there are: {', '.join(names())}")
        place = folder() / f"{name}.yaml"
    text = yaml.safe_load(place.read_text())
    left_out = {path for glob in text.get("without", []) for path in paths.root().glob(glob)}
    files = [p for glob in text["files"] for p in sorted(paths.root().glob(glob)) if p not in left_out]
    tests = tuple(tuple(shlex.split(line)) for line in text["tests"])
    if not files or not tests:
        raise UserError(f"the mutation plan '{place.name}' names no files or no tests")
    return Plan(name, tuple(dict.fromkeys(files)), tests)


def equal() -> dict[str, str]:
    """Mutants that change nothing, with the reason in words: verif/mutation/equal.yaml, by Mutant.key."""
    place = folder() / "equal.yaml"
    return (yaml.safe_load(place.read_text()) or {}) if place.exists() else {}
