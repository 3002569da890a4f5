"""The Verilog top of a board with its block design, AMD's blocks left empty: a Vivado project as yosys can read it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rlcores.eda.sources import Sources
from rlcores.eda.synth import area, flow, netlist, tables
from rlcores.errors import RunFailed
from vivado import catalogue, verilog
from vivado.design import Design
from vivado.recorder import Project

# Cores of which only the outside is read where nothing but names is asked for.
CLOSED = (
    "rlc_gae_axi",
    "rlc_sumtree_axi",
    "rlc_learner_axi",
    "rlc_policy",
    "rlc_env",
    "rlc_env_axi",
    "rlc_ppo_networks",
    "rlc_ppo_train_ctrl",
)


def write(project: Project, folder: Path, parameters: Mapping[str, int] | None = None) -> list[Path]:
    """Verilog of the project's block designs, one file each with the empty blocks in it.

    parameters: of our modules in them, where they are not to be as they are. Ports that the top does not have as the
    block design has them are a RunFailed.
    """
    if not project.designs:
        return []
    board = catalogue.board(project.properties[project.name]["board_part"])
    top = verilog.read(project.modules()[project.top])
    written = []
    for name, design in project.designs.items():
        ports = _ports(design, board)
        _fits(top, name, ports)
        path = folder / f"{name}.v"
        path.write_text(_text(design, ports, parameters or {}))
        written.append(path)
    return written


def _ports(design: Design, board: dict) -> dict[str, tuple[str, int, bool]]:
    """Name -> direction, width, whether a range is written, of a block design's module."""
    ports = {n: ("input" if p.dir == "I" else "output", p.width, p.width > 1) for n, p in design.ports.items()}
    words = {"I": "input", "O": "output", "IO": "inout"}
    for name in design.intf_ports:
        for signal, (direction, width, ranged) in board["interfaces"][name]["signals"].items():
            ports[f"{name}_{signal}"] = (words[direction], width, ranged)
    return ports


def _fits(top: verilog.Module, name: str, ports: dict[str, tuple[str, int, bool]]) -> None:
    """RunFailed unless the top has one instance of the block design with just its ports."""
    instances = [instance for instance, module in top.instances.items() if module == name]
    if len(instances) != 1:
        raise RunFailed(f"{top.name} has {len(instances)} instances of '{name}'")
    nets = verilog.connections(top, instances[0])
    for wrong in sorted(set(nets) ^ set(ports)):
        raise RunFailed(f"port '{wrong}' is on one side only of {top.name} and its block design '{name}'")
    for port, net in nets.items():
        words = {"I": "input", "O": "output", "IO": "inout"}
        outside = top.ports.get(net)
        if outside and (words[outside.dir], outside.width) != ports[port][:2]:
            raise RunFailed(f"port '{net}' of {top.name} is {outside.dir} of {outside.width} bits, unlike '{port}'")


def _text(design: Design, ports: dict[str, tuple[str, int, bool]], parameters: Mapping[str, int]) -> str:
    wires: dict[str, int] = {}
    joined: list[str] = []  # ports on the net of another one
    cells: dict[str, dict[str, tuple[str, str, int]]] = {
        name: {} for name in design.cells
    }  # pin -> net, direction, bits
    for name, ends in design.nets.items():
        port, *others = sorted(end for end in ends if "/" not in end) or [None]
        net = port or f"n_{name}"
        joined += [f"    assign {other} = {net};" for other in others]
        if port is None:
            wires[net] = design.pin(next(iter(ends))).width
        for end in sorted(ends):
            pin = design.pin(end)
            if "/" in end:
                cell, _, leaf = end.partition("/")
                cells[cell][leaf] = (net, pin.dir, pin.width)
    for first, second in design.links:
        for ours, theirs in ((first, second), (second, first)):
            if "/" not in ours:
                cell, _, leaf = theirs.partition("/")
                for port, (direction, width, _) in ports.items():
                    if port.startswith(f"{ours}_"):
                        short = {"input": "I", "output": "O", "inout": "IO"}[direction]
                        cells[cell][f"{leaf}_{port[len(ours) + 1 :]}"] = (port, short, width)
                continue
            signals = design.interface(ours).signals
            if signals is None:
                continue
            cell, _, leaf = ours.partition("/")
            for suffix, port in signals.items():
                net = f"n_{cell}_{port.name}"
                wires[net] = port.width
                cells[cell][port.name] = (net, port.dir, port.width)
                if "/" in theirs:
                    other, _, there = theirs.partition("/")
                    cells[other][f"{there}_{suffix}"] = (net, "O" if port.dir == "I" else "I", port.width)
    lines = ["`default_nettype none"]
    words = {"I": "input", "O": "output", "IO": "inout"}
    for name, cell in design.cells.items():
        if cell.module is None:
            lines.append(f"(* blackbox *) module vendor_{name} (")
            lines.append(",\n".join(f"    {words[d]} wire {_range(w)}{p}" for p, (_, d, w) in cells[name].items()))
            lines.append(");\nendmodule")
    lines.append(f"module {design.name} (")
    lines.append(",\n".join(f"    {d} wire {f'[{w - 1}:0] ' if r else ''}{p}" for p, (d, w, r) in ports.items()))
    lines.append(");")
    lines += [f"    wire {_range(width)}{net};" for net, width in wires.items()]
    for name, cell in design.cells.items():
        connections = ", ".join(f".{pin}({net})" for pin, (net, _, _) in cells[name].items())
        if cell.module is None:
            lines.append(f"    (* keep *) vendor_{name} {name} ({connections});")
        else:
            values = {key: value for key, value in parameters.items() if key in cell.module.path.read_text()}
            changed = f" #({', '.join(f'.{key}({value})' for key, value in values.items())})" if values else ""
            lines.append(f"    {cell.module.name}{changed} {name} ({connections});")
    lines += [*joined, "endmodule", "`default_nettype wire", ""]
    return "\n".join(lines)


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def sources(project: Project, design: Sequence[Path] = ()) -> Sources:
    """The project's Verilog and its include files, and the block designs as they were written."""
    files = [path for command, path in project.files if command == "read_verilog"]
    folders = {*project.include_folders, *(path.parent for path in files)}
    includes = sorted(header for folder in folders for header in folder.glob("*.vh"))
    return Sources((*files, *design), tuple(includes))


