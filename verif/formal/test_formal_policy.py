"""The proof of the policy's versions of weights: it holds, and with a line of the module broken it does not."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores.engine import formal

PROOFS = [p for p in formal.proofs() if p.core == "policy"]
BROKEN = [
    ("filling_q ? skip_q : in_use", "filling_q && skip_q"),
    pytest.param("active_q ? inside_0_q", "active_q ? inside_1_q", marks=pytest.mark.slow),
    pytest.param("complete = any && &done", "complete = any && |done", marks=pytest.mark.slow),
    pytest.param("w_bank = !active_q", "w_bank = active_q", marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: f"{proof.name} {proof.task}")
def test_no_version_is_written_while_a_pass_meets_it(proof: formal.Proof) -> None:
    outcome = formal.run(proof)
    assert outcome.status == "PASS", outcome.log[-3000:]


@pytest.mark.parametrize(("line", "broken"), BROKEN)
def test_a_broken_line_fails_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, broken: str) -> None:
    for folder in ("rtl/common", "rtl/agent", "verif/formal"):
        shutil.copytree(paths.root() / folder, tmp_path / folder)
    rtl = tmp_path / "rtl" / "agent" / "rlc_policy_versions.v"
    text = rtl.read_text()
    assert text.count(line) == 1, "the line to break is not in the RTL any more"
    rtl.write_text(text.replace(line, broken))
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    (chosen,) = [p for p in PROOFS if p.task == "prove"]
    outcome = formal.run(replace(chosen, file=tmp_path / "verif" / "formal" / chosen.file.name))
    assert outcome.status == "FAIL", outcome.log[-3000:]
