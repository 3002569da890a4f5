"""`rlcores bench ppo`: PPO's whole loop on CartPole: clocks of the RTL, and time of software on this machine.

Everyone has an actor 4-64-64-2 and a critic 4-64-64-1, 64 environments of 128 steps, 4 epochs of 4 minibatches. Figures
are of a step of an environment, acting and training included. Then the RTL learns CartPole from its first weights on,
with the settings of docs/ppo_study.md. Whatever the core does is compared with the integer model.
"""

from dataclasses import dataclass, field

import numpy as np

from rlcores import native
from rlcores.base.report import Figure
from rlcores.cores.env import environments
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.shape import PpoShape, balanced
from rlcores.eda import boards
from rlcores.errors import RunFailed
from rlcores.train import chip
from rlcores_lab import shown
from rlcores_lab.area import ppo as area
from rlcores_lab.bench import native as native_bench
from rlcores_lab.bench import peer, ppo_peers
from rlcores_lab.bench.ppo_drive import Iteration, PpoDrive, same
from rlcores_lab.bench.ppo_peers import ENVS, EPOCHS, MINIBATCHES, STEPS, Iterate, Sizes
from rlcores_lab.bench.tables import Outcome, Step
from rlcores_lab.cycles import ppo as cycles

SIZES = ENVS, STEPS
# What others publish of tasks and networks of their own: name, steps a second, and of what.
PUBLISHED = {
    "pufferlib": (
        4_000_000,
        "PufferLib 3.0 on an RTX 5090, environments in C; 128 neurons and an LSTM of 128 in its configuration of "
        "Breakout (puffer.ai/blog.html; pufferlib/config/ocean/breakout.ini)",
    ),
    "isaaclab": (
        510_000,
        "Isaac Lab on an RTX 4090, 4,096 copies of Isaac-Cartpole-Direct-v0 with RL Games; 32-32 in its RSL RL "
        "configuration of the task (isaac-sim.github.io/IsaacLab, Performance Benchmarks)",
    ),
}


LAST = 100  # episodes whose mean return says that a task is solved


class _Beside:
    """A core and the integer learner that it must equal, in the environments of one seed."""

    def __init__(self, drive: PpoDrive, task: chip.ChipSettings, seed: int, todo: int, **changes: int) -> None:
        shape, self._drive = drive.shape, drive
        changes |= {"envs": shape.environments, "steps": shape.steps, "epochs": shape.epochs}
        self.own = chip.learner(task, seed, NativePpo, shape.columns, **changes)
        self._envs = NativeEnvs(drive.physics, shape.environments)
        self._seen = self._envs.start(seed)["obs"]
        self._episodes = chip.Episodes(np.zeros(shape.environments))
        drive.begin(self.own, seed, todo)

    def follow(self, done: list[Iteration]) -> int:
        """The learner does what the core has done; episodes that were truncated. Raises RunFailed if not the same."""
        lost = 0
        for one in done:
            rollout, self._seen = self.own.collect(self._envs, self._seen)
            self.own.train(rollout)
            lost += int((rollout.truncated & ~rollout.terminated).sum())
            if not same(one, rollout, self._episodes.ended(rollout)):
                raise RunFailed(f"the PPO core acts otherwise than its model in iteration {self.own.iterations}")
        return lost

    def check(self) -> None:
        """Raises RunFailed when weights, moments or counts of saturated numbers are not the learner's."""
        if wrong := self._drive.differences(self.own):
            raise RunFailed(f"the PPO core has learned something else than its model: {wrong}")
        if not self._drive.counts_as(self.own):
            raise RunFailed("the PPO core has saturated other numbers than its model")


