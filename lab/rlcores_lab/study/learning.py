"""One run of the study: an environment, a seed, an arithmetic; the loop is that of `rlcores train`."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import ACT_WIDTH, GRADIENT_WIDTH, LearnerBatch
from rlcores.cores.learner.ranges import Ranges, observe
from rlcores.train import loop, pool
from rlcores.train.evaluation import REPORT_SEED
from rlcores.train.replaying import ReplayTrainer
from rlcores.train.settings import Plan
from rlcores.train.spaces import look
from rlcores_lab.study import runs
from rlcores_lab.study.arithmetic import LearnHook, Replayed, make
from rlcores_lab.study.tasks import StudyTask


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards of an episode of the greedy policy."""

    task: str
    arithmetic: str
    seed: int
    steps: int = 0  # environment steps
    updates: int = 0  # gradient steps
    seconds: float = 0.0
    best: float = float("-inf")  # mean of task.report episodes, the checkpoint chosen on other episodes
    best_step: int = 0
    final: float = float("-inf")  # the same of the weights after the last step
    curve: list[list[float]] = field(default_factory=list)  # [step, mean of LOOK episodes]
    saturations: dict[str, int] = field(default_factory=dict)  # integers: stage and count, where not 0
    settings: str = ""  # fingerprint of the task


def train(task: StudyTask, arithmetic: str, seed: int, watch: LearnHook | None = None) -> Run:
    """Learn `task` once and judge its best checkpoint and its final weights.

    arithmetic: as arithmetic.make. The seed sets first weights, exploration, environments and replay, so
    two arithmetics with one seed start from the same weights and the same random numbers. A run on the simulated core
    ('rtl') ends as soon as a checkpoint reaches the goal. watch(learner, batch, step), when given, takes the gradient
    steps itself: it returns step(batch). Raises UserError when the environment is not installed.
    """
    begun = time.perf_counter()
    spaces = look(task.environment)
    plan = Plan(task.algo, task.environment, "native", seed, **task.plan)
    plan = replace(plan, until=task.goal if arithmetic == "rtl" else task.enough)
    learner = make(task, arithmetic, seed)
    trainer = ReplayTrainer(plan, spaces, Replayed(task, learner, plan.envs, seed, watch))
    run = loop.Run(plan, spaces, trainer, pool.make(plan), None)
    run.run()
    return Run(
        task.name,
        arithmetic,
        seed,
        steps=run.state.step,
        updates=trainer.updates,
        best=run.report(),
        best_step=run.state.best_step,
        final=run.evaluate(trainer.policy(), task.report, REPORT_SEED),
        curve=[[row[0], row[4]] for row in run.state.curve],
        saturations=learner.saturations(),
        seconds=time.perf_counter() - begun,
        settings=runs.fingerprint(task),
    )


def ranges(task: StudyTask, every: int = 5) -> dict[str, tuple[list[float], tuple[int, ...]]]:
    """The largest numbers of each tensor in a float32 run of seed 0, and the fractions that hold them.

    Looked at in every `every`-th batch. One bit to spare for activations and deltas, three for gradients.
    """
    seen = Ranges()

    def watch(learner: FloatValueLearner | FloatDdpgLearner, batch: LearnerBatch, step: Callable) -> np.ndarray:
        if learner.steps % every == 0:
            observe(seen, learner, batch)
        return step(batch)

    train(task, "float32", 0, watch)
    kinds = {
        name: (GRADIENT_WIDTH, 3, 40) if name.endswith("gradient") else (ACT_WIDTH, 1, 17) for name in seen.largest
    }
    return {n: (seen.largest[n], seen.fractions(n, *kind)) for n, kind in kinds.items() if n != "td"}


def kept(folder: Path, task: StudyTask, arithmetic: str, seed: int) -> Run | None:
    """The run that has its file in `folder`; None without one, or when it was made with other settings."""
    return runs.kept(_file(folder, task, arithmetic, seed), Run, runs.fingerprint(task))


def one(task: StudyTask, arithmetic: str, seed: int, folder: Path) -> Run:
    """The run that has its file in `folder`, else made and kept there."""
    file = _file(folder, task, arithmetic, seed)
    return runs.once(file, Run, runs.fingerprint(task), lambda: train(task, arithmetic, seed))


def _file(folder: Path, task: StudyTask, arithmetic: str, seed: int) -> Path:
    return folder / f"{task.name}_{arithmetic}_{seed}.json"
