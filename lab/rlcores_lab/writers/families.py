"""The table of docs/synthesis.md: a core's cells in each family, from JSON of `rlcores synth --device families`."""

from pathlib import Path

from rlcores.base import files
from rlcores.engine.synth.families import FAMILIES
from rlcores_lab import shown

_MEASURED = Path(__file__).resolve().parents[1] / "measured"
_KINDS = {
    "ff": "FF",
    "lut_ram": "LUT RAM",
    "block_ram": "block RAM",
    "multiplier": "multipliers",
    "lut": "LUT or gates",
}


def table() -> str:
    """A line a core and family."""
    rows, commits = [("core", "family", *_KINDS.values())], {}
    for file in sorted(_MEASURED.glob("families_*.json")):
        document = files.read_json(file, "figures of a command")
        cells = {figure["name"]: figure["value"] for figure in document["figures"]}
        core, config = document["core"], document["config"]
        commits[document["commit"][:7]] = None
        rows += [
            (f"`{core}` `{config}`", f"`{family}`", *(f"{cells[f'{core}.{family}.{kind}']:,}" for kind in _KINDS))
            for family in FAMILIES
            if f"{core}.{family}.ff" in cells
        ]
    return f"{shown.markdown(rows)}\n(commit {', '.join(commits)})\n"
