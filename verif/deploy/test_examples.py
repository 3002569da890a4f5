"""examples/deploy: the notebook and the program for an ONNX file run as they stand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rlcores.base import paths, tools

HERE = paths.clone() / "examples" / "deploy"
FILES = paths.root() / "verif" / "deploy" / "files"


@pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
def test_the_notebooks_cells_run_and_leave_a_waveform(tmp_path: Path) -> None:
    cells = json.loads((HERE / "tutorial.ipynb").read_text())["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert text.count("\n") > 15
    done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 wrong" in done.stdout and (tmp_path / "pendulum" / "bench" / "tb.vcd").stat().st_size > 10_000


def test_the_program_for_an_onnx_file_writes_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    command = [sys.executable, HERE / "locomotion.py", FILES / "rsl_rl.onnx", tmp_path / "core", FILES / "rsl_rl.npz"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "clocks" in done.stdout, done.stderr
    assert (tmp_path / "core" / "policy.json").is_file()
