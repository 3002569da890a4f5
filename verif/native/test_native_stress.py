"""The engine without Python: four threads on one tree, under the compiler's detectors of races and of wrong memory."""

import re
import subprocess
from pathlib import Path

import pytest
from programs import built

from rlcores.base import paths

pytestmark = pytest.mark.skipif(paths.root().name == "data", reason="needs a checkout")
SANITIZERS = {"plain": "", "races": "-fsanitize=thread", "memory": "-fsanitize=address,undefined -fno-sanitize-recover"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operations"), [("plain", 10**8), ("races", 2 * 10**6), ("memory", 10**7)])
def test_a_list_of_priorities_gives_the_same_in_the_order_reported(
    tmp_path: Path, seed: int, name: str, operations: int
) -> None:
    program = built(tmp_path, SANITIZERS[name]) / "rlcores_stress"
    done = subprocess.run([program, str(operations), str(seed)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    assert int(re.match(r"(\d+) operations are the same", done.stdout)[1]) >= operations
