"""The tables of `rlcores bench learner`."""

from collections.abc import Mapping, Sequence

from rich.table import Table

from rlcores.cores.learner.shape import Shape
from rlcores.engine.boards import Clock
from rlcores_lab.bench import learner, learner_peers
from rlcores_lab.bench.learner_peers import Timing
from rlcores_lab.bench.tables import Outcome, Step, table, times

DEFAULT = ("tiny", "u200", "zcu106", "ddpg_u200")


def run(chosen: Mapping[str, Mapping[str, int | str]], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers on the network of one of them.

    With one configuration its name is not in the figures' names.
    """
    results: dict[str, learner.Bench] = {}
    for name, parameters in chosen.items():
        step(f"{name}: building and running")
        results[name] = learner.measure(parameters, seed)
    sizes = _network([bench.shape for bench in results.values()])
    timings = learner.peers(sizes, learner.BATCH, seed, step=step)
    figures = learner.peer_figures(timings)
    for name, bench in results.items():
        prefix = "learner" if len(chosen) == 1 else f"learner.{name}"
        figures += learner.figures(bench, clock, prefix)
        if _comparable(bench, sizes):
            figures += learner.ratios(bench, timings, clock, prefix)
    shown = [_steps(results, clock), *(_units(name, bench) for name, bench in results.items())]
    shown.append(_peers(results, timings, clock, sizes))
    return Outcome(figures, [*shown, *_notes(results, timings, clock, sizes)])


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
    columns = ("config", "DSP", "batch", "waves", "T_max", "fill", "model", "clocks", "error", "alone", "busy", "us")
    shown = table(f"Clocks of a gradient step, batches back to back (measured); us: at {clock}", columns)
    for name, bench in results.items():
        rows = [(f"{m.batch}", m) for m in bench.steps.values()]
        if bench.other:
            rows.append((f"{bench.batch} {'double' if bench.shape.actor is None else 'no lag'}", bench.other))
        for label, one in rows:
            shown.add_row(
                name,
                f"{bench.shape.dsp_count:,}" if name else "",
                label,
                f"{one.model.waves}",
                f"{one.model.t_max}",
                f"{one.model.fill}",
                f"{one.model.period:,}",
                f"{one.period:,.0f}",
                f"{one.error:.1%}",
                f"{one.latency:,}",
                f"{one.mac_utilisation:.0%}",
                f"{one.period / clock.mhz:.2f}",
            )
            name = ""
    return shown


def _units(name: str, bench: learner.Bench) -> Table:
    step = bench.step
    columns = ("unit", "MACs", "clocks a wave", "busy", "model", "waits")
    shown = table(f"{name} ({_title(bench.shape)}), batch {bench.batch}: share of the clocks (measured)", columns)
    for unit in step.model.units:
        if unit.stage is None:
            continue
        shown.add_row(
            unit.name,
            f"{unit.macs}" if unit.macs else "",
            f"{unit.steps}",
            f"{step.utilisation(unit.stage):.1%}",
            f"{step.model.utilisation(unit.name):.1%}",
            f"{step.waiting(unit.stage):.1%}",
        )
    return shown


def _peers(
    results: Mapping[str, learner.Bench], timings: Sequence[Timing], clock: Clock, sizes: tuple[int, ...]
) -> Table:
    beside = {
        name: bench for name, bench in results.items() if _comparable(bench, sizes) and learner.BATCH in bench.steps
    }
    columns = ("who", "optimiser", "us", "how", *(f"x {name}" for name in beside))
    title = f"Microseconds of a DQN's gradient step, {'-'.join(map(str, sizes))}, batch {learner.BATCH}"
    shown = table(f"{title}; x: times the core at {clock}", columns)
    for t in timings:
        ratio = [times(learner.ratio(bench, t, clock)) for bench in beside.values()]
        shown.add_row(t.title, t.optimiser, f"{t.us:.1f}", "measured", *ratio)
    for name, bench in beside.items():
        optimiser = ("sgd", "momentum", "adam")[bench.shape.optimiser]
        us = bench.steps[learner.BATCH].period / clock.mhz
        shown.add_row(name, optimiser, f"{us:.2f}", "assumed", *("" for _ in beside))
    return shown


def _notes(
    results: Mapping[str, learner.Bench], timings: Sequence[Timing], clock: Clock, sizes: tuple[int, ...]
) -> list[str]:
    lines = [
        f"Every priority, and after {learner.STEPS} steps every weight, target weight, moment and saturation counter "
        "equals the integer model's. alone: clocks from a record's first beat to the new weights, nothing before or "
        "behind. busy: share of the clocks that a multiplier of the tensor units works. T = (waves - 1) * T_max + "
        "fill, or the clocks of the records where they come in slowest. DSP: by the model, one a multiplier; "
        "`rlcores synth learner` counts them.",
        f"Peers: one thread, float32, best of many steps, their weights checked against float64. Times of the "
        f"core are at {clock}, which no vendor tool has met.",
    ]
    if not any(_comparable(bench, sizes) for bench in results.values()):
        lines.append("No configuration here is a DQN of the peers' network, so there is no ratio.")
    absent = [name for name in ("torch", "jax") if name not in {t.name for t in timings}]
    if absent:
        lines.append(f"Not installed, so not timed: {', '.join(absent)} (`uv sync --extra peers` brings torch).")
    return lines
