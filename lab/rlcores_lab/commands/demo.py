"""`rlcores demo`: the advantages of a live CartPole rollout, computed by the RTL."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from rlcores.base import paths, report
from rlcores.commands._options import JsonOption
from rlcores.engine import configs
from rlcores.errors import RunFailed

if TYPE_CHECKING:
    from rlcores_lab.demo.gae import Comparison


def command(
    config: Annotated[str, typer.Option("--config", metavar="NAME", help="configuration of configs.yaml")] = "demo",
    json_file: JsonOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="seed of environments, policies and critic")] = 1,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="PNG", help="where the picture goes (default: build/demo/gae.png)"),
    ] = None,
) -> None:
    """A PPO-shaped rollout of CartPole-v1 through the RTL: clocks, error, memory, and a picture."""
    parameters = configs.load("gae", config)
    console = Console(stderr=json_file == "-", highlight=False)
    from rlcores_lab.demo import gae, picture

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task(f"stepping {gae.ENVIRONMENTS} CartPole environments", total=gae.WARM_UP + gae.STEPS)
        rollout = gae.collect(seed, lambda: progress.advance(bar))
        # The first time this compiles the simulator, which says nothing about how far it is.
        progress.update(bar, description=f"RTL, {parameters['ROWS']} rows: building and running", total=None)
        found = gae.compare(rollout, config)
        progress.update(bar, description="drawing")
        path = output or paths.build() / "demo" / "gae.png"
        picture.draw(found, path)
    figures = gae.figures(found)
    report.write(json_file, "demo", "gae", config, None, figures, seed=seed, picture=str(path))
    console.print(_table(found, {f.name: f.value for f in figures}, config))
    console.print(f"picture: {path}", soft_wrap=True)
    if not found.model_equal:
        raise RunFailed("the RTL's advantages differ from the integer model's")


def _table(found: "Comparison", figure: dict[str, float], config: str) -> Table:
    p, seen = found.parameters, found.rollout.seen
    steps, count = seen.rewards.shape
    table = Table(title=f"Generalised advantages by the RTL, configuration {config}", title_justify="left")
    table.box, table.show_header, table.pad_edge = box.SIMPLE, False, False
    table.add_column("what")
    table.add_column("figure")

    def add(what: str, text: str) -> None:
        table.add_row(what, text)

    add("rollout", f"CartPole-v1, {count} environments x {steps:,} steps")
    add("ends", f"{figure['demo.terminations']} terminations, {figure['demo.truncations']} truncations")
    add("array", f"{p['ROWS']} rows, {p['LANES']} lanes, {p['QBITS']}-bit records, {p['OUT_BITS']}-bit results")
    add("clocks", f"{figure['gae.cycles']:,}")
    add("elements per clock and row", f"{figure['gae.elements_per_cycle_per_row_overall']:.3f}")
    add("row-clocks with a record", f"{figure['gae.occupancy']:.1%}")
    add("equals the integer model", "bit for bit" if found.model_equal else "NO")
    add("advantages", f"rms {figure['gae.advantage_rms']:.2f}, largest {figure['gae.advantage_largest']:.1f}")
    bound = f" (bound {figure['gae.error_arithmetic_bound']:.4f})" if p["OUT_BITS"] == 16 else ""
    add("error, float64 of same inputs", f"largest {figure['gae.error_arithmetic']:.4f}{bound}")
    total = f"rms {figure['gae.error_total_rms']:.4f}, largest {figure['gae.error_total']:.3f}"
    add("error, inputs not quantised", total)
    add("stack memory", f"{figure['gae.stack_kib']:.0f} KiB, float32 takes {figure['gae.memory_saved']:.2f} x as much")
    add("with the results", f"float32 takes {figure['gae.memory_saved_with_results']:.2f} x as much")
    clipped = f"{figure['gae.clipped_rewards']} rewards, {figure['gae.clipped_values']} values"
    add("beyond the clip range", clipped)
    add("flags", ", ".join(sorted(found.rtl.flags)) or "none")
    return table
