"""Run fusesoc as a user types it."""

import os
import subprocess
from pathlib import Path

from rlcores.base import tools


def fusesoc(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess:
    """Run fusesoc in a folder that is also the user's home, on the caller's bare PATH.

    The flow itself must find the tools of rlcores, and nothing of the real home's settings may help or disturb.
    """
    cache = os.environ.get("CCACHE_DIR", str(Path.home() / ".cache" / "ccache"))
    variables = {"PATH": os.environ["PATH"], "HOME": str(folder), "CCACHE_DIR": cache, **env}
    command = [str(tools.scripts() / "fusesoc"), *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=600)
