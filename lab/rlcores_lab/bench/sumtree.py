"""Sum tree core on the Verilated RTL: operations and samples per clock for every traffic, every answer checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from rlcores.base.report import Figure
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import peer, sumtree_banks, sumtree_peers
from rlcores_lab.bench.sumtree_drive import TRAFFICS, Plan, Result, SumTreeDrive
from rlcores_lab.bench.sumtree_peers import Timing
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, notes, prefixes, times

SEED = 1
BATCH = 256  # of the peers
CLOCKS = 200_000  # of each traffic


@dataclass(frozen=True)
class Bench:
    """What one bank does, with both ports busy every clock."""

    parameters: dict[str, int]
    runs: dict[str, Result]  # by traffic
    total: int  # the core's at the end, equal to the sum of all leaves that were read

    @property
    def leaves(self) -> int:
        """Leaves of the tree."""
        return 1 << self.parameters["LEAVES_LOG2"]

    @property
    def samples_per_clock(self) -> float:
        """Samples accepted per clock, of the slowest traffic."""
        return min(run.samples_per_clock for run in self.runs.values())

    @property
    def updates_per_clock(self) -> float:
        """Updates accepted per clock, of the slowest traffic."""
        return min(run.operations_per_clock for run in self.runs.values())

    @property
    def latency(self) -> int:
        """Clocks from a sample's acceptance to its answer, the longest of all traffics."""
        return max(run.sample_most for run in self.runs.values())

    @property
    def operation_latency(self) -> int:
        """Clocks from an operation's acceptance to its answer, the longest of all traffics."""
        return max(run.operation_most for run in self.runs.values())


def measure(parameters: Mapping[str, int], seed: int = SEED, clocks: int = CLOCKS) -> Bench:
    """Build the native core, fill it, and offer an update and a sample in every clock, traffic after traffic.

    parameters: of rlc_sumtree. clocks: of each traffic, at two items per clock. Half of the samples draw from the
    internal generator, half ask for a slot that the updates are at. Raises RunFailed when an answer is wrong, the total
    at the end is not the sum of all leaves, or the core does not build.
    """
    with SumTreeDrive(parameters) as drive:
        slots = drive.parameters["CAPACITY"]
        runs = {}
        for number, traffic in enumerate(TRAFFICS):
            first, last = number == 0, number == len(TRAFFICS) - 1
            plan = Plan(
                seed + number, 2 * clocks, traffic, reset=first, fill=slots if first else 0, sweep=last, strata=BATCH
            )
            runs[traffic] = drive.run(plan)
        end = runs[TRAFFICS[-1]]
        if end.total != end.leaves or end.total == 0:
            raise RunFailed(f"the total is {end.total}, but the leaves add up to {end.leaves}")
        return Bench(drive.parameters, runs, end.total)


def figures(bench: Bench, clock: Clock, prefix: str = "sumtree") -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    listed = [
        Figure("leaves", bench.leaves, "leaves", "measured"),
        Figure("samples_per_cycle", bench.samples_per_clock, "1, slowest traffic", "measured"),
        Figure("updates_per_cycle", bench.updates_per_clock, "1, slowest traffic", "measured"),
        Figure("latency_cycles", bench.latency, "clocks, sample to answer", "measured"),
        Figure("operation_latency_cycles", bench.operation_latency, "clocks, operation to answer", "measured"),
    ]
    for traffic, run in bench.runs.items():
        name = traffic.replace(" ", "_")
        listed += [
            Figure(f"{name}.samples_per_cycle", run.samples_per_clock, "1", "measured"),
            Figure(f"{name}.updates_per_cycle", run.operations_per_clock, "1", "measured"),
            Figure(f"{name}.latency_cycles", run.sample_most, "clocks, sample to answer", "measured"),
            Figure(f"{name}.ordered", run.ordered, "samples that see an update of their clock", "measured"),
        ]
    listed += [
        Figure("checked", sum(r.operations + r.samples for r in bench.runs.values()), "answers", "measured"),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("sample_ns", 1e3 / clock.mhz / bench.samples_per_clock, "ns", "model"),
        Figure("update_ns", 1e3 / clock.mhz / bench.updates_per_clock, "ns", "model"),
    ]
    return [Figure(f"{prefix}.{f.name}", f.value, f.unit, f.how) for f in listed]


def peer_figures(timings: Sequence[Timing]) -> list[Figure]:
    """The peers' figures, `peer.<name>.sample_ns` and `.update_ns`."""
    return [
        Figure(f"peer.{t.name}.{what}_ns", value, f"ns, batches of {BATCH}", "measured")
        for t in timings
        for what, value in (("sample", t.sample_ns), ("update", t.update_ns))
    ]


def ratios(samples: float, updates: float, timings: Sequence[Timing], clock: Clock, prefix: str) -> list[Figure]:
    """How many times less time a sample and an update take the core, at these rates per clock, than a peer."""
    period = 1e3 / clock.mhz
    unit = f"x, at {clock}"
    return [
        Figure(f"{prefix}.{what}_ratio_{t.name}", value * rate / period, unit, "model")
        for t in timings
        for what, value, rate in (("sample", t.sample_ns, samples), ("update", t.update_ns, updates))
    ]


# --- tables ---

# Without --config: what builds in a minute.
DEFAULT = ("tiny", "small", "shared", "banks8")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers at the leaves of the largest one."""
    banks = {name for name, parameters in chosen.items() if parameters.get("BANKS", 1) > 1}
    single = measured({n: p for n, p in chosen.items() if n not in banks}, step, lambda p: measure(p, seed))
    banked = measured({n: p for n, p in chosen.items() if n in banks}, step, lambda p: sumtree_banks.measure(p, seed))
    results = {name: (banked if name in banks else single)[name] for name in chosen}
    leaves = max(bench.leaves for bench in results.values())
    makes = peer.each("sum trees", sumtree_peers.PEERS, step)
    timings = [sumtree_peers.measure(make, leaves, BATCH, seed) for make in makes]
    listed = peer_figures(timings)
    rates = {name: (bench.samples_per_clock, bench.updates_per_clock) for name, bench in results.items()}
    for name, prefix in prefixes("sumtree", chosen).items():
        listed += (sumtree_banks.figures if name in banks else figures)(results[name], clock, prefix)
        listed += ratios(*rates[name], timings, clock, prefix)
    tables = [*([_traffic(single)] if single else []), *([_banks(banked)] if banked else [])]
    tables.append(_peers(rates, timings, clock, leaves))
    sentences = notes("sumtree", single=single, banked=banked, leaves=leaves, batch=BATCH, clock=clock)
    return Outcome(listed, [*tables, *sentences, *peer.absent(sumtree_peers.PEERS)])


def _traffic(results: Mapping[str, Bench]) -> Table:
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
