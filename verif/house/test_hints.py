"""What the program says to install can be installed: beside an rlcores that pip installed, without this repository."""

import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from rlcores.base import paths

pytestmark = pytest.mark.skipif(paths.root().name == "data", reason="needs a checkout")
ROOT = paths.root()
OURS = {"rlcores", "rlcores-lab"}  # what no package index has


def hints() -> set[str]:
    """Every pip command line in the package's texts."""
    texts = [file.read_text() for file in (ROOT / "tools" / "rlcores").rglob("*.py")]
    return {package for text in texts for package in re.findall(r"pip install ('[^']+'|[^\s`]+)", text)}


def extras() -> dict[str, list[str]]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_every_hint_names_extras_that_an_index_can_bring_or_a_folder_of_a_clone() -> None:
    assert len(hints()) >= 4
    for hint in hints():
        if hint.startswith("./"):
            assert (ROOT / hint / "pyproject.toml").is_file(), hint
            continue
        names = re.fullmatch(r"'rlcores\[([\w,]+)\]'", hint)
        assert names, hint
        for name in names[1].split(","):
            wanted = {re.match(r"[\w.-]+", requirement)[0] for requirement in extras()[name]}
            assert wanted and not wanted & OURS, hint


def test_the_program_sends_nobody_to_uv_in_a_clone() -> None:
    for file in (ROOT / "tools" / "rlcores").rglob("*.py"):
        said = re.findall(r"(?:UserError|RunFailed)\([^)]*uv sync", file.read_text())
        assert not said, file.name


def metadata(folder: Path) -> str:
    """What the back end of the build writes when pip asks for the metadata: the name of its folder."""
    asked = f"import rlcores_backend as b; print(b.prepare_metadata_for_build_wheel({str(folder)!r}))"
    env = {"PIP_BUILD_TRACKER": "here", "PYTHONPATH": str(ROOT / "tools" / "backend"), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_pip_gets_the_metadata_without_a_compiler(tmp_path: Path) -> None:
    text = (tmp_path / metadata(tmp_path) / "METADATA").read_text()
    assert "Name: rlcores\n" in text and "Provides-Extra: eda\n" in text
    assert not list(tmp_path.rglob("*.so")) and not list(tmp_path.rglob("*.whl"))


@pytest.mark.slow
def test_every_hint_works_in_a_bare_environment(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=True)
    python = tmp_path / "bare" / "bin" / "python"
    (site,) = (tmp_path / "bare" / "lib").glob("python*/site-packages")
    folder = site / metadata(site)
    (folder / "INSTALLER").write_text("pip\n")
    (folder / "RECORD").write_text(f"{folder.name}/METADATA,,\n{folder.name}/INSTALLER,,\n{folder.name}/RECORD,,\n")
    for hint in sorted(hints()):
        place = str(ROOT / hint) if hint.startswith("./") else hint.strip("'")
        command = [python, "-m", "pip", "install", "--dry-run", "--quiet", place]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=500)
        if "No matching distribution found for" in done.stderr and "rlcores" not in done.stderr.split("found for")[1]:
            pytest.skip(f"the index here lacks a package: {done.stderr.splitlines()[-1]}")
        assert done.returncode == 0, f"{hint}: {done.stderr}"
