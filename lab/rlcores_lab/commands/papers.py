"""`rlcores papers`: each table and figure of the five papers beside what we found."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

from typer import Option

from rlcores.base import paths, report, tools
from rlcores.commands._options import JsonOption
from rlcores.errors import RunFailed, UserError
from rlcores_lab import shown

SECTION = "Measure"


def command(
    paper: Annotated[str | None, Option("--paper", metavar="NAME", help="this paper only, such as taha2025")] = None,
    run: Annotated[
        str | None, Option("--run", metavar="NAME", help="make our number of this line again (taha2025.figure_11)")
    ] = None,
    pictures: Annotated[
        Path | None,
        Option("--pictures", metavar="DIR", help="draw our kept results beside what the papers say"),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Print what the five papers say, table by table, beside our numbers and verdicts."""
    from rlcores_lab.papers import account

    if pictures is not None:
        from rlcores_lab.papers import pictures as drawing

        for file in drawing.write(pictures):
            shown.console(json_file).print(f"written: {file}")
        return
    papers = account.read()
    lines = {line.name: line for line in account.every(papers)}
    if run is not None:
        if run not in lines:
            raise UserError(f"no line is called '{run}'; `rlcores papers` prints their names")
        if not lines[run].run:
            raise UserError(f"{run} is not shown: {lines[run].because}")
        _run(lines[run].run)
        return
    if paper is not None:
        papers = [one for one in papers if one.key == paper] or _unknown(paper, [one.key for one in papers])
    console = shown.console(json_file)
    for one in papers:
        console.print(f"\n{one.title}")
        for line in one.lines:
            console.print(f"\n  {line.name}: {line.verdict}{f', {line.how}' if line.ours else ''}", soft_wrap=True)
            for what, text in (("says", line.says), ("ours", line.ours), ("because", line.because)):
                if text:
                    console.print(f"    {what:8}{text}", soft_wrap=True, markup=False)
    counts = account.counts(papers)
    each = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    console.print(f"\n{sum(counts.values())} lines: {each}")
    figures = [
        report.Figure(f"papers.{x.name}", x.verdict, "verdict", "model" if x.how == "model" else "measured")
        for x in account.every(papers)
        if x.ours
    ]
    report.write(json_file, "papers", None, paper, None, figures)


def _unknown(paper: str, known: list[str]) -> list:
    raise UserError(f"no paper is called '{paper}'; papers: {', '.join(known)}")


def _run(words: str) -> None:
    """Run a command of account.yaml with our own programs, from the root. Raises RunFailed when it fails."""
    program, *rest = shlex.split(words)
    ours = Path(sys.executable).with_name(program)
    path = str(ours) if ours.exists() else shutil.which(program)
    if path is None:
        raise RunFailed(f"the program '{program}' is not installed")
    if code := subprocess.run([path, *rest], cwd=paths.clone(), env=tools.env()).returncode:
        raise RunFailed(f"`{words}` ended with code {code}")
