"""The proofs of deployed policies, which test_formal.py runs, do not hold with a broken line."""

from collections.abc import Callable
from pathlib import Path

import pytest

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
    failed_proof: Callable[..., str], proof: tuple[str, str], file: str, line: str, broken: str
) -> None:
    failed_proof(*proof, f"rtl/mlp/{file}", line, broken)


def test_each_line_to_break_is_there(file_with: Callable[[str, str], Path]) -> None:
    for _, file, line, _ in BROKEN:
        file_with(f"rtl/mlp/{file}", line)
