"""Vivado's part of a project, as far as it can be known without it: every command is checked, kept and answered.

Unknown commands, options, parameters, cells, pins, boards, files, runs and ports are refused as Vivado refuses them;
so are nets without or with two drivers, clocks and widths that do not fit, and addresses out of reach.
"""

import fnmatch
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rlcores.eda import slang
from vivado import catalogue, tcl, verilog
from vivado.catalogue import Interface, Pin
from vivado.design import Cell, Design
from vivado.tcl import Refused

_RUNS = ("synth_1", "impl_1")
_PROPERTIES = {
    "project": {"part", "board_part", "source_mgmt_mode"},
    "fileset": {"generic", "verilog_define", "include_dirs", "top"},
    "file": {"synth_checkpoint_mode", "used_in_synthesis", "processing_order"},
    "run": {
        "STEPS.WRITE_BITSTREAM.ARGS.BIN_FILE",
        "STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS",
        "STEPS.SYNTH_DESIGN.TCL.POST",
        "STEPS.INIT_DESIGN.TCL.PRE",
    },
}
_PORT_TYPES = {"clk": "clk", "rst": "rstn", "intr": "intr", None: "data"}


@dataclass
class Constraint:
    """A line of a constraint file: the command and its words."""

    file: str
    command: str
    words: list[str]


@dataclass
class Project:
    """What a project was told."""

    name: str = ""
    properties: dict[str, dict[str, str]] = field(default_factory=dict)  # of the project, filesets, files and runs
    files: list[tuple[str, Path]] = field(default_factory=list)  # (command, file) in order
    include_folders: list[Path] = field(default_factory=list)  # include_dirs of the sources
    xdc: list[tuple[Path, bool]] = field(default_factory=list)  # (file, unmanaged)
    designs: dict[str, Design] = field(default_factory=dict)
    generated: set[str] = field(default_factory=set)  # block designs whose targets were generated
    pins: dict[str, dict[str, str]] = field(default_factory=dict)  # top port bit -> PACKAGE_PIN, IOSTANDARD
    clocks: dict[str, float] = field(default_factory=dict)  # name -> period, ns
    pblocks: dict[str, dict] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    launched: list[str] = field(default_factory=list)

    @property
    def top(self) -> str:
        """The top module."""
        return self.properties.get("sources_1", {}).get("top", "")

    @property
    def part(self) -> str:
        """The part."""
        return self.properties.get(self.name, {}).get("part", "")

    def modules(self) -> dict[str, Path]:
        """The Verilog modules of the project by the name of their file."""
        return {path.stem: path for command, path in self.files if command == "read_verilog"}