@dataclass(frozen=True)
class Bench:
    """What the core did in an iteration behind another one, and what its model of clocks says of it."""

    shape: PpoShape
    done: Iteration
    predicted: cycles.Cycles

    @property
    def per_step(self) -> float:
        """Clocks of an environment step, everything included."""
        return self.done.clocks / self.shape.records

    def phases(self) -> list[tuple[str, int, int]]:
        """Each phase: its name, clocks of the RTL, clocks of the model."""
        at, model = self.done.states, self.predicted
        train = at["train"] - self.done.first + at["idle"] + at["rest"]
        return [
            ("collect", at["collect"] + at["answers"], model.collect),
            ("GAE", at["gae"], model.gae),
            ("first statistics", self.done.first, model.statistics),
            ("minibatches", train, model.batch_slices + model.turn),
        ]


@dataclass
class Learned:
    """A run until it is solved. curve: steps so far, clocks so far, mean return of the LAST episodes by then."""

    task: str
    clocks: int = 0
    steps: int = 0
    solved: bool = False
    curve: list[tuple[int, int, float]] = field(default_factory=list)


def measure(drive: PpoDrive, task: chip.ChipSettings, seed: int) -> Bench:
    """Two iterations one behind the other; the second one counts. Raises RunFailed where they are not the model's."""
    beside = _Beside(drive, task, seed, 2, minibatches=drive.shape.minibatches)
    first, second = drive.run(2)
    lost = beside.follow([first]), beside.follow([second])
    beside.check()
    shape = drive.shape
    return Bench(shape, second, cycles.cycles(shape, lost[1] / shape.records))


def learn(drive: PpoDrive, task: chip.ChipSettings, seed: int, step: Step) -> Learned:
    """From the first weights until the mean return of the LAST episodes reaches the goal, at most task.iterations.

    Raises RunFailed where an iteration is not the model's.
    """
    beside, learned, returns = _Beside(drive, task, seed, 1), Learned(task.name), []
    for number in range(task.iterations):
        done = drive.run(1, resume=number > 0)
        beside.follow(done)
        returns += done[0].episodes[:, 2].tolist()
        learned.clocks += done[0].clocks
        learned.steps += done[0].actions.size
        mean = float(np.mean(returns[-LAST:])) if returns else float("nan")
        learned.curve.append((learned.steps, learned.clocks, mean))
        step(f"PPO in RTL, iteration {number + 1}: the last {LAST} episodes returned {mean:.0f}")
        learned.solved = mean >= task.goal
        if learned.solved:
            break
    beside.check()
    return learned


def figures(bench: Bench, clock: boards.Clock) -> list[Figure]:
    """What --json gets of the core's iteration."""
    rate = clock.mhz * 1e6 / bench.per_step
    error = bench.predicted.per_step / bench.per_step - 1
    listed = [
        Figure("ppo.cycles_per_env_step", bench.per_step, "clocks", "measured"),
        Figure("ppo.model_error", error, "of the clocks, by the core's model", "model"),
        Figure("ppo.dsp", area.dsp(bench.shape), "DSP slices, without the environments", "model"),
        Figure("ppo.steps_per_second", rate, f"at {clock}", "model"),
    ]
    names = "collect", "gae", "statistics", "minibatch"
    for name, (_, clocks, _) in zip(names, bench.phases(), strict=True):
        listed.append(Figure(f"ppo.{name}_cycles", clocks, "clocks of an iteration", "measured"))
    return listed


def learning(learned: Learned, clock: boards.Clock) -> list[Figure]:
    """What --json gets of a run in RTL."""
    return [
        Figure(f"ppo.{learned.task}.solved", int(learned.solved), f"mean return of {LAST} episodes", "measured"),
        Figure(
            f"ppo.{learned.task}.learn_cycles", learned.clocks, "clocks from the first weights to solved", "measured"
        ),
        Figure(f"ppo.{learned.task}.learn_steps", learned.steps, "steps of an environment", "measured"),
        Figure(f"ppo.{learned.task}.learn_ms", learned.clocks / clock.mhz / 1e3, f"ms at {clock}", "model"),
    ]


