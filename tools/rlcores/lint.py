"""Lint: the `lint` target of a core, through FuseSoC."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping

from rlcores import paths, tools


def run(vlnv: str, parameters: Mapping[str, int | str] | None = None) -> tuple[bool, str]:
    """Lint a core with its `lint` target, with its own defaults or these Verilog parameters.

    Returns whether it is clean, and what the linter said. Each parameter set has a folder of its own, so several may
    run at a time.
    """
    key = json.dumps(sorted((parameters or {}).items()))
    folder = paths.build() / "lint" / hashlib.sha256(key.encode()).hexdigest()[:10]
    command = [sys.executable, "-m", "fusesoc.main", "--config", str(paths.root() / "fusesoc.conf")]
    command += ["run", "--build-root", str(folder), "--target", "lint", vlnv]
    command += [f"--{name}={value}" for name, value in (parameters or {}).items()]
    done = subprocess.run(command, env=tools.env(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = [line for line in done.stdout.splitlines() if not line.startswith(("Entering", "Leaving", "INFO:"))]
    return done.returncode == 0, "\n".join(said)
