"""Components of IP-XACT (IEEE 1685-2014), rtl/*/gen/CORE.component.xml: of a core's declaration and its top's header.

A component has the top's parameters with their ranges, its ports with widths in terms of the parameters, the AXI,
clock, reset and interrupt interfaces under the names that Vivado's catalogue has for them, and the files. A width that
follows from a list of numbers, which IP-XACT has no expression for, is that of the defaults.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as xml

from rlcores.base import paths
from rlcores.eda import configs, declared, headers, slang, sources
from rlcores.eda.headers import Header
from rlcores_lab import shown

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
_WIDTH = 240
_FUNCTION = re.compile(r"(?<!\$)\b\w+\(")
# Suffix of a bus' first signal -> its type; an AXI4 without AWLEN is an AXI4-Lite, which Vivado gives the same type.
_BUSES = {"awaddr": "aximm", "tdata": "axis"}


def outputs() -> dict[Path, str]:
    """Every core's component, from the root, and its text."""
    return {_file(core).relative_to(paths.root()): component(core) for core in declared.cores()}


def _file(core: str) -> Path:
    return configs.core(core).written(".component.xml")


def top(core: str) -> str:
    """The module that a core's component describes: that with buses, where it has one."""
    return declared.fact(core, "instance", declared.fact(core, "synth"))["top"]


def component(core: str) -> str:
    """The XML of a core."""
    core_file, module, known = configs.core(core), top(core), declared.of(core)
    read = sources.of_core(core_file.vlnv)
    header = headers.read(read.design(module))
    fixed = of_lists(header)
    header = replace(header, parameters={n: v for n, v in header.parameters.items() if not _FUNCTION.search(v)})
    bits = {name: bits for name, _, bits in slang.ports(read.design(module))}
    names = (*core_file.vlnv.split(":"), configs.read_core(core_file.file)["name"].rpartition(":")[2])
    listed = ((os.path.relpath(path, _file(core).parent), path) for path in read.includes + read.files)
    text = shown.rendered(
        "writers/component.xml.j2", namespace=NAMESPACE, header=header, known=known, description=core_file.description,
        names=dict(zip(("vendor", "library", "name", "version"), names, strict=True)),
        interfaces=list(_interfaces(header)), files=list(listed), includes=read.includes,
        lefts={p.name: bits[p.name] - 1 if p.name in fixed else p.left for p in header.ports},
        choices=[p for p in known.values() if (p.one_of or p.choice) and not p.listed and p.name in header.parameters],
    )  # fmt: skip
    xml.register_namespace("ipxact", NAMESPACE)
    root = xml.fromstring(text)
    for element in root.iter():
        element.tail, element.text = None, (element.text or "").strip() or None
    _indent(root, "\n")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by `rlcores generate`; do not edit. -->\n'
    return head + xml.tostring(root, encoding="unicode") + "\n"


def of_lists(header: Header) -> set[str]:
    """Ports whose width is a function's of a list, or follows from a parameter whose default is."""
    called = {name for name, value in header.parameters.items() if _FUNCTION.search(value)}
    return {p.name for p in header.ports if _FUNCTION.search(p.left) or called & set(re.findall(r"\w+", p.left))}


def _indent(element: xml.Element, line: str) -> None:
    """What fits stands in one line."""
    if len(line) + len(xml.tostring(element, encoding="unicode")) - len(f' xmlns:ipxact="{NAMESPACE}"') <= _WIDTH:
        return
    for child in element:
        _indent(child, line + "  ")
        child.tail = line + "  "
    if len(element):
        element.text, element[-1].tail = line + "  ", line


def _interfaces(header: Header) -> Iterator[dict]:
    names = [port.name for port in header.ports]
    buses = []
    for name in names:
        bus, _, signal = name.rpartition("_")
        if signal in _BUSES:
            buses.append(bus)
            pins = {n.removeprefix(f"{bus}_").upper(): n for n in names if n.rpartition("_")[0] == bus}
            master = name.startswith("m_")
            common = {"kind": _BUSES[signal], "master": master, "pins": pins, "parameters": {}}
            yield {"name": bus, "library": "interface", **common}
    main = ({"ASSOCIATED_BUSIF": ":".join(buses)} if buses else {}) | {"ASSOCIATED_RESET": "rst"}
    for name in names:
        kinds = {
            "rst": ("reset", "RST", {"POLARITY": "ACTIVE_HIGH"}),
            "irq": ("interrupt", "INTERRUPT", {"SENSITIVITY": "LEVEL_HIGH"}),
        }
        if name in kinds or name.endswith("clk"):
            kind, pin, parameters = kinds.get(name, ("clock", "CLK", main if name == "clk" else {}))
            yield {
                "name": name, "library": "signal", "kind": kind, "master": name == "irq", "pins": {pin: name},
                "parameters": parameters,
            }  # fmt: skip
