"""The replay learner on the Verilated RTL with its DRAM: clocks of a gradient step beside the learner's alone.

Everything between the first and the last batch of a window is counted by the core's own registers. Before that the
loop has run until its pipeline is full, so neither its start nor its end is in the figures.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from rich.table import Table

from rlcores.base.report import Figure
from rlcores.buses.dram import Dram
from rlcores.cores.common.draws import state_of
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner.format import DdpgFormats, LearnerSettings
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.optimisers.slot import STOCHASTIC
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model import COUNTERS, ReplayLearnerModelDriver, shapes
from rlcores.cores.replay_learner.records import initial
from rlcores.eda import declared
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import learner
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, notes, prefixes
from rlcores_lab.cycles.learner import Cycles

SEED = 1
BATCHES = (32, 64, 128, 256)
AHEAD = (0, 1, 2)
BATCH, MAIN_AHEAD = 64, 1  # what single figures are about
STEPS = 40  # of each window
WARM = 6  # before it, and D more
EVERY = 64  # clocks from one new experience to the next, where actors go on
WANTED = 0.98  # of the learner's gradient steps per clock

CAUSES = ("order", "tree", "memory", "empty")
# A memory that is quick, to fill it: what has no part in a figure need not take its time.
QUICK = Dram(latency=1, cas=0, rcd=0, precharge=0, row_cycle=0, refresh_every=0, turnaround=0)
_TIMED = 2048  # experiences whose way into the memory is timed


@dataclass(frozen=True)
class Alone:
    """The learner by itself, records always there: its clocks per step."""

    period: float  # of the RTL
    model: Cycles


@dataclass(frozen=True)
class Window:
    """Steps of one batch length and D with the whole loop busy, from the core's registers and the memory's counts."""

    batch: int
    ahead: int
    every: int  # clocks between two new experiences; 0: none came
    steps: int
    clocks: int
    stalls: dict[str, int]  # clocks by cause
    committed: int  # new experiences
    memory: dict[str, int]  # rlcores.buses.dram.STATISTICS
    alone: Alone

    @property
    def period(self) -> float:
        """Clocks per step."""
        return self.clocks / self.steps

    @property
    def share(self) -> float:
        """Gradient steps per clock, as a share of the learner's alone."""
        return self.alone.period / self.period

    def stall(self, cause: str) -> float:
        """Clocks per step in which the learner would have taken a word of a record and had none, by cause."""
        return self.stalls[cause] / self.steps

    @property
    def hits(self) -> float:
        """Share of the bursts that met their row open."""
        bursts = sum(self.memory[name] for name in ("row_hits", "row_misses", "row_opens"))
        return self.memory["row_hits"] / bursts if bursts else 0.0

    @property
    def bus_busy(self) -> float:
        """Share of the clocks in which the DRAM's data bus moved data."""
        return self.memory["busy_clocks"] / self.clocks

    @property
    def new(self) -> float:
        """New experiences per step."""
        return self.committed / self.steps


@dataclass(frozen=True)
class Bench:
    """What one configuration does."""

    parameters: dict[str, int | str]
    shape: LearnerShape
    dram: Dram
    capacity: int  # slots
    filled: int  # of them, with an experience
    alone: dict[int, Alone]  # by batch
    windows: list[Window]
    insert: float  # clocks from one experience to the next, as fast as the core takes them while nothing is trained
    checked: int  # gradient steps after which all weights, moments and counters were the integer model's

    def of(self, batch: int, ahead: int, every: int = 0) -> Window:
        """One window. Raises KeyError."""
        for one in self.windows:
            if (one.batch, one.ahead, one.every) == (batch, ahead, every):
                return one
        raise KeyError((batch, ahead, every))

    @property
    def main(self) -> Window:
        """The window that single figures are about."""
        batch = BATCH if BATCH in self.alone else max(self.alone)
        return self.of(batch, min(MAIN_AHEAD, max(w.ahead for w in self.windows)))

    @property
    def least(self) -> Window:
        """The one with the smallest share of those that sample ahead of the updates, new experiences or not."""
        return min((w for w in self.windows if w.ahead), key=lambda w: w.share)


