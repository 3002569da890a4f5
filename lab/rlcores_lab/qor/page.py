"""The HTML page of `rlcores qor`: one self-contained file with tables, plots and a filter."""

import io
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from rlcores.base import report
from rlcores.eda import boards
from rlcores.eda.synth import area, tables
from rlcores_lab import shown
from rlcores_lab.qor.baseline import Baseline, Comparison
from rlcores_lab.qor.jobs import FIGURES, Result, versions


def write(
    path: Path, results: Sequence[Result], comparisons: Sequence[Comparison], baseline: Baseline, percent: float
) -> None:
    """Write the page. Raises UserError when it cannot be written."""
    by_config: dict[str, dict[str, Comparison]] = {r.job.name: {} for r in results}
    for c in comparisons:
        by_config[c.config][c.figure] = c
    text = shown.rendered(
        "qor/qor.html.j2",
        commit=report.commit(),
        baseline=baseline,
        percent=percent,
        versions=versions(),
        results=results,
        by_config=by_config,
        figures={name: said for name, said in FIGURES.items() if any(c.figure == name for c in comparisons)},
        failed=[c for c in comparisons if c.failed],
        errors=[r for r in results if r.error],
        better=[c for c in comparisons if c.verdict == "better"],
        fresh=[c for c in comparisons if c.verdict == "new"],
        resources=area.RESOURCES,
        boards={name: tables.device(name) for name in _boards()},
        plots=_plots(results, comparisons, baseline, percent),
    )
    report.put(path, text)


def _boards() -> list[str]:
    return [name for name in boards.names() if boards.of(name).family == "xcup"]


def _plots(
    results: Sequence[Result], comparisons: Sequence[Comparison], baseline: Baseline, percent: float
) -> list[tuple[str, Markup]]:
    plots = [("Change against the baseline", _changes(comparisons, percent))]
    synthesised = [r for r in results if r.figures and not r.job.is_placed]
    if synthesised:
        plots.append(("Share of the devices", _shares(synthesised)))
    plots.append(("History of what was accepted, and today", _history(results, baseline)))
    return [(title, picture) for title, picture in plots if picture]


def _changes(comparisons: Sequence[Comparison], percent: float) -> Markup:
    """Bars of all figures that differ; empty when none does."""
    changed = [c for c in comparisons if c.percent]
    if not changed:
        return Markup()
    # A figure that grew from nothing has no percentage: its bar ends at the edge.
    finite = [abs(c.percent) for c in changed if abs(c.percent) < float("inf")]
    edge = 1.1 * max([*finite, 2 * percent])
    figure, axes = _figure(0.6 + 0.3 * len(changed))
    colours = {"worse": "#a61717", "better": "#17692b", "same": "#8a8a8a"}
    lengths = [max(-edge, min(edge, c.percent)) for c in changed]
    axes.barh([f"{c.config} {c.figure}" for c in changed], lengths, color=[colours[c.verdict] for c in changed])
    for line in (-percent, percent):
        axes.axvline(line, color="#666", linewidth=0.8, linestyle=":")
    axes.axvline(0, color="#222", linewidth=0.8)
    axes.set_xlim(-edge, edge)
    axes.set_xlabel("% of the baseline")
    axes.invert_yaxis()
    return _svg(figure)


def _shares(results: Sequence[Result]) -> Markup:
    """The largest share of any resource on each board, by configuration; what does not fit is drawn red."""
    figure, axes = _figure(0.8 + 0.42 * len(results))
    names = [r.job.name for r in results]
    height = 0.8 / len(_boards())
    for number, board in enumerate(_boards()):
        device, offset = tables.device(board), (number + 0.5) * height - 0.4
        most = [max((100 * r.figures[x] / device.resources[x], x) for x in area.RESOURCES) for r in results]
        colour = ("#3465a4", "#75a1d0", "#204a87", "#a5c3e0")[number % 4]
        places = [i + offset for i in range(len(names))]
        fits = [colour if share <= 100 else "#a61717" for share, _ in most]
        label = f"{board} ({device.part})"
        axes.barh(places, [share for share, _ in most], height=0.95 * height, color=fits, label=label)
        for place, (share, resource) in zip(places, most, strict=True):
            axes.text(share, place, f" {share:.3g} % {resource.upper()}", va="center", fontsize=7)
    axes.set_yticks(range(len(names)), names)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(0, 1000)
    axes.axvline(100, color="#666", linewidth=0.8, linestyle=":")
    axes.set_xlabel("% of the device, of the resource that is scarcest")
    figure.legend(fontsize=8, ncols=2, loc="outside upper right")
    axes.invert_yaxis()
    return _svg(figure)


def _history(results: Sequence[Result], baseline: Baseline) -> Markup:
    """LUTs (Fmax where placed) of each configuration at every acceptance; empty without a baseline."""
    lines = []
    for result in results:
        short = "fmax_mhz" if result.job.is_placed else "lut"
        accepted = baseline.history(f"{result.job.name}.{short}")
        if accepted and short in result.figures and accepted[0][1]:
            values = [*(value for _, value in accepted), result.figures[short]]
            labels = [*(when for when, _ in accepted), "today"]
            lines.append((f"{result.job.name} {short}", labels, [100 * v / values[0] for v in values]))
    if not lines:
        return Markup()
    # Acceptances in their order, whichever of them a configuration has part in.
    order = list(dict.fromkeys(label for _, labels, _ in lines for label in labels[:-1]))
    order = [*sorted(order, key=lambda when: when.split()[0]), "today"]
    figure, axes = _figure(3.6)
    for name, labels, values in lines:
        axes.plot([order.index(x) for x in labels], values, marker="o", markersize=3, linewidth=1, label=name)
    axes.set_xticks(range(len(order)), order, rotation=20, ha="right", fontsize=7)
    axes.set_ylabel("% of the first")
    axes.legend(fontsize=6, ncols=2, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def _figure(height: float):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, height), layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _svg(figure) -> Markup:
    """The picture as an <svg> element, the same bytes for the same numbers."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "rlcores", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return Markup(text[text.index("<svg") :])
