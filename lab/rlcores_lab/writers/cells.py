"""Cores as cells of Vivado's block designs: Verilog written from the top's own ports and a configuration.

A cell has a core's parameters set and its ports at their widths, with the names that Vivado's IP integrator takes for
interfaces: aclk and aresetn, TKEEP with every stream, attributes for clocks, reset and interrupt. Of several masters
that share the names of their ports each has an interface of its own. Ports of the top that are on no bus are for a core
beside it: a cell has none, so they are 0 and read by nobody.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rlcores.base import paths
from rlcores.buses.described import describe
from rlcores.eda import boards, configs, declared, slang, sources
from rlcores.eda.slang import Port
from rlcores_lab import shown
from rlcores_lab.writers.instances import wrapped

_BUS = re.compile("[sm]_axi")


def outputs() -> dict[Path, str]:
    """Every cell's file, from the root, and its text. Raises UserError when a configuration is not legal."""
    return dict(_cell(core, name) for name in boards.names() for core in boards.of(name).designs)


def _cell(core: str, board: str) -> tuple[Path, str]:
    core_file, design, free = configs.core(core), boards.of(board).designs[core], declared.cell(core).free
    values = configs.load(core, design.config)
    read = sources.of_core(core_file.vlnv)
    top = read.tops[0]
    made = read.design(top, values)
    slang.check(made)
    ports = slang.ports(made)
    clocks = [p.name for p in ports if p.name.endswith("clk") and p.name != "clk"]
    whole = [p for p in ports if _BUS.match(p.name)]
    beside = [p for p in ports if p not in whole and p.name not in ("clk", "rst", "irq", *clocks)]
    slices = {p.name: _slices(core, p, values) for p in whole}
    buses = sorted((p for each in slices.values() for p in each), key=_bus) if _masters(core) else whole
    joined = [".clk(aclk)", ".rst(rst_q)", *(f".{name}({name})" for name in clocks)]
    joined += [f".{name}({_joined([p.name for p in reversed(each)])})" for name, each in slices.items()]
    joined += [f".{p.name}(unused_{p.name})" if p.output else f".{p.name}({p.bits}'d0)" for p in beside]
    file = core_file.file.parent / "gen" / f"rlc_{core}_{board}.v"
    parameters = [f".{name}({name if name in free else slang.literal(value)})" for name, value in values.items()]
    text = shown.rendered(
        "writers/cell.v.j2", name=file.stem, top=top, config=design.config, irq_clock=design.irq_clock,
        free={f"{name:{max(map(len, free))}}": slang.literal(values[name]) for name in free},
        clocks=[*clocks, *["irq_clk"] * design.irq_clock],
        groups={bus: list(_with_keeps(group)) for bus, group in groupby(buses, key=_bus)},
        unread=[p for p in beside if p.output], keeps=[_keep(p) for p in buses if p.name.endswith("_tdata")],
        parameters=wrapped(parameters),
        joined=wrapped([*joined, f".irq({'core_irq' if design.irq_clock else 'irq'})"]),
    )  # fmt: skip
    return file.relative_to(paths.root()), text


def _masters(core: str) -> str | None:
    """The name of the ports that several masters share."""
    fact = declared.fact(core, "instance") if core in declared.having("instance") else {}
    return fact["memory"] if "masters" in fact else None


def _slices(core: str, port: Port, values: dict) -> list[Port]:
    """Ports of the cell in the place of one of the top, the first master's first."""
    bus = _masters(core)
    if bus is None or _bus(port) != bus:
        return [port]
    count = describe(core, values).masters["count"]
    signal = port.name.removeprefix(f"{bus}_")
    return [Port(f"{bus}_{n}_{signal}", port.output, port.bits // count) for n in range(count)]


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


def _bus(port: Port) -> str:
    """The interface that it belongs to: 's_axil' of 's_axil_awaddr'."""
    return port.name.rpartition("_")[0]


def _keep(data: Port) -> Port:
    return Port(f"{_bus(data)}_tkeep", data.output, data.bits // 8)


def _with_keeps(ports: Iterator[Port]) -> Iterator[Port]:
    for port in ports:
        yield port
        if port.name.endswith("_tdata"):
            yield _keep(port)
