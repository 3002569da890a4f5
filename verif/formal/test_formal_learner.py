"""A module of the learner with one line broken does not pass its proof."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores.base import paths
from rlcores.eda import formal

PROOFS = formal.proofs()

# Proof, one line of its RTL, and that line broken.
BROKEN = [
    ("rlc_learner_columns", ".give(pop && last)", ".give(pop)"),
    ("rlc_learner_prio", "some && (record_q[0] || last_q[0])", "some && record_q[0]"),
    ("rlc_learner_join", "word_q   <= last ?", "word_q   <= turn_b_q ?"),
]
BROKEN_SLOW = [
    ("rlc_learner_columns", "assign m_valid = valid[DP-1];", "assign m_valid = valid[0];"),
    ("rlc_learner_columns", "localparam PLACES      = (WORDS * WAVES > 2)", "localparam PLACES      = (WAVES > 2)"),
    ("rlc_learner_prio", "m_ready || !m_valid", "m_ready"),
    ("rlc_learner_join", "out_ready && turn_b_q;", "out_ready;"),
]


@pytest.mark.parametrize(
    ("proof", "line", "broken"), [*BROKEN, *(pytest.param(*case, marks=pytest.mark.slow) for case in BROKEN_SLOW)]
)
def test_a_broken_module_of_the_learner_fails_its_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proof: str, line: str, broken: str
) -> None:
    for folder in ("rtl/common", "rtl/learner", "verif/formal"):
        shutil.copytree(paths.root() / folder, tmp_path / folder)
    (rtl,) = (tmp_path / "rtl" / "learner").glob(f"{proof}.*v")
    text = rtl.read_text()
    assert text.count(line) == 1, "the line to break is not in the RTL any more"
    rtl.write_text(text.replace(line, broken))
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    (chosen,) = [p for p in PROOFS if (p.name, p.task) == (proof, "prove")]
    outcome = formal.run(replace(chosen, file=tmp_path / "verif" / "formal" / chosen.file.name))
    assert outcome.status == "FAIL", outcome.log[-3000:]
