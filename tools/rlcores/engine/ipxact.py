"""Components of IP-XACT (IEEE 1685-2014): rtl/*/CORE.component.xml, from a core's declaration and its top's own header.

A component has the top's parameters with their ranges, its ports with widths in terms of the parameters, the AXI,
clock, reset and interrupt interfaces under the names that Vivado's catalogue has for them, and the files. A width that
follows from a list of numbers, which IP-XACT has no expression for, is that of the defaults.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as xml

from rlcores.base import paths
from rlcores.engine import configs, declared, headers, slang, sources
from rlcores.engine.declared import Parameter
from rlcores.engine.headers import Header, Port

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
_WIDTH = 240
_FUNCTION = re.compile(r"(?<!\$)\b\w+\(")
# Suffix of a bus' first signal -> its type; an AXI4 without AWLEN is an AXI4-Lite, which Vivado gives the same type.
_BUSES = {"awaddr": "aximm", "tdata": "axis"}


def outputs() -> dict[Path, str]:
    """Every core's component, from the root, and its text."""
    found = {core: configs.core(core).file for core in declared.cores()}
    return {
        file.with_suffix(".component.xml").relative_to(paths.root()): component(core) for core, file in found.items()
    }


def top(core: str) -> str:
    """The module that a core's component describes: that with buses, where it has one."""
    return declared.fact(core, "instance", declared.fact(core, "synth"))["top"]


def component(core: str) -> str:
    """The XML of a core."""
    found, module = configs.core(core), top(core)
    read = sources.of_core(found.vlnv)
    header = headers.read(read.design(module))
    widths = {name: bits for name, _, bits in slang.ports(read.design(module))}
    version = configs.read_core(found.file)["name"].rpartition(":")[2]
    xml.register_namespace("ipxact", NAMESPACE)
    root = _element("component")
    for name, value in zip(("vendor", "library", "name", "version"), (*found.vlnv.split(":"), version), strict=True):
        _add(root, name, value)
    interfaces = _add(root, "busInterfaces")
    for bus in _interfaces(header):
        interfaces.append(bus)
    _model(root, header, widths)
    known = declared.of(core)
    choices = [p for p in known.values() if (p.one_of or p.choice) and p.name in header.parameters]
    if choices:
        _choices(_add(root, "choices"), choices)
    _files(root, found.file.parent, read)
    _add(root, "description", found.description)
    parameters = _add(root, "parameters")
    for name, value in header.parameters.items():
        _parameter(parameters, name, value, known.get(name))
    _indent(root, "\n")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by `rlcores docs`; do not edit. -->\n'
    return head + xml.tostring(root, encoding="unicode") + "\n"


def _indent(element: xml.Element, line: str) -> None:
    """What fits stands in one line."""
    if len(line) + len(xml.tostring(element, encoding="unicode")) - len(f' xmlns:ipxact="{NAMESPACE}"') <= _WIDTH:
        return
    for child in element:
        _indent(child, line + "  ")
        child.tail = line + "  "
    if len(element):
        element.text, element[-1].tail = line + "  ", line


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _element(name: str, /, **attributes: str) -> xml.Element:
    return xml.Element(_tag(name), attributes)


def _add(parent: xml.Element, name: str, text: str | None = None, /, **attributes: str) -> xml.Element:
    made = xml.SubElement(parent, _tag(name), attributes)
    made.text = text
    return made


def _interfaces(header: Header) -> Iterator[xml.Element]:
    names = [port.name for port in header.ports]
    buses = []
    for port in header.ports:
        bus, _, signal = port.name.rpartition("_")
        if signal in _BUSES:
            buses.append(bus)
            pins = {n.removeprefix(f"{bus}_").upper(): n for n in names if n.rpartition("_")[0] == bus}
            yield _interface(bus, "interface", _BUSES[signal], port.name.startswith("m_"), pins)
    for name in names:
        if name.endswith("clk"):
            reset = {"ASSOCIATED_RESET": "rst"} if name == "clk" else {}
            busif = {"ASSOCIATED_BUSIF": ":".join(buses)} if buses and name == "clk" else {}
            yield _interface(name, "signal", "clock", False, {"CLK": name}, busif | reset)
        elif name == "rst":
            yield _interface(name, "signal", "reset", False, {"RST": name}, {"POLARITY": "ACTIVE_HIGH"})
        elif name == "irq":
            given = {"SENSITIVITY": "LEVEL_HIGH"}
            yield _interface(name, "signal", "interrupt", True, {"INTERRUPT": name}, given)


