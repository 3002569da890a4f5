"""The primitives' source files, as prims.core lists them."""

from pathlib import Path

import yaml

from rlcores import paths


def sources() -> list[Path]:
    """Absolute paths of the Verilog files, in the core's order."""
    folder = paths.root() / "rtl" / "common"
    core = yaml.safe_load((folder / "prims.core").read_text())
    return [folder / name for name in core["filesets"]["rtl"]["files"]]


def waivers() -> Path:
    """Verilator's waivers for them; a waiver counts only for the files named after it."""
    return paths.root() / "rtl" / "common" / "prims.vlt"
