"""HEPPO's records in the rollout memory of PPO on the chip: what is learned at 3 to 10 bits, beside 27 (docs/ppo.md).

A run is a task of the chip, the bits of a reward's and a value's code, and a seed, in the integers of the core. Every
run does all its iterations, its last policy is judged in Gymnasium, and the run is kept in this repository.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.cores.ppo import gae
from rlcores.cores.ppo.model import Ppo, Rollout
from rlcores.cores.ppo.records import BITS
from rlcores.train.chip import ChipSettings, tasks
from rlcores_lab import shown
from rlcores_lab.study import ppo, runs, statistics

WHOLE = 0  # bits: rewards and values are kept as they are, 27 bits
ALL_BITS = (WHOLE, *reversed(BITS))
SEEDS = 5
TASKS = "cartpole", "pendulum"
KEPT = Path(__file__).with_name("records.jsonl")

Job = tuple[str, int, int]  # task, bits, seed


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards."""

    task: str
    bits: int
    seed: int
    steps: int = 0  # environment steps
    final: float = math.nan  # mean of ppo.EPISODES episodes in Gymnasium, the last weights
    mean: float = math.nan  # of the curve: how fast it was learned
    error: float = math.nan  # of advantages: rms difference from whole records' over their rms, mean of rollouts
    saturated: float = math.nan  # share of the codes that did not hold their number
    curve: list[list[float]] = field(default_factory=list)  # [step, mean return of the episodes that ended]
    seconds: float = 0.0  # of the processor
    settings: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Line:
    """A task at a number of bits: means over seeds, and half of their 95 % intervals.

    change: the curve's mean less that of whole records, seed by seed.
    """

    task: str
    bits: int
    seeds: int
    final: tuple[float, float]
    mean: tuple[float, float]
    change: tuple[float, float]
    error: float
    saturated: float


def plan(seeds: int = SEEDS, chosen: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    return [(task, bits, seed) for seed in range(seeds) for task in chosen or TASKS for bits in ALL_BITS]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {(run.task, run.bits, run.seed): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings."""
    return [run for run in runs.lines(file, Run) if run.settings == runs.fingerprint(_task(run.task, run.bits))]


def _task(name: str, bits: int) -> ChipSettings:
    task = tasks()[name]
    return replace(task, settings=task.settings | {"record_bits": bits}) if bits else task


def train(name: str, bits: int, seed: int) -> Run:
    """One run from its first rollout to its last."""
    begun = time.process_time()
    errors: list[float] = []
    task = _task(name, bits)
    trained = ppo.train(task, seed, lambda own, rollout: errors.append(_error(own, rollout)))
    codes = 3 * trained.steps  # a value, a reward and an advantage of each step
    return Run(
        name, bits, seed, trained.steps, trained.final,
        mean=float(np.nanmean([y for _, y in trained.curve])),
        error=float(np.mean(errors)),
        saturated=trained.saturations.get("reward", 0) / codes,
        curve=trained.curve,
        seconds=round(time.process_time() - begun, 1),
        settings=trained.settings,
        commit=runs.commit(),
    )  # fmt: skip


def _error(own: Ppo, rollout: Rollout) -> float:
    """Of a rollout's advantages beside those of whole records: rms of the difference over the rms."""
    s, r = own.settings, rollout
    ends = r.terminated, r.truncated
    whole = gae.advantages(r.rewards, r.values, *ends, r.finals, r.bootstrap, s.gamma, s.gamma_lambda).advantages
    return float(np.sqrt(np.mean((r.advantages - whole) ** 2.0) / np.mean(whole**2.0)))


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line for a task and its bits, in the order of the plan; seeds without a run of whole records are left out."""
    by = {(run.task, run.bits, run.seed): run for run in runs}
    result = []
    for task in dict.fromkeys(run.task for run in runs):
        for bits in ALL_BITS:
            seeds = [s for t, b, s in sorted(by) if (t, b) == (task, bits) and (t, WHOLE, s) in by]
            group = [by[task, bits, seed] for seed in seeds]
            if group:
                change = [run.mean - by[task, WHOLE, run.seed].mean for run in group]
                columns = [run.final for run in group], [run.mean for run in group], change
                errors = (float(np.mean(x)) for x in ([run.error for run in group], [run.saturated for run in group]))
                result.append(Line(task, bits, len(group), *map(statistics.interval, columns), *errors))
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [
        (
            "task",
            "bits",
            "seeds",
            "return, last policy",
            "mean of the curve",
            "less that of 27 bits",
            "error",
            "clipped",
        )
    ]
    for line in lines(runs):
        of = [statistics.shown(pair) for pair in (line.final, line.mean, line.change)]
        bits = str(line.bits or 27)
        rows.append((line.task, bits, str(line.seeds), *of, f"{line.error:.2%}", f"{line.saturated:.2%}"))
    return rows


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Means and half intervals of each line."""
    listed = []
    for line in lines(runs):
        name = f"records.{line.task}.{line.bits or 27}"
        for what in ("final", "mean", "change"):
            middle, half = getattr(line, what)
            listed += [
                report.Figure(f"{name}.{what}", round(middle, 1), "return", "measured"),
                report.Figure(f"{name}.{what}_half", round(half, 1), "return", "measured"),
            ]
        listed += [
            report.Figure(f"{name}.error", round(line.error, 5), "of the rms advantage", "measured"),
            report.Figure(f"{name}.saturated", round(line.saturated, 6), "of the codes", "measured"),
            report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"),
        ]
    return listed


def picture(runs: Sequence[Run], path: Path) -> None:
    """The mean of the curve against bits, a panel for each task; bars are 95 % intervals, a band that of 27 bits."""
    of = lines(runs)
    chosen = list(dict.fromkeys(line.task for line in of))
    with shown.picture(path, 4 * len(chosen), 3.4) as figure:
        for axis, task in zip(figure.subplots(1, len(chosen), squeeze=False)[0], chosen, strict=True):
            points = sorted((line for line in of if line.task == task and line.bits), key=lambda line: line.bits)
            axis.errorbar(
                [x.bits for x in points],
                [x.mean[0] for x in points],
                [x.mean[1] for x in points],
                marker="o",
                capsize=3,
            )
            middle, half = next(line.mean for line in of if line.task == task and not line.bits)
            axis.axhspan(middle - half, middle + half, color="tab:blue", alpha=0.12)
            axis.set(title=f"{task}, {points[0].seeds} seeds", xlabel="bits of a reward or a value")
            axis.set_ylabel("return, mean of the curve")
