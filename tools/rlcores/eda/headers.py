"""The header of a design's top, as slang reads it: parameters and ports with their expressions."""

import re
from dataclasses import dataclass
from itertools import groupby

from rlcores.eda import slang

LITERAL = re.compile(r'[0-9]+|"[^"]*"')
# Ports of one bus stand together: those of s_axil, m_axi and s_axis_op, say.
_BUS = re.compile(r"([sm]_axis?l?(_[a-z]+(?=_t))?)?")


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
    groups: tuple[tuple[Port, ...], ...]  # ports, each bus by itself

    @property
    def ports(self) -> list[Port]:
        """All ports in order."""
        return [port for group in self.groups for port in group]


def read(design: slang.Design) -> Header:
    """The header of the design's top. Raises UserError without a top."""
    parameters, port_texts = slang.texts(design)
    ports = [Port(name, output, _left(text)) for name, output, text in port_texts]
    groups = groupby(ports, key=lambda port: _BUS.match(port.name)[0])
    return Header(design.top, parameters, tuple(tuple(group) for _, group in groups))


def _left(text: str) -> str:
    """'WIDTH-1' of '[(WIDTH)-1:0]', '11' of '[(12)-1:0]'."""
    match = re.search(r"\[(.*):0\]", text, re.DOTALL)
    left = re.sub(r"^\(([\w$]+)\)", r"\1", match[1].strip()) if match else ""
    number = re.fullmatch(r"(\d+)-1", left)
    return str(int(number[1]) - 1) if number else left
