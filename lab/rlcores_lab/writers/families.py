"""The table of docs/synthesis.md: a core's cells in each family, from JSON of `rlcores synth --device families`."""

from pathlib import Path

from rlcores.base import files
from rlcores.eda.synth.families import FAMILIES
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
    """A line for each core and family that was run; a core's name stands in its first one."""
    rows, commits = {}, {}
    for file in sorted(_MEASURED.glob("families_*.json")):
        document = files.read_json(file, "figures of a command")
        cells = {figure["name"]: figure["value"] for figure in document["figures"]}
        core, config = document["core"], document["config"]
        commits[document["commit"][:7]] = None
        rows |= {
            (core, config, place): (
                f"`{family}`", *(f"{cells[f'{core}.{family}.{kind}']:,}" for kind in _KINDS)
            )
            for place, family in enumerate(FAMILIES)
            if f"{core}.{family}.ff" in cells
        }  # fmt: skip
    lines, above = [("core", "family", *_KINDS.values())], None
    for key in sorted(rows):
        core, config, _ = key
        lines.append(("" if (core, config) == above else f"`{core}` `{config}`", *rows[key]))
        above = core, config
    return f"{shown.markdown(lines)}\n(commit {', '.join(commits)})\n"
