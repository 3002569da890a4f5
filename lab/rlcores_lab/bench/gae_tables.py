"""The tables of `rlcores bench gae`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.base.report import Figure
from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import gae
from rlcores_lab.bench.gae import Bench
from rlcores_lab.bench.tables import Outcome, Parameters, Step, against, measured, prefixes, times

# Without --config: what the documents quote and what a laptop builds in a few minutes.
DEFAULT = ("paper64", "paper64_k3", "interleave16", "dispatch")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers."""
    step("NumPy and C")
    peer = gae.peer_figures()
    results = measured(chosen, step, lambda parameters: gae.measure(parameters, seed))
    figures = list(peer)
    for name, prefix in prefixes("gae", chosen).items():
        figures += gae.figures(results[name], clock, prefix) + gae.ratios(results[name], peer, clock, prefix)
    tables = [_cycles(results), *_unequal(results), _peers(results, peer, clock)]
    return Outcome(figures, [*tables, *_notes(results, peer, clock)])


def _cycles(results: dict[str, Bench]) -> Table:
    rows = [("config", "rows", "lanes x steps", "clocks", "ideal", "sustained", "load", "read")]
    for name, result in results.items():
        full, shape = result.full, f"{result.parameters['LANES']} x {result.parameters['DEPTH']}"
        clocks = full.cycles, -(-full.elements // result.rows), f"{result.sustained:.2f}", full.load, full.read
        rows.append((name, result.rows, shape, *clocks))
    return shown.table("Clocks of the array, all lanes full (measured)", rows)


def _unequal(results: dict[str, Bench]) -> list[Table]:
    rows = [("config", "rows", "lanes", "steps", "longest", "clocks", "model", "occupancy")]
    for name, result in results.items():
        if run := result.unequal:
            counts = result.rows, result.parameters["LANES"], run.elements, run.longest, run.cycles, run.model_cycles
            rows.append((name, *counts, f"{result.occupancy(run):.1%}"))
    return [shown.table("Clocks of the array, heavy-tailed lengths (measured)", rows)] if len(rows) > 1 else []


def _peers(results: dict[str, Bench], peer: Sequence[Figure], clock: Clock) -> Table:
    titles = ("NumPy, all environments at once", "C, -O3 -march=native")
    timed = [(title, figure.value, "measured") for title, figure in zip(titles, peer, strict=True)]
    for name, result in results.items():
        figures = {f.name: f.value for f in gae.figures(result, clock)}
        for what, figure in (("array", "ns_per_element"), ("streamed", "rollout_ns_per_element")):
            timed.append((f"{name}, {what}", figures[f"gae.{figure}"], f"at {clock}"))
    rows = [("who", "ns", "how", "x NumPy", "x C")]
    rows += [(who, f"{ns:.4f}", how, *(times(one.value / ns) for one in peer)) for who, ns, how in timed]
    return shown.table("Time of an element", rows)


def _notes(results: dict[str, Bench], peer: Sequence[Figure], clock: Clock) -> list[str]:
    lines = [
        "Every result of every run equals the integer model's.",
        "ideal: elements / rows. sustained: elements per clock and row, from the difference between full and half-full "
        "lanes, in which arming, filling and draining cancel. load, read: clocks of a pass of the streams.",
    ]
    if any(r.unequal for r in results.values()):
        lines.append(
            "Heavy-tailed: the model hands the next lane to the first free row, so equal clocks mean that no row idles "
            "while a lane waits; the occupancy that is missing is the end, when no lane is left. longest: records."
        )
    lines.append(
        f"Peers: {gae.PEER_LANES} environments x {gae.PEER_STEPS} steps in cache, float32, one core, best of many "
        f"runs. Times of the core are at {clock}, which no vendor tool has met. streamed: measure, scale, "
        "load, run and read, one after the other."
    )
    for name, result in results.items():
        ratio = {f.name: f.value for f in gae.ratios(result, peer, clock)}
        lines.append(
            f"{name}: an element takes the array {against(ratio['gae.ratio_c'])} time of the C loop, and the whole "
            f"rollout through streams of {result.parameters['BEAT']} elements a beat "
            f"{against(ratio['gae.rollout_ratio_c'])} time at {clock}."
        )
    return lines
