"""The header of one of our modules, as it is written: parameters and ports with their expressions."""

import re
from dataclasses import dataclass
from pathlib import Path

from rlcores.errors import RunFailed

_HEADER = re.compile(r"^module\s+(\w+)\s*#\(\n(.*?)^\)\s*\(\n(.*?)^\);", re.S | re.M)
_PARAMETER = re.compile(r"^\s*parameter\s+(?:\[[^\]]*\]\s*)?(\w+)\s*=\s*(.+?),?\s*(?://.*)?$", re.M)
_PORT = re.compile(r"^\s*(input|output)\s+wire\b\s*(?:signed\s*)?(?:\[(.*?):0\])?\s*(\w+),?\s*(?://.*)?$", re.M)


@dataclass(frozen=True)
class Port:
    """One port; left is the expression of its highest bit, '' for a single bit."""

    name: str
    output: bool
    left: str


@dataclass(frozen=True)
class Header:
    """A module's header."""

    module: str
    parameters: dict[str, str]  # and the expressions of their defaults
    groups: tuple[tuple[Port, ...], ...]  # ports, as empty lines part them

    @property
    def ports(self) -> list[Port]:
        """All ports in order."""
        return [port for group in self.groups for port in group]


def read(path: Path) -> Header:
    """The header of the module of a file. Raises RunFailed when it is not written as ours are."""
    return parse(path.read_text())


def parse(text: str) -> Header:
    """The header of the module in a text. Raises RunFailed when it is not written as ours are."""
    found = _HEADER.search(text)
    if found is None:
        raise RunFailed("the file holds no module with lists of parameters and ports")
    name, parameters, ports = found.groups()
    groups = []
    for part in ports.split("\n\n"):
        group = tuple(Port(n, kind == "output", (left or "").strip()) for kind, left, n in _PORT.findall(part))
        if group:
            groups.append(group)
    return Header(name, dict(_PARAMETER.findall(parameters)), tuple(groups))
