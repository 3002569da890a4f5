"""tools/_rlcores_native.pyi: what type checkers know of the native engine, from the engine that is built.

`python -m rlcores_lab.writers.stub` writes it, after a change of a binding; a test compares the two.
"""

import re
from pathlib import Path

import _rlcores_native
from nanobind.stubgen import StubGen

from rlcores.base import paths

PATH = Path("tools/_rlcores_native.pyi")


def text() -> str:
    """The stub of the engine that is installed."""
    generator = StubGen(_rlcores_native)
    generator.put(_rlcores_native)
    # nanobind says `Sequence`, and strict checkers want to know of what.
    stub = re.sub(r": Sequence(?=[,)])", ": Sequence[Any]", generator.get())
    return stub.replace("from typing import Annotated, overload", "from typing import Annotated, Any, overload")


if __name__ == "__main__":
    (paths.clone() / PATH).write_text(text())
