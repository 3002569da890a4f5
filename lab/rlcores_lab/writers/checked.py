"""The tables of docs/dse.md, from the JSON that the commands wrote."""

from pathlib import Path

from rlcores.base import files

_MEASURED = Path(__file__).resolve().parents[1] / "measured"
MEASURED, SEARCHED = _MEASURED / "dse.json", _MEASURED / "dse_dqn_u200.json"
_FOUND = """\
| | clocks per step | DP | largest unit | DSP | LUT | FF | RAMB36 |
|---|---|---|---|---|---|---|---|
"""
_HEAD = """\
| core | configuration | clocks | in the RTL | LUT | FF | DSP | left out |
|---|---|---|---|---|---|---|---|
"""
_MODEL, _COUNTED = "_clocks", "_clocks_counted"


def found() -> str:
    """The designs that a search found."""
    document = files.read_json(SEARCHED, "figures of a command")
    first, second = document["designs"][:2]
    rows = {
        "chosen": first,
        "second": second,
        "best with the paper's 1,600 DSPs, replay included": document["within"],
        "Meng et al. (2022): DP = 2, at most 32 MACs per unit": document["paper"],
    }
    lines = []
    for name, d in rows.items():
        area = f"{d['dsp']:,} | {d['lut']:,.0f} | {d['ff']:,.0f} | {d['bram36']:g}"
        lines.append(f"| {name} | {d['clocks']:,} | {d['columns']} | {d['unit_macs']} | {area} |\n")
    return f"{_FOUND}{''.join(lines)}\n(commit {document['commit'][:7]})\n"


def table() -> str:
    """Each configuration as `rlcores dse --check` found it."""
    document = files.read_json(MEASURED, "figures of a command")
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
