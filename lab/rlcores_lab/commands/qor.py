"""`rlcores qor`: every configuration synthesised, beside the committed baseline."""

from pathlib import Path
from typing import Annotated

from typer import Option

from rlcores.base import paths, report
from rlcores.commands._options import ConfigOption, JsonOption
from rlcores.errors import RunFailed
from rlcores_lab import shown, work

SECTION = "Measure"


def command(
    small: Annotated[bool, Option("--small", help="only each core's smallest configuration, for CI")] = False,
    core: Annotated[str | None, Option("--core", metavar="CORE", help="this core only")] = None,
    config: ConfigOption = None,
    workers: Annotated[int, Option("--jobs", min=1, help="syntheses at the same time")] = 1,
    accept: Annotated[
        bool, Option("--accept", help="make these figures the baseline; nothing is accepted when one failed")
    ] = False,
    baseline_file: Annotated[
        Path | None, Option("--baseline", metavar="FILE", help="another baseline than the committed one")
    ] = None,
    percent: Annotated[float, Option("--percent", min=0.0, help="how much worse a figure may be")] = 3.0,
    output: Annotated[
        Path | None, Option("--output", metavar="DIR", help="where qor.json and qor.html go (default: build/qor)")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Synthesise every configuration, and fail if a figure is worse than the baseline."""
    from rlcores_lab.qor import jobs, page
    from rlcores_lab.qor.baseline import FILE, Baseline

    if accept and baseline_file is None:
        paths.clone()
    console = shown.console(json_file)
    baseline = Baseline(baseline_file or FILE)
    chosen = jobs.plan(small, core, config)
    with shown.bar(console, "configurations", len(chosen)) as bar:
        results = work.spread(jobs.run_job, chosen, workers, done=lambda result: bar(str(result)))
    comparisons = baseline.compare(results, percent)
    gone = baseline.gone()
    if gone:
        console.print(f"in the baseline, but not in configs.yaml: {', '.join(gone)} (--accept drops them)")
    folder = output or paths.build() / "qor"
    page.write(folder / "qor.html", results, comparisons, baseline, percent)
    details = {
        "baseline": baseline.commit or None,
        "percent": percent,
        "tools": jobs.versions(),
        "worse": [str(c) for c in comparisons if c.failed],
        "failed": {r.job.name: r.error for r in results if r.error},
        "before": {f"{c.config}.{c.figure}": c.before for c in comparisons},
    }
    figures = [report.Figure(f"{c.config}.{c.figure}", c.value, *jobs.FIGURES[c.figure]) for c in comparisons]
    for file in (folder / "qor.json", json_file):
        report.write(file, "qor", core or "all", config, None, figures, **details)
    console.print(f"written: {folder / 'qor.json'}, {folder / 'qor.html'}")
    failed = [c for c in comparisons if c.failed]
    lines = [f"FAIL  {r}" for r in results if r.error]
    for line in (*lines, *(f"{c.verdict.upper()} {c}" for c in failed)):
        console.print(line)
    broken = sum(bool(r.error) for r in results)
    if broken:
        raise RunFailed(f"{broken} of {len(results)} configurations could not be synthesised")
    if accept:
        console.print(f"{baseline.accept(comparisons, gone)} figures accepted into {baseline.file}")
        return
    if failed:
        raise RunFailed(f"{len(failed)} of {len(comparisons)} figures are worse than the baseline or missing")
    fresh = sum(c.verdict == "new" for c in comparisons)
    said = f"{len(comparisons)} figures of {len(results)} configurations, none worse than the baseline by more than"
    console.print(f"{said} {percent:g} %" + (f"; {fresh} are not in it (--accept puts them there)" if fresh else ""))
