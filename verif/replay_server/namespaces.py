"""Two network namespaces with a cable between them, where the system lets us make them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from rlcores.errors import RunFailed
from rlcores_lab.bench import cable


@contextmanager
def pair() -> Iterator[tuple[cable.End, cable.End]]:
    """Both ends; where there are none, the test is skipped."""
    with ExitStack() as stack:
        try:
            ends = stack.enter_context(cable.ends())
        except RunFailed as error:
            pytest.skip(str(error))
        yield ends
