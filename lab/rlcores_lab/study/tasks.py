"""What the learning study learns: tasks of rlcores.train.tasks with a section `study` of DQN or DDPG."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from rlcores.cores.learner.float64 import FloatSettings
from rlcores.errors import UserError
from rlcores.train import algorithms, tasks
from rlcores.train.spaces import Spaces, look


@dataclass(frozen=True)
class StudyTask:
    """One environment of the study. Steps are environment steps; fields as of rlcores.train.settings.Plan."""

    name: str
    environment: str
    algo: str
    settings: Any  # the algorithm's
    steps: int
    evaluate_every: int
    state_scale: tuple[float, ...]
    seeds: int
    goal: float  # mean return of 100 episodes at which the task counts as learned
    enough: float = math.inf  # a checkpoint this good on the episodes of the choice ends the run
    report: int = 100
    promising: float = -math.inf
    episode: int | None = None
    envs: int = 8
    round_steps: int = 4

    @property
    def floats(self) -> FloatSettings:
        """Settings of a float learner."""
        return self.settings.floats

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the value network; DDPG: states and actions in, one value out."""
        return self.settings.sizes(_look(self.environment))[0]

    @property
    def actor_sizes(self) -> tuple[int, ...] | None:
        """Of DDPG's actor."""
        return self.settings.sizes(_look(self.environment))[1]

    @property
    def plan(self) -> dict[str, Any]:
        """Fields of a plan."""
        names = ("settings", "steps", "evaluate_every", "state_scale", "report", "promising", "episode", "envs")
        return {name: getattr(self, name) for name in (*names, "round_steps")} | {"until": min(self.goal, self.enough)}


_look = cache(look)
_ANY = Spaces(1, (1.0,), 2)  # what the settings of a task do not depend on


def _task(task: tasks.TrainTask, algo: str) -> StudyTask:
    settings, plan = algorithms.named(algo).of_task(task.host[algo], _ANY)
    del plan["until"]
    return StudyTask(task.name, task.environment, algo, settings, **plan, **task.host[algo]["study"])


_ORDER = ("cartpole", "pendulum", "lunarlander")  # of the table; others behind them


def _place(task: tasks.TrainTask) -> int:
    return _ORDER.index(task.name) if task.name in _ORDER else len(_ORDER)


TASKS = {
    task.name: _task(task, algo)
    for task in sorted(tasks.TASKS.values(), key=_place)
    for algo in ("dqn", "ddpg")
    if "study" in task.host.get(algo, {})
}


def task(name: str) -> StudyTask:
    """The task of that name. Raises UserError when there is none."""
    if name not in TASKS:
        raise UserError(f"there is no task '{name}' in the learning study; tasks: {', '.join(TASKS)}")
    return TASKS[name]