def cells(project: Project) -> list[str]:
    """Names of instances and registers of the top, as Vivado has them, down to the cores' own outsides.

    A block design's own level is left out of the names' order of levels, our modules in it are "cell/inst".
    """
    read = sources(project)
    closed = [file for file in read.files if file.stem in CLOSED]
    commands = [
        *(f"read_verilog {'-sv ' if file.suffix == '.sv' else ''}-lib -defer -Isrc src/{file.name}" for file in closed),
        *flow.reads([f"src/{file.name}" for file in read.files if file not in closed]),
        *(["read_verilog src/rlc_bd.v"] if project.designs else []),
        f"hierarchy -check -top {project.top}",
        "proc",
        "write_json names.json",
    ]

    def make(folder: Path) -> None:
        write(project, folder / "src")
        flow.yosys(commands, folder, f"reading {project.top}")

    inputs = {"commands": commands, "design": [_text(d, {}, {}) for d in project.designs.values()]}
    folder = flow.kept(f"board-{project.top}", inputs, [*read.files, *read.includes], make)
    document = json.loads((folder / "names.json").read_text())["modules"]
    return list(_names(document, project.top, "", project))


def _names(document: dict, module: str, prefix: str, project: Project) -> Iterator[str]:
    entry = document[module]
    ours = {c.module.name for d in project.designs.values() for c in d.cells.values() if c.module is not None}
    of = {bit: (name, i, len(net["bits"])) for name, net in entry["netnames"].items() if not net.get("hide_name")
          for i, bit in enumerate(net["bits"])}  # fmt: skip
    for name, cell in entry["cells"].items():
        if cell["type"] in document:
            path = f"{prefix}{name}"
            yield path
            inside = document[cell["type"]]
            if netlist.source_name(cell["type"]) in ours:
                path += "/inst"
                yield path
            if not _blackbox(inside):
                yield from _names(document, cell["type"], f"{path}/", project)
        elif re.fullmatch(r"\$(s|a|al)?dff\w*", cell["type"]):
            for bit in cell["connections"]["Q"]:
                if bit in of:
                    net, i, width = of[bit]
                    yield f"{prefix}{net}_reg" + (f"[{i}]" if width > 1 else "")


def _blackbox(module: dict) -> bool:
    return "blackbox" in module["attributes"]


def synthesise(project: Project, parameters: Mapping[str, int] | None = None) -> dict[str, float]:
    """Resources of the top without AMD's blocks, as yosys counts them (docs/synthesis.md).

    parameters: for a smaller one, see write. Raises RunFailed when yosys fails.
    """
    device = next(d for d in map(tables.device, tables.devices()) if d.part == project.part)
    read = sources(project)
    kept = [module for core in ("learner", "replay_learner", "ppo") for module in tables.core(core).get("kept", ())]
    named = [module for module in dict.fromkeys(kept) if any(f.stem == module for f in read.files)]
    key = {"design": [_text(d, {}, parameters or {}) for d in project.designs.values()], "top": project.top}

    def make(folder: Path) -> None:
        design = write(project, folder / "src", parameters)
        commands = flow.elaborate(sources(project, design), device.family, project.top, {})
        commands += [f"setattr -mod -set keep_hierarchy 1 *{module}*" for module in named]
        flat = " -flatten" if named else ""
        commands.append(f"synth_xilinx -family {device.family} -top {project.top} -noiopad -noclkbuf -nosrl{flat}")
        commands.append("write_json netlist.json")
        flow.yosys(commands, folder, f"synthesising {project.top}")

    files = [*read.files, *read.includes, *flow.maps()]
    folder = flow.kept(f"board-{project.top}-{device.family}", key, files, make)
    empty = {f"vendor_{name}": {} for design in project.designs.values() for name in design.cells}
    counted = netlist.read(folder / "netlist.json", project.top, {**tables.cells(device.family), **empty})
    return {resource: counted.total()[resource] for resource in area.RESOURCES}
