"""Cores as cells of Vivado's block designs: Verilog written from the top's own ports and a configuration.

A cell has a core's parameters set and its ports at their widths, with the names that Vivado's IP integrator takes for
interfaces: aclk and aresetn, TKEEP with every stream, attributes for clocks, reset and interrupt.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rlcores.base import paths
from rlcores.engine import boards, configs, declared, slang, sources
from rlcores.engine.instances import wrapped

_RESET = """\
    reg rst_q;
    initial rst_q = 1'b1;
    always @(posedge aclk) rst_q <= !aresetn;
"""
_IRQ = """\
    // The interrupt goes to the host's clock; a flip-flop of its own first, because there is logic behind the core's.
    wire core_irq;
    reg  core_irq_q;
    initial core_irq_q = 1'b0;
    always @(posedge aclk) core_irq_q <= core_irq;
    rlc_sync_level #(.STAGES(2)) u_irq (.clk(irq_clk), .level_in(core_irq_q), .level_out(irq));

"""


@dataclass(frozen=True)
class Cell:
    """A core as a cell of a board's block design."""

    core: str
    board: str

    @property
    def design(self) -> boards.Design:
        """The block design."""
        return boards.of(self.board).designs[self.core]

    @property
    def free(self) -> tuple[str, ...]:
        """Verilog parameters that stay parameters."""
        return declared.cell(self.core).free

    @property
    def irq_clock(self) -> bool:
        """Whether the interrupt goes to a clock of its own."""
        return self.design.irq_clock


@dataclass(frozen=True)
class _Port:
    name: str
    output: bool
    bits: int

    @property
    def bus(self) -> str:
        """The interface that it belongs to: 's_axil' of 's_axil_awaddr'."""
        return self.name.rpartition("_")[0]

    def __str__(self) -> str:
        width = f"[{self.bits - 1}:0]" if self.bits > 1 else ""
        return f"    {'output' if self.output else 'input '} wire {width:8}{self.name}"


def outputs() -> dict[Path, str]:
    """Every cell's file, from the root, and its text."""
    cells = (Cell(core, name) for name in boards.names() for core in boards.of(name).designs)
    return {_file(cell).relative_to(paths.root()): text(cell) for cell in cells}


def text(cell: Cell) -> str:
    """The Verilog of a cell. Raises UserError when its configuration is not legal."""
    found, values = configs.core(cell.core), configs.load(cell.core, cell.design.config)
    top = sources.of_core(found.vlnv).tops[0]
    ports = _ports(cell, top, values)
    clocks = [p.name for p in ports if p.name.endswith("clk") and p.name != "clk"]
    buses = [p for p in ports if p.name not in ("clk", "rst", "irq", *clocks)]
    streams = [p for p in buses if p.name.endswith("_tdata")]
    given = [f".{name}({name if name in cell.free else _literal(value)})" for name, value in values.items()]
    joined = [".clk(aclk)", ".rst(rst_q)", *(f".{name}({name})" for name in clocks)]
    joined += [f".{p.name}({p.name})" for p in buses]
    joined.append(f".irq({'core_irq' if cell.irq_clock else 'irq'})")
    keeps = [f"{p.bus}_tkeep" for p in streams if not p.output]
    lines = [
        f"// {_file(cell).name} — {top} as a cell of a block design: the configuration {cell.design.config} of "
        "configs.yaml.",
        "// SPDX-License-Identifier: Apache-2.0",
        "//",
        "// Written by `rlcores docs` from the ports of the top and the declaration of the core; do not edit.",
        "//",
        "// aclk, aresetn   the bus; aresetn is synchronous to aclk, active low, as Vivado's blocks have it",
        f"// TKEEP is not looked at, and always all ones: beats are whole. All else is as {top} says",
        *(["// irq             on irq_clk, three clocks after the core's"] if cell.irq_clock else []),
        *([f"// {', '.join(cell.free)}   for tests; no port depends on them"] if cell.free else []),
        "`default_nettype none",
        f"module {_file(cell).stem}{' #(' if cell.free else ' ('}",
        *_free(cell, values),
        ",\n".join([*_clocked(clocks, buses, cell), *_bused(buses), *_interrupt()]),
        ");",
        _RESET,
        f"    wire unused = &{{1'b0, {', '.join(keeps)}}};",
        *(f"    assign {p.bus}_tkeep = {{{p.bits // 8}{{1'b1}}}};" for p in streams if p.output),
        "",
        *([_IRQ.rstrip("\n"), ""] if cell.irq_clock else []),
        f"    {top} #(",
        *(f"    {line}" for line in wrapped(given)),
        "    ) u_core (",
        *(f"    {line}" for line in wrapped(joined)),
        "    );",
        "endmodule",
        "`default_nettype wire",
        "",
    ]
    return "\n".join(lines)


def _file(cell: Cell) -> Path:
    found = configs.core(cell.core)
    return found.file.parent / f"{sources.of_core(found.vlnv).tops[0]}_{cell.board}.v"


def _ports(cell: Cell, top: str, values: dict[str, int | str]) -> list[_Port]:
    design = sources.of_core(configs.core(cell.core).vlnv).design(top, values)
    slang.check(design)
    return [_Port(*port) for port in slang.ports(design)]


def _free(cell: Cell, values: dict[str, int | str]) -> list[str]:
    if not cell.free:
        return []
    width = max(map(len, cell.free))
    return [",\n".join(f"    parameter {name:{width}} = {_literal(values[name])}" for name in cell.free), ") ("]


def _clocked(clocks: list[str], buses: list[_Port], cell: Cell) -> Iterator[str]:
    names = ":".join(dict.fromkeys(p.bus for p in buses))
    yield (
        f'{_info("clock", "aclk", "CLK")}    (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF {names}, '
        'ASSOCIATED_RESET aresetn" *)\n    input  wire         aclk'
    )
    yield (
        f'{_info("reset", "aresetn", "RST")}    (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)\n'
        "    input  wire         aresetn"
    )
    for name in [*clocks, *(["irq_clk"] if cell.irq_clock else [])]:
        yield f"{_info('clock', name, 'CLK')}    input  wire         {name}"


def _bused(ports: list[_Port]) -> Iterator[str]:
    for _, group in groupby(ports, key=lambda p: p.bus):
        first = "\n"
        for port in group:
            yield f"{first}{port}"
            first = ""
            if port.name.endswith("_tdata"):
                yield str(_Port(f"{port.bus}_tkeep", port.output, port.bits // 8))


def _interrupt() -> Iterator[str]:
    yield (
        f'\n{_info("interrupt", "irq", "INTERRUPT")}    (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)\n'
        "    output wire         irq"
    )


def _info(kind: str, name: str, pin: str) -> str:
    return f'    (* X_INTERFACE_INFO = "xilinx.com:signal:{kind}:1.0 {name} {pin}" *)\n'


def _literal(value: int | str) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
