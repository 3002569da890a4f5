"""The tables of `rlcores bench system`."""

from collections.abc import Mapping

from rich.table import Table

from rlcores.buses.dram import Dram
from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import system
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, prefixes

DEFAULT = ("u200", "zcu106")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    results = measured(chosen, step, lambda parameters: system.measure(parameters, seed))
    named = prefixes("system", chosen)
    figures = [figure for name, bench in results.items() for figure in system.figures(bench, clock, named[name])]
    return Outcome(figures, [*(_steps(name, bench) for name, bench in results.items()), *_notes(results, clock)])


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


def _notes(results: Mapping[str, system.Bench], clock: Clock) -> list[str]:
    lines = [
        f"The means of {system.STEPS} steps with the loop full. alone: the learner's core by itself, records always "
        "there. share: gradient steps per clock, as a share of that. order … empty: clocks per step in which the "
        "learner would have taken a word of a record and had none, by cause; its queues hide many of them. new: "
        "experiences per step that came meanwhile, "
        f"one in {system.EVERY} clocks. hits: bursts that met their row open. bus: clocks in "
        "which the DRAM's data bus moved data.",
    ]
    for name, bench in results.items():
        least = bench.least
        holds = "at least" if least.share >= system.WANTED else "NOT"
        lines.append(
            f"{name}: {holds} {system.WANTED:.0%} of the learner's gradient steps with D of 1 or more; the least is "
            f"{least.share:.1%} (batch {least.batch}, D {least.ahead}{', with writes' if least.every else ''}). "
            f"{bench.filled:,} of the {bench.capacity:,} slots were filled through the experience stream; "
            f"{bench.insert:.1f} clocks per experience, {clock.mhz / bench.insert:.1f} million per second "
            f"at {clock}. After {bench.checked} steps all weights, moments and counters were the integer "
            "model's."
        )
    lines.append(_memory(next(iter(results.values())).dram))
    return lines


def _memory(dram: Dram) -> str:
    return (
        f"Memory (assumed): {dram.latency} clocks between port and banks and back, CL {dram.cas}, tRCD {dram.rcd}, tRP "
        f"{dram.precharge}, tRC {dram.row_cycle} clocks, {dram.banks} banks with rows of {dram.row_bytes:,} bytes, "
        f"refresh of {dram.refresh} clocks every {dram.refresh_every:,}, {dram.bus_bytes} bytes per clock, "
        f"{dram.turnaround} clocks between reads and writes: DDR4-2400 beside 300 MHz, and slower than it at "
        "the boards' clock."
    )
