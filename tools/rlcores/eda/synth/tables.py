"""Devices, and tables.yaml: parts without a board, how cells count, the papers' figures, a core's report."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlcores.base import files
from rlcores.eda import boards, declared
from rlcores.errors import UserError

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Device:
    """One board or part: its resources by name ('lut', 'ff', 'dsp', 'bram36' …)."""

    name: str
    part: str
    family: str  # 'xcup' or 'ecp5': which cells yosys maps to
    resources: dict[str, int]
    nextpnr: tuple[str, ...] = ()  # arguments that choose the part


@cache
def _tables() -> dict:
    return files.read_yaml(HERE / "tables.yaml", "a list of parts")


def devices() -> list[str]:
    """The names that --device takes."""
    return [*boards.names(), *_tables()["parts"]]


def device(name: str) -> Device:
    """The device of that name. Raises UserError listing the devices when there is none."""
    if name in boards.names():
        board = boards.of(name)
        return Device(name, board.part, board.family, board.resources, board.nextpnr)
    entry = _tables()["parts"].get(name)
    if entry is None:
        raise UserError(f"there is no device '{name}'; devices: {', '.join(devices())}")
    return Device(name, entry["part"], entry["family"], entry["resources"], tuple(entry["nextpnr"]))


def cells(family: str) -> dict[str, dict[str, float]]:
    """How the cells of a family count: {'RAM32M': {'lut': 4}, …}."""
    return _tables()["cells"][family]


def cores() -> list[str]:
    """The cores that have a synthesis report."""
    return declared.having("synth")


def core(name: str) -> dict:
    """What is reported for a core: `synth` of its declaration. Raises UserError when there is none."""
    if name not in cores():
        raise UserError(f"core '{name}' has no synthesis report; cores that have: {', '.join(cores())}")
    return declared.fact(name, "synth")


def paper(name: str, config: str = "") -> dict | None:
    """The figures of the paper a core comes from, of the algorithm that a configuration of it is built for; or None."""
    entry = core(name).get("papers", {}) if name in cores() else {}
    return _tables()["papers"].get(entry.get(config, name))
