"""Programs of the C++ client, built with every warning an error."""

import shutil
import subprocess
from pathlib import Path

import rlcores.net

_STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def built(folder: Path, source: Path, *flags: str) -> Path:
    """The program of one source."""
    program = folder / source.stem
    command = [shutil.which("g++") or "c++", "-std=c++17", *_STRICT, *flags, f"-I{rlcores.net.include()}", source]
    done = subprocess.run([*command, "-o", program], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return program
