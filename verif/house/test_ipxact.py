"""Components of IP-XACT: what they say of parameters, ports and files is what slang finds in the RTL."""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest
from pyslang.ast import ScriptSession

from rlcores.base import paths
from rlcores.eda import configs, declared, headers, slang, sources
from rlcores_lab.writers import ipxact

NAMES = {"ipxact": ipxact.NAMESPACE}
FILES = {core: configs.core(core).written(".component.xml").relative_to(paths.root()) for core in declared.cores()}
# IEEE 1685-2014: the elements of a component that we use, in the order of its schema; and of a bus interface.
ORDER = [
    "vendor", "library", "name", "version", "busInterfaces", "model", "choices", "fileSets", "description", "parameters"
]  # fmt: skip
BUS_ORDER = ["name", "busType", "abstractionTypes", "master", "slave", "parameters"]


def read(core: str) -> xml.Element:
    return xml.fromstring(written(core))


@cache
def written(core: str) -> str:
    """What the writer makes of a core; a process asks once."""
    return ipxact.component(core)


def tags(element: xml.Element) -> list[str]:
    return [child.tag.removeprefix(f"{{{ipxact.NAMESPACE}}}") for child in element]


def texts(element: xml.Element, path: str) -> list[str]:
    return [child.text or "" for child in element.findall(path, NAMES)]


def evaluated(expressions: list[str], parameters: dict[str, int | str], defaults: dict[str, str]) -> list[int]:
    """Expressions of a component's parameters, by slang as SystemVerilog, which is what the standard takes them for."""
    session = ScriptSession()
    for name, value in defaults.items():
        value = str(parameters.get(name, value))
        if value.lstrip("-").isdigit() or not value.strip('"')[:1].isdigit():
            session.eval(f"int {name} = {value};")
    return [int(str(session.eval(f"int'({expression})"))) for expression in expressions]


@pytest.mark.parametrize("core", FILES)
def test_a_component_is_as_its_core_says(core: str) -> None:
    path = FILES[core]
    assert (paths.root() / path).read_text() == written(core), f"{path} is out of date: run `rlcores generate`"


@pytest.mark.parametrize("core", declared.cores())
def test_elements_are_in_the_order_of_the_standard(core: str) -> None:
    root = read(core)
    assert root.tag == f"{{{ipxact.NAMESPACE}}}component"
    children = tags(root)
    assert children == [name for name in ORDER if name in children]
    assert {"model", "fileSets", "parameters"} <= set(children)
    for bus in root.findall(".//ipxact:busInterface", NAMES):
        assert tags(bus) == [name for name in BUS_ORDER if name in tags(bus)]
    assert tags(root.find("ipxact:model", NAMES)) == ["views", "instantiations", "ports"]


@pytest.mark.parametrize("core", declared.cores())
def test_ports_are_those_that_slang_sees_whatever_the_parameters(core: str) -> None:
    root, top = read(core), ipxact.top(core)
    defaults = {
        p.get("parameterId"): p.findtext("ipxact:value", "", NAMES)
        for p in root.findall("ipxact:parameters/ipxact:parameter", NAMES)
    }
    ports = root.findall("ipxact:model/ipxact:ports/ipxact:port", NAMES)
    lefts = [port.findtext(".//ipxact:left", "0", NAMES) for port in ports]
    outputs = [port.findtext("ipxact:wire/ipxact:direction", "", NAMES) == "out" for port in ports]
    names = [port.findtext("ipxact:name", "", NAMES) for port in ports]
    read_sources = sources.of_core(configs.core(core).vlnv)
    header = headers.read(read_sources.design(top))
    follows = ipxact.of_lists(header)
    for parameters in ({}, configs.load(core, "tiny" if "tiny" in configs.names(core) else configs.names(core)[0])):
        parameters = {name: value for name, value in parameters.items() if name in defaults}
        bits = [left + 1 for left in evaluated(lefts, parameters, defaults)]
        seen = slang.ports(read_sources.design(top, parameters))
        assert [n for n, _, _ in seen] == names and [o for _, o, _ in seen] == outputs
        wrong = [n for (n, _, width), ours in zip(seen, bits, strict=True) if width != ours]
        assert set(wrong) <= (follows if parameters else set()), wrong


