"""docs/first_test.md: its files run as they stand there in both simulators, and the fault it shows is caught."""

import re
from pathlib import Path

import pytest
from as_user import fusesoc, with_libraries
from simulators import IN_ICARUS, NO_ICARUS

from rlcores.base import paths
from rlcores.eda import sim

PAGE = (paths.root() / "docs" / "first_test.md").read_text()
FILES = dict(re.findall(r'^```\w+ title="(\S+)"\n(.*?)^```', PAGE, re.M | re.S))
(BROKEN,) = re.findall(r"^```verilog\n( +else if.*?\n)```", PAGE, re.M)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's files in a folder of their own, which FuseSoC knows."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return with_libraries(tmp_path, me=Path("."))


def run(folder: Path, simulator: str) -> tuple[int, str]:
    done = fusesoc(folder, "run", "--target", sim.TARGETS[simulator], "me:first:sums")
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("simulator", IN_ICARUS)
def test_it_passes(folder: Path, simulator: str) -> None:
    assert set(FILES) == {"sums.v", "cocotb_sums.py", "sums.core"}
    code, said = run(folder, simulator)
    assert code == 0 and "PASS=1" in said, said


@NO_ICARUS
def test_it_catches_the_fault_and_itself(folder: Path) -> None:
    good, stalls = "        else if (s_valid && s_ready) sum_q <= sum;\n", "[(1.0, 1.0), (1.0, 0.3), (0.3, 1.0)]"
    assert FILES["sums.v"].count(good) == 1 == FILES["cocotb_sums.py"].count(stalls)
    (folder / "sums.v").write_text(FILES["sums.v"].replace(good, BROKEN))
    code, said = run(folder, "icarus")
    assert code and "is wrong" in said, said
    # Without stalls nothing is wrong, and the count of stalls catches the test itself.
    (folder / "cocotb_sums.py").write_text(FILES["cocotb_sums.py"].replace(stalls, "[(1.0, 1.0)] * 3"))
    code, said = run(folder, "icarus")
    assert code and "is wrong" not in said and "AssertionError" in said, said