def measure(
    parameters: Mapping[str, int | str],
    seed: int = SEED,
    batches: Sequence[int] = BATCHES,
    *,
    ahead: Sequence[int] = AHEAD,
    steps: int = STEPS,
    every: int = EVERY,
    dram: Dram | None = None,
    filled: int | None = None,
    alone: Mapping[int, Alone] | None = None,
) -> Bench:
    """Build the core and its learner alone, fill every slot, and train with each batch and D; then while actors go on.

    parameters: of rlc_replay_learner. batches, ahead: those beyond BATCH_MAX and AHEAD_MAX are left out, and BATCH_MAX
    is taken when no batch is left. filled: only this many slots, which is quicker. alone: by batch; then it is not
    measured. Raises RunFailed when the core's weights, moments or counters are not the integer model's, when the memory
    answers with an error, or when the core does not build.
    """
    dram = dram or Dram()
    shape, _, _ = shapes(parameters)
    if alone is None:
        steps_alone = learner.measure(_of_learner(parameters), seed, batches).steps
        alone = {batch: Alone(one.period, one.model) for batch, one in steps_alone.items()}
    driver = ReplayLearnerDriver.verilated(parameters, dram=dram)
    with driver.bus:
        run = _Run(driver, ReplayLearnerModelDriver(parameters), seed, dram, filled)
        insert = run.fill()
        depths = [d for d in ahead if d <= driver.ahead_max]
        windows, checked = [], 0
        for batch in alone:
            for depth in depths:
                window, done = run.window(alone[batch], batch, depth, steps)
                windows.append(window)
                checked += done
        # No model says in which order experiences come between samples, so these come last and are only counted.
        for batch in alone:
            windows.append(run.window(alone[batch], batch, min(MAIN_AHEAD, max(depths)), steps, every)[0])
        return Bench(dict(parameters), shape, dram, run.capacity, run.filled, alone, windows, insert, checked)


def _of_learner(parameters: Mapping[str, int | str]) -> dict[str, int | str]:
    return {name: value for name, value in parameters.items() if name in declared.of("learner")}


