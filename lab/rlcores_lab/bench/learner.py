"""Learner core on the Verilated RTL: clocks of a gradient step and of every unit, every result compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rich.table import Table

from rlcores.base.report import Figure
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner.format import DdpgFormats, LearnerBatch, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import value_columns
from rlcores.cores.learner.optimisers.slot import STOCHASTIC
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape, NetworkShape
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import learner_peers, peer
from rlcores_lab.bench.learner_drive import Learner, LearnerDrive, Run
from rlcores_lab.bench.learner_peers import Timing
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, notes, prefixes, times
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.cycles.learner import Cycles

SEED = 1
BATCHES = (32, 64, 256)
BATCH = 64  # what single figures are about
STEPS = 5  # of each measurement; the first one fills the pipeline


@dataclass(frozen=True)
class Measured:
    """Batches of one length."""

    batch: int
    run: Run  # back to back
    latency: int  # clocks from a record's first beat to the new weights, when a batch comes alone
    model: Cycles

    @property
    def period(self) -> float:
        """Clocks per step, back to back."""
        return self.run.period

    @property
    def error(self) -> float:
        """How far the cycle model is from this, as a share."""
        return abs(self.model.period - self.period) / self.period

    def utilisation(self, stage: int) -> float:
        """Share of the clocks of a step in which the unit of a stage works."""
        return self._share(self.run.busy[stage])

    def waiting(self, stage: int) -> float:
        """Share in which it has something to do and cannot."""
        return self._share(self.run.waiting[stage])

    def _share(self, clocks: int) -> float:
        # All steps were counted from the first one's begin, which has no step before it to overlap with.
        return float(clocks) / len(self.run.done) / self.period

    @property
    def mac_utilisation(self) -> float:
        """Share of the clocks in which a multiplier of the tensor units worked."""
        units = [u for u in self.model.units if u.macs]
        return sum(u.macs * self.utilisation(u.stage) for u in units) / sum(u.macs for u in units)


@dataclass(frozen=True)
class Bench:
    """What one configuration does."""

    parameters: dict[str, int | str]
    shape: LearnerShape
    steps: dict[int, Measured]  # by batch
    other: Measured | None  # at `batch`: double DQN, or DDPG without lag
    load: int  # clocks to load the weights of all networks

    @property
    def batch(self) -> int:
        """The batch that single figures are about: BATCH, or the longest below."""
        return BATCH if BATCH in self.steps else max(self.steps)

    @property
    def step(self) -> Measured:
        """The measurement at that batch."""
        return self.steps[self.batch]

    @property
    def error(self) -> float:
        """The cycle model's largest error."""
        return max(m.error for m in (*self.steps.values(), *([self.other] if self.other else [])))

    @property
    def checked(self) -> int:
        """Priorities that were compared."""
        measurements = (*self.steps.values(), *([self.other] if self.other else []))
        return sum(len(p) for m in measurements for p in m.run.priorities)


def formats(shape: LearnerShape) -> LearnerFormats | DdpgFormats:
    """Fractions for standard normal inputs and rewards."""
    if shape.actor is None:
        return LearnerFormats.default(shape.value.layers)
    return DdpgFormats.default(shape.value.layers, shape.actor.layers)


def measure(parameters: Mapping[str, int | str], seed: int = SEED, batches: Sequence[int] = BATCHES) -> Bench:
    """Build the native core and train it on random records, every batch as the one before is trained.

    parameters: of rlc_learner. batches: lengths; those beyond BATCH_MAX are left out, and BATCH_MAX is taken when none
    is left. Raises RunFailed when a priority, a weight, a moment or a counter is not the integer model's, or the core
    does not build.
    """
    with LearnerDrive(parameters) as drive:
        shape = drive.shape
        lengths = [b for b in batches if b <= shape.batch_max] or [shape.batch_max]
        steps = {}
        for batch in lengths:
            steps[batch], load = _measure(drive, batch, seed)
        main = BATCH if BATCH in lengths else max(lengths)
        if shape.actor is None:
            other, _ = _measure(drive, main, seed, double=True)
        else:
            other, _ = _measure(drive, main, seed, lag=False)
        return Bench(drive.parameters, shape, steps, other, load)


