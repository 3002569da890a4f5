"""Damaged and hostile files: each is refused in one sentence or imported as what it says, and no code of it runs."""

import io
import pickle
import subprocess
import sys

import fuzz
import pytest

from rlcores.base import paths


def test_a_hostile_pickle_is_one_that_python_would_run() -> None:
    called = []

    class Watched(pickle.Unpickler):
        def find_class(self, module: str, name: str):
            return lambda *arguments: called.append((module, name, arguments))

    Watched(io.BytesIO(fuzz.call(b"os\nsystem"))).load()
    assert called == [("os", "system", ("touch ran",))]


@pytest.mark.parametrize(
    ("count", "number"), [(1000, 1), pytest.param(10000, 2, marks=pytest.mark.slow)], ids=["1000", "10000"]
)
def test_no_damaged_file_runs_code_or_ends_in_a_traceback(count: int, number: int) -> None:
    program = paths.root() / "verif" / "deploy" / "fuzz.py"
    done = subprocess.run([sys.executable, program, str(count), str(number)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    taken, refused = map(int, done.stdout.split())
    assert taken + refused == count and refused > count // 4 and taken > count // 50
