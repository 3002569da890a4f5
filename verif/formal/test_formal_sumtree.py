"""A sum tree with one line broken does not pass its proof."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import formal

PROOFS = formal.proofs()

# Proof, task, file, one line of its RTL, and that line broken.
BROKEN = [
    ("rlc_sumtree_sums", "prove_1", "rlc_sumtree_sums", "again_q ? sum_q : base_q", "base_q"),
    ("rlc_sumtree_pick", "prove_2_leaf", "rlc_sumtree_pick", "right = !difference[SIZE+1]", "right = from > against"),
    ("rlc_sumtree_slots", "prove", "rlc_sumtree_ring", "LAPS = 2;", "LAPS = 1;"),
]
BROKEN_SLOW = [
    ("rlc_sumtree_sums", "prove_2", "rlc_sumtree_sums", "k = WRITE; k >= 2", "k = WRITE - 1; k >= 2"),
    ("rlc_sumtree_sums", "prove_3", "rlc_sumtree_sums", "valid_q[d] && node_q", "node_q"),
    ("rlc_sumtree_pick", "prove_3_inner", "rlc_sumtree_pick", "right ? difference[SIZE-1:0] :", ""),
    ("rlc_sumtree_slots", "prove", "rlc_sumtree_ring", "index < next", "index <= next"),
    ("rlc_sumtree_slots", "prove", "rlc_sumtree_slots", "op_index} >= capacity", "op_index} > capacity"),
    ("rlc_sumtree_slots", "prove", "rlc_sumtree_slots", "tree_write   <= done &&", "tree_write   <= valid_s1 &&"),
    ("rlc_sumtree_tree", "prove_4", "rlc_sumtree_tree", "sample_target_t < total", "sample_target_t <= total"),
    ("rlc_sumtree_tree", "prove_4", "rlc_sumtree_tree", "write_at[OLD_CLOCK] ?", "write_at[OLD_CLOCK-1] ?"),
    ("rlc_sumtree_tree", "prove_4", "rlc_sumtree_tree", "LANES  = (p == 0) ? CHILDREN :", "LANES  = "),
    ("rlc_sumtree_tree", "prove_shared", "rlc_sumtree_recent", "match_s1 & ~(match_s1 - 1'b1)", "match_s1"),
    ("rlc_sumtree", "prove", "rlc_sumtree", "TREE_CLOCK   = 3;", "TREE_CLOCK   = 2;"),
    ("rlc_sumtree_clear", "clear", "rlc_sumtree", "EXIT_CLOCK + 5;", "EXIT_CLOCK - 1;"),
    ("rlc_credit", "prove", "rlc_credit", "give || free_q != ONE", "give || free_q != 0"),
    ("rlc_delay_ram", "prove_5", "rlc_delay_ram", "WORDS      = CLOCKS - 1", "WORDS      = CLOCKS"),
]


@pytest.mark.parametrize(
    ("proof", "task", "file", "line", "broken"),
    [*BROKEN, *(pytest.param(*case, marks=pytest.mark.slow) for case in BROKEN_SLOW)],
)
def test_a_broken_sum_tree_fails_its_proof(
    failed_proof: Callable[..., str], proof: str, task: str, file: str, line: str, broken: str
) -> None:
    failed_proof(proof, task, f"rtl/*/{file}.*v", line, broken)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for _, _, file, line, _ in BROKEN + BROKEN_SLOW:
        file_with(f"rtl/*/{file}.*v", line)
