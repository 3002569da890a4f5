"""The engine from source: what is said when it cannot be compiled, and a wheel that works away from the checkout."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores_lab.writers import stub

pytestmark = pytest.mark.skipif(paths.root().name == "data", reason="needs a checkout")
SCRIPTS = Path(sys.executable).parent


def test_a_missing_compiler_is_one_sentence(tmp_path: Path) -> None:
    source, empty = paths.root() / "tools" / "rlcores" / "native", tmp_path / "bin"
    empty.mkdir()
    command = [SCRIPTS / "cmake", "-S", source, "-B", tmp_path, "-G", "Ninja"]
    command += [f"-DCMAKE_MAKE_PROGRAM={SCRIPTS / 'ninja'}", f"-DPython_EXECUTABLE={sys.executable}"]
    hidden = {name: value for name, value in os.environ.items() if name != "CXX"} | {"PATH": str(empty)}
    done = subprocess.run(command, capture_output=True, text=True, env=hidden)
    assert done.returncode
    assert "rlcores needs a C++20 compiler, the system package 'g++', which is not installed" in " ".join(
        done.stderr.split()
    )


@pytest.mark.slow
def test_a_wheel_of_the_source_distribution_runs_elsewhere(tmp_path: Path) -> None:
    build = [SCRIPTS / "uv", "build", "--offline", "--no-build-isolation", "--python", sys.executable, "-o", tmp_path]
    for what in (["--sdist", paths.root()], ["--wheel", tmp_path / "rlcores-0.1.0.tar.gz"]):
        done = subprocess.run([*build, *what], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    stable = sys.version_info >= (3, 12)
    assert ("-cp312-abi3-" if stable else "-cp311-cp311-") in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    # Without the site module no .pth file leads back to the checkout.
    used = (
        f"import sys; sys.path[:0] = [{str(tmp_path / 'site')!r}, {sysconfig.get_path('purelib')!r}];"
        "import rlcores, _rlcores_native; from rlcores.cores.sumtree import native_driver as n;"
        "tree = rlcores.SumTree(9); tree.insert([1, 2, 3]); assert isinstance(tree.driver, n.SumTreeNativeDriver);"
        "print(tree.total, rlcores.__file__, _rlcores_native.__file__)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", used], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    total, *files = done.stdout.split()
    assert total == "6" and all(file.startswith(str(tmp_path / "site")) for file in files)


def test_type_checkers_know_the_engine_that_is_built():
    written = (paths.clone() / stub.PATH).read_text()
    assert "class SumTree" in written and "class ReplayRows" in written
    assert written == stub.text(), "a binding has changed: python -m rlcores_lab.writers.stub"
