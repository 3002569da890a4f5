"""Shared by the tests of the native engine: each of its instruction sets in turn."""

from collections.abc import Iterator

import pytest

from rlcores import native


@pytest.fixture(params=native.isas())
def isa(request: pytest.FixtureRequest) -> Iterator[str]:
    """The engine runs on this instruction set; `pytestmark = pytest.mark.usefixtures("isa")` asks for it everywhere."""
    before = native.isa()
    native.choose_isa(request.param)
    yield request.param
    native.choose_isa(before)