class _Run:
    """The core, and its integer model beside it with the same start."""

    def __init__(
        self, driver: ReplayLearnerDriver, exact: ReplayLearnerModelDriver, seed: int, dram: Dram, filled: int | None
    ) -> None:
        self.driver, self.exact, self.dram = driver, exact, dram
        self.seed = seed
        self.shape = driver.learner.shape
        self.capacity = driver.tree_shape.capacity
        self.filled = self.capacity if filled is None else min(filled, self.capacity)
        self.formats = learner.formats(self.shape)
        value = self.formats.value if isinstance(self.formats, DdpgFormats) else self.formats
        self.td_frac = value.act_frac[-1]
        self.rng = np.random.default_rng(seed)
        self.rows = np.zeros((0, driver.layout.elements), np.uint32)
        self.inserted = 0

    def settings(self, batch: int) -> LearnerSettings:
        """Registers of the learner."""
        tau = 0.125 if self.shape.polyak else 0.0
        return learner_registers.settings(
            self.formats, batch=batch, target_update_interval=2, tau=tau, seed=self.seed & 0xFFFFFFFF
        )

    def fill(self) -> float:
        """Weights, registers, and the experiences; returns clocks per experience of the timed ones."""
        driver, exact = self.driver, self.exact
        for each in (driver, exact):
            each.learner.configure(self.formats, self.settings(1))
        if self.shape.rounding == STOCHASTIC:
            exact.learner.model.seed(self.seed & 0xFFFFFFFF)
        learner.initialise(exact.learner.model, self.shape, self.rng)
        for actor in self._networks():
            for plane in planes(self.shape):
                driver.learner.load(exact.learner.read(plane, actor), plane, actor)
        scale = max(driver.tree_shape.priority_width - 10, 0)
        for each in (driver, exact):
            each.configure(
                capacity=self.capacity, initial=1 << scale, stratified=True, alpha=19661, epsilon=10486,
                scale=scale * 256, beta=13107, batch=1, ahead=0, td_frac=self.td_frac,
            )  # fmt: skip
            each.clear()
            each.load_draws(state_of(self.seed))
        records = learner.random_records(exact.learner.model, self.shape, self.filled, 1, self.rng)[0]
        first = initial(self.rng.standard_normal(self.filled), self.td_frac)
        self.rows = driver.layout.pack(records, first)
        begin = driver.bus.cycles
        driver.insert(self.rows[:_TIMED])
        timed = (driver.bus.cycles - begin) / len(self.rows[:_TIMED])
        driver.bus.memory.configure(QUICK)
        driver.insert(self.rows[_TIMED:])
        driver.bus.memory.configure(self.dram)
        if (driver.filled, driver.size) != (self.filled, self.filled):
            raise RunFailed(f"{self.filled} experiences were given, {driver.filled} are in {driver.size} slots")
        exact.insert(self.rows)
        return timed

    def window(self, alone: Alone, batch: int, ahead: int, steps: int, every: int = 0) -> tuple[Window, int]:
        """Train; returns what `steps` batches took when all was full, and how many batches were compared."""
        driver, exact = self.driver, self.exact
        for each in (driver, exact):
            each.configure(batch=batch, ahead=ahead)
            each.learner.configure(self.formats, self.settings(batch))
            each.clear_counters()
        already, begin = self.inserted, driver.read("BATCHES")
        driver.start()
        # Far more than any loop that goes on needs.
        deadline = driver.bus.cycles + 4 * (WARM + ahead + steps) * (round(alone.period) + 1000)
        first = self._counts_at(begin + WARM + ahead, every, deadline)
        last = self._counts_at(first["batches"] + steps, every, deadline)
        driver.stop()
        driver.wait()
        driver.insert(self.rows[:0])  # until what was given is committed; raises what the memory answered
        what = f"batch {batch}, {ahead} ahead"
        if driver.flags():
            raise RunFailed(f"the replay learner core raised {', '.join(sorted(driver.flags()))} ({what})")
        counters = driver.counters()
        if counters["committed"] != self.inserted - already:
            raise RunFailed(
                f"{self.inserted - already} experiences were given, {counters['committed']} committed ({what})"
            )
        done = 0
        if not every:
            done = counters["batches"]
            exact.train(done)
            self._compare(counters, what)
        counts = {name: (last[name] - first[name]) % 2**32 for name in first}
        stalls = {cause: counts[f"stall_{cause}"] for cause in CAUSES}
        memory = {name: counts[name] for name in driver.bus.memory.statistics()}
        steps, clocks, committed = (counts[name] for name in ("batches", "clocks", "committed"))
        return Window(batch, ahead, every, steps, clocks, stalls, committed, memory, alone), done

    def _counts_at(self, batches: int, every: int, deadline: int) -> dict[str, int]:
        """Registers and the memory's counts right after `batches` batches; experiences come meanwhile."""
        driver = self.driver
        following = driver.bus.cycles
        while (driver.read("BATCHES") - batches) % 2**32 >= 2**31:
            if every and driver.bus.cycles >= following:
                driver.give(self.rows[self.inserted % len(self.rows)][None])
                self.inserted += 1
                following += every
            if driver.bus.cycles > deadline:
                batch, flags = driver.read("BATCHES"), ", ".join(sorted(driver.flags())) or "none"
                raise RunFailed(f"the replay learner core has stopped at batch {batch} of {batches}; flags: {flags}")
        names = ("clocks", "batches", *(f"stall_{cause}" for cause in CAUSES), "committed")
        return {name: driver.read(name.upper()) for name in names} | driver.bus.memory.statistics()

    def _compare(self, counters: Mapping[str, int], what: str) -> None:
        """Raises RunFailed when anything of the learner or a counter is not the integer model's."""
        expected = self.exact.counters()
        wrong = [name for name in COUNTERS if counters[name] != expected[name]]
        for actor in self._networks():
            for plane in planes(self.shape):
                pairs = zip(self.driver.learner.read(plane, actor), self.exact.learner.read(plane, actor), strict=True)
                if not all(np.array_equal(x, y) for mine, other in pairs for x, y in zip(mine, other, strict=True)):
                    wrong.append(f"plane {plane} of the {'actor' if actor else 'value network'}")
        if wrong:
            raise RunFailed(f"the RTL and the integer model differ in {', '.join(wrong)} ({what})")

    def _networks(self) -> tuple[bool, ...]:
        return (False, True) if self.shape.actor else (False,)