class Recorder:
    """Answers the commands of a project's Tcl, and keeps a transcript."""

    def __init__(self, folder: Path) -> None:
        """folder: where the project is made; what a run would leave there is written as an empty file."""
        self.folder = folder
        self.project = Project()
        self.transcript: list[str] = []
        self.cells: Callable[[], list[str]] = list  # names of the placed cells, for get_cells
        self._design: Design | None = None
        self._file = ""
        self._ended: int | None = None

    # --- scripts

    def run(self, script: str) -> int:
        """Source a script of the folder to its end; the exit code it asked for. Raises RunFailed."""
        self._file, self._ended = script, None
        names = [*catalogue.load()["commands"], "exit"]
        tcl.run(self.folder / script, self.folder, names, self._answer)
        return self._ended or 0

    def constrain(self) -> None:
        """Read the constraint files as Vivado does once the design is open. Raises RunFailed."""
        allowed = catalogue.load()["xdc"]
        for path, unmanaged in self.project.xdc:
            self._file = path.name
            names = allowed if not unmanaged else [*catalogue.load()["commands"]]
            commands = [name for name in names if name in catalogue.load()["commands"]]
            tcl.run(path, self.folder, commands, self._answer, only=None if unmanaged else allowed)

    def _answer(self, name: str, words: list[str]) -> str:
        self.transcript.append(f"{name} {tcl.listed(words)}".rstrip())
        if name == "puts":
            return ""
        if name == "source":
            if not (self.folder / words[0]).is_file():
                raise Refused(f"there is no file '{words[0]}'")
            return ""
        if name == "exit":
            self._ended = int(words[0]) if words else 0
            return ""
        entry = catalogue.load()["commands"][name]
        options, plain = self._parse(entry, words)
        return getattr(self, f"_do_{name}")(options, plain) or ""

    @staticmethod
    def _parse(entry: dict, words: list[str]) -> tuple[dict[str, str], list[str]]:
        known, options, plain = entry.get("options", {}), {}, []
        at = 0
        while at < len(words):
            word = words[at]
            if word.startswith("-") and not re.match(r"-[\d.]", word):
                if word not in known:
                    raise Refused(f"there is no option '{word}'")
                if known[word]:
                    at += 1
                    if at == len(words):
                        raise Refused(f"option '{word}' wants a value")
                options[word] = words[at]
            else:
                plain.append(word)
            at += 1
        least, most = entry["args"]
        if not least <= len(plain) <= most:
            raise Refused(f"{len(plain)} arguments; {least} to {most} are taken")
        return options, plain

    # --- project

    def _do_create_project(self, options, plain):
        if self.project.name:
            raise Refused(f"project '{self.project.name}' is open")
        self.project.name = plain[0]
        return plain[0]

    def _do_set_param(self, options, plain):
        if plain[0] not in ("board.repoPaths", "project.enableVHDL2008"):
            raise Refused(f"there is no parameter '{plain[0]}'")

    def _do_current_project(self, options, plain):
        if not self.project.name:
            raise Refused("no project is open")
        return self.project.name

    def _do_current_fileset(self, options, plain):
        return "sources_1"

    def _do_get_filesets(self, options, plain):
        if plain[0] not in ("sources_1", "constrs_1"):
            raise Refused(f"there is no fileset '{plain[0]}'")
        return plain[0]

    def _do_get_files(self, options, plain):
        names = [str(path) for _, path in self.project.files] + [f"{name}.bd" for name in self.project.designs]
        names += [str(path) for path, _ in self.project.xdc]
        patterns = tcl.words(plain[0])
        matching = [n for n in names if any(fnmatch.fnmatch(n, p) or n.rpartition("/")[2] == p for p in patterns)]
        if not matching and "-quiet" not in options:
            raise Refused(f"no file is '{plain[0]}'")
        return tcl.listed(matching)

    def _do_get_runs(self, options, plain):
        if plain[0] not in _RUNS:
            raise Refused(f"there is no run '{plain[0]}'")
        return f"run|{plain[0]}"

    def _do_current_run(self, options, plain):
        return "run|" + (self.project.launched[-1] if self.project.launched else _RUNS[0])

    def _read(self, command, name):
        path = (self.folder / name).resolve()
        if not path.is_file():
            raise Refused(f"there is no file '{name}'")
        return path

    def _do_read_verilog(self, options, plain):
        path = self._read("read_verilog", plain[0])
        if any(path == other for _, other in self.project.files):
            raise Refused(f"'{path.name}' is in the project already")
        self.project.files.append(("read_verilog", path))

    def _do_read_xdc(self, options, plain):
        self.project.xdc.append((self._read("read_xdc", plain[0]), "-unmanaged" in options))

    def _do_update_compile_order(self, options, plain):
        self._do_get_filesets({}, [options.get("-fileset", "sources_1")])

    def _do_set_property(self, options, plain):
        if "-dict" in options:
            words = tcl.words(options["-dict"])
            if len(plain) != 1 or len(words) % 2:
                raise Refused("-dict wants pairs of name and value, and one object")
            pairs, target = list(zip(words[::2], words[1::2], strict=True)), plain[0]
        elif {"-name", "-value", "-objects"} <= set(options) and not plain:
            pairs, target = [(options["-name"], options["-value"])], options["-objects"]
        elif len(plain) == 3 and not options:
            pairs, target = [(plain[0], plain[1])], plain[2]
        else:
            raise Refused("it wants a name, a value and an object")
        for name, value in pairs:
            self._set(name, value, target)

    def _set(self, name: str, value: str, target: str) -> None:
        if target.startswith("cell|"):
            cell = self._bd().cell(target[5:])
            if not name.startswith("CONFIG."):
                raise Refused(f"a cell has no property '{name}'")
            if cell.module is not None:
                raise Refused(f"'{cell.name}' is our module; it has its parameters already")
            cell.config[name[7:]] = catalogue.legal(cell.block, name[7:], value)
            return
        if target.startswith("intf|"):
            entry = self._bd().interface(target[5:])
            if name != "CONFIG.FREQ_HZ" or entry.type != "diff_clock":
                raise Refused(f"an interface port of type {entry.type} has no property '{name}' here")
            return
        if target.startswith("port|"):
            self._constrain_port(name, value, tcl.words(target[5:]))
            return
        if target.startswith("pblock|"):
            if name != "IS_SOFT" or value.lower() not in ("true", "false"):
                raise Refused(f"'{name}' of a pblock is not known with '{value}'")
            return
        if target == self.project.name:
            kind = "project"
        elif target in ("sources_1", "constrs_1"):
            kind = "fileset"
        elif target.startswith("run|"):
            kind = "run"
        elif self._do_get_files({}, [target]):
            kind = "file"
        if name not in _PROPERTIES[kind]:
            raise Refused(f"a {kind} has no property '{name}' here")
        if name == "part" and not re.fullmatch(r"xc[0-9a-z]+-[a-z0-9]+-\d(-[a-z])?", value):
            raise Refused(f"'{value}' is no part")
        if name == "board_part":
            board = catalogue.board(value)
            if self.project.part != board["part"]:
                raise Refused(f"board '{value}' has the part {board['part']}, not {self.project.part}")
        if name == "top" and value not in self.project.modules():
            raise Refused(f"no source has the module '{value}'")
        if name.startswith("STEPS.") and ".TCL." in name:
            self._read("", value)
        if name == "include_dirs":
            self.project.include_folders = [(self.folder / folder).resolve() for folder in tcl.words(value)]
        self.project.properties.setdefault(target, {})[name] = value

    def _do_get_property(self, options, plain):
        name, target = plain
        if target.startswith("run|"):
            done = target[4:] in self.project.launched
            known = {
                "PROGRESS": "100%" if done else "0%",
                "NEEDS_REFRESH": "0",
                "STATUS": "synth_design Complete!" if done else "Not started",
                "DIRECTORY": str(self.folder / f"{self.project.name}.runs" / target[4:]),
            }
            if name in known:
                return known[name]
        properties = self.project.properties.get(target, {})
        if name not in properties:
            raise Refused(f"'{target}' has no property '{name}' that was set")
        return properties[name]

    def _do_list_property(self, options, plain):
        # edalize asks for the list of all properties named so.
        return "STEPS.WRITE_BITSTREAM.ARGS.BIN_FILE"

    def _do_launch_runs(self, options, plain):
        name = plain[0].removeprefix("run|")
        self._do_get_runs({}, [name])
        if not self.project.top or not self.project.part:
            raise Refused("the project has no top or no part")
        if name == "impl_1" and "synth_1" not in self.project.launched:
            raise Refused("synth_1 was not run")
        for design in self.project.designs.values():
            if not design.valid or design.name not in self.project.generated:
                raise Refused(f"block design '{design.name}' was not validated and generated")
        ends = self.project.properties.get(f"run|{name}", {}).get("STEPS.INIT_DESIGN.TCL.PRE")
        if ends:
            tcl.run(Path(ends), self.folder, catalogue.load()["commands"], self._answer)
        if options.get("-to_step", "write_bitstream") != "write_bitstream":
            raise Refused(f"there is no step '{options['-to_step']}'")
        self.project.launched.append(name)
        hook = self.project.properties.get(f"run|{name}", {}).get("STEPS.SYNTH_DESIGN.TCL.POST")
        if name == "synth_1" and hook:
            tcl.run(Path(hook), self.folder, catalogue.load()["commands"], self._answer)
        if name == "impl_1" and "-to_step" in options:
            left = self.folder / f"{self.project.name}.runs" / name / f"{self.project.top}.bit"
            left.parent.mkdir(parents=True, exist_ok=True)
            left.touch()

    def _do_reset_runs(self, options, plain):
        self._do_get_runs({}, [plain[0].removeprefix("run|")])

    def _do_wait_on_run(self, options, plain):
        if plain[0].removeprefix("run|") not in self.project.launched:
            raise Refused(f"run '{plain[0]}' was not launched")

    def _do_open_run(self, options, plain):
        self._do_wait_on_run(options, plain)

    def _do_write_hw_platform(self, options, plain):
        if "impl_1" not in self.project.launched:
            raise Refused("there is no bitstream yet")

    def _do_write_edif(self, options, plain):
        pass

    def _do_write_verilog(self, options, plain):
        pass

    def _do_report_utilization(self, options, plain):
        self._do_wait_on_run({}, ["synth_1"])

    def _do_report_timing_summary(self, options, plain):
        self._do_wait_on_run({}, ["synth_1"])

    # --- block design

    def _bd(self) -> Design:
        if self._design is None:
            raise Refused("no block design is open")
        return self._design

    def _do_create_bd_design(self, options, plain):
        if plain[0] in self.project.designs:
            raise Refused(f"there is a block design '{plain[0]}' already")
        if not self.project.part:
            raise Refused("the project has no part")
        self._design = self.project.designs[plain[0]] = Design(plain[0])
        return plain[0]

    def _do_current_bd_design(self, options, plain):
        if plain and plain[0] != self._bd().name:
            raise Refused(f"block design '{plain[0]}' is not open")
        return self._bd().name

    def _do_validate_bd_design(self, options, plain):
        for cell in self._bd().cells.values():
            if cell.module is None and catalogue.ip(cell.block).get("automation") and not cell.automated:
                raise Refused(f"'{cell.name}' has no preset of the board")
        self._bd().validate()

    def _do_save_bd_design(self, options, plain):
        self._bd()

    def _do_close_bd_design(self, options, plain):
        self._do_current_bd_design(options, plain)
        self._design = None

    def _do_generate_target(self, options, plain):
        name = plain[1].removesuffix(".bd")
        if plain[0] != "all" or name not in self.project.designs:
            raise Refused(f"there is no target '{plain[0]}' of '{plain[1]}'")
        if not self.project.designs[name].valid:
            raise Refused(f"block design '{name}' was not validated")
        self.project.generated.add(name)

    def _do_create_bd_cell(self, options, plain):
        name = plain[0]
        if options.get("-type") == "ip":
            match = re.fullmatch(r"xilinx\.com:ip:(\w+)(:[\d.*]+)?", options.get("-vlnv", ""))
            if match is None:
                raise Refused(f"'{options.get('-vlnv')}' names no block of the catalogue")
            catalogue.ip(match[1])
            self._bd().add(Cell(name, match[1]))
        elif options.get("-type") == "module":
            module = options.get("-reference", "")
            if module not in self.project.modules():
                raise Refused(f"no source has the module '{module}'")
            self._includes()
            try:
                module_read = verilog.read(self.project.modules()[module])
            except ValueError as error:
                raise Refused(str(error)) from error
            self._bd().add(Cell(name, module, module=module_read))
        else:
            raise Refused(f"cells of type '{options.get('-type')}' are not known")
        return f"cell|{name}"

    def _includes(self) -> None:
        """Refuse a source whose header is neither beside it nor in include_dirs: a module would be taken without it."""
        for command, path in self.project.files:
            text = path.read_text() if command == "read_verilog" else ""
            for name in re.findall(r'^\s*`include "([^"]+)"', text, re.MULTILINE):
                if not any((folder / name).is_file() for folder in (path.parent, *self.project.include_folders)):
                    raise Refused(f"'{path.name}' includes '{name}', which no folder of include_dirs has so far")

    def _do_create_bd_port(self, options, plain):
        if options.get("-dir") not in ("I", "O") or options.get("-type") not in _PORT_TYPES:
            raise Refused(
                f"a port with direction '{options.get('-dir')}' and type '{options.get('-type')}' is not known"
            )
        name = plain[0]
        if name in self._bd().ports or name in self._bd().intf_ports:
            raise Refused(f"there is a port '{name}' already")
        width = int(options.get("-from", 0)) - int(options.get("-to", 0)) + 1
        self._bd().ports[name] = Pin(options["-dir"], _PORT_TYPES[options.get("-type")], width=width)
        return f"bdport|{name}"

    def _do_create_bd_intf_port(self, options, plain):
        match = re.fullmatch(r"xilinx\.com:interface:(\w+)_rtl:1\.0", options.get("-vlnv", ""))
        known = catalogue.load()["interface_ports"]
        if match is None or match[1] not in known or options.get("-mode") not in ("Master", "Slave"):
            raise Refused(f"an interface port {options} is not known")
        name = plain[0]
        if name in self._bd().ports or name in self._bd().intf_ports:
            raise Refused(f"there is a port '{name}' already")
        board = catalogue.board(self.project.properties[self.project.name]["board_part"])
        if board.get("interfaces", {}).get(name, {}).get("type") != match[1]:
            raise Refused(f"the board has no interface '{name}' of type {match[1]}")
        self._bd().intf_ports[name] = Interface(options["-mode"].lower(), match[1])
        return f"intf|{name}"

    def _do_connect_bd_net(self, options, plain):
        self._bd().connect([end.partition("|")[2] for end in plain], options.get("-net"))

    def _do_connect_bd_intf_net(self, options, plain):
        first, second = (end.partition("|")[2] for end in plain)
        self._bd().link(first, second)

    def _do_get_bd_cells(self, options, plain):
        return f"cell|{self._bd().cell(plain[0]).name}"

    def _do_get_bd_pins(self, options, plain):
        self._bd().pin(plain[0] if "/" in plain[0] else f"?/{plain[0]}")
        return f"pin|{plain[0].lstrip('/')}"

    def _do_get_bd_ports(self, options, plain):
        self._bd().pin(plain[0])
        return f"bdport|{plain[0]}"

    def _do_get_bd_intf_pins(self, options, plain):
        self._bd().interface(plain[0] if "/" in plain[0] else f"?/{plain[0]}")
        return f"intf|{plain[0].lstrip('/')}"

    def _do_get_bd_intf_ports(self, options, plain):
        self._bd().interface(plain[0])
        return f"intf|{plain[0]}"

    def _do_get_bd_addr_spaces(self, options, plain):
        return f"space|{self._bd().space(plain[0])[0]}"

    def _do_get_bd_addr_segs(self, options, plain):
        return f"seg|{self._bd().segment(plain[0])[0]}"

    def _do_assign_bd_address(self, options, plain):
        space, segment = options.get("-target_address_space", ""), plain[0]
        if not space.startswith("space|") or not segment.startswith("seg|"):
            raise Refused("it wants an address space and a segment")
        self._bd().assign(space[6:], segment[4:], _bytes(options["-offset"]), _bytes(options["-range"]))

    def _do_exclude_bd_addr_seg(self, options, plain):
        space, segment = options.get("-target_address_space", ""), plain[0]
        if not space.startswith("space|") or not segment.startswith("seg|"):
            raise Refused("it wants an address space and a segment")
        self._bd().exclude(space[6:], segment[4:])

    def _do_apply_bd_automation(self, options, plain):
        cell = self._bd().cell(plain[0].removeprefix("cell|"))
        rules = catalogue.ip(cell.block).get("automation", {})
        rule = rules.get(options.get("-rule"))
        if rule is None:
            raise Refused(f"there is no rule '{options.get('-rule')}' for {cell.block}")
        words = tcl.words(options.get("-config", ""))
        for name, value in zip(words[::2], words[1::2], strict=True):
            if value not in rule.get(name, []):
                raise Refused(f"the rule has no '{name}' with '{value}'")
        if "board_part" not in self.project.properties.get(self.project.name, {}):
            raise Refused("the project has no board_part, so there is no preset")
        cell.automated = True

    # --- constraints

    def _do_get_ports(self, options, plain):
        ports = self._top_bits()
        bits = [bit for name in tcl.words(plain[0]) for bit in _matching(name, ports)]
        if not bits:
            if "-quiet" in options:
                return ""
            raise Refused(f"'{self.project.top}' has no port '{plain[0]}'")
        return "port|" + tcl.listed(bits)

    def _top_bits(self) -> list[str]:
        """Of the top's ports; those of SystemVerilog stand in macros, so that only slang knows them."""
        modules, top = self.project.modules(), self.project.top
        if modules[top].suffix == ".v":
            return port_bits(verilog.read(modules[top]))
        files = list(modules.values())
        ports = slang.ports(
            slang.Design(files, sorted({*self.project.include_folders, *(file.parent for file in files)}), top)
        )
        return [f"{name}[{i}]" if bits > 1 else name for name, _, bits in ports for i in range(bits)]

    def _constrain_port(self, name: str, value: str, bits: list[str]) -> None:
        if len(bits) != 1:
            raise Refused(f"'{name}' is for one port, not for {len(bits)}")
        if name not in ("PACKAGE_PIN", "IOSTANDARD"):
            raise Refused(f"a port has no property '{name}' here")
        set_already = self.project.pins.setdefault(bits[0], {})
        if name in set_already:
            raise Refused(f"'{name}' of '{bits[0]}' is set twice")
        if name == "PACKAGE_PIN":
            part = catalogue.board(self.project.properties[self.project.name]["board_part"])
            if value not in part["pins"]:
                raise Refused(f"the pin {value} is not among those of the board that are known")
            if any(other.get(name) == value for other in self.project.pins.values()):
                raise Refused(f"the pin {value} has two ports")
        set_already[name] = value

    def _do_create_clock(self, options, plain):
        if not plain[0].startswith("port|") or float(options.get("-period", 0)) <= 0:
            raise Refused("it wants -period and a port")
        name = options.get("-name", plain[0][5:])
        if name in self.project.clocks:
            raise Refused(f"there is a clock '{name}' already")
        self.project.clocks[name] = float(options["-period"])
        self._constraint("create_clock", options, plain)

    def _do_get_clocks(self, options, plain):
        if "-of_objects" in options:
            of = options["-of_objects"]
            if not of.startswith(("pins|", "port|")):
                raise Refused(f"'{of}' is neither pin nor port")
            return f"clock|{of}"
        if not plain or plain[0] not in self.project.clocks:
            raise Refused(f"there is no clock '{' '.join(plain)}'")
        return f"clock|{plain[0]}"

    def _do_get_pins(self, options, plain):
        """The clock pins of registers, "cell/C"."""
        pins = self._placed(
            [f"{name}/C" for name in self.cells() if re.search(r"_reg(\[\d+\])?$", name)], options, plain
        )
        return f"pins|{len(pins)}|{plain[0]}"

    def _do_get_cells(self, options, plain):
        placed_cells = self._placed(self.cells(), options, plain)
        return f"cells|{len(placed_cells)}|{plain[0]}"

    @staticmethod
    def _placed(names: list[str], options: dict, plain: list[str]) -> list[str]:
        if "-regexp" in options:
            matching = [name for name in names if re.fullmatch(plain[0], name)]
        else:
            matching = [name for name in names if _match(plain[0], name, "-hierarchical" in options)]
        if not matching:
            raise Refused(f"nothing in the design is '{plain[0]}'")
        return matching

    def _constraint(self, command: str, options: dict, plain: list[str]) -> None:
        self.project.constraints.append(Constraint(self._file, command, [*map(str, options.items()), *plain]))

    def _do_set_false_path(self, options, plain):
        if not options:
            raise Refused("it wants -from or -to")
        self._constraint("set_false_path", options, plain)

    def _bounded(self, command, options, plain):
        if not {"-from", "-to"} <= set(options) or float(plain[0]) <= 0:
            raise Refused("it wants -from, -to and a time above 0")
        self._constraint(command, options, plain)

    def _do_set_max_delay(self, options, plain):
        self._bounded("set_max_delay", options, plain)

    def _do_set_bus_skew(self, options, plain):
        self._bounded("set_bus_skew", options, plain)

    def _do_create_pblock(self, options, plain):
        if plain[0] in self.project.pblocks:
            raise Refused(f"there is a pblock '{plain[0]}' already")
        self.project.pblocks[plain[0]] = {"regions": [], "cells": []}
        return f"pblock|{plain[0]}"

    def _do_get_pblocks(self, options, plain):
        if plain[0] not in self.project.pblocks:
            raise Refused(f"there is no pblock '{plain[0]}'")
        return f"pblock|{plain[0]}"

    def _do_resize_pblock(self, options, plain):
        regions = catalogue.board(self.project.properties[self.project.name]["board_part"]).get("regions", [])
        for region in tcl.words(options.get("-add", "")):
            for name in region.split(":"):
                if name not in regions:
                    raise Refused(f"the part has no region '{name}'")
            self.project.pblocks[plain[0].removeprefix("pblock|")]["regions"].append(region)

    def _do_add_cells_to_pblock(self, options, plain):
        if not plain[1].startswith("cells|"):
            raise Refused("it wants cells")
        self.project.pblocks[plain[0].removeprefix("pblock|")]["cells"].append(plain[1].split("|")[2])


def port_bits(module: verilog.Module) -> list[str]:
    """The bits of a module's ports as get_ports names them."""
    return [
        f"{port.name}[{i}]" if port.range else port.name for port in module.ports.values() for i in range(port.width)
    ]


def _matching(pattern: str, names: list[str]) -> list[str]:
    return [name for name in names if _match(pattern, name, False)]


def _match(pattern: str, name: str, anywhere: bool) -> bool:
    """Vivado's glob: * does not cross a level of the hierarchy, brackets are plain letters."""
    expression = re.escape(pattern).replace(r"\*", "[^/]*")
    return re.fullmatch(f"(?:.*/)?{expression}" if anywhere else expression, name) is not None


def _bytes(text: str) -> int:
    """A number of bytes: 4K, 0x1000, 2G. Raises Refused when it is none."""
    match = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)([KMG]?)", text)
    if match is None:
        raise Refused(f"'{text}' is no number of bytes")
    return int(match[1], 0) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]
