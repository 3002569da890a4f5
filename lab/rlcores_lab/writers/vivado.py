"""Tcl that several cores' Vivado targets source, written beside each of them: FuseSoC takes no file of another folder.

outputs(): gen/NAME.tcl of every core whose .core lists it, the same text as NAME.tcl in this folder.
"""

from pathlib import Path

from rlcores.base import paths

_NAMES = ("board_design", "ooc", "ooc_end", "ooc_report")


def outputs() -> dict[Path, str]:
    """The files, from the root, and their text."""
    root, here = paths.root(), Path(__file__).parent
    texts = {}
    for core in sorted((root / "rtl").glob("*/*.core")):
        listed = core.read_text()
        for name in _NAMES:
            if f"- gen/{name}.tcl:" in listed:
                texts[core.parent.relative_to(root) / "gen" / f"{name}.tcl"] = (here / f"{name}.tcl").read_text()
    return texts
