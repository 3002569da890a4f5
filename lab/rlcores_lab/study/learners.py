"""Learners in parallel: what is learned by L of them that average every H steps, beside one with L times the batch.

A run is an environment, L, H, a batch, learning rates and a seed in the integers of the replay learner, by the loop of
`rlcores train --learners L --average H`. All runs make the same environment steps and gradient steps of each learner.
Every run goes on to its last step, and is kept in this repository.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
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

Job = tuple[str, int, int, int, float, int]  # environment, L, H, batches of a learner in one, rate, seed


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards of episodes of the greedy policy."""

    environment: str
    learners: int
    average: int
    batches: int  # a learner's batch, in batches of the task
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
    rate: float = 1.0  # the factor of the learning rates over those of the task


@dataclass(frozen=True)
class Line:
    """An environment with L learners at one H: means over seeds, and half of their 95 % intervals.

    change: the mean less that of one learner with the same batch in all and the task's rates, seed by seed.
    """

    environment: str
    learners: int
    average: int
    batches: int
    rate: float
    seeds: int
    last: tuple[float, float]
    mean: tuple[float, float]
    best: tuple[float, float]
    change: tuple[float, float]


def plan(seeds: int = SEEDS, environments: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one: with the task's rates, and with those times sqrt(L).

    The noise of a gradient of one batch is sqrt(L) times that of L batches. Adam divides by it, so each of L learners
    takes shorter steps than one learner with all batches, wherever noise is most of the gradient.
    """
    chosen = list(environments or ENVIRONMENTS)
    ways = [(1, 1, batches, 1.0) for batches in (1, *LEARNERS)]
    ways += [(learners, average, 1, 1.0) for learners in LEARNERS for average in AVERAGES]
    ways += [(1, 1, batches, round(batches**0.5, 3)) for batches in LEARNERS]
    ways += [(learners, average, 1, round(learners**0.5, 3)) for learners in LEARNERS for average in AVERAGES]
    return [(environment, *way, seed) for seed in range(seeds) for environment in chosen for way in ways]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {_key(run): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings, in the order of the plan's lines."""
    order = {job[:-1]: number for number, job in enumerate(plan(1))}
    present = [run for run in runs.lines(file, Run) if run.settings == fingerprint(run.environment)]
    return sorted(present, key=lambda run: order.get(_key(run)[:-1], len(order)))


def fingerprint(environment: str) -> str:
    """Of the settings of an environment's runs, steps included."""
    return runs.fingerprint(_plan(environment, 1, 1, 1, 1.0, 0))


def _key(run: Run) -> Job:
    return run.environment, run.learners, run.average, run.batches, run.rate, run.seed


def _plan(environment: str, learners: int, average: int, batches: int, rate: float, seed: int) -> settings.Plan:
    algo, steps = ENVIRONMENTS[environment]
    spaces = look(environment)
    planned = settings.plan(
        algo, environment, "native", spaces, seed=seed, steps=steps, tuning={"learners": learners, "average": average}
    )
    rates = [of.name for of in fields(planned.settings) if of.name.endswith("learning_rate")]
    changed = replace(
        planned.settings,
        batch_size=planned.settings.batch_size * batches,
        **{name: getattr(planned.settings, name) * rate for name in rates},
    )
    return replace(planned, settings=changed, tuning={}, until=math.inf)


def train(environment: str, learners: int, average: int, batches: int, rate: float, seed: int) -> Run:
    """One run from its first step to its last. Raises UserError when the environment is not installed."""
    planned = _plan(environment, learners, average, batches, rate, seed)
    trainer = ReplayTrainer(planned, look(environment))
    job = Run(environment, learners, average, batches, seed, planned.steps, rate=rate)
    return played(planned, trainer, job, fingerprint(environment))


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
    for environment, *way in dict.fromkeys(_key(run)[:5] for run in runs):
        learners, average, batches, rate = way
        beside = (1, 1, learners * batches, 1.0)
        seeds = sorted(k[5] for k in by if k[:5] == (environment, *way) and (environment, *beside, k[5]) in by)
        group = [by[environment, *way, seed] for seed in seeds]
        if group:
            whole = [by[environment, *beside, seed].mean for seed in seeds]
            columns = [[run.last for run in group], [run.mean for run in group], [run.best for run in group]]
            columns.append([run.mean - was for run, was in zip(group, whole, strict=True)])
            means = map(statistics.interval, columns)
            result.append(Line(environment, learners, average, batches, rate, len(group), *means))
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [
        (
            *("environment", "L", "H", "batches", "rates", "seeds"),
            *("return, mean of the curve", "less that of one", "no worse?", "last quarter", "best"),
        )
    ]
    for line in lines(runs):
        mean, change, last, best = map(statistics.shown, (line.mean, line.change, line.last, line.best))
        compared = line.learners > 1 or line.rate != 1
        of = [mean, *((change, verdict(line)) if compared else ("", "")), last, best]
        average = str(line.average) if line.learners > 1 else "–"
        way = str(line.learners), average, str(line.batches), f"× {line.rate:.3g}", str(line.seeds)
        rows.append((line.environment, *way, *of))
    return rows


def verdict(line: Line) -> str:
    """Whether L learners are no worse than one with as large a batch in all, from the interval of the difference."""
    middle, half = line.change
    if line.seeds < 2:
        return "one seed: nothing yet"
    return "**better**" if middle > half else "**worse**" if middle < -half else "no difference shown"


def reading(runs: Sequence[Run], scaled: bool = False) -> str:
    """The lines with several learners in one sentence: those with the task's learning rates, or those with others."""
    several = [line for line in lines(runs) if line.learners > 1 and (line.rate != 1) == scaled]
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
        name += f"_rate{100 * line.rate:.0f}" if line.rate != 1 else ""
        for what in ("mean", "change", "last", "best"):
            middle, half = getattr(line, what)
            listed += [
                report.Figure(f"{name}.{what}", round(middle, 1), "return", "measured"),
                report.Figure(f"{name}.{what}_half", round(half, 1), "return", "measured"),
            ]
        listed.append(report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"))
    return listed
