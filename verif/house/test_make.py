"""`make` on a machine that lacks something: one sentence, no traceback, before anything is built."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from as_user import fusesoc

from rlcores.base import paths

pytestmark = pytest.mark.skipif(not (paths.root() / "Makefile").exists(), reason="needs a checkout")

# What the Makefile and its shell use before they come to the tools that rlcores asks for.
COMMANDS = ("sh", "bash", "make", "python3", "perl", "g++", "git", "mkdir", "touch", "env")


def path_without(folder: Path, missing: str) -> str:
    """A folder for PATH that has all of COMMANDS but one."""
    path = folder / "path"
    path.mkdir()
    for name in COMMANDS:
        if name != missing:
            # A version manager's python3 is a script that needs more than this PATH has.
            (path / name).symlink_to(sys.executable if name == "python3" else shutil.which(name))
    return str(path)


def make(folder: Path, missing: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run make in a folder, lacking one command."""
    path = path_without(folder, missing)
    (folder / "lab").mkdir()
    for name in ("Makefile", "pyproject.toml", "uv.lock", "lab/pyproject.toml"):
        shutil.copy(paths.root() / name, folder / name)
    command = [shutil.which("make"), *arguments]
    return subprocess.run(command, cwd=folder, env={"PATH": path}, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("missing", ["g++", "perl"])
@pytest.mark.parametrize("target", ["demo", "test"])
def test_a_missing_system_package_is_one_sentence(tmp_path: Path, missing: str, target: str) -> None:
    done = make(tmp_path, missing, target)
    assert done.returncode != 0
    # make itself adds its own "*** Error" line.
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("make")]
    assert said == [f"rlcores needs the system package '{missing}', which is not installed"]
    assert not (tmp_path / ".venv").exists()


def test_a_missing_or_old_python_is_one_sentence(tmp_path: Path) -> None:
    done = make(tmp_path, "python3", "demo")
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("make")]
    assert done.returncode != 0
    assert len(said) == 1 and "Python 3.11 or newer" in said[0]


@pytest.mark.parametrize("missing", ["g++", "perl"])
def test_fusesoc_says_in_one_sentence_what_is_missing(adder: Path, missing: str) -> None:
    path = path_without(adder, missing)
    done = fusesoc(adder, "--cores-root", str(adder), "run", "--target", "sim", "user:lib:adder", PATH=path)
    assert done.returncode != 0
    assert f"'{missing}' was not found; install the system package '{missing}'" in done.stderr
    assert "Traceback" not in done.stderr
