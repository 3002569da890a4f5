"""A module of the learner, or of several learners, with one line broken does not pass its proof."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import formal

PROOFS = formal.proofs()

# Modules whose proof has another one's name.
PROOF_OF = {"rlc_learners_rounds": "rlc_learners_join", "rlc_learners_average": "rlc_learners_join"}
# Module, one line of its RTL, and that line broken.
BROKEN = [
    ("rlc_learner_columns", ".give(pop && last)", ".give(pop)"),
    ("rlc_learner_prio", "some && (record_q[0] || last_q[0])", "some && record_q[0]"),
    ("rlc_learner_join", "word_q   <= last ?", "word_q   <= turn_b_q ?"),
    ("rlc_learners_join", ".d(&waits_here)", ".d(|waits_here)"),
    ("rlc_learners_rounds", "(remaining_q == 16'd1) ? average_q", "(remaining_q == 16'd0) ? average_q"),
]
BROKEN_SLOW = [
    ("rlc_learner_columns", "assign m_valid = valid[DP-1];", "assign m_valid = valid[0];"),
    ("rlc_learner_columns", "localparam PLACES      = (WORDS * WAVES > 2)", "localparam PLACES      = (WAVES > 2)"),
    ("rlc_learner_prio", "m_ready || !m_valid", "m_ready"),
    ("rlc_learner_join", "out_ready && turn_b_q;", "out_ready;"),
    ("rlc_learners_join", "due && last[i];", "due;"),
    ("rlc_learners_join", "{wide[BITS-3:0], go, last[i]}", "{wide[BITS-3:0], go, 1'b1}"),
    ("rlc_learners_rounds", "last        <= first == 16'd1;", "last        <= 1'b0;"),
    ("rlc_learners_average", "g_node[1].sum} + HALF[SUM:0];", "g_node[1].sum};"),
    ("rlc_learners_average", "LEVELS{own[WIDTH-1]}", "LEVELS{1'b0}"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "line", "broken"), [*BROKEN, *(pytest.param(*case, marks=pytest.mark.slow) for case in BROKEN_SLOW)]
)
def test_a_broken_module_of_the_learner_fails_its_proof(
    failed_proof: Callable[..., str], module: str, line: str, broken: str
) -> None:
    failed_proof(PROOF_OF.get(module, module), "prove", f"rtl/*/{module}.*v", line, broken)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for module, line, _ in BROKEN + BROKEN_SLOW:
        file_with(f"rtl/*/{module}.*v", line)