class Ours:
    """PPO in integers, on the engine or in NumPy."""

    def __init__(self, backend: str) -> None:
        self.name = "native" if backend == "native" else "native.model"
        self.title = "rlcores, native engine" if backend == "native" else "rlcores, model in NumPy"
        self._kinds = (NativePpo, NativeEnvs) if backend == "native" else (Ppo, EnvModel)

    def iteration(self, seed: int, sizes: Sizes) -> Iterate:
        """An iteration, again and again the same learner's."""
        learner, environments = self._kinds
        options = {"envs": sizes[0], "steps": sizes[1], "epochs": EPOCHS, "minibatches": MINIBATCHES}
        own_learner = chip.learner(chip.task_of("cartpole"), seed, learner, **options)
        envs = environments(CartPole(), sizes[0])
        seen = [envs.start(seed)["obs"].astype(np.int64)]

        def iterate() -> None:
            rollout, seen[0] = own_learner.collect(envs, seen[0])
            own_learner.train(rollout)

        return iterate


def core(
    clock: boards.Clock, seed: int, step: Step, shape: PpoShape | None = None, task: chip.ChipSettings | None = None
) -> Outcome:
    """Clocks of the RTL, and a run until it has learned; by default the shape of docs/ppo_core.md, and CartPole."""
    shape, task = shape or balanced(), task or chip.task_of("cartpole")
    step("PPO: building the core and its environments")
    with PpoDrive(shape, environments.named(task.name)) as drive:
        step("PPO: two iterations in RTL")
        bench = measure(drive, task, seed)
        learned = learn(drive, task, seed, step)
    rows = [("phase", "clocks (measured)", "clocks by the model")]
    rows += [(name, f"{mine:,}", f"{model:,}") for name, mine, model in bench.phases()]
    rows.append(("an iteration", f"{bench.done.clocks:,}", f"{bench.predicted.total:,}"))
    rows.append(("a step", f"{bench.per_step:.2f}", f"{bench.predicted.per_step:.2f}"))
    title = f"The core, {shape.environments} x {shape.steps}: an iteration behind another one"
    ms = learned.clocks / clock.mhz / 1e3
    notes = [
        f"At {clock} the core trains {clock.mhz * 1e6 / bench.per_step:,.0f} steps a second. Its model counts "
        f"{area.dsp(shape):,} DSP slices, without its environments.",
        f"In RTL it {'solved' if learned.solved else 'did not solve'} {task.name} in {learned.clocks:,} clocks, "
        f"{ms:.1f} ms at {clock}: {learned.steps:,} steps, all as the model's.",
    ]
    return Outcome(figures(bench, clock) + learning(learned, clock), [shown.table(title, rows), *notes])


def run(clock: boards.Clock, seed: int, step: Step, seconds: float = 2.0, sizes: Sizes = SIZES) -> Outcome:
    """The core, and time of an iteration of everybody who is installed. sizes: of software only."""
    mine = core(clock, seed, step)
    listed = list(mine.figures)
    rows = [("who", "ns a step", "steps a second")]
    count = sizes[0] * sizes[1]
    for who in peer.each("PPO", (Ours("native"), Ours("model"), *ppo_peers.PEERS), step):
        iterate = who.iteration(seed, sizes)
        ns = peer.least(lambda i, iterate=iterate: iterate(), seconds) / count * 1e9
        listed.append(Figure(f"{peer.place(who)}.ppo_step_ns", ns, "ns a step of an environment, trained", "measured"))
        rows.append((who.title, f"{ns:,.0f}", f"{1e9 / ns:,.0f}"))
    title = f"PPO on CartPole, 4-64-64, {sizes[0]} x {sizes[1]}, {EPOCHS} epochs, {MINIBATCHES} minibatches"
    notes = [f"Software runs on one thread; the engine's kernels on {native.isa()}."]
    for name, (steps, of) in PUBLISHED.items():
        listed.append(Figure(f"published.{name}.steps_per_second", steps, of, "assumed"))
        notes.append(f"Published, of another task: {steps:,} trained steps a second by {of}.")
    sections = [*mine.shown, shown.table(title, rows), *notes, *peer.absent(ppo_peers.PEERS)]
    return Outcome(listed + native_bench.versions(), sections)
