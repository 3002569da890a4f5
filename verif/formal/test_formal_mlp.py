"""The proofs of deployed policies, which test_formal.py runs, do not hold with a broken line."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores.eda import formal

GUARD, RULES = ("rlc_mlp_guard", "prove"), ("rlc_mlp_rules", "pdr")
BROKEN = [
    (GUARD, "rlc_mlp_guard.v", "(wanted > high) ? high : wanted", "(wanted > high) ? wanted : wanted"),
    (GUARD, "rlc_mlp_guard.v", "(way > step) ? step", "(way > step) ? way"),
    (GUARD, "rlc_mlp_guard.v", "else if (tick) value_q", "else if (tick || s_valid) value_q"),
    (GUARD, "rlc_mlp_guard.v", "bad_q || late", "bad_q"),
    (RULES, "rlc_mlp.v", "s_obs_ready = loaded && !inside_q", "s_obs_ready = loaded"),
]


@pytest.mark.parametrize(
    ("proof", "file", "line", "broken"), [pytest.param(*b, marks=[pytest.mark.slow] * (b != BROKEN[0])) for b in BROKEN]
)
def test_a_broken_line_fails_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proof: tuple[str, str], file: str, line: str, broken: str
) -> None:
    for folder in ("rtl/common", "rtl/mlp", "verif/formal", "verif/common/rules"):
        shutil.copytree(paths.root() / folder, tmp_path / folder)
    rtl = tmp_path / "rtl" / "mlp" / file
    text = rtl.read_text()
    assert text.count(line) == 1, "the line to break is not in the RTL any more"
    rtl.write_text(text.replace(line, broken))
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    (chosen,) = [p for p in formal.proofs() if (p.name, p.task) == proof]
    outcome = formal.run(replace(chosen, file=tmp_path / "verif" / "formal" / chosen.file.name))
    assert outcome.status == "FAIL", outcome.log[-3000:]
