"""Shared by all tests: parallel workers, and a seed that is printed and can be given."""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from rlcores.base import paths, threads, tools
from rlcores.eda import sim, sources
from rlcores.errors import UserError

threads.one()  # before NumPy is imported: workers must not take the cores from each other

# cocotb is imported in the simulator's Python, never in pytest's.
collect_ignore_glob = ["**/cocotb_*.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=None, help="seed of every random choice (default: drawn, printed)")


def pytest_configure(config: pytest.Config) -> None:
    # xdist workers inherit the environment, so they all draw from the one seed that the header prints.
    chosen = config.getoption("--seed")
    if chosen is not None:
        os.environ["RLCORES_TEST_SEED"] = str(chosen)
    os.environ.setdefault("RLCORES_TEST_SEED", str(random.randrange(2**31)))
    # A test clocks a model for a moment, and compiling it well takes longer than that.
    os.environ.setdefault("RLCORES_OPTIMISE", "-O0")
    # Simulators and commands import the same modules hundreds of times: what Python compiled of them is kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(paths.build() / "pycache"))


def pytest_report_header() -> str:
    return f"seed: {os.environ['RLCORES_TEST_SEED']} (repeat with --seed {os.environ['RLCORES_TEST_SEED']})"


def pytest_terminal_summary(terminalreporter) -> None:
    """The seed of a run that failed, at its end too: -q prints no header."""
    if any(terminalreporter.stats.get(kind) for kind in ("failed", "error")):
        terminalreporter.write_line(pytest_report_header())


@pytest.fixture
def seed() -> int:
    """The run's seed: printed in the header, set with --seed."""
    return int(os.environ["RLCORES_TEST_SEED"])


@pytest.fixture
def refused_in_child() -> Callable[[Sequence[Callable[[], object]], str], int]:
    """A function from calls and words: how many of the calls a forked child is refused with these words."""

    def count(calls: Sequence[Callable[[], object]], words: str) -> int:
        child = os.fork()
        if not child:
            refused = 0
            try:
                for call in calls:
                    try:
                        call()
                    except UserError as error:
                        refused += words in str(error)
            finally:
                os._exit(refused)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return count


@pytest.fixture
def same_transcripts() -> Callable[..., int]:
    """A function of runs of one core: how many of their UVM tests saw the same at the same clocks, from the first on.

    A run may have fewer tests than another one, but what both have must be equal.
    """

    def compare(*runs: sim.SimResult) -> int:
        line = re.compile(r"transcript (\w+) at clock \d+")
        seen = [line.findall((run.folder / "log.txt").read_text()) for run in runs]
        count = min(map(len, seen))
        assert len({tuple(digests[:count]) for digests in seen}) == 1, f"the runs saw different things: {seen}"
        return count

    return compare


def _simulators() -> list:
    absent = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
    return [pytest.param("verilator"), pytest.param("icarus", marks=absent)]


@pytest.fixture(params=_simulators())
def simulator(request: pytest.FixtureRequest) -> str:
    """Each simulator in turn; Icarus is skipped where it is not installed."""
    return request.param


@pytest.fixture
def file_with() -> Callable[[str, str], Path]:
    """A function from a pattern below the project and a line: the one file of that name, in which it stands once."""

    def find(file: str, line: str) -> Path:
        (chosen,) = paths.root().glob(file)
        assert chosen.read_text().count(line) == 1, f"{chosen.name} must say once: {line}"
        return chosen

    return find


@pytest.fixture(scope="session")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the project is simulated and proved from."""
    project = tmp_path_factory.mktemp("copied") / "project"
    for folder in ("rtl", "verif", "cores"):
        shutil.copytree(paths.root() / folder, project / folder)
    for name in ("fusesoc.conf", "configs.yaml"):
        shutil.copy(paths.root() / name, project)
    return project


@pytest.fixture
def break_line(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file_with: Callable[[str, str], Path]
) -> Iterator[Callable[[str, str, str], Path]]:
    """A function from file, line and broken line, after which the test works on a copy of the project that has it."""
    project = tmp_path / "project"

    def change(file: str, line: str, broken: str) -> Path:
        if not project.exists():
            # In links, as 1,400 copies take as long as a proof.
            shutil.copytree(copied, project, copy_function=os.link)
            monkeypatch.setattr(paths, "root", lambda: project)
            monkeypatch.setenv("RLCORES_BUILD", str(project / "build"))
            monkeypatch.chdir(project)
            sources.of_core.cache_clear()
        chosen = file_with(file, line)
        text = chosen.read_text()
        chosen.unlink()  # another name of the copy's own file
        chosen.write_text(text.replace(line, broken))
        return chosen

    yield change
    sources.of_core.cache_clear()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB, which only root can have; others skip the test."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place]
    if os.geteuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("needs root, to mount a file system")
    yield place
    subprocess.run(["umount", "-l", place], check=True)
