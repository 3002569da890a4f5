"""The engine's programs without Python, compiled for this machine or another one."""

import subprocess
import sys
from pathlib import Path

from rlcores.base import paths


def built(folder: Path, flags: str = "", compiler: str = "", processor: str = "") -> Path:
    """A folder with rlcores_stress and rlcores_tape; another compiler is one for another processor's Linux."""
    source = paths.root() / "tools" / "rlcores" / "native"
    scripts = Path(sys.executable).parent
    made = [scripts / "cmake", "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={scripts / 'ninja'}"]
    options = ["-DRLCORES_PYTHON=OFF", "-DRLCORES_STRESS=ON", f"-DCMAKE_CXX_FLAGS={flags}"]
    if compiler:
        options += [
            "-DCMAKE_SYSTEM_NAME=Linux",
            f"-DCMAKE_SYSTEM_PROCESSOR={processor}",
            f"-DCMAKE_CXX_COMPILER={compiler}",
        ]
    for command in ([*made, *options], [scripts / "cmake", "--build", folder, "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder
