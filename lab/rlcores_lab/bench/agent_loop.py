"""The agent core on the Verilated RTL with its DRAM: how busy the learner is while environments act and are stored.

Counted by the core's own registers between two batches of one run, when the loop is full, beside the learner alone.
The whole run is compared with the integer model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.base.report import Figure
from rlcores.buses.dram import Dram
from rlcores.cores.agent.driver import AgentDriver
from rlcores.cores.agent.model import EPSILON_BITS, AgentModel, Schedule, policy_of
from rlcores.cores.common.draws import state_of, stream_state
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.replay_learner.model import ReplayLearnerModelDriver
from rlcores.eda import declared
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import learner
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, prefixes

SEED = 1
BATCH, AHEAD, LAG = 64, 1, 1
SCHEDULES = ((1, 1), (1, 2), (1, 4), (2, 1))  # rounds of a block, and gradient steps
STEPS = 40  # of a window
WARM = 6  # before it
FILLED = 64  # experiences before the first gradient step, at least
CAUSES = ("order", "tree", "memory", "empty")


@dataclass(frozen=True)
class Window:
    """A run of one schedule: clocks of some gradient steps in its middle."""

    schedule: Schedule
    batch: int
    steps: int
    clocks: int
    stalls: dict[str, int]  # clocks by cause
    new: int  # environment steps stored meanwhile
    alone: float  # clocks of the learner's step alone

    @property
    def period(self) -> float:
        """Clocks per gradient step."""
        return self.clocks / self.steps

    @property
    def busy(self) -> float:
        """The learner's share of the clocks: what its steps take when records are always there."""
        return self.steps * self.alone / self.clocks


@dataclass(frozen=True)
class Bench:
    """What one configuration does."""

    shape: LearnerShape
    n_envs: int
    windows: list[Window]
    checked: int  # gradient steps that were the integer model's


def measure(
    parameters: Mapping[str, int | str],
    seed: int = SEED,
    alone: float | None = None,
    schedules: Sequence[tuple[int, int]] = SCHEDULES,
    dram: Dram | None = None,
) -> Bench:
    """Build the core, and its learner alone, and let it learn with each schedule.

    alone: clocks of a step of the learner alone, if known. Raises RunFailed when weights, moments or counters are not
    the integer model's.
    """
    batch = min(BATCH, int(parameters["BATCH_MAX"]))
    if alone is None:
        own = {name: value for name, value in parameters.items() if name in declared.of("learner")}
        alone = learner.measure(own, seed, [batch]).steps[batch].period
    driver = AgentDriver.verilated(parameters, dram=dram or Dram())
    windows = []
    with driver.memory_bus as bus:
        for rounds, steps in schedules:
            bus.reset()  # which also forgets when the target was last updated
            driver = AgentDriver(bus)
            windows.append(_window(driver, parameters, Schedule(rounds, steps, lag=LAG), batch, seed, alone))
    return Bench(driver.loop.learner.shape, driver.n_envs, windows, sum(w.steps + WARM for w in windows))


def _window(
    driver: AgentDriver, parameters: Mapping[str, int | str], plan: Schedule, batch: int, seed: int, alone: float
) -> Window:
    exact = ReplayLearnerModelDriver(parameters)
    starts = max(1, -(-FILLED // (plan.train_freq * driver.n_envs)))
    plan = Schedule(plan.train_freq, plan.gradient_steps, starts, plan.lag)
    agent = _begin(driver, exact, plan, batch, seed)
    loop = driver.loop
    begin, training = loop.read("BATCHES"), -(-(WARM + STEPS + 2) // plan.gradient_steps)
    blocks = starts - 1 + training
    driver.launch(blocks)
    first = _counts_at(driver, begin + WARM)
    last = _counts_at(driver, first["batches"] + STEPS)
    driver.finish()
    agent.run(blocks)
    wrong = [name for name, value in driver.counters.items() if value != agent.counters[name]]
    for actor, plane in _planes(loop.learner.shape):
        pairs = zip(loop.learner.read(plane, actor), exact.learner.read(plane, actor), strict=True)
        if not all(np.array_equal(x, y) for mine, other in pairs for x, y in zip(mine, other, strict=True)):
            wrong.append(f"plane {plane} of the {'actor' if actor else 'value network'}")
    if wrong:
        raise RunFailed(f"the agent core and its model differ in {', '.join(wrong)} ({plan})")
    counts = {name: (last[name] - first[name]) % 2**32 for name in first}
    stalls = {cause: counts[f"stall_{cause}"] for cause in CAUSES}
    return Window(plan, batch, counts["batches"], counts["clocks"], stalls, counts["committed"], alone)


def _planes(shape: LearnerShape) -> list[tuple[bool, int]]:
    """Whether it is the actor's, and number, of all that a learner holds."""
    return [(actor, plane) for actor in (False, True)[: 1 if shape.actor is None else 2] for plane in planes(shape)]


def _begin(driver: AgentDriver, exact: ReplayLearnerModelDriver, plan: Schedule, batch: int, seed: int) -> AgentModel:
    """Weights, registers and first states, in the core and in its model."""
    shape, rng = driver.loop.learner.shape, np.random.default_rng(seed)
    formats = learner.formats(shape)
    tau = 0.125 if shape.polyak else 0.0
    settings = learner_registers.settings(formats, batch=batch, target_update_interval=2, tau=tau, seed=seed)
    for each in (driver.loop, exact):
        each.learner.configure(formats, settings)
    learner.initialise(exact.learner.model, shape, rng)
    for actor, plane in _planes(shape):
        driver.loop.learner.load(exact.learner.read(plane, actor), plane, actor)
    policy = policy_of(shape, formats)
    td_frac = (formats if shape.actor is None else formats.value).act_frac[-1]
    scale = max(driver.loop.tree_shape.priority_width - 10, 0)
    for each in (driver.loop, exact):
        each.configure(
            capacity=driver.loop.tree_shape.capacity, initial=1 << scale, stratified=True, alpha=19661, epsilon=10486,
            scale=scale * 256, beta=13107, batch=batch, ahead=AHEAD, td_frac=td_frac,
        )  # fmt: skip
        each.clear()
        each.load_draws(state_of(seed))
    driver.act_frac = policy.act_frac
    agent = AgentModel(EnvModel(driver.physics, driver.n_envs, driver.time_limit), policy, exact)
    driver.schedule = agent.schedule = plan
    for each in (driver, agent):
        each.epsilon_end = each.epsilon_fall = 1 << EPSILON_BITS - 3
    driver.epsilon_first = agent.epsilon = 1 << EPSILON_BITS
    agent.reload()
    states = state_of(seed), stream_state(state_of(seed), 64)
    driver.begin(*states)
    agent.begin(*states)
    return agent


def _counts_at(driver: AgentDriver, batches: int) -> dict[str, int]:
    loop = driver.loop
    deadline = driver.memory_bus.cycles + 1_000_000
    while (loop.read("BATCHES") - batches) % 2**32 >= 2**31:
        if driver.memory_bus.cycles > deadline:
            raise RunFailed(f"the agent core has stopped at batch {loop.read('BATCHES')} of {batches}")
    names = ("clocks", "batches", "committed", *(f"stall_{cause}" for cause in CAUSES))
    while True:
        counts = {name: loop.read(name.upper()) for name in names}
        if loop.read("BATCHES") == counts["batches"] == loop.read("BATCHES"):
            return counts


def figures(bench: Bench, prefix: str = "agent") -> list[Figure]:
    """What --json gets of one configuration."""
    listed = [Figure(f"{prefix}.learner_busy", min(w.busy for w in bench.windows), "1, the least", "measured")]
    for one in bench.windows:
        name = f"{prefix}.rounds{one.schedule.train_freq}.steps{one.schedule.gradient_steps}"
        listed += [
            Figure(f"{name}.learner_busy", one.busy, "1", "measured"),
            Figure(f"{name}.cycles_per_step", one.period, f"clocks, batch {one.batch}", "measured"),
            Figure(f"{name}.learner_cycles_per_step", one.alone, f"clocks, batch {one.batch}, alone", "measured"),
            Figure(f"{name}.experiences_per_step", one.new / one.steps, "1", "measured"),
            *(Figure(f"{name}.stall_{c}", one.stalls[c] / one.steps, "clocks per step", "measured") for c in CAUSES),
        ]
    return [*listed, Figure(f"{prefix}.checked", bench.checked, "gradient steps", "measured")]


def run(chosen: Mapping[str, Parameters], seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    results = measured(chosen, step, lambda parameters: measure(parameters, seed))
    listed = [f for name, prefix in prefixes("agent", results).items() for f in figures(results[name], prefix)]
    rows = [("config", "environments", "rounds", "gradient steps", "new", "alone", "clocks", "busy", *CAUSES)]
    for name, bench in results.items():
        for one in bench.windows:
            plan = one.schedule
            clocks = f"{one.new / one.steps:.1f}", f"{one.alone:,.0f}", f"{one.period:,.0f}", f"{one.busy:.1%}"
            stalls = (f"{one.stalls[cause] / one.steps:,.0f}" for cause in CAUSES)
            rows.append((name, bench.n_envs, plan.train_freq, plan.gradient_steps, *clocks, *stalls))
    sentence = (
        "new: environment steps stored per gradient step. busy: the learner's clocks alone as a share of the loop's. "
        "All weights, moments and counters were the integer model's."
    )
    return Outcome(
        listed, [shown.table(f"Learning while acting: clocks of a gradient step of {BATCH} (measured)", rows), sentence]
    )
