"""The tables of `rlcores bench system`."""

from collections.abc import Mapping

from rich.table import Table

from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import system
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, notes, prefixes

DEFAULT = ("u200", "zcu106")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    results = measured(chosen, step, lambda parameters: system.measure(parameters, seed))
    named = prefixes("system", chosen)
    figures = [figure for name, bench in results.items() for figure in system.figures(bench, clock, named[name])]
    dram = next(iter(results.values())).dram
    said = notes("system", system=system, results=results, clock=clock, dram=dram)
    return Outcome(figures, [*(_steps(name, bench) for name, bench in results.items()), *said])


def _steps(name: str, bench: system.Bench) -> Table:
    rows = [("batch", "D", "new", "alone", "clocks", "share", *system.CAUSES, "hits", "bus")]
    last = 0
    for one in sorted(bench.windows, key=lambda w: (w.batch, w.every, w.ahead)):
        head = one.batch if one.batch != last else "", one.ahead, f"{one.new:.1f}" if one.every else ""
        clocks = f"{one.alone.period:,.0f}", f"{one.period:,.0f}", f"{one.share:.1%}"
        stalls = (f"{one.stall(cause):,.0f}" for cause in system.CAUSES)
        rows.append((*head, *clocks, *stalls, f"{one.hits:.0%}", f"{one.bus_busy:.0%}"))
        last = one.batch
    sizes = "-".join(map(str, bench.shape.value.sizes))
    return shown.table(f"{name} ({sizes}), {bench.filled:,} experiences: clocks of a gradient step (measured)", rows)
