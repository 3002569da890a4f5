"""A core that a C++ driver of its own clocks: for what is too much, or too close, for a bus."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path

from rlcores.engine import library, slang


def load(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str],
    driver: Path,
    headers: Sequence[Path] = (),
    *,
    libraries: Sequence[Path] = (),
) -> ctypes.CDLL:
    """The library of module `top` of a core with `driver`, a C++ file, built when its content is new.

    The driver includes "Vtop.h", the model, and "parameters.h", which defines RLC_<parameter> for every one given. See
    rlcores.engine.library for arguments and errors.
    """
    given = sorted(parameters.items())
    text = "".join(f"#define RLC_{name} {slang.literal(value)}\n" for name, value in given)
    written = {"parameters.h": text}
    return ctypes.CDLL(str(library.build(vlnv, top, parameters, driver, headers, written=written, libraries=libraries)))