@pytest.mark.parametrize("core", declared.cores())
def test_every_parameter_port_and_file_that_is_named_exists(core: str) -> None:
    root, top = read(core), ipxact.top(core)
    parameters = {p.get("parameterId") for p in root.findall("ipxact:parameters/ipxact:parameter", NAMES)}
    assert set(texts(root, ".//ipxact:moduleParameter/ipxact:value")) == parameters
    own = declared.of(core)
    assert set(own) - parameters == set() and root.findtext(".//ipxact:moduleName", "", NAMES) == top
    for entry in root.findall("ipxact:parameters/ipxact:parameter", NAMES):
        known = own.get(entry.get("parameterId"))
        if known and known.most is not None:
            assert (entry.get("minimum"), entry.get("maximum")) == (str(known.least), str(known.most))
    for expression in texts(root, ".//ipxact:left"):
        assert set(re.findall(r"[A-Za-z_]\w*", expression)) <= parameters | {"clog2"}, expression
    ports = set(texts(root, "ipxact:model/ipxact:ports/ipxact:port/ipxact:name"))
    mapped = texts(root, ".//ipxact:physicalPort/ipxact:name")
    assert set(mapped) <= ports and len(mapped) == len(set(mapped))
    folder = (paths.root() / FILES[core]).parent
    listed = texts(root, ".//ipxact:file/ipxact:name")
    assert {f"{top}.v", f"{top}.sv"} & {Path(name).name for name in listed}
    assert all((folder / name).is_file() for name in listed)


def test_buses_of_the_gae_core() -> None:
    root = read("gae")
    buses = {}
    for bus in root.findall(".//ipxact:busInterface", NAMES):
        kind = bus.find("ipxact:busType", NAMES).get("name")
        buses[bus.findtext("ipxact:name", "", NAMES)] = (kind, "master" if "master" in tags(bus) else "slave")
    assert buses == {
        "s_axil": ("aximm", "slave"), "s_axis": ("axis", "slave"), "m_axis": ("axis", "master"),
        "clk": ("clock", "slave"), "rst": ("reset", "slave"), "irq": ("interrupt", "master"),
    }  # fmt: skip


def test_a_header_is_read_with_what_it_includes() -> None:
    read_sources = sources.of_core(configs.core("sumtree").vlnv)
    header = headers.read(read_sources.design("rlc_sumtree_axi"))
    assert header.parameters["LEAVES_LOG2"] == "12" and header.parameters["SUM_WIDTH"] == "PRIORITY_WIDTH + LEAVES_LOG2"
    assert [len(group) for group in header.groups] == [2, 19, 4, 4, 4, 4, 7]
    assert {port.name: port.left for port in header.ports}["s_axil_awaddr"] == "11"


@pytest.mark.parametrize(("core", "top"), [("gae", "rlc_gae"), ("sumtree", "rlc_sumtree")])
def test_the_contract_of_a_native_top_names_every_port(core: str, top: str) -> None:
    """By its own name, or as a part of a stream: `s_op_*` has a row with its parts."""
    page = (paths.root() / "docs" / f"{core}.md").read_text().partition("\n## Ports\n")[2].partition("\n## ")[0]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    streams = {name: row for row in rows for name in re.findall(r"`(\w+_)\*`", row.split("|")[1])}
    header = headers.read(sources.of_core(configs.core(core).vlnv).design(top))
    assert len(header.ports) > 15
    for port in header.ports:
        stream = next((name for name in streams if port.name.startswith(name)), None)
        part = port.name.removeprefix(stream or "")
        named = stream is not None and (part in ("valid", "ready") or f"`{part}`" in streams[stream])
        assert named or any(f"`{port.name}`" in row.split("|")[1] for row in rows), port.name
