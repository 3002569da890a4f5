"""The tables of docs/dse.md, from the JSON that the commands wrote."""

from collections.abc import Iterable
from pathlib import Path

from rlcores.base import files

_MEASURED = Path(__file__).resolve().parents[1] / "measured"
MEASURED, SEARCHED = _MEASURED / "dse.json", _MEASURED / "dse_dqn_u200.json"
_FOUND = """\
| | clocks per step | DP | largest unit | DSP | LUT | FF | RAMB36 |
|---|---|---|---|---|---|---|---|
"""
_HEAD = """\
| core | configurations | LUT | FF | clocks | left out |
|---|---|---|---|---|---|
"""
_MODEL, _COUNTED = "_clocks", "_clocks_counted"


def searched() -> str:
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
    """The largest errors of each core's configurations, as `rlcores dse --check` found them."""
    document = files.read_json(MEASURED, "figures of a command")
    cores: dict[str, dict[str, dict[str, float]]] = {}
    worst = {}
    for figure in document["figures"]:
        name = figure["name"].split(".", 2)
        if name[0] == "dse":
            worst[name[1]] = figure
        else:
            cores.setdefault(name[0], {}).setdefault(name[1], {})[name[2]] = figure["value"]
    lines = [f"| {core} | {len(rows)} | {' | '.join(_cells(rows.values()))} |\n" for core, rows in cores.items()]
    errors = ", ".join(
        f"{words} {100 * worst[f'worst_{name}_error']['value']:.1f} %"
        for name, words in (("lut", "LUT"), ("ff", "FF"), ("dsp", "DSP"), ("bram36", "block RAM"), ("uram", "UltraRAM"),
                            ("clocks", "clocks"))
    )  # fmt: skip
    within = worst["rows_within"]
    said = f"{within['value']:.0f} {within['unit']} configurations are counted and within the bounds"
    return f"{_HEAD}{''.join(lines)}\n{said} (commit {document['commit'][:7]}). Largest errors: {errors}.\n"


def _cells(rows: Iterable[dict[str, float]]) -> list[str]:
    errors: dict[str, list[float]] = {"lut_error": [], "ff_error": [], "clocks": [], "left_out": []}
    for row in rows:
        for name in ("lut_error", "ff_error", "left_out"):
            errors[name] += [row[name]] if row.get(name) is not None else []
        for name in (name for name in row if name.endswith(_MODEL)):
            if (counted := row.get(name.removesuffix(_MODEL) + _COUNTED)) is not None:
                errors["clocks"].append(row[name] / counted - 1)
    return [f"{100 * max(values, key=abs):+.1f} %" if values else "" for values in errors.values()]
