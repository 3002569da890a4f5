"""The proof of the policy's versions of weights, which test_formal.py runs, does not hold with a broken line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rlcores.eda import formal

PROOFS = [p for p in formal.proofs() if p.name == "rlc_policy_versions"]
FILE = "rtl/policy/rlc_policy_versions.v"
BROKEN = [
    ("filling_q ? skip_q : in_use", "filling_q && skip_q"),
    ("active_q ? inside_0_q", "active_q ? inside_1_q"),
    ("complete = any && &done", "complete = any && |done"),
    ("w_bank = !active_q", "w_bank = active_q"),
]


@pytest.mark.parametrize(
    ("line", "broken"), [pytest.param(*b, marks=[pytest.mark.slow] * (b != BROKEN[0])) for b in BROKEN]
)
def test_a_broken_line_fails_the_proof(failed_proof: Callable[..., str], line: str, broken: str) -> None:
    failed_proof("rlc_policy_versions", "prove", FILE, line, broken)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for line, _ in BROKEN:
        file_with(FILE, line)
