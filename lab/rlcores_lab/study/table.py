"""The learning table: runs of the study, side by side, and what they must show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from rlcores.train import evaluation
from rlcores_lab import shown
from rlcores_lab.study import learning
from rlcores_lab.study import tasks as settings
from rlcores_lab.study.arithmetic import ARITHMETICS
from rlcores_lab.study.learning import Run

Job = tuple[str, str, int]  # task, arithmetic, seed


@dataclass(frozen=True)
class Line:
    """One task in one arithmetic, over its seeds."""

    task: str
    arithmetic: str
    goal: float
    seeds: int
    learned: int  # seeds whose best checkpoint reaches the goal
    best: float  # mean over the seeds of the best checkpoint's mean return
    worst: float  # the least of them
    final: float  # mean over the seeds of the final weights' mean return
    final_learned: int
    saturations: int


def plan(
    seeds: int | None = None, tasks: Iterable[str] | None = None, arithmetics: Sequence[str] = ARITHMETICS
) -> list[Job]:
    """The jobs of the study; `seeds` limits the seeds of each task."""
    chosen = [settings.task(name) for name in (tasks or settings.TASKS)]
    return [
        (task.name, arithmetic, seed)
        for task in chosen
        for seed in range(task.seeds if seeds is None else min(seeds, task.seeds))
        for arithmetic in arithmetics
    ]


def load(folder: Path) -> list[Run]:
    """All runs that are kept in `folder`, in the order of plan()."""
    runs = [learning.kept(folder, settings.task(job[0]), *job[1:]) for job in plan()]
    return [run for run in runs if run]


def one(job: Job, folder: Path) -> Run:
    """The run of a job: from its file, else made and kept there."""
    return learning.one(settings.task(job[0]), *job[1:], folder)


def lines(runs: Sequence[Run]) -> list[Line]:
    """One line a task and arithmetic, in the order of plan()."""
    result = []
    for task, arithmetic in product(settings.TASKS.values(), ARITHMETICS):
        own = [r for r in runs if (r.task, r.arithmetic) == (task.name, arithmetic)]
        if not own:
            continue
        best, final = np.array([r.best for r in own]), np.array([r.final for r in own])
        learned, final_learned = (int((returns >= task.goal).sum()) for returns in (best, final))
        saturations = sum(sum(r.saturations.values()) for r in own)
        means = float(best.mean()), float(best.min()), float(final.mean())
        result.append(Line(task.name, arithmetic, task.goal, len(own), learned, *means, final_learned, saturations))
    return result


def shortfalls(runs: Sequence[Run]) -> list[str]:
    """What the study was to show and these runs do not, a sentence each.

    The integers learn a task in as many seeds as float32, CartPole in all of them; and float32 itself learns CartPole
    in all and LunarLander in four of five, so that the comparison says something.
    """
    by_name = {(line.task, line.arithmetic): line for line in lines(runs)}
    faults = []
    for (name, arithmetic), line in by_name.items():
        least = {"cartpole": line.seeds, "lunarlander": line.seeds * 4 // 5}.get(name, 0)
        if arithmetic == "integer" and (name, "float32") in by_name:
            least = max(by_name[name, "float32"].learned, least if name == "cartpole" else 0)
        if line.learned < least:
            faults.append(
                f"{name} {arithmetic}: {line.learned} of {line.seeds} seeds reach {line.goal:g}, expected {least}"
            )
    return faults


def markdown(runs: Sequence[Run]) -> str:
    """The table of the docs: a line a task and arithmetic."""
    header = (
        "task", "arithmetic", "goal", "best checkpoint reaches it", "mean best", "least best", "final reaches it",
        "mean final", "saturations",
    )  # fmt: skip
    rows = (
        (
            x.task, x.arithmetic, f"{x.goal:g}", f"{x.learned} of {x.seeds}", f"{x.best:.1f}", f"{x.worst:.1f}",
            f"{x.final_learned} of {x.seeds}", f"{x.final:.1f}", str(x.saturations),
        )
        for x in lines(runs)
    )  # fmt: skip
    return shown.markdown((header, *rows))


def seeds_markdown(runs: Sequence[Run]) -> str:
    """Best / final of every seed."""
    text = ""
    for task in settings.TASKS.values():
        seeds = sorted({r.seed for r in runs if r.task == task.name})
        if not seeds:
            continue
        rows = [(f"{task.name} seed", *map(str, seeds))]
        for arithmetic in ARITHMETICS:
            by_seed = {r.seed: r for r in runs if (r.task, r.arithmetic) == (task.name, arithmetic)}
            rows.append(
                (
                    arithmetic,
                    *(f"{by_seed[s].best:.0f} / {by_seed[s].final:.0f}" if s in by_seed else "" for s in seeds),
                )
            )
        text += shown.markdown(rows) + "\n"
    return text


def picture(runs: Sequence[Run], path: Path) -> None:
    """Learning curves, a panel a task: every seed thin, the median thick."""
    tasks = [t for t in settings.TASKS.values() if any(r.task == t.name for r in runs)]
    with shown.picture(path, 5 * len(tasks), 3.6) as figure:
        axes = figure.subplots(1, len(tasks), squeeze=False)[0]
        for axis, task in zip(axes, tasks, strict=True):
            for arithmetic, colour in zip(ARITHMETICS, ("tab:blue", "tab:orange"), strict=True):
                own = [r for r in runs if (r.task, r.arithmetic) == (task.name, arithmetic)]
                for r in own:
                    axis.plot(*np.array(r.curve).T, color=colour, alpha=0.18, linewidth=0.8)
                if own:
                    steps = [x for x, _ in max((r.curve for r in own), key=len)]
                    # A run that ended early, because it had learned, keeps its last value.
                    held = [[y for _, y in r.curve] + [r.curve[-1][1]] * (len(steps) - len(r.curve)) for r in own]
                    label = f"{arithmetic}, median of {len(own)} seeds"
                    axis.plot(steps, np.median(held, axis=0), color=colour, linewidth=2, label=label)
            axis.axhline(task.goal, color="grey", linestyle=":", linewidth=1)
            axis.set(title=task.environment, xlabel="environment steps")
            axis.legend(fontsize=8, loc="lower right")
        axes[0].set_ylabel(f"return, mean of {evaluation.LOOK} greedy episodes")