def _interface(
    name: str, library: str, kind: str, master: bool, pins: dict[str, str], parameters: dict[str, str] | None = None
) -> xml.Element:
    bus = _element("busInterface")
    _add(bus, "name", name)
    vlnv = {"vendor": "xilinx.com", "library": library, "version": "1.0"}
    _add(bus, "busType", name=kind, **vlnv)
    abstraction = _add(_add(bus, "abstractionTypes"), "abstractionType")
    _add(abstraction, "abstractionRef", name=f"{kind}_rtl", **vlnv)
    maps = _add(abstraction, "portMaps")
    for logical, physical in pins.items():
        one = _add(maps, "portMap")
        _add(_add(one, "logicalPort"), "name", logical)
        _add(_add(one, "physicalPort"), "name", physical)
    _add(bus, "master" if master else "slave")
    if parameters:
        these = _add(bus, "parameters")
        for key, value in parameters.items():
            _value(_add(these, "parameter"), key, value)
    return bus


def _value(entry: xml.Element, name: str, value: str) -> None:
    _add(entry, "name", name)
    _add(entry, "value", value)


def _model(root: xml.Element, header: Header, widths: dict[str, int]) -> None:
    model = _add(root, "model")
    view = _add(_add(model, "views"), "view")
    _add(view, "name", "rtl")
    _add(view, "componentInstantiationRef", "rtl")
    made = _add(_add(model, "instantiations"), "componentInstantiation")
    _add(made, "name", "rtl")
    _add(made, "language", "Verilog")
    _add(made, "moduleName", header.module)
    given = _add(made, "moduleParameters")
    for name in header.parameters:
        _value(_add(given, "moduleParameter", usageType="nontyped"), name, name)
    _add(_add(made, "fileSetRef"), "localName", "rtl")
    ports = _add(model, "ports")
    for port in header.ports:
        _port(ports, port, widths[port.name])


def _port(ports: xml.Element, port: Port, bits: int) -> None:
    entry = _add(ports, "port")
    _add(entry, "name", port.name)
    wire = _add(entry, "wire")
    _add(wire, "direction", "out" if port.output else "in")
    if port.left:
        vector = _add(_add(wire, "vectors"), "vector")
        _add(vector, "left", str(bits - 1) if _FUNCTION.search(port.left) else port.left)
        _add(vector, "right", "0")


def _choices(parent: xml.Element, parameters: list[Parameter]) -> None:
    for p in parameters:
        entry = _add(parent, "choice")
        _add(entry, "name", f"{p.name}_choice")
        for number, value in enumerate(p.one_of or p.choice):
            text = {} if p.one_of else {"text": str(value).lower()}
            _add(entry, "enumeration", str(value if p.one_of else number), **text)


def _files(root: xml.Element, folder: Path, read: sources.Sources) -> None:
    files = _add(_add(root, "fileSets"), "fileSet")
    _add(files, "name", "rtl")
    for path in (*read.includes, *read.files):
        entry = _add(files, "file")
        _add(entry, "name", Path(os.path.relpath(path, folder)).as_posix())
        _add(entry, "fileType", "systemVerilogSource" if path.suffix == ".sv" else "verilogSource-2005")
        if path in read.includes:
            _add(entry, "isIncludeFile", "true")


def _parameter(parent: xml.Element, name: str, value: str, known: Parameter | None) -> None:
    literal = value.isdigit() or value.startswith('"')
    given = {"parameterId": name, "resolve": "user" if known or literal else "immediate"}
    given["type"] = "string" if value.startswith('"') else "int"
    if known and known.least is not None:
        given["minimum"] = str(known.least)
    if known and known.most is not None:
        given["maximum"] = str(known.most)
    if known and (known.one_of or known.choice):
        given["choiceRef"] = f"{name}_choice"
    entry = _add(parent, "parameter", **given)
    _add(entry, "name", name)
    if known:
        _add(entry, "description", known.doc)
    _add(entry, "value", value)
