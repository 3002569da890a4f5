"""The edalize flow `rlcecp5`: an ECP5 bitstream by yosys, nextpnr and ecppack.

edalize's own `trellis` flow drives yosys by Tcl, which the wheels do not have, and knows no rlc_mac. This one finds the
tools of rlcores whatever PATH says, and fails when timing is not met at the clocks that the constraints state.
"""

import json
import os
import shutil
from pathlib import Path
from typing import ClassVar

from edalize.flows.edaflow import Edaflow, FlowGraph

from rlcores.base import tools
from rlcores.base.report import Figure, write
from rlcores.eda import configs, sources
from rlcores.eda.synth import flow

# What nextpnr calls a resource, and what people call it.
_RESOURCES = {
    "TRELLIS_COMB": "LUT4",
    "TRELLIS_FF": "FF",
    "DP16KD": "DP16KD",
    "MULT18X18D": "MULT18X18D",
    "EHXPLLL": "PLL",
}


def _plain(clock: str) -> str:
    """A clock's own name of what nextpnr calls it, such as $glbnet$clk and $glbnet$line$TRELLIS_IO_IN."""
    return clock.removeprefix("$glbnet$").partition("$")[0]


class Rlcecp5(Edaflow):
    """Synthesise, place, route and pack; <name>.bit, figures.json, report.json and nextpnr.log are left.

    The toplevel gets the parameters of the configuration that `config` names, and then those given on the command line.
    What was made of the same sources before is used again. Raises RuntimeError when a tool fails or timing is not met.
    """

    argtypes: ClassVar = ["vlogdefine", "vlogparam"]
    FLOW_OPTIONS: ClassVar = {
        **Edaflow.FLOW_OPTIONS,
        **configs.OPTION,
        "nextpnr_options": {"type": "str", "desc": "Device and other options of nextpnr-ecp5", "list": True},
        "seed": {"type": "int", "desc": "Seed of place and route (default: 1)"},
    }

    def __init__(self, edam, work_root, verbose=False):
        with configs.for_flows():
            configs.apply(edam)
        super().__init__(edam, work_root, verbose)

    def configure_flow(self, flow_options):
        # No tool of edalize takes part.
        self.commands.set_default_target("bitstream")
        return FlowGraph()

    def configure(self):
        """Write the parameters of the toplevel and the list of files, to be read by a person."""
        files = [f["name"] for f in self.edam["files"]]
        text = {"toplevel": self.edam["toplevel"], "parameters": configs.edam_parameters(self.edam), "files": files}
        Path(self.work_root, "design.json").write_text(json.dumps(text, indent=1) + "\n")

    def build(self):
        self.configure()
        with configs.for_flows():
            self._bitstream()

    def _bitstream(self) -> None:
        tools.require_commands("yosys", "nextpnr-ecp5", "ecppack")
        work = Path(self.work_root).resolve()
        read = sources.of_edam(self.edam, work)
        pins = [(work / f["name"]).resolve() for f in self.edam["files"] if f.get("file_type") == "LPF"]
        top = self.edam["toplevel"]
        script = flow.ecp5(read, top, configs.edam_parameters(self.edam))
        files = [*read.files, *read.includes, *flow.maps()]
        print(f"rlcecp5: synthesising {top}", flush=True)
        netlist = flow.made(f"{top}-ecp5", script, files, f"synthesising {top}")
        seed = self.flow_options.get("seed") or 1
        options = [*self.flow_options.get("nextpnr_options", [])]
        options += [part for path in pins for part in ("--lpf", f"src/{path.name}")]
        print(f"rlcecp5: placing and routing {top} with seed {seed}", flush=True)
        routed = flow.routed(top, options, seed, [netlist / "netlist.json", *pins], ["--compress"])
        for file, name in (("out.bit", f"{top}.bit"), ("report.json", "report.json"), ("nextpnr.log", "nextpnr.log")):
            shutil.copyfile(routed / file, work / name)
        report = json.loads((work / "report.json").read_text())
        figures = []
        for clock, entry in report["fmax"].items():
            print(f"rlcecp5: {clock}: {entry['achieved']:.1f} MHz reached, {entry['constraint']:.1f} MHz asked for")
            # A clock has a name in its figure where there are several.
            name = f"{top}.fmax_mhz" if len(report["fmax"]) == 1 else f"{top}.{_plain(clock)}.fmax_mhz"
            figures.append(Figure(name, round(entry["achieved"], 2), "MHz", "placed"))
        for theirs, ours in _RESOURCES.items():
            entry = report["utilization"][theirs]
            print(f"rlcecp5: {ours}: {entry['used']} of {entry['available']}")
            figures.append(Figure(f"{top}.{ours.lower()}", entry["used"], ours, "placed"))
        write(work / "figures.json", "fusesoc", top, None, None, figures, seed=seed)
        print(f"rlcecp5: {os.path.relpath(work / f'{top}.bit')}", flush=True)