def figures(bench: Bench, clock: Clock, prefix: str = "system") -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    main, least = bench.main, bench.least
    where = f"batch {main.batch}, D {main.ahead}"
    listed = [
        Figure("batch", main.batch, "records", "measured"),
        Figure("ahead", main.ahead, "batches", "measured"),
        Figure("cycles_per_step", main.period, f"clocks, {where}", "measured"),
        Figure("learner_cycles_per_step", main.alone.period, f"clocks, batch {main.batch}, alone", "measured"),
        Figure("learner_cycles_per_step_model", main.alone.model.period, f"clocks, batch {main.batch}", "model"),
        Figure("share_of_learner", main.share, f"1, {where}", "measured"),
        Figure("least_share_of_learner", least.share, "1, of all with D >= 1", "measured"),
        Figure("row_hits", main.hits, f"1, {where}", "measured"),
        Figure("memory_busy", main.bus_busy, f"1, {where}", "measured"),
        Figure("capacity", bench.capacity, "slots", "measured"),
        Figure("filled", bench.filled, "slots", "measured"),
        Figure("insert_cycles", bench.insert, "clocks per experience, nothing trained", "measured"),
    ]
    for one in bench.windows:
        name = f"batch{one.batch}.ahead{one.ahead}" + (".writes" if one.every else "")
        listed += [
            Figure(f"{name}.cycles_per_step", one.period, "clocks", "measured"),
            Figure(f"{name}.share_of_learner", one.share, "1", "measured"),
            *(Figure(f"{name}.stall_{c}", one.stall(c), "clocks per step", "measured") for c in CAUSES),
            Figure(f"{name}.row_hits", one.hits, "1", "measured"),
            Figure(f"{name}.memory_busy", one.bus_busy, "1", "measured"),
        ]
        if one.every:
            listed.append(Figure(f"{name}.experiences_per_step", one.new, "1", "measured"))
    listed += [
        Figure("checked", bench.checked, "gradient steps", "measured"),
        *(
            Figure(f"dram.{f.name}", getattr(bench.dram, f.name), "", "assumed")
            for f in fields(bench.dram)
            if not isinstance(getattr(bench.dram, f.name), bool)
        ),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("step_us", main.period / clock.mhz, f"us, {where}", "model"),
    ]
    return [replace(f, name=f"{prefix}.{f.name}") for f in listed]


# --- tables ---

DEFAULT = ("u200", "zcu106")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    results = measured(chosen, step, lambda parameters: measure(parameters, seed))
    named = prefixes("system", chosen)
    listed = [figure for name, bench in results.items() for figure in figures(bench, clock, named[name])]
    dram = next(iter(results.values())).dram
    sentences = notes("system", system=sys.modules[__name__], results=results, clock=clock, dram=dram)
    return Outcome(listed, [*(_steps(name, bench) for name, bench in results.items()), *sentences])


def _steps(name: str, bench: Bench) -> Table:
    rows = [("batch", "D", "new", "alone", "clocks", "share", *CAUSES, "hits", "bus")]
    last = 0
    for one in sorted(bench.windows, key=lambda w: (w.batch, w.every, w.ahead)):
        head = one.batch if one.batch != last else "", one.ahead, f"{one.new:.1f}" if one.every else ""
        clocks = f"{one.alone.period:,.0f}", f"{one.period:,.0f}", f"{one.share:.1%}"
        stalls = (f"{one.stall(cause):,.0f}" for cause in CAUSES)
        rows.append((*head, *clocks, *stalls, f"{one.hits:.0%}", f"{one.bus_busy:.0%}"))
        last = one.batch
    sizes = "-".join(map(str, bench.shape.value.sizes))
    return shown.table(f"{name} ({sizes}), {bench.filled:,} experiences: clocks of a gradient step (measured)", rows)
