"""Shared by the sum tree's tests."""

import pytest


@pytest.fixture(params=["model", "rtl"])
def backend(request: pytest.FixtureRequest) -> str:
    """Each backend of rlcores.replay in turn."""
    return request.param
