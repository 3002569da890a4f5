"""The proof of the guard behind a deployed policy, which test_formal.py runs, does not hold with a broken line."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores.eda import formal

PROOFS = [p for p in formal.proofs() if p.name == "rlc_mlp_guard"]
BROKEN = [
    ("(wanted > high) ? high : wanted", "(wanted > high) ? wanted : wanted"),
    pytest.param("(way > step) ? step", "(way > step) ? way", marks=pytest.mark.slow),
    pytest.param("else if (tick) value_q", "else if (tick || s_valid) value_q", marks=pytest.mark.slow),
    pytest.param("bad_q || late", "bad_q", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("line", "broken"), BROKEN)
def test_a_broken_line_fails_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, broken: str) -> None:
    for folder in ("rtl/common", "rtl/mlp", "verif/formal"):
        shutil.copytree(paths.root() / folder, tmp_path / folder)
    rtl = tmp_path / "rtl" / "mlp" / "rlc_mlp_guard.v"
    text = rtl.read_text()
    assert text.count(line) == 1, "the line to break is not in the RTL any more"
    rtl.write_text(text.replace(line, broken))
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    (chosen,) = [p for p in PROOFS if p.task == "prove"]
    outcome = formal.run(replace(chosen, file=tmp_path / "verif" / "formal" / chosen.file.name))
    assert outcome.status == "FAIL", outcome.log[-3000:]
