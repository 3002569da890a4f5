"""The source files of the primitives and of the periphery, as their cores list them."""

from pathlib import Path

import yaml

from rlcores.base import paths

_CORES = ("common/prims.core", "periphery/periphery.core")


def sources() -> list[Path]:
    """Absolute paths of the Verilog files, in the cores' order."""
    return [folder / entry for folder, entry in _listed() if isinstance(entry, str)]


def headers() -> list[Path]:
    """Absolute paths of what the files include."""
    return [folder / name for folder, entry in _listed() if isinstance(entry, dict) for name in entry]


def _listed() -> list[tuple[Path, str | dict]]:
    """Folder and entry of each file of the cores; an entry with properties is a header."""
    files = [paths.root() / "rtl" / name for name in _CORES]
    return [(f.parent, entry) for f in files for entry in yaml.safe_load(f.read_text())["filesets"]["rtl"]["files"]]


def waivers() -> Path:
    """Verilator's waivers for the primitives; a waiver counts only for the files named after it."""
    return paths.root() / "rtl" / "common" / "prims.vlt"
