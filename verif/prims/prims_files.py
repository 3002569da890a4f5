"""The primitives' source files, as prims.core and board.core list them."""

from pathlib import Path

import yaml

from rlcores import paths

_FOLDER = paths.root() / "rtl" / "common"


def sources() -> list[Path]:
    """Absolute paths of the Verilog files, in the cores' order."""
    cores = (yaml.safe_load((_FOLDER / name).read_text()) for name in ("prims.core", "board.core"))
    return [_FOLDER / name for core in cores for name in core["filesets"]["rtl"]["files"]]


def waivers() -> Path:
    """Verilator's waivers for them; a waiver counts only for the files named after it."""
    return _FOLDER / "prims.vlt"
