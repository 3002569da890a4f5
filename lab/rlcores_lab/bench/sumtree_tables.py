"""The tables of `rlcores bench sumtree`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.engine.boards import Clock
from rlcores_lab.bench import sumtree, sumtree_banks
from rlcores_lab.bench.sumtree_peers import Timing
from rlcores_lab.bench.tables import Outcome, Step, table, times

# Without --config: what builds in a minute.
DEFAULT = ("tiny", "small", "shared", "banks8")


def run(chosen: Mapping[str, Mapping[str, int]], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers at the leaves of the largest one.

    With one configuration its name is not in the figures' names.
    """
    single: dict[str, sumtree.Bench] = {}
    banked: dict[str, sumtree_banks.Bench] = {}
    for name, parameters in chosen.items():
        step(f"{name}: building and running")
        if parameters.get("BANKS", 1) > 1:
            banked[name] = sumtree_banks.measure(parameters, seed)
        else:
            single[name] = sumtree.measure(parameters, seed)
    leaves = max(b.leaves for b in (*single.values(), *banked.values()))
    timings = sumtree.peers(leaves, seed, step=step)
    figures = sumtree.peer_figures(timings)
    rates: dict[str, tuple[float, float]] = {}
    for name in chosen:
        prefix = "sumtree" if len(chosen) == 1 else f"sumtree.{name}"
        if name in single:
            figures += sumtree.figures(single[name], clock, prefix)
            rates[name] = single[name].samples_per_clock, single[name].updates_per_clock
        else:
            figures += sumtree_banks.figures(banked[name], clock, prefix)
            rates[name] = banked[name].samples_per_clock, banked[name].updates_per_clock
        figures += sumtree.ratios(*rates[name], timings, clock, prefix)
    shown: list[Table | str] = []
    if single:
        shown.append(_traffic(single))
    if banked:
        shown.append(_banks(banked))
    shown.append(_peers(rates, timings, clock, leaves))
    return Outcome(figures, shown + _notes(single, banked, timings, clock, leaves))


def _traffic(results: Mapping[str, sumtree.Bench]) -> Table:
    columns = ("config", "leaves", "traffic", "updates", "samples", "clocks", "latency", "ordered")
    shown = table("One bank, both ports offered every clock: items per clock (measured)", columns)
    for name, result in results.items():
        for traffic, run in result.runs.items():
            shown.add_row(
                name,
                f"{result.leaves:,}",
                traffic,
                f"{run.operations_per_clock:.3f}",
                f"{run.samples_per_clock:.3f}",
                f"{run.clocks:,}",
                f"{run.sample_most}",
                f"{run.ordered:,}",
            )
            name = ""
    return shown


def _banks(results: Mapping[str, sumtree_banks.Bench]) -> Table:
    columns = ("config", "banks", "leaves", "queue", "updates", "samples", "clocks", "chi2", "limit")
    shown = table("All banks, every lane offered every clock, uniform random: items per clock (measured)", columns)
    for name, result in results.items():
        shown.add_row(
            name,
            f"{result.banks}",
            f"{result.leaves:,}",
            f"{result.parameters['QUEUE']}",
            f"{result.updates_per_clock:.2f}",
            f"{result.samples_per_clock:.2f}",
            f"{result.run.clocks:,}",
            f"{result.chi_square:,.0f}",
            f"{result.chi_limit:,.0f}",
        )
    return shown


def _peers(rates: Mapping[str, tuple[float, float]], timings: Sequence[Timing], clock: Clock, leaves: int) -> Table:
    period = 1e3 / clock.mhz
    name, (samples, updates) = list(rates.items())[-1]
    columns = ("who", "sample", "update", "how", "x sample", "x update")
    shown = table(f"Nanoseconds of a sample and of an update, {leaves:,} leaves; x: times {name} at {clock}", columns)
    for timing in timings:
        ratio = timing.sample_ns * samples / period, timing.update_ns * updates / period
        shown.add_row(
            timing.title, f"{timing.sample_ns:.2f}", f"{timing.update_ns:.2f}", "measured", *(times(r) for r in ratio)
        )
    for name, (samples, updates) in rates.items():
        shown.add_row(name, f"{period / samples:.2f}", f"{period / updates:.2f}", "assumed", "", "")
    return shown


def _notes(
    single: Mapping[str, sumtree.Bench],
    banked: Mapping[str, sumtree_banks.Bench],
    timings: Sequence[Timing],
    clock: Clock,
    leaves: int,
) -> list[str]:
    lines = []
    if single:
        lines.append(
            "One bank: every answer of every run equals the reference's, one operation after the other, and at the end "
            "the total equals the sum of all leaves, read back. latency: clocks from a sample's acceptance to its "
            "answer. ordered: samples that see an update accepted in their own clock."
        )
    if banked:
        lines.append(
            "Banks: every answer is in range, carries its request's tag and a slot of priority above 0. chi2: of the "
            "samples against the priorities, while updates that repeat the priorities run; a fair sampler exceeds the "
            "limit once in 10,000 runs. That every bank is exact is the tests' business."
        )
    lines.append(
        f"Peers: {leaves:,} leaves, uniformly random, batches of {sumtree.BATCH}, one core, floats, best of many runs. "
        f"The core does a sample and an update at the same time; a peer takes the sum of both. Times of the "
        f"core are at {clock}, which no vendor tool has met."
    )
    absent = [name for name in ("tianshou", "torchrl") if name not in {t.name for t in timings}]
    if absent:
        lines.append(f"Not installed, so not timed: {', '.join(absent)} (`uv sync --extra peers`).")
    return lines
