"""The notebooks run from the first cell to the last, and what they assert holds."""

import json
from pathlib import Path

import matplotlib
import pytest

from rlcores.base import paths

NOTEBOOKS = sorted((paths.root() / "examples").rglob("*.ipynb"))


@pytest.mark.parametrize("file", [f for f in NOTEBOOKS if f.parent.name == "notebooks"], ids=lambda f: f.stem)
def test_a_notebook_runs(file: Path, capsys: pytest.CaptureFixture) -> None:
    matplotlib.use("agg")
    cells = [cell for cell in json.loads(file.read_text())["cells"] if cell["cell_type"] == "code"]
    names: dict = {}
    for cell in cells:
        assert not cell["outputs"] and cell["execution_count"] is None, "outputs are not committed"
        exec(compile("".join(cell["source"]), f"{file.name}:{cell['id']}", "exec"), names)
    assert len(cells) >= 3 and capsys.readouterr().out
