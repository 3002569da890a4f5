"""`rlcores bench CORE`: clocks of the RTL, beside CPU peers timed in the same run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from rlcores import configs, report
from rlcores.commands._options import ConfigOption, CoreArgument, JsonOption
from rlcores.errors import UserError

if TYPE_CHECKING:
    from rlcores.bench.gae import Bench

# Without --config: what the documents quote and what a laptop builds in a few minutes.
_DEFAULT = ("paper64", "paper64_k3", "interleave16", "dispatch")


def command(
    core: CoreArgument,
    config: ConfigOption = None,
    json_file: JsonOption = None,
    clock: Annotated[
        float, typer.Option("--clock", metavar="MHZ", min=1.0, help="clock to assume where a time is wanted")
    ] = 300.0,
    seed: Annotated[int, typer.Option("--seed", help="seed of the random rollouts")] = 1,
) -> None:
    """Cycles and throughput of the RTL (Verilator), and how long NumPy and C take on this machine."""
    found = configs.core(core)
    if found.name != "gae":
        raise UserError(f"core '{found.name}' has no benchmark; cores with one: gae")
    names = [configs.get("gae", config).name] if config else list(_DEFAULT)
    from rlcores.bench import gae

    console = Console(stderr=json_file == "-", highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    results: dict[str, Bench] = {}
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("peers", total=len(names) + 1)
        peer = gae.peer_figures()
        for name in names:
            progress.update(bar, advance=1, description=f"{name}: building and running")
            results[name] = gae.measure(configs.load("gae", name), seed)
        progress.advance(bar)
    figures = list(peer)
    for name, result in results.items():
        prefix = "gae" if config else f"gae.{name}"
        figures += gae.figures(result, clock, prefix) + gae.ratios(result, peer, clock, prefix)
    report.write(json_file, "bench", "gae", config, None, figures, seed=seed)
    console.print(_cycles(results))
    if any(r.unequal for r in results.values()):
        console.print(_unequal(results))
    console.print(_peers(results, peer, clock))
    for line in _notes(results, peer, clock):
        console.print(line, soft_wrap=True)


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1))
    table.add_column(columns[0], no_wrap=True)
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _cycles(results: "dict[str, Bench]") -> Table:
    columns = ("config", "rows", "lanes x steps", "clocks", "ideal", "sustained", "load", "read")
    table = _table("Clocks of the array, all lanes full (measured)", columns)
    for name, result in results.items():
        full = result.full
        table.add_row(
            name,
            f"{result.rows}",
            f"{result.parameters['LANES']} x {result.parameters['DEPTH']}",
            f"{full.cycles:,}",
            f"{-(-full.elements // result.rows):,}",
            f"{result.sustained:.2f}",
            f"{full.load:,}",
            f"{full.read:,}",
        )
    return table


def _unequal(results: "dict[str, Bench]") -> Table:
    columns = ("config", "rows", "lanes", "steps", "longest", "clocks", "model", "occupancy")
    table = _table("Clocks of the array, heavy-tailed lengths (measured)", columns)
    for name, result in results.items():
        if run := result.unequal:
            lanes = result.parameters["LANES"]
            counts = (result.rows, lanes, run.elements, run.longest, run.cycles, run.model_cycles)
            table.add_row(name, *(f"{x:,}" for x in counts), f"{result.occupancy(run):.1%}")
    return table


def _peers(results: "dict[str, Bench]", peer: Sequence[report.Figure], clock: float) -> Table:
    from rlcores.bench import gae

    table = _table("Time of an element", ("who", "ns", "how", "x NumPy", "x C"))
    rows = [("NumPy, all environments at once", peer[0].value, "measured")]
    rows.append(("C, -O3 -march=native", peer[1].value, "measured"))
    for name, result in results.items():
        figures = {f.name: f.value for f in gae.figures(result, clock)}
        how = f"{clock:g} MHz, assumed"
        rows.append((f"{name}, array", figures["gae.ns_per_element"], how))
        rows.append((f"{name}, streamed", figures["gae.rollout_ns_per_element"], how))
    for who, ns, how in rows:
        table.add_row(who, f"{ns:.4f}", how, _times(peer[0].value / ns), _times(peer[1].value / ns))
    return table


def _notes(results: "dict[str, Bench]", peer: Sequence[report.Figure], clock: float) -> list[str]:
    from rlcores.bench import gae

    lines = [
        "Every result of every run equals the integer model's.",
        "ideal: elements / rows. sustained: elements a clock and row, from the difference between full and half-full "
        "lanes, in which arming, filling and draining cancel. load, read: clocks of a pass of the streams.",
    ]
    if any(r.unequal for r in results.values()):
        lines.append(
            "Heavy-tailed: the model hands the next lane to the first free row, so equal clocks mean that no row idles "
            "while a lane waits; the occupancy that is missing is the end, when no lane is left. longest: records."
        )
    lines.append(
        f"Peers: {gae.PEER_LANES} environments x {gae.PEER_STEPS} steps in cache, float32, one core, best of many "
        f"runs. The clock of {clock:g} MHz is assumed, because no vendor tool runs here. streamed: measure, scale, "
        "load, run and read, one after the other."
    )
    for name, result in results.items():
        ratio = {f.name: f.value for f in gae.ratios(result, peer, clock)}
        lines.append(
            f"{name}: an element takes the array {_against(ratio['gae.ratio_c'])} time of the C loop, and the whole "
            f"rollout through streams of {result.parameters['BEAT']} elements a beat "
            f"{_against(ratio['gae.rollout_ratio_c'])} time (assumed {clock:g} MHz)."
        )
    return lines


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def _against(ratio: float) -> str:
    return f"1/{ratio:.3g} of the" if ratio >= 1 else f"{1 / ratio:.3g} times the"
