"""`rlcores study`: what learning does with the cores' numbers, and where the time of today's software goes."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from rlcores.base import paths, report, threads
from rlcores.commands._options import JsonOption

if TYPE_CHECKING:
    from rlcores_lab.study import profile

group = typer.Typer(
    help="Studies of learning: HEPPO's table, integers against float32, a profile of today's software.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@group.callback()
def _root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@group.command("heppo")
def heppo_command(
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    environment: Annotated[str | None, typer.Option("--env", metavar="ID", help="this environment only")] = None,
    bits: Annotated[bool, typer.Option("--bits/--no-bits", help="experiment 5 at 3 to 10 bits too")] = True,
    workers: Annotated[int, typer.Option("--workers", min=1, help="runs at the same time")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="DIR", help="where table and picture go (default: build/heppo)")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """PPO under experiments 1 to 5 of HEPPO's Table III, at 3 to 10 bits; runs are kept and not made twice."""
    threads.one()
    from rlcores_lab.study import heppo, heppo_table

    console = Console(stderr=json_file == "-", soft_wrap=True, markup=False, highlight=False)
    jobs = heppo.plan(seeds or heppo.SEEDS, [environment] if environment else None, bits)
    folder = paths.build() / "heppo"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("PPO runs", total=len(jobs))
        runs = heppo.run_all(jobs, folder / "runs", workers, lambda run: progress.advance(bar))
    files = heppo_table.write(runs, output or folder)
    figures = []
    for x in [*heppo_table.lines(runs), *(y for y in heppo_table.bits_lines(runs) if y.bits != heppo.PAPER_BITS)]:
        name = f"heppo.{x.environment}.{x.experiment}" + (f".{x.bits}bits" if x.bits else "")
        figures.append(report.Figure(f"{name}.final", round(x.final, 1), "return", "measured"))
        figures.append(report.Figure(f"{name}.mean", round(x.mean, 1), "return", "measured"))
    report.write(json_file, "study heppo", "gae", None, None, figures, seeds=seeds or heppo.SEEDS)
    console.print(heppo_table.markdown(runs))
    console.print("written: " + ", ".join(str(f) for f in files))


@group.command("profile")
def profile_command(
    loop: Annotated[str | None, typer.Option("--loop", metavar="NAME", help="ppo or dqn (default: both)")] = None,
    library: Annotated[
        str | None, typer.Option("--library", metavar="NAME", help="numpy or torch (default: what is installed)")
    ] = None,
    environment: Annotated[str, typer.Option("--env", metavar="ID", help="gymnasium environment")] = "CartPole-v1",
    batch: Annotated[int, typer.Option("--batch", min=1, help="of DQN's gradient step")] = 64,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="of each loop")] = 10.0,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="the tables as Markdown, too; replaced if it exists")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Where PPO's and DQN's time goes in today's software on this machine, and which core takes each share."""
    threads.one()
    from rlcores_lab.study import profile

    console = Console(stderr=json_file == "-", soft_wrap=True, highlight=False)
    found = []
    for chosen in [loop] if loop else profile.LOOPS:
        for using in [library] if library else profile.libraries():
            with console.status(f"{chosen} in {using}"):
                found.append(profile.run(chosen, using, environment, batch=batch, seconds=seconds))
    figures = [figure for one in found for figure in one.figures()]
    details = [{"loop": p.loop, "library": p.library, "environment": p.environment, **p.details} for p in found]
    report.write(json_file, "study profile", "all", None, None, figures, loops=details)
    for one in found:
        console.print(_profile_table(one))
    if output is not None:
        console.print(f"written: {profile.write(found, output)}")


@group.command("errors")
def errors_command(
    seed: Annotated[int, typer.Option("--seed", min=0, help="of environments, policies and critics")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="the table as Markdown, too; replaced if it exists")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """How far advantages are from float64's on many environments and rewards, at each accuracy of the GAE core."""
    threads.one()
    from rlcores_lab.study import errors

    console = Console(stderr=json_file == "-", soft_wrap=True, markup=False, highlight=False)
    with console.status("") as status:
        found, missing = errors.run(seed, lambda name: status.update(name))
    report.write(json_file, "study errors", "gae", None, None, errors.figures(found), seed=seed, missing=missing)
    table = Table(title="Errors of advantages()", title_justify="left", box=box.SIMPLE)
    for name in ("rewards", "critic", "accuracy", "rms error", "of the rms advantage", "largest, of the largest"):
        table.add_column(name, justify="left" if name in ("rewards", "critic", "accuracy") else "right")
    for e in found:
        table.add_row(e.rewards, e.critic, e.accuracy, f"{e.rms:.1e}", f"{e.relative:.1e}", f"{e.share:.1e}")
    console.print(table)
    for reason in missing.values():
        console.print(f"left out: {reason}")
    if output is not None:
        console.print(f"written: {errors.write(found, missing, output)}")


def _profile_table(one: "profile.Profile") -> Table:
    table = Table(title=one.title, title_justify="left", box=box.SIMPLE)
    header, *rows = one.table()
    for name in header:
        table.add_column(name, justify="left" if name in ("part", "replaced by") else "right")
    for row in rows:
        table.add_row(*row)
    return table


@group.command("learning")
def learning_command(
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="seeds of each task (default: all)")] = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="runs at the same time")] = None,
    json_file: JsonOption = None,
) -> None:
    """The learner's integers against float32 on three environments; the same as `rlcores regress --long`."""
    from rlcores_lab.commands.regress import _study

    _study(seeds, workers or min(2, os.cpu_count() or 1), json_file)
