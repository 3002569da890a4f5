"""A run that fails says with which seed it drew, however little else it prints."""

import os
import subprocess
import sys

import pytest

from rlcores.base import paths


@pytest.mark.parametrize("fails", [True, False])
def test_a_failing_run_ends_with_its_seed(tmp_path, fails):
    test = tmp_path / "test_it.py"
    test.write_text(f"def test_it(seed):\n    assert seed == 5\n    assert {not fails}\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "conftest",
        "--seed",
        "5",
        str(test),
    ]
    places = {"PYTHONPATH": str(paths.root() / "verif")}
    said = subprocess.run(
        [*command, str(test)], cwd=tmp_path, env=os.environ | places, capture_output=True, text=True
    ).stdout
    assert ("seed: 5 (repeat with --seed 5)" in said) == fails, said
