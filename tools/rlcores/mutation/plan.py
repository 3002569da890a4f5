"""What `rlcores mutate CORE` breaks, and the tests that should see it: verif/mutation/CORE.yaml.

    core: rlcores:common:prims          # its files are elaborated, with those of its dependencies
    files: [rtl/common/*.v]             # of these, what is broken
    tests:                              # in this order, the cheapest first, until one fails
      - sim: rlcores:common:verif       # a simulation, as `rlcores.sim.run` takes it
        target: skid_icarus
        top: rlc_skid
        parameters: {WIDTH: 18}
        env: {SOME_LENGTH: 3}
      - pytest: verif/sumtree/test_exact.py -k K4
        top: rlc_sumtree
        parameters: {RADIX_LOG2: 2}

`top` and `parameters` say what the test elaborates: a test runs for the mutants in it and for no others, and only what is
part of one of them is broken. `config` names a configuration instead, `shapes` is a list of several of both.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from rlcores import configs, paths
from rlcores.errors import UserError


@dataclass(frozen=True)
class Shape:
    """A top with its parameters."""

    top: str
    parameters: Mapping[str, int | str]


@dataclass(frozen=True)
class Test:
    """One simulation or one call of pytest, and the tops that it builds."""

    __test__ = False

    name: str
    shapes: tuple[Shape, ...]
    pytest: tuple[str, ...] = ()
    sim: str = ""
    target: str = ""
    module: str | None = None
    testcase: str | None = None
    env: Mapping[str, str] = ()


@dataclass(frozen=True)
class Plan:
    """The plan of one core."""

    name: str
    core: str
    files: tuple[Path, ...]
    tests: tuple[Test, ...]


def folder() -> Path:
    """Where the plans are."""
    return paths.root() / "verif" / "mutation"


def names() -> list[str]:
    """The cores that have a plan."""
    return sorted(path.stem for path in folder().glob("*.yaml") if path.stem != "equal")


def load(name: str, place: Path | None = None) -> Plan:
    """The plan of a core, or of a file. Raises UserError when there is none or it says something unknown."""
    if place is None:
        if name not in names():
            raise UserError(f"core '{name}' has no mutation plan; there are: {', '.join(names())}")
        place = folder() / f"{name}.yaml"
    text = yaml.safe_load(place.read_text())
    files = [path for glob in text["files"] for path in sorted(paths.root().glob(glob))]
    left_out = {path for glob in text.get("without", []) for path in paths.root().glob(glob)}
    tests = [test for entry in text["tests"] for test in _tests(name, entry)]
    if not files or not tests:
        raise UserError(f"the plan '{place.name}' names no files or no tests")
    return Plan(name, text["core"], tuple(path for path in files if path not in left_out), tuple(tests))


def _tests(name: str, entry: dict) -> list[Test]:
    known = {"sim", "target", "module", "testcase", "env", "pytest", "top", "parameters", "config", "shapes", "sweep"}
    if set(entry) - known or ("sim" in entry) == ("pytest" in entry):
        raise UserError(f"the plan of '{name}' has a test with {', '.join(sorted(entry))}; known: {', '.join(sorted(known))}")
    env = {key: str(value) for key, value in entry.get("env", {}).items()}
    found = []
    # A sweep is one test for each of its parameter sets.
    for swept in entry.get("sweep", [{}]):
        shapes = tuple(_shape(name, {**entry, **one}, swept) for one in entry.get("shapes", [{}]))
        if "pytest" in entry:
            found.append(Test(entry["pytest"], shapes, pytest=tuple(shlex.split(entry["pytest"])), env=env))
            continue
        given = "-".join(f"{key}={value}" for key, value in shapes[0].parameters.items())
        what = " ".join(part for part in (entry["sim"], entry["target"], entry.get("testcase")) if part)
        found.append(
            Test(f"{what} {given}".strip(), shapes, (), entry["sim"], entry["target"], entry.get("module"),
                 entry.get("testcase"), env)
        )  # fmt: skip
    return found


def _shape(name: str, entry: dict, swept: dict) -> Shape:
    core, _, config = entry.get("config", "").rpartition(".")
    parameters = configs.load(core or name, config) if config else {}
    return Shape(entry["top"], {**parameters, **entry.get("parameters", {}), **swept})
