"""The page docs/figures.md: the figures in force of every configuration, each with the commit it was accepted at."""

from pathlib import Path

from rlcores.eda import configs
from rlcores_lab import shown
from rlcores_lab.qor.baseline import Baseline
from rlcores_lab.qor.jobs import FIGURES


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    baseline = Baseline()
    by_config: dict[str, dict[str, float]] = {}
    for name, value in baseline.figures().items():
        config, _, figure = name.rpartition(".")
        by_config.setdefault(config, {})[figure] = value
    cores: dict[str, list[str]] = {}
    for core in configs.cores():
        for device, placed in (("UltraScale+", False), ("ECP5", True)):
            chosen = {c: f for c, f in by_config.items() if c.partition(".")[0] == core and ("fmax_mhz" in f) == placed}
            if chosen:
                cores.setdefault(core, []).append(_table(device, chosen, baseline))
    return {Path("docs") / "figures.md": shown.rendered("qor/figures.md.j2", cores=cores)}


def _table(device: str, rows: dict[str, dict[str, float]], baseline: Baseline) -> str:
    columns = [figure for figure in FIGURES if any(figure in figures for figures in rows.values())]
    lines = [(device, *(FIGURES[figure][0] for figure in columns))]
    for config, figures in rows.items():
        cells = [shown.number(figures[f]) if f in figures else "" for f in columns]
        commits = dict.fromkeys(baseline.history(f"{config}.{f}")[-1][0].split()[1] for f in columns if f in figures)
        lines.append((shown.hinted(f"`{config.partition('.')[2]}`", f"accepted at {', '.join(commits)}"), *cells))
    return shown.markdown(lines, left=())
