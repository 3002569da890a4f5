"""The native engine: the cores' integers in C++, in the module _rlcores_native that the wheel brings.

The sources are here, docs/native.md says how they are built and how one is added. `isas()` names the instruction sets
that its kernels can run on here, `isa()` the one in force; RLCORES_ISA=portable in the environment asks for another.
"""

import os

import _rlcores_native as engine
from _rlcores_native import isa, isas

from rlcores.base.arguments import choice

__all__ = ["choose_isa", "engine", "isa", "isas"]


def choose_isa(name: str) -> None:
    """Make one of isas() the one in force, for tests and timings; not while other threads compute."""
    engine.choose_isa(choice("isa", name, isas()))


if "RLCORES_ISA" in os.environ:
    choose_isa(os.environ["RLCORES_ISA"])
