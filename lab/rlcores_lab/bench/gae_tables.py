"""The tables of `rlcores bench gae`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.base.report import Figure
from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import gae
from rlcores_lab.bench.gae import Bench
from rlcores_lab.bench.tables import Outcome, Parameters, Step, against, measured, notes, prefixes, times

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
    found = {name: {f.name: f.value for f in gae.ratios(result, peer, clock)} for name, result in results.items()}
    given = {
        name: (results[name].parameters["BEAT"], against(r["gae.ratio_c"]), against(r["gae.rollout_ratio_c"]))
        for name, r in found.items()
    }
    sizes = {"lanes": gae.PEER_LANES, "steps": gae.PEER_STEPS}
    return Outcome(figures, [*tables, *notes("gae", results=results, ratios=given, clock=clock, **sizes)])


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
