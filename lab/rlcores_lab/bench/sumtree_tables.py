"""The tables of `rlcores bench sumtree`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import sumtree, sumtree_banks
from rlcores_lab.bench.sumtree_peers import Timing
from rlcores_lab.bench.tables import Outcome, Parameters, Step, absent, measured, notes, prefixes, times

# Without --config: what builds in a minute.
DEFAULT = ("tiny", "small", "shared", "banks8")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers at the leaves of the largest one."""

    def kind(parameters: Parameters):
        return sumtree_banks if parameters.get("BANKS", 1) > 1 else sumtree

    results = measured(chosen, step, lambda parameters: kind(parameters).measure(parameters, seed))
    leaves = max(bench.leaves for bench in results.values())
    timings = sumtree.peers(leaves, seed, step=step)
    figures = sumtree.peer_figures(timings)
    rates = {name: (bench.samples_per_clock, bench.updates_per_clock) for name, bench in results.items()}
    for name, prefix in prefixes("sumtree", chosen).items():
        figures += kind(chosen[name]).figures(results[name], clock, prefix)
        figures += sumtree.ratios(*rates[name], timings, clock, prefix)
    single = {name: bench for name, bench in results.items() if isinstance(bench, sumtree.Bench)}
    banked = {name: bench for name, bench in results.items() if name not in single}
    tables = [*([_traffic(single)] if single else []), *([_banks(banked)] if banked else [])]
    tables.append(_peers(rates, timings, clock, leaves))
    said = notes("sumtree", single=single, banked=banked, leaves=leaves, batch=sumtree.BATCH, clock=clock)
    return Outcome(figures, [*tables, *said, *absent(("tianshou", "torchrl"), timings)])


def _traffic(results: Mapping[str, sumtree.Bench]) -> Table:
    rows = [("config", "leaves", "traffic", "updates", "samples", "clocks", "latency", "ordered")]
    for name, result in results.items():
        for number, (traffic, run) in enumerate(result.runs.items()):
            rates = f"{run.operations_per_clock:.3f}", f"{run.samples_per_clock:.3f}"
            counts = run.clocks, run.sample_most, run.ordered
            rows.append(("" if number else name, result.leaves, traffic, *rates, *counts))
    return shown.table("One bank, both ports offered every clock: items per clock (measured)", rows)


def _banks(results: Mapping[str, sumtree_banks.Bench]) -> Table:
    rows = [("config", "banks", "leaves", "queue", "updates", "samples", "clocks", "chi2", "limit")]
    for name, result in results.items():
        shape = result.banks, result.leaves, result.parameters["QUEUE"]
        rates = f"{result.updates_per_clock:.2f}", f"{result.samples_per_clock:.2f}"
        rows.append((name, *shape, *rates, result.run.clocks, f"{result.chi_square:,.0f}", f"{result.chi_limit:,.0f}"))
    return shown.table("All banks, every lane offered every clock, uniform random: items per clock (measured)", rows)


def _peers(rates: Mapping[str, tuple[float, float]], timings: Sequence[Timing], clock: Clock, leaves: int) -> Table:
    period = 1e3 / clock.mhz
    name, last = list(rates.items())[-1]
    rows = [("who", "sample", "update", "how", "x sample", "x update")]
    for timing in timings:
        both = timing.sample_ns, timing.update_ns
        ratio = (times(ns * rate / period) for ns, rate in zip(both, last, strict=True))
        rows.append((timing.title, *(f"{ns:.2f}" for ns in both), "measured", *ratio))
    for config, own in rates.items():
        rows.append((config, *(f"{period / rate:.2f}" for rate in own), "assumed", "", ""))
    return shown.table(f"Nanoseconds of a sample and of an update, {leaves:,} leaves; x: times {name} at {clock}", rows)
