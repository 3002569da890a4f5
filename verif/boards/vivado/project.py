"""A target of FuseSoC set up as a Vivado project, and its Tcl run to the end against the recorder."""

import functools
import shutil
from dataclasses import dataclass
from pathlib import Path

from rlcores.eda import configs, sources
from rlcores.errors import RunFailed, UserError
from vivado import catalogue, top, verilog
from vivado.recorder import Recorder, port_bits


@dataclass(frozen=True)
class Checked:
    """A project whose Tcl ran to its end."""

    recorder: Recorder
    folder: Path
    transcript: Path

    @property
    def project(self):
        """What Vivado was told."""
        return self.recorder.project


def set_up(core: str, target: str, folder: Path) -> str:
    """Write the project of a core's target, as `fusesoc run --setup --target TARGET` does; the name of its files.

    Raises UserError when the core has no such target, RunFailed when FuseSoC fails.
    """
    core_file = configs.core(core)
    if target not in core_file.targets:
        raise UserError(f"core '{core}' has no target '{target}'; targets: {', '.join(core_file.targets)}")
    fusesoc = sources.database()
    fusesoc.config.args_work_root = str(folder)
    try:
        file, backend = fusesoc.get_backend(
            fusesoc.get_core(core_file.vlnv), {"target": target, "is_toplevel": True}, []
        )
        backend.configure()
    except (RuntimeError, SyntaxError) as error:
        raise RunFailed(f"the target '{target}' of '{core}' cannot be set up: {error}") from error
    return Path(file).name.removesuffix(".eda.yml")


def check(core: str, target: str, folder: Path) -> Checked:
    """Set up a target and run its Tcl: project, synthesis, bitstream and constraints.

    The transcript stays in the folder as transcript.tcl. Raises RunFailed with the first command that Vivado would
    refuse, or with the first port that is constrained twice, not at all, or not as the board's pin is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = set_up(core, target, folder)
    return replay(name, folder)


def replay(name: str, folder: Path) -> Checked:
    """Run the Tcl of a project that was set up; see check."""
    recorder = Recorder(folder)
    transcript = folder / "transcript.tcl"
    try:
        if code := recorder.run(f"{name}.tcl"):
            raise RunFailed(f"{name}.tcl ended with exit code {code}")
        recorder.cells = functools.cache(lambda: top.cells(recorder.project))  # constraints change no names
        recorder.constrain()
        scripts = ["synth", "run" if recorder.project.designs else "netlist"]
        for script in scripts:
            if code := recorder.run(f"{name}_{script}.tcl"):
                raise RunFailed(f"{name}_{script}.tcl ended with exit code {code}")
        shutil.rmtree(folder / f"{name}.runs", ignore_errors=True)
        for left in folder.glob(f"{name}.b*"):  # as good as no bitstream
            left.unlink()
    finally:
        transcript.write_text("\n".join(recorder.transcript) + "\n")
    if recorder.project.designs:
        ports(recorder)
    return Checked(recorder, folder, transcript)


def ports(recorder: Recorder) -> None:
    """RunFailed unless each bit of the top's ports has its pin, in the XDC or by an interface of the board's files."""
    project = recorder.project
    module = verilog.read(project.modules()[project.top])
    board = catalogue.board(project.properties[project.name]["board_part"])
    by_board = set()
    for name, entry in board.get("interfaces", {}).items():
        if entry["by_board"] and any(name in design.intf_ports for design in project.designs.values()):
            by_board |= {f"{name}_{signal}" for signal in entry["signals"]}
    for bit in port_bits(module):
        port = module.ports[bit.split("[")[0]]
        constraints = project.pins.get(bit)
        if constraints is None:
            if port.name not in by_board:
                raise RunFailed(f"port '{bit}' of {module.name} has no pin")
            continue
        if port.name in by_board:
            raise RunFailed(f"port '{bit}' of {module.name} has its pin from the board's files, and one in the XDC too")
        if "PACKAGE_PIN" not in constraints:
            raise RunFailed(f"port '{bit}' of {module.name} has no PACKAGE_PIN")
        pin = board["pins"][constraints["PACKAGE_PIN"]]
        if constraints.get("IOSTANDARD") != pin.get("iostandard"):
            raise RunFailed(
                f"port '{bit}' has the I/O standard {constraints.get('IOSTANDARD')}; its pin "
                f"{constraints['PACKAGE_PIN']} ({pin['name']}) has {pin.get('iostandard')}"
            )
        if port.dir != pin["dir"]:
            raise RunFailed(
                f"port '{bit}' is {port.dir}; its pin {constraints['PACKAGE_PIN']} ({pin['name']}) is {pin['dir']}"
            )
