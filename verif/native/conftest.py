"""Shared by the tests of the native engine: each of its instruction sets in turn.

In `make test` these are the least one and the best of the processor. Those between them are `slow`; CI repeats the
engine's calls on every one in test_native_machines.py, and test_train_digests.py trains on every one.
"""

from collections.abc import Iterator

import pytest

from rlcores import native

BETWEEN = native.isas()[1:-1]
ISAS = [pytest.param(isa, marks=pytest.mark.slow) if isa in BETWEEN else isa for isa in native.isas()]


@pytest.fixture(params=ISAS)
def isa(request: pytest.FixtureRequest) -> Iterator[str]:
    """The engine runs on this instruction set; `pytestmark = pytest.mark.usefixtures("isa")` asks for it everywhere."""
    before = native.isa()
    native.choose_isa(request.param)
    yield request.param
    native.choose_isa(before)
