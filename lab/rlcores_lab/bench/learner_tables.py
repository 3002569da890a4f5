"""The tables of `rlcores bench learner`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.cores.learner.shape import Shape
from rlcores.engine.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench import learner, learner_peers
from rlcores_lab.bench.learner_peers import Timing
from rlcores_lab.bench.tables import Outcome, Parameters, Step, absent, measured, notes, prefixes, times

DEFAULT = ("tiny", "u200", "zcu106", "ddpg_u200")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers on the network of one of them."""
    results = measured(chosen, step, lambda parameters: learner.measure(parameters, seed))
    sizes = _network([bench.shape for bench in results.values()])
    timings = learner.peers(sizes, learner.BATCH, seed, step=step)
    figures = learner.peer_figures(timings)
    for name, prefix in prefixes("learner", chosen).items():
        figures += learner.figures(results[name], clock, prefix)
        if _comparable(results[name], sizes):
            figures += learner.ratios(results[name], timings, clock, prefix)
    tables = [_steps(results, clock), *(_units(name, bench) for name, bench in results.items())]
    tables.append(_peers(results, timings, clock, sizes))
    comparable = any(_comparable(bench, sizes) for bench in results.values())
    said = notes("learner", steps=learner.STEPS, clock=clock, comparable=comparable)
    return Outcome(figures, [*tables, *said, *absent(("torch", "jax"), timings)])


def _network(shapes: Sequence[Shape]) -> tuple[int, ...]:
    """The network that the peers are timed on: that of Meng et al. (2022) if a configuration has it."""
    sizes = [shape.value.sizes for shape in shapes if shape.actor is None]
    return learner_peers.SIZES if learner_peers.SIZES in sizes or not sizes else sizes[0]


def _comparable(bench: learner.Bench, sizes: tuple[int, ...]) -> bool:
    return bench.shape.actor is None and bench.shape.value.sizes == sizes


def _title(shape: Shape) -> str:
    nets = (shape.value,) if shape.actor is None else (shape.actor, shape.value)
    return " and ".join("-".join(map(str, net.sizes)) for net in nets)


def _steps(results: Mapping[str, learner.Bench], clock: Clock) -> Table:
    rows = [("config", "DSP", "batch", "waves", "T_max", "fill", "model", "clocks", "error", "alone", "busy", "us")]
    for name, bench in results.items():
        lines = [(bench.shape.dsp_count, m.batch, m) for m in bench.steps.values()]
        if bench.other:
            lines.append(("", f"{bench.batch} {'double' if bench.shape.actor is None else 'no lag'}", bench.other))
        for number, (dsp, batch, one) in enumerate(lines):
            head = ("", "") if number else (name, dsp)
            model = one.model.waves, one.model.t_max, one.model.fill, one.model.period
            rest = f"{one.error:.1%}", one.latency, f"{one.mac_utilisation:.0%}", f"{one.period / clock.mhz:.2f}"
            rows.append((*head, batch, *model, f"{one.period:,.0f}", *rest))
    return shown.table(f"Clocks of a gradient step, batches back to back (measured); us: at {clock}", rows)


def _units(name: str, bench: learner.Bench) -> Table:
    step = bench.step
    rows = [("unit", "MACs", "clocks a wave", "busy", "model", "waits")]
    for unit in step.model.units:
        if unit.stage is not None:
            shares = step.utilisation(unit.stage), step.model.utilisation(unit.name), step.waiting(unit.stage)
            rows.append((unit.name, unit.macs or "", unit.steps, *(f"{share:.1%}" for share in shares)))
    return shown.table(f"{name} ({_title(bench.shape)}), batch {bench.batch}: share of the clocks (measured)", rows)


def _peers(
    results: Mapping[str, learner.Bench], timings: Sequence[Timing], clock: Clock, sizes: tuple[int, ...]
) -> Table:
    beside = {
        name: bench for name, bench in results.items() if _comparable(bench, sizes) and learner.BATCH in bench.steps
    }
    rows = [("who", "optimiser", "us", "how", *(f"x {name}" for name in beside))]
    for t in timings:
        ratio = (times(learner.ratio(bench, t, clock)) for bench in beside.values())
        rows.append((t.title, t.optimiser, f"{t.us:.1f}", "measured", *ratio))
    for name, bench in beside.items():
        optimiser = ("sgd", "momentum", "adam")[bench.shape.optimiser]
        us = bench.steps[learner.BATCH].period / clock.mhz
        rows.append((name, optimiser, f"{us:.2f}", "assumed", *("" for _ in beside)))
    title = f"Microseconds of a DQN's gradient step, {'-'.join(map(str, sizes))}, batch {learner.BATCH}"
    return shown.table(f"{title}; x: times the core at {clock}", rows)
