"""Shared by the tests of the proofs: one that must fail."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores.eda import formal


@pytest.fixture
def failed_proof(break_line: Callable[[str, str, str], Path]) -> Callable[..., str]:
    """A function from a proof's name and task and a line to break: the proof's log, after it has failed."""

    def run(name: str, task: str, file: str, line: str, broken: str) -> str:
        break_line(file, line, broken)
        proof = next(p for p in formal.proofs() if p.name == name)
        outcome = formal.run(replace(proof, task=task))
        assert outcome.status == "FAIL", outcome.log[-3000:]
        return outcome.log

    return run
