"""Learners in parallel: what is learned by L of them that average every H steps, beside one with L times the batch.

A run is an environment, L, H, a batch and a seed in the integers of the replay learner, by the loop of `rlcores train
--learners L --average H`. All runs make the same environment steps and gradient steps of each learner. Every run goes
on to its last step, and is kept in this repository.
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
from rlcores.train.trainer import Trainer
from rlcores_lab.study import runs, statistics

LEARNERS, AVERAGES = (2, 4), (1, 10, 25)
SEEDS = 5
# Algorithm and environment steps.
ENVIRONMENTS = {"CartPole-v1": ("dqn", 20_000), "Acrobot-v1": ("dqn", 20_000), "Pendulum-v1": ("ddpg", 6_000)}
KEPT = Path(__file__).with_name("learners.jsonl")
LAST = 0.25  # share of the evaluations, at the end, whose mean is what was learned

Job = tuple[str, int, int, int, int]  # environment, L, H, batches of a learner in one, seed


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards of episodes of the greedy policy."""

    environment: str
    learners: int
    average: int
    batches: int  # a learner's batch is so many times that of the task
    seed: int
    steps: int  # environment steps
    updates: int = 0  # gradient steps of each learner
    last: float = math.nan  # mean of the evaluations in the last LAST of the steps
    mean: float = math.nan  # of all evaluations: how fast it was learned
    best: float = math.nan  # of 100 episodes that chose nothing, of the best checkpoint
    curve: list[list[float]] = field(default_factory=list)  # [gradient steps, mean return of an evaluation]
    seconds: float = 0.0  # of the processor
    settings: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Line:
    """An environment with L learners at one H: means over seeds, and half of their 95 % intervals.

    change: the mean less that of one learner with the same batch in all, seed by seed.
    """

    environment: str
    learners: int
    average: int
    batches: int
    seeds: int
    last: tuple[float, float]
    mean: tuple[float, float]
    best: tuple[float, float]
    change: tuple[float, float]


def plan(seeds: int = SEEDS, environments: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    chosen = list(environments or ENVIRONMENTS)
    ways = [(1, 1, batches) for batches in (1, *LEARNERS)]
    ways += [(learners, average, 1) for learners in LEARNERS for average in AVERAGES]
    return [(environment, *way, seed) for seed in range(seeds) for environment in chosen for way in ways]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {_key(run): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings."""
    return [run for run in runs.lines(file, Run) if run.settings == fingerprint(run.environment)]


def fingerprint(environment: str) -> str:
    """Of the settings of an environment's runs, steps included."""
    return runs.fingerprint(_plan(environment, 1, 1, 1, 0))


def _key(run: Run) -> Job:
    return run.environment, run.learners, run.average, run.batches, run.seed


def _plan(environment: str, learners: int, average: int, batches: int, seed: int) -> settings.Plan:
    algo, steps = ENVIRONMENTS[environment]
    spaces = look(environment)
    planned = settings.plan(
        algo, environment, "native", spaces, seed=seed, steps=steps, tuning={"learners": learners, "average": average}
    )
    changed = replace(planned.settings, batch_size=planned.settings.batch_size * batches)
    return replace(planned, settings=changed, tuning={}, until=math.inf)


def train(environment: str, learners: int, average: int, batches: int, seed: int) -> Run:
    """One run from its first step to its last. Raises UserError when the environment is not installed."""
    planned = _plan(environment, learners, average, batches, seed)
    trainer = ReplayTrainer(planned, look(environment))
    return played(
        planned, trainer, Run(environment, learners, average, batches, seed, planned.steps), fingerprint(environment)
    )


def played(planned: settings.Plan, trainer: Trainer, job: Run, fingerprint: str) -> Run:
    """A run of a plan to its last step, filled in."""
    begun = time.process_time()
    run = loop.Run(planned, look(planned.environment), trainer, pool.make(planned, 1), None)
    run.run()
    curve = [[float(row[1]), float(row[4])] for row in run.state.curve]
    returns = np.array([y for _, y in curve])
    return replace(
        job,
        updates=trainer.updates,
        last=float(returns[-math.ceil(LAST * len(returns)) :].mean()),
        mean=float(returns.mean()),
        best=run.report(),
        curve=curve,
        seconds=round(time.process_time() - begun, 1),
        settings=fingerprint,
        commit=runs.commit(),
    )


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line an environment and way, in the order of the plan; of the seeds that its one learner has too."""
    by = {_key(run): run for run in runs}
    result = []
    for environment, *way in dict.fromkeys(_key(run)[:4] for run in runs):
        learners, average, batches = way
        beside = (1, 1, learners * batches)
        seeds = sorted(k[4] for k in by if k[:4] == (environment, *way) and (environment, *beside, k[4]) in by)
        group = [by[environment, *way, seed] for seed in seeds]
        if group:
            whole = [by[environment, *beside, seed].mean for seed in seeds]
            columns = [[run.last for run in group], [run.mean for run in group], [run.best for run in group]]
            columns.append([run.mean - was for run, was in zip(group, whole, strict=True)])
            result.append(Line(environment, learners, average, batches, len(group), *map(statistics.interval, columns)))
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [
        (
            *("environment", "L", "H", "batches", "seeds"),
            *("return, mean of the curve", "less that of one", "no worse?", "last quarter", "best"),
        )
    ]
    for line in lines(runs):
        mean, change, last, best = map(statistics.shown, (line.mean, line.change, line.last, line.best))
        of = [mean, *((change, verdict(line)) if line.learners > 1 else ("", "")), last, best]
        average = str(line.average) if line.learners > 1 else "–"
        rows.append((line.environment, str(line.learners), average, str(line.batches), str(line.seeds), *of))
    return rows


def verdict(line: Line) -> str:
    """Whether L learners are no worse than one with as large a batch in all, from the interval of the difference."""
    middle, half = line.change
    if line.seeds < 2:
        return "one seed: nothing yet"
    return "**better**" if middle > half else "**worse**" if middle < -half else "no difference shown"


def reading(runs: Sequence[Run]) -> str:
    """The lines with several learners in one sentence."""
    several = [line for line in lines(runs) if line.learners > 1]
    judged = [line for line in several if line.seeds > 1]
    if not judged:
        return "No line has two seeds yet, so nothing is said of any."
    names = {way: [f"{x.environment}, L = {x.learners}, H = {x.average}" for x in judged if verdict(x) == way]
             for way in ("**worse**", "**better**")}  # fmt: skip
    text = (
        f"Of {len(judged)} lines with several learners and two seeds or more, {len(names['**worse**'])} are worse than "
    )
    text += f"one learner with as large a batch in all, and {len(names['**better**'])} are better"
    which = "; ".join(f"{way.strip('*')}: {', '.join(x)}" for way, x in names.items() if x)
    return f"{text} ({which})." if which else f"{text}."


def figures(runs: Sequence[Run], study: str = "learners.study") -> list[report.Figure]:
    """Means and half intervals of each line."""
    listed = []
    for line in lines(runs):
        name = f"{study}.{line.environment.partition('-')[0].lower()}"
        name += f".l{line.learners}_h{line.average}_b{line.batches}"
        for what in ("mean", "change", "last", "best"):
            middle, half = getattr(line, what)
            listed += [
                report.Figure(f"{name}.{what}", round(middle, 1), "return", "measured"),
                report.Figure(f"{name}.{what}_half", round(half, 1), "return", "measured"),
            ]
        listed.append(report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"))
    return listed
