"""Shared by the sum tree's tests."""

import pytest


@pytest.fixture(params=["native", "model", "rtl"])
def backend(request: pytest.FixtureRequest) -> str:
    """Each backend of rlcores.cores.sumtree.tree in turn."""
    return request.param
