"""`python -m rlcores.eda.formal_abc PROGRAM -c ...`: what sby calls as its abc.

sby was written for one version of abc, and a machine has others: Debian's berkeley-abc, or the yosys-abc of a Yosys of
any age. Older ones do not know the option -l of pdr, and end the last line of a counterexample with their own comment.
"""

import functools
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rlcores.base import tools

_NAMES = ("berkeley-abc", "yosys-abc", "abc")
_HOLDS = b"aig 1 0 1 1 0\n2\n2\n"  # a register that stays 0, and the promise that it is


def program() -> Path | None:
    """The first abc of PATH that proves something: those of a name before those of the next, berkeley-abc first."""
    return _program(tools.theirs()["PATH"])


@functools.cache
def _program(path: str) -> Path | None:
    return next((abc for name in _NAMES for abc in tools.every(name) if _proves(abc)), None)


def _proves(abc: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "holds.aig")
        file.write_bytes(_HOLDS)
        command = [abc, "-c", "read_aiger holds.aig; pdr -v"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=60)
        except (OSError, subprocess.SubprocessError):
            return False
    return done.returncode == 0 and "Property proved" in done.stdout


def command() -> str | None:
    """The command line that sby is to call as its abc; None without a program()."""
    abc = program()
    return shlex.join([sys.executable, "-m", __name__, str(abc)]) if abc else None


def version() -> str:
    """The program and its version in words."""
    abc = program()
    if abc is None:
        return "no abc"
    text = subprocess.run([abc, "-c", "version"], capture_output=True, text=True, errors="replace").stdout
    match = re.search(r"UC Berkeley, ABC \S+", text)
    return f"{match[0] if match else 'abc'} ({abc})"


def main() -> int:
    """Run an abc with sby's arguments; returns its exit code."""
    called, *rest = sys.argv[1:]
    arguments = [argument.replace("pdr -v -l", "pdr -v") for argument in rest]
    code = subprocess.run([called, *arguments]).returncode
    for file in re.findall(r"write_cex -a (\S+)", " ".join(arguments)):
        trace = Path(file)
        if trace.exists():
            trace.write_text(re.sub(r"(?<=[01x])# DONE", "\n# DONE\n", trace.read_text()))
    return code


if __name__ == "__main__":
    sys.exit(main())
