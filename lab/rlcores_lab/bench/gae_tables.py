"""The tables of `rlcores bench gae`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.base.report import Figure
from rlcores.engine.boards import Clock
from rlcores_lab.bench import gae
from rlcores_lab.bench.gae import Bench
from rlcores_lab.bench.tables import Outcome, Step, against, table, times

# Without --config: what the documents quote and what a laptop builds in a few minutes.
DEFAULT = ("paper64", "paper64_k3", "interleave16", "dispatch")


def run(chosen: Mapping[str, Mapping[str, int]], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers.

    With one configuration its name is not in the figures' names.
    """
    step("NumPy and C")
    peer = gae.peer_figures()
    results: dict[str, Bench] = {}
    for name, parameters in chosen.items():
        step(f"{name}: building and running")
        results[name] = gae.measure(parameters, seed)
    figures = list(peer)
    for name, result in results.items():
        prefix = "gae" if len(chosen) == 1 else f"gae.{name}"
        figures += gae.figures(result, clock, prefix) + gae.ratios(result, peer, clock, prefix)
    shown: list[Table | str] = [_cycles(results)]
    if any(r.unequal for r in results.values()):
        shown.append(_unequal(results))
    shown += [_peers(results, peer, clock), *_notes(results, peer, clock)]
    return Outcome(figures, shown)


def _cycles(results: dict[str, Bench]) -> Table:
    columns = ("config", "rows", "lanes x steps", "clocks", "ideal", "sustained", "load", "read")
    shown = table("Clocks of the array, all lanes full (measured)", columns)
    for name, result in results.items():
        full = result.full
        shown.add_row(
            name,
            f"{result.rows}",
            f"{result.parameters['LANES']} x {result.parameters['DEPTH']}",
            f"{full.cycles:,}",
            f"{-(-full.elements // result.rows):,}",
            f"{result.sustained:.2f}",
            f"{full.load:,}",
            f"{full.read:,}",
        )
    return shown


def _unequal(results: dict[str, Bench]) -> Table:
    columns = ("config", "rows", "lanes", "steps", "longest", "clocks", "model", "occupancy")
    shown = table("Clocks of the array, heavy-tailed lengths (measured)", columns)
    for name, result in results.items():
        if run := result.unequal:
            lanes = result.parameters["LANES"]
            counts = (result.rows, lanes, run.elements, run.longest, run.cycles, run.model_cycles)
            shown.add_row(name, *(f"{x:,}" for x in counts), f"{result.occupancy(run):.1%}")
    return shown


def _peers(results: dict[str, Bench], peer: Sequence[Figure], clock: Clock) -> Table:
    shown = table("Time of an element", ("who", "ns", "how", "x NumPy", "x C"))
    rows = [("NumPy, all environments at once", peer[0].value, "measured")]
    rows.append(("C, -O3 -march=native", peer[1].value, "measured"))
    for name, result in results.items():
        figures = {f.name: f.value for f in gae.figures(result, clock)}
        how = f"at {clock}"
        rows.append((f"{name}, array", figures["gae.ns_per_element"], how))
        rows.append((f"{name}, streamed", figures["gae.rollout_ns_per_element"], how))
    for who, ns, how in rows:
        shown.add_row(who, f"{ns:.4f}", how, times(peer[0].value / ns), times(peer[1].value / ns))
    return shown


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
