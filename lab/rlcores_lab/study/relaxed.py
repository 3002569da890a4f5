"""The relaxed loop: what is learned when priorities come back D batches late (Zhang 2022, Figure 4.8).

A run is an environment, a D and a seed in the integers of the replay learner, by the loop of `rlcores train --ahead D`.
Every run goes on to its last step, and is kept in this repository.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.train import loop, pool, settings
from rlcores.train.replaying import ReplayTrainer
from rlcores.train.spaces import look
from rlcores_lab import shown
from rlcores_lab.study import runs, statistics

DEPTHS = (0, 1, 10, 50, 100, 200)
SEEDS = 5
# Algorithm and steps. The thesis has CartPole, Hopper and Pong.
ENVIRONMENTS = {"CartPole-v1": ("dqn", 30_000), "Acrobot-v1": ("dqn", 30_000), "Pendulum-v1": ("ddpg", 6_000)}
KEPT = Path(__file__).with_name("relaxed.jsonl")
LAST = 0.25  # share of the evaluations, at the end, whose mean is what was learned

Job = tuple[str, int, int]  # environment, D, seed


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards of episodes of the greedy policy."""

    environment: str
    ahead: int
    seed: int
    steps: int  # environment steps
    updates: int = 0  # gradient steps
    last: float = math.nan  # mean of the evaluations in the last LAST of the steps
    mean: float = math.nan  # of all evaluations: how fast it was learned
    best: float = math.nan  # of 100 episodes that chose nothing, of the best checkpoint
    late: float = 0.0  # share of the updates that found their slot overwritten
    curve: list[list[float]] = field(default_factory=list)  # [step, mean return of an evaluation]
    seconds: float = 0.0  # of the processor
    settings: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Line:
    """An environment at one D: means over seeds, and half of their 95 % intervals.

    change: the mean less that at D = 0, seed by seed, in the unit of the return.
    """

    environment: str
    ahead: int
    seeds: int
    last: tuple[float, float]
    mean: tuple[float, float]
    best: tuple[float, float]
    change: tuple[float, float]


def plan(seeds: int = SEEDS, environments: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    chosen = list(environments or ENVIRONMENTS)
    return [(environment, ahead, seed) for seed in range(seeds) for environment in chosen for ahead in DEPTHS]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {(run.environment, run.ahead, run.seed): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings."""
    return [run for run in runs.lines(file, Run) if run.settings == fingerprint(run.environment)]


def fingerprint(environment: str) -> str:
    """Of the settings of an environment's runs, steps included."""
    return runs.fingerprint(_plan(environment, 0, 0))


def _plan(environment: str, ahead: int, seed: int) -> settings.Plan:
    algo, steps = ENVIRONMENTS[environment]
    spaces = look(environment)
    planned = settings.plan(algo, environment, "native", spaces, seed=seed, steps=steps, tuning={"ahead": ahead})
    return replace(planned, until=math.inf)


def train(environment: str, ahead: int, seed: int) -> Run:
    """One run from its first step to its last. Raises UserError when the environment is not installed."""
    begun = time.process_time()
    planned = _plan(environment, ahead, seed)
    trainer = ReplayTrainer(planned, spaces := look(environment))
    run = loop.Run(planned, spaces, trainer, pool.make(planned, 1), None)
    run.run()
    curve = [[float(row[0]), float(row[4])] for row in run.state.curve]
    returns = np.array([y for _, y in curve])
    counted = trainer.learner.counters()
    return Run(
        environment, ahead, seed, planned.steps, trainer.updates,
        last=float(returns[-math.ceil(LAST * len(returns)) :].mean()),
        mean=float(returns.mean()),
        best=run.report(),
        late=counted["stale_updates"] / max(1, counted["sampled"]),
        curve=curve,
        seconds=round(time.process_time() - begun, 1),
        settings=fingerprint(environment),
        commit=runs.commit(),
    )  # fmt: skip


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line an environment and D, in the order of the plan; seeds that have no run at D = 0 are left out."""
    by = {(run.environment, run.ahead, run.seed): run for run in runs}
    result = []
    for environment in dict.fromkeys(run.environment for run in runs):
        for ahead in DEPTHS:
            seeds = [s for e, d, s in sorted(by) if (e, d) == (environment, ahead) and (e, 0, s) in by]
            group = [by[environment, ahead, seed] for seed in seeds]
            if group:
                before = [by[environment, 0, seed].mean for seed in seeds]
                columns = [[run.last for run in group], [run.mean for run in group], [run.best for run in group]]
                columns.append([run.mean - was for run, was in zip(group, before, strict=True)])
                result.append(Line(environment, ahead, len(group), *map(statistics.interval, columns)))
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [("environment", "D", "seeds", "return, mean of the curve", "less that of D = 0", "last quarter", "best")]
    for line in lines(runs):
        of = [statistics.shown(pair) for pair in (line.mean, line.change, line.last, line.best)]
        rows.append((line.environment, str(line.ahead), str(line.seeds), *of))
    return rows


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Means and half intervals of each line."""
    listed = []
    for line in lines(runs):
        name = f"relaxed.{line.environment.partition('-')[0].lower()}.{line.ahead}"
        for what in ("mean", "change", "last", "best"):
            middle, half = getattr(line, what)
            listed += [
                report.Figure(f"{name}.{what}", round(middle, 1), "return", "measured"),
                report.Figure(f"{name}.{what}_half", round(half, 1), "return", "measured"),
            ]
        listed.append(report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"))
    return listed


def picture(runs: Sequence[Run], path: Path) -> None:
    """The mean of the curve against D, a panel an environment; bars are 95 % intervals, a band that of D = 0."""
    of = lines(runs)
    environments = list(dict.fromkeys(line.environment for line in of))
    with shown.picture(path, 4 * len(environments), 3.4) as figure:
        axes = figure.subplots(1, len(environments), squeeze=False)[0]
        for axis, environment in zip(axes, environments, strict=True):
            points = [line for line in of if line.environment == environment]
            at = range(len(points))
            axis.errorbar(at, [x.mean[0] for x in points], [x.mean[1] for x in points], marker="o", capsize=3)
            middle, half = points[0].mean
            axis.axhspan(middle - half, middle + half, color="tab:blue", alpha=0.12)
            axis.set(title=f"{environment}, {points[0].seeds} seeds", xlabel="D, batches", xticks=list(at))
            axis.set_xticklabels([str(x.ahead) for x in points])
        axes[0].set_ylabel("return, mean of the curve")