def random_records(
    model: Learner, shape: LearnerShape, batch: int, count: int, rng: np.random.Generator
) -> list[Records]:
    """Batches of standard normal states and rewards, one terminal state in ten."""
    batches = []
    for _ in range(count):
        if shape.actor is None:
            actions = rng.integers(0, shape.value.sizes[-1], batch)
        else:
            actions = rng.uniform(-1, 1, (batch, shape.action_size))
        states, next_states = rng.standard_normal((2, batch, shape.state_size))
        rewards, ends, weights = rng.standard_normal(batch), rng.random(batch) < 0.1, rng.uniform(0.1, 1, batch)
        batches.append(model.records(LearnerBatch(states, actions, rewards, next_states, ends, weights)))
    return batches


def initialise(model: Learner, shape: LearnerShape, rng: np.random.Generator) -> None:
    """Random weights, uniform in +-1/sqrt(inputs); 0 where an input is padding."""

    def matrices(net: NetworkShape) -> list[tuple[np.ndarray, np.ndarray]]:
        pairs = zip(net.sizes[:-1], net.sizes[1:], strict=True)
        return [(rng.uniform(-1, 1, (j, i)) / i**0.5, rng.uniform(-1, 1, j) / i**0.5) for i, j in pairs]

    value = matrices(shape.value)
    padding = np.setdiff1d(np.arange(shape.value.sizes[0]), value_columns(shape))
    value[0][0][:, padding] = 0
    model.load(value, *([] if shape.actor is None else [matrices(shape.actor)]))


def _measure(
    drive: LearnerDrive, batch: int, seed: int, *, double: bool = False, lag: bool = True
) -> tuple[Measured, int]:
    rng = np.random.default_rng(seed)
    shape, fractions = drive.shape, formats(drive.shape)
    tau = 0.125 if shape.polyak else 0.0
    settings = learner_registers.settings(
        fractions, batch=batch, double=double, lag=lag, target_update_interval=2, tau=tau, seed=seed
    )
    model = drive.model(fractions, settings)
    initialise(model, shape, rng)
    drive.reset()
    drive.configure(fractions, settings)
    if shape.rounding == STOCHASTIC:
        drive.seed()
        model.seed(settings.seed)
    load = drive.load_model(model)
    run = _checked(drive, model, settings, random_records(model, shape, batch, STEPS, rng), alone=False)
    alone = _checked(drive, model, settings, random_records(model, shape, batch, 2, rng), alone=True)
    latency = int((alone.done - alone.begun)[1])
    return Measured(batch, run, latency, learner_cycles.cycles(drive.parameters, batch, double=double, lag=lag)), load


def _checked(
    drive: LearnerDrive, model: Learner, settings: LearnerSettings, batches: Sequence[Records], alone: bool
) -> Run:
    model.counters[:] = 0
    run = drive.run(batches, alone=alone)
    for number, (records, priorities) in enumerate(zip(batches, run.priorities, strict=True)):
        expected = model.step_records(records)
        if not np.array_equal(expected, priorities):
            raise RunFailed(f"the priorities of step {number} are not the integer model's (batch {settings.batch})")
    differences = drive.differences(model)
    if differences:
        what = ", ".join(f"{count} of {name}" for name, count in differences.items())
        raise RunFailed(f"after {len(batches)} steps of {settings.batch} the RTL and the integer model differ: {what}")
    wrong = np.flatnonzero(run.saturated != model.counters)
    if len(wrong):
        raise RunFailed(f"the saturation counters {wrong.tolist()} are not the integer model's")
    return run


