"""SPO-DQN and SPO-TD3 (Zhang 2022, section 5.4) on tasks of this machine, and an outer momentum for them.

SPO-DQN is dueling double DQN with priorities and returns of three steps, SPO-TD3 is TD3 with the rounds of algorithm 8.
A run is a task, L, H, a batch, a momentum and a seed, by the loop of `rlcores train --learners L --average H`. Runs are
kept in this repository.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import report
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.cores.learners.off_policy import OffPolicyLearners
from rlcores.cores.learners.rounds import Made, Share, Work
from rlcores.train import settings
from rlcores.train.off_policy import OffPolicyTrainer
from rlcores.train.spaces import look
from rlcores_lab.study import learners, runs, statistics

LEARNERS, AVERAGES, MOMENTA = (2, 4), (1, 10), (0.5,)
SEEDS = 3
ENVS = 4  # a learner's own are as many or fewer
NETWORK, BATCH, EVERY = (64, 64), 64, 500  # of all tasks; environment steps from one evaluation to the next
KEPT = Path(__file__).with_name("spo.jsonl")


@dataclass(frozen=True)
class SpoTask:
    """What is learned, and in how many environment steps."""

    algo: str
    environment: str
    steps: int


TASKS = {
    "SPO-DQN, CartPole-v1": SpoTask("dueling", "CartPole-v1", 3_000),
    "SPO-TD3, Pendulum-v1": SpoTask("td3", "Pendulum-v1", 10_000),
}

Job = tuple[str, int, int, int, float, int]  # task, L, H, batches of a learner in one, momentum, seed


@dataclass
class Run(learners.Run):
    """As of the study of learners; environment is the task."""

    momentum: float = 0.0


class WithMomentum(OffPolicyLearners):
    """Learners whose average moves on by a share of its last move: x + m v + (mean - x), v all but x.

    SlowMo of Wang et al. (2020) with an outer rate of 1.
    """

    def __init__(self, each: Sequence[Any], average: int, momentum: float) -> None:
        self._momentum, self._moved = momentum, set[str]()
        super().__init__(each, average)
        first = self.each[0].shared()
        weights = {name: planes[WEIGHTS] for name, planes in first.items() if name.startswith("network")}
        self._last = {name: (plane, np.zeros(len(plane))) for name, plane in weights.items()}  # average, and its move

    def together(self, works: Sequence[Work[Any]]) -> list[Any]:
        self._moved.clear()
        return super().together(works)

    def _made(self, shares: Sequence[Share]) -> Made:
        made = super()._made(shares)
        for name in made.keys() - self._moved:  # a critic's average is taken twice in a round
            before, move = self._last[name]
            move = self._momentum * move + (made[name] - before)
            made[name] = np.clip(np.rint(before + move), -(1 << 26), (1 << 26) - 1).astype(np.int64)
            self._last[name] = made[name], move
        self._moved |= made.keys()
        return made


def plan(seeds: int = SEEDS, tasks: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    ways: list[tuple[int, int, int, float]] = [(1, 1, batches, 0.0) for batches in (1, *LEARNERS)]
    ways += [(count, average, 1, 0.0) for count in LEARNERS for average in AVERAGES]
    ways += [(LEARNERS[-1], AVERAGES[-1], 1, momentum) for momentum in MOMENTA]
    return [(task, *way, seed) for seed in range(seeds) for task in tasks or TASKS for way in ways]


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


def fingerprint(task: str) -> str:
    """Of the settings of a task's runs, steps included."""
    return runs.fingerprint(_plan(task, 1, 1, 1, 0))


def _key(run: Run) -> Job:
    return run.environment, run.learners, run.average, run.batches, run.momentum, run.seed


def _plan(task: str, count: int, average: int, batches: int, seed: int) -> settings.Plan:
    of = TASKS[task]
    spaces = look(of.environment)
    planned = settings.plan(
        of.algo, of.environment, "native", spaces, seed=seed, steps=of.steps, envs=ENVS, evaluate_every=EVERY,
        tuning={"learners": count, "average": average},
    )  # fmt: skip
    changed = replace(planned.settings, network=NETWORK, batch_size=BATCH * batches)
    return replace(planned, settings=changed, tuning={}, until=math.inf)


def train(task: str, count: int, average: int, batches: int, momentum: float, seed: int) -> Run:
    """One run from its first step to its last. Raises UserError when the environment is not installed."""
    planned = _plan(task, count, average, batches, seed)
    trainer = OffPolicyTrainer(planned, look(planned.environment))
    if momentum:
        trainer.learner = WithMomentum(trainer.learner.learners, average, momentum)
    job = Run(task, count, average, batches, seed, planned.steps, momentum=momentum)
    return learners.played(planned, trainer, job, fingerprint(task))


def plain(runs: Sequence[Run]) -> list[Run]:
    """Those without momentum, for the tables of the study of learners."""
    return [run for run in runs if not run.momentum]


def with_momentum(runs: Sequence[Run]) -> list[tuple[Run, list[tuple[float, float]]]]:
    """For each task and momentum a run, and of every seed the mean of its curve and that of the run without."""
    by = {_key(run): run for run in runs}
    by_key: dict[tuple[str, float], tuple[Run, list[tuple[float, float]]]] = {}
    for run in runs:
        without = by.get((run.environment, run.learners, run.average, run.batches, 0.0, run.seed))
        if run.momentum and without:
            by_key.setdefault((run.environment, run.momentum), (run, []))[1].append((run.mean, without.mean))
    return list(by_key.values())


def _change(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return statistics.interval([own - without for own, without in pairs])


def momentum_table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header, and a row a task and momentum: the mean of the curve, and less that without momentum, seed by seed."""
    rows = [("task", "L", "H", "momentum", "seeds", "return, mean of the curve", "less that without")]
    for run, pairs in with_momentum(runs):
        numbers = map(statistics.shown, (statistics.interval([mean for mean, _ in pairs]), _change(pairs)))
        way = run.environment, str(run.learners), str(run.average), f"{run.momentum:g}", str(len(pairs))
        rows.append((*way, *numbers))
    return rows


def momentum_reading(runs: Sequence[Run]) -> str:
    """What the intervals of the table say."""
    changes = [_change(pairs) for _, pairs in with_momentum(runs) if len(pairs) > 1]
    if not changes:
        return "No line has two seeds yet, so nothing is said of any."
    better = sum(middle > half for middle, half in changes)
    worse = sum(middle < -half for middle, half in changes)
    text = f"Of {len(changes)} lines {better} are better with the momentum, {worse} are worse"
    more = "" if better else ", so neither `rlcores train` nor the RTL has it"
    return f"{text}, and {len(changes) - better - worse} show no difference{more}."


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Means and half intervals of each line."""
    listed = learners.figures([replace(run, environment=TASKS[run.environment].algo) for run in plain(runs)], "spo")
    for run, pairs in with_momentum(runs):
        name = f"spo.{TASKS[run.environment].algo}.momentum_{run.momentum * 100:.0f}.change"
        middle, half = _change(pairs)
        listed += [
            report.Figure(name, round(middle, 1), "return", "measured"),
            report.Figure(f"{name}_half", round(half, 1), "return", "measured"),
        ]
    return listed
