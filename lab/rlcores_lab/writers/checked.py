"""The table of docs/dse.md: each configuration as `rlcores dse --check --json` found it, between `<!-- <check> -->`."""

import re
from pathlib import Path

from rlcores.base import files, paths

PAGE = Path("docs") / "dse.md"
MEASURED = Path(__file__).resolve().parents[1] / "measured" / "dse.json"
_PART = re.compile(r"(<!-- <check> -->\n).*?(<!-- </check> -->\n)", re.DOTALL)
_HEAD = """\
| core | configuration | clocks | in the RTL | LUT | FF | DSP | left out |
|---|---|---|---|---|---|---|---|
"""
_MODEL, _COUNTED = "_clocks", "_clocks_counted"


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    document = files.read_json(MEASURED, "figures of a command")
    text = (paths.root() / PAGE).read_text()
    return {PAGE: _PART.sub(lambda found: found[1] + _table(document) + found[2], text)}


def _table(document: dict) -> str:
    rows: dict[tuple[str, str], dict[str, float]] = {}
    worst = {}
    for figure in document["figures"]:
        name = figure["name"].split(".", 2)
        if name[0] == "dse":
            worst[name[1]] = figure
        else:
            rows.setdefault((name[0], name[1]), {})[name[2]] = figure["value"]
    lines = [f"| {core} | `{config}` | {' | '.join(_cells(row))} |\n" for (core, config), row in rows.items()]
    errors = ", ".join(
        f"{words} {100 * worst[f'worst_{name}_error']['value']:.1f} %"
        for name, words in (("lut", "LUT"), ("ff", "FF"), ("dsp", "DSP"), ("bram36", "block RAM"), ("uram", "UltraRAM"),
                            ("clocks", "clocks"))
    )  # fmt: skip
    within = worst["rows_within"]
    said = f"{within['value']:.0f} {within['unit']} configurations are counted and within the bounds"
    return f"{_HEAD}{''.join(lines)}\n{said} (commit {document['commit'][:7]}). Largest errors: {errors}.\n"


def _cells(row: dict[str, float]) -> list[str]:
    clocks = [name.removesuffix(_MODEL) for name in row if name.endswith(_MODEL)]
    counted = [row.get(name + _COUNTED) for name in clocks]
    left = row.get("left_out")
    return [
        ", ".join(f"{row[name + _MODEL]:,.0f}" for name in clocks),
        "not counted" if None in counted else ", ".join(f"{value:,.0f}" for value in counted),
        *(f"{row[name]:,.0f} {_error(row.get(f'{name}_error'))}" for name in ("lut", "ff")),
        f"{row['dsp']:,.0f}",
        "" if left is None else f"{100 * left:+.1f} %",
    ]


def _error(value: float | None) -> str:
    return "(not counted)" if value is None else f"({100 * value:+.1f} %)"
