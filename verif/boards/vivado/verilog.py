"""Ports of plain Verilog modules: one port a line, as ours are written."""

import re
from dataclasses import dataclass
from pathlib import Path

from rlcores.errors import UserError

_PORT = re.compile(r"^\s*(input|output|inout)\s+wire\s+(?:\[([^\]]+):0\]\s*)?(\w+)\s*,?\s*$")
_DIRECTION = {"input": "I", "output": "O", "inout": "IO"}
# AXI4, AXI4-Lite and AXI4-Stream signals; what stands before them is the interface.
_AXI = re.compile(r"^(\w+)_((?:aw|ar|w|b|r)(?:addr|prot|valid|ready|data|strb|resp|id|len|size|burst|cache|last))$")
_AXIS = re.compile(r"^(\w+)_(t(?:data|valid|ready|last|keep))$")


@dataclass(frozen=True)
class Port:
    """A port of a module."""

    name: str
    dir: str  # I, O or IO
    width: int  # 1 where the range is no plain number, which no module for a board has
    range: bool  # whether it was written with a range


@dataclass(frozen=True)
class Bus:
    """Ports that make an AXI interface, as Vivado groups them by their names."""

    name: str
    type: str  # aximm or axis
    mode: str  # master or slave
    signals: dict[str, Port]  # by the end of the name: awaddr, tdata …


@dataclass(frozen=True)
class Module:
    """A module's name, ports, and AXI interfaces among them."""

    name: str
    path: Path
    ports: dict[str, Port]
    kinds: dict[str, str]  # what X_INTERFACE_INFO says of a single port: clk, rstn, rst, intr
    buses: dict[str, Bus]
    clocked: dict[str, str]  # interface -> its clock, from ASSOCIATED_BUSIF
    instances: dict[str, str]  # instance -> module


def read(path: Path) -> Module:
    """A file with one module. Raises UserError when a port is not written in our way."""
    text = path.read_text()
    header = re.search(r"^module\s+(\w+)\s*(#\(.*?\n\))?\s*\((.*?)\n\);(.*?)^endmodule", text, re.DOTALL | re.MULTILINE)
    if header is None:
        raise UserError(f"{path.name} holds no module with a list of ports")
    ports, kinds, clocked, info, parameter = {}, {}, {}, "", ""
    for line in header[3].splitlines():
        line = re.sub(r"//.*", "", line)
        if said := re.search(r'X_INTERFACE_INFO = "xilinx.com:signal:(\w+):1.0 \w+ \w+"', line):
            info = said[1]
        if said := re.search(r'X_INTERFACE_PARAMETER = "([^"]*)"', line):
            parameter = said[1]
        line = re.sub(r"\(\*.*?\*\)", "", line)
        if not line.strip():
            continue
        port = _PORT.match(line)
        if port is None:
            raise UserError(f"{path.name}: the port '{line.strip()}' is not written as input, output or inout wire")
        direction, high, name = port[1], port[2], port[3]
        ports[name] = Port(name, _DIRECTION[direction], _width(high), high is not None)
        low = "ACTIVE_LOW" in parameter
        if info:
            kinds[name] = {"clock": "clk", "reset": "rstn" if low else "rst", "interrupt": "intr"}[info]
        if of := re.search(r"ASSOCIATED_BUSIF ([\w:]+)", parameter):
            clocked |= {bus: name for bus in of[1].split(":")}
        info = parameter = ""
    buses: dict[str, Bus] = {}
    for kind, pattern, lead in (("aximm", _AXI, ("awvalid", "arvalid")), ("axis", _AXIS, ("tvalid",))):
        groups: dict[str, dict[str, Port]] = {}
        for port in ports.values():
            if match := pattern.match(port.name):
                groups.setdefault(match[1], {})[match[2]] = port
        for name, signals in groups.items():
            missing = [signal for signal in lead if signal not in signals]
            if missing:
                raise UserError(f"{path.name}: interface {name} has no {missing[0]}")
            mode = "master" if signals[lead[0]].dir == "O" else "slave"
            buses[name] = Bus(name, kind, mode, signals)
    instances = {}
    for match in re.finditer(
        r"^    (\w+)\s+(?:#\((?:[^()]|\([^()]*\))*\)\s*)?(\w+)\s*\(\s*\.", header[4], re.MULTILINE
    ):
        instances[match[2]] = match[1]
    return Module(header[1], path, ports, kinds, buses, clocked, instances)


def _width(high: str | None) -> int:
    return int(high) + 1 if high is not None and high.isdigit() else 1


def connections(module: Module, instance: str) -> dict[str, str]:
    """Port -> net of an instance written with names. Raises UserError when it is not in the module."""
    text = module.path.read_text()
    match = re.search(
        rf"^    {module.instances.get(instance, '-')}\b[^;]*?\b{instance}\s*\((.*?)\);", text, re.DOTALL | re.MULTILINE
    )
    if match is None:
        raise UserError(f"{module.name} has no instance {instance}")
    return dict(re.findall(r"\.(\w+)\(([^)]*)\)", match[1]))
