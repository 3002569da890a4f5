"""Run fusesoc as a user types it, and folders that know its libraries."""

import os
import subprocess
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rlcores.base import paths, tools


def fusesoc(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess:
    """Run fusesoc in a folder that is also the user's home, on the caller's bare PATH.

    The flow itself must find the tools of rlcores, and nothing of the real home's settings may help or disturb. How far
    a model is optimised is the tests' own: at Verilator's level the smallest takes half a minute to build.
    """
    cache = os.environ.get("CCACHE_DIR", str(Path.home() / ".cache" / "ccache"))
    variables = {"PATH": os.environ["PATH"], "HOME": str(folder), "CCACHE_DIR": cache}
    # Of two languages ccache keeps two compilations of Verilator's own files.
    same = ("RLCORES_OPTIMISE", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES")
    variables |= {name: os.environ[name] for name in same if name in os.environ} | env
    command = [str(tools.scripts() / "fusesoc"), *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=3600)


@lru_cache(maxsize=1)
def added() -> str:
    """What `fusesoc library add rlcores FOLDER` writes; a process asks once."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "fusesoc.conf").touch()
        done = fusesoc(folder, "library", "add", "rlcores", str(paths.root()))
        assert done.returncode == 0, done.stderr
        return (folder / "fusesoc.conf").read_text()


def with_libraries(folder: Path, **libraries: Path) -> Path:
    """The folder with rlcores added as a library, and these others in the same words."""
    own = added()
    assert own.count("rlcores]") == 1 and str(paths.root()) in own, own
    others = [own.replace("rlcores]", f"{name}]").replace(str(paths.root()), str(p)) for name, p in libraries.items()]
    (folder / "fusesoc.conf").write_text("\n".join([own, *others]))
    return folder
