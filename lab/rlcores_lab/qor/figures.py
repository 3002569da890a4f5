"""The page docs/figures.md: the figures in force of every configuration, each with the commit it was accepted at."""

from pathlib import Path

from rlcores.engine import configs
from rlcores_lab import shown
from rlcores_lab.qor.baseline import Baseline
from rlcores_lab.qor.jobs import FIGURES

_HEAD = """# Figures by configuration

Written by `rlcores docs` from the committed baseline of [`rlcores qor`](qor.md); do not edit.

Each row is one configuration of `configs.yaml`. The last column has the commits at which its figures were accepted.
Area is Yosys' count for UltraScale+ (*synthesised*) or nextpnr's for ECP5 (*placed*, the better of two seeds); clocks
are those of the cycle models, which tests hold equal to the RTL: a gradient step of 64 records (`BATCH_MAX` where that
is less) for the learner and the replay learner, a run over full lanes for the GAE core.
"""


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    baseline = Baseline()
    found: dict[str, dict[str, float]] = {}
    for name, value in baseline.figures().items():
        config, _, figure = name.rpartition(".")
        found.setdefault(config, {})[figure] = value
    parts = [_HEAD]
    for core in configs.cores():
        rows = {config: figures for config, figures in found.items() if config.partition(".")[0] == core}
        if rows:
            parts.append(f"## {core}\n")
        for device, placed in (("UltraScale+", False), ("ECP5", True)):
            chosen = {config: figures for config, figures in rows.items() if ("fmax_mhz" in figures) == placed}
            if chosen:
                parts.append(_table(device, chosen, baseline))
    return {Path("docs") / "figures.md": "\n".join(parts)}


def _table(device: str, rows: dict[str, dict[str, float]], baseline: Baseline) -> str:
    given = [figure for figure in FIGURES if any(figure in figures for figures in rows.values())]
    lines = [(device, *(FIGURES[figure][0] for figure in given), "commit")]
    for config, figures in rows.items():
        cells = [_number(figures[f]) if f in figures else "" for f in given]
        commits = dict.fromkeys(baseline.history(f"{config}.{f}")[-1][0].split()[1] for f in given if f in figures)
        lines.append((f"`{config.partition('.')[2]}`", *cells, ", ".join(commits)))
    return shown.markdown(lines, left=("commit",))


def _number(value: float) -> str:
    return f"{value:,.1f}" if value != int(value) else f"{int(value):,}"