def figures(bench: Bench, clock: Clock, prefix: str = "learner") -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    step = bench.step
    listed = [
        Figure("batch", bench.batch, "records", "measured"),
        Figure("cycles_per_step", step.period, f"clocks, batch {bench.batch}, back to back", "measured"),
        Figure("cycles_per_step_model", step.model.period, f"clocks, batch {bench.batch}", "model"),
        Figure("latency_cycles", step.latency, "clocks, first beat to new weights", "measured"),
        Figure("model_error", bench.error, "1, the largest of all batches", "measured"),
        Figure("t_max", step.model.t_max, f"clocks a batch slice, {step.model.slowest}", "model"),
        Figure("fill_cycles", step.model.fill, "clocks, pipeline and update", "model"),
        Figure("batch_slices", step.model.batch_slices, "batch slices a batch", "model"),
        Figure("load_cycles", bench.load, "clocks to load all planes", "measured"),
        Figure("macs", bench.shape.mac_count, "multipliers of tensor units", "model"),
        Figure("dsp", bench.shape.dsp_count, "DSPs, all units", "model"),
        Figure("mac_utilisation", step.mac_utilisation, "1, of all tensor units", "measured"),
    ]
    for batch, one in bench.steps.items():
        listed += [
            Figure(f"batch{batch}.cycles_per_step", one.period, "clocks", "measured"),
            Figure(f"batch{batch}.cycles_per_step_model", one.model.period, "clocks", "model"),
            Figure(f"batch{batch}.latency_cycles", one.latency, "clocks", "measured"),
            Figure(f"batch{batch}.mac_utilisation", one.mac_utilisation, "1", "measured"),
        ]
    if bench.other:
        name = "double" if bench.shape.actor is None else "no_lag"
        listed += [
            Figure(f"{name}.cycles_per_step", bench.other.period, f"clocks, batch {bench.batch}", "measured"),
            Figure(f"{name}.cycles_per_step_model", bench.other.model.period, "clocks", "model"),
        ]
    listed += [
        Figure(f"utilisation.{u.name}", step.utilisation(u.stage), "1", "measured")
        for u in step.model.units
        if u.stage is not None
    ]
    listed += [
        Figure("checked", bench.checked, "priorities", "measured"),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("step_us", step.period / clock.mhz, f"us, batch {bench.batch}", "model"),
    ]
    return [replace(f, name=f"{prefix}.{f.name}") for f in listed]


def peer_figures(timings: Sequence[Timing]) -> list[Figure]:
    """The peers' figures, `peer.<name>.<optimiser>_step_ns`."""
    return [
        Figure(f"peer.{t.name}.{t.optimiser}_step_ns", t.us * 1e3, f"ns, batch {t.batch}", "measured") for t in timings
    ]


def ratios(bench: Bench, timings: Sequence[Timing], clock: Clock, prefix: str) -> list[Figure]:
    """How many times less time a step takes the core than a peer, at the batch that both were measured with."""
    unit = f"x, at {clock}"
    return [
        Figure(f"{prefix}.step_ratio_{t.name}_{t.optimiser}", ratio(bench, t, clock), unit, "model")
        for t in timings
        if t.batch in bench.steps
    ]


def ratio(bench: Bench, timing: Timing, clock: Clock) -> float:
    """How many times less time a step takes the core than a peer."""
    return timing.us * clock.mhz / bench.steps[timing.batch].period


# --- tables ---

DEFAULT = ("tiny", "u200", "zcu106", "ddpg_u200")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers on the network of one of them."""
    results = measured(chosen, step, lambda parameters: measure(parameters, seed))
    sizes = _network([bench.shape for bench in results.values()])
    timings = [
        learner_peers.measure(make, sizes, optimiser, BATCH, seed)
        for make in peer.each("gradient steps", learner_peers.PEERS, step)
        for optimiser in learner_peers.OPTIMISERS
    ]
    listed = peer_figures(timings)
    for name, prefix in prefixes("learner", chosen).items():
        listed += figures(results[name], clock, prefix)
        if _comparable(results[name], sizes):
            listed += ratios(results[name], timings, clock, prefix)
    tables = [_steps(results, clock), *(_units(name, bench) for name, bench in results.items())]
    tables.append(_peers(results, timings, clock, sizes))
    comparable = any(_comparable(bench, sizes) for bench in results.values())
    sentences = notes("learner", steps=STEPS, clock=clock, comparable=comparable)
    return Outcome(listed, [*tables, *sentences, *peer.absent(learner_peers.PEERS)])


def _network(shapes: Sequence[LearnerShape]) -> tuple[int, ...]:
    """The network that the peers are timed on: that of Meng et al. (2022) if a configuration has it."""
    sizes = [shape.value.sizes for shape in shapes if shape.actor is None]
    return learner_peers.SIZES if learner_peers.SIZES in sizes or not sizes else sizes[0]


def _comparable(bench: Bench, sizes: tuple[int, ...]) -> bool:
    return bench.shape.actor is None and bench.shape.value.sizes == sizes


def _title(shape: LearnerShape) -> str:
    nets = (shape.value,) if shape.actor is None else (shape.actor, shape.value)
    return " and ".join("-".join(map(str, net.sizes)) for net in nets)


def _steps(results: Mapping[str, Bench], clock: Clock) -> Table:
    rows = [
        ("config", "DSP", "batch", "batch slices", "T_max", "fill", "model", "clocks", "error", "alone", "busy", "us")
    ]
    for name, bench in results.items():
        lines = [(bench.shape.dsp_count, m.batch, m) for m in bench.steps.values()]
        if bench.other:
            lines.append(("", f"{bench.batch} {'double' if bench.shape.actor is None else 'no lag'}", bench.other))
        for number, (dsp, batch, one) in enumerate(lines):
            head = ("", "") if number else (name, dsp)
            model = one.model.batch_slices, one.model.t_max, one.model.fill, one.model.period
            rest = f"{one.error:.1%}", one.latency, f"{one.mac_utilisation:.0%}", f"{one.period / clock.mhz:.2f}"
            rows.append((*head, batch, *model, f"{one.period:,.0f}", *rest))
    return shown.table(f"Clocks of a gradient step, batches back to back (measured); us: at {clock}", rows)


def _units(name: str, bench: Bench) -> Table:
    step = bench.step
    rows = [("unit", "MACs", "clocks a batch slice", "busy", "model", "waits")]
    for unit in step.model.units:
        if unit.stage is not None:
            shares = step.utilisation(unit.stage), step.model.utilisation(unit.name), step.waiting(unit.stage)
            rows.append((unit.name, unit.macs or "", unit.steps, *(f"{share:.1%}" for share in shares)))
    return shown.table(f"{name} ({_title(bench.shape)}), batch {bench.batch}: share of the clocks (measured)", rows)


def _peers(results: Mapping[str, Bench], timings: Sequence[Timing], clock: Clock, sizes: tuple[int, ...]) -> Table:
    beside = {name: bench for name, bench in results.items() if _comparable(bench, sizes) and BATCH in bench.steps}
    rows = [("who", "optimiser", "us", "how", *(f"x {name}" for name in beside))]
    for t in timings:
        ratios = (times(ratio(bench, t, clock)) for bench in beside.values())
        rows.append((t.title, t.optimiser, f"{t.us:.1f}", "measured", *ratios))
    for name, bench in beside.items():
        optimiser = ("sgd", "momentum", "adam")[bench.shape.optimiser]
        us = bench.steps[BATCH].period / clock.mhz
        rows.append((name, optimiser, f"{us:.2f}", "assumed", *("" for _ in beside)))
    title = f"Microseconds of a DQN's gradient step, {'-'.join(map(str, sizes))}, batch {BATCH}"
    return shown.table(f"{title}; x: times the core at {clock}", rows)
