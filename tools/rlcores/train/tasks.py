"""What is learned in the study; settings.yaml says with which settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from rlcores.cores.learner.float64 import FloatSettings
from rlcores.cores.learner.format import DdpgFormats, Formats
from rlcores.cores.learner.networks import HYPER_DEFAULTS
from rlcores.errors import UserError

EPSILON = 1e-3  # added to |TD error| before it is a priority
HYPER = tuple(HYPER_DEFAULTS)  # settings that a float learner and a core's have under the same names


@dataclass(frozen=True)
class Fractions:
    """Fraction bits of the integers, layer by layer: of neurons 0..M, of deltas and gradients 1..M (index 0 unused)."""

    act: tuple[int, ...]
    delta: tuple[int, ...]
    gradient: tuple[int, ...]
    actor_act: tuple[int, ...] = ()
    actor_delta: tuple[int, ...] = ()
    actor_gradient: tuple[int, ...] = ()
    through: tuple[int, ...] = ()  # deltas of the pass that takes the actor's gradient through the critic, 0..M


@dataclass(frozen=True)
class Task:
    """One environment of the study. Steps are environment steps."""

    name: str
    environment: str
    sizes: tuple[int, ...]  # of the value network; DDPG: states and actions in, one value out
    actor_sizes: tuple[int, ...] | None  # None: DQN
    settings: FloatSettings
    fractions: Fractions
    seeds: int
    goal: float  # mean return of 100 episodes at which the task counts as learned
    steps: int
    warmup: int  # steps before the first gradient step, random actions
    train_every: int  # steps for one gradient step
    capacity: int
    state_scale: tuple[float, ...]  # the learner sees states times this
    batch: int = 64
    alpha: float = 0.6
    beta: float = 0.4  # at the start; 1 at the end
    explore_steps: int = 1  # DQN: epsilon falls linearly from 1 over so many steps
    explore_end: float = 0.05
    rate_end: float = 1.0  # the value network's learning rate falls linearly to so much of it
    noise: float = 0.0  # DDPG: deviation of the Gaussian noise on actions in -1..1
    evaluate_every: int = 1000
    episode: int | None = None  # steps after which an episode of training is cut off; None: the environment's own
    report: int = 100  # episodes of the figures that are reported
    promising: float = float("-inf")  # a look below this is not worth more episodes
    enough: float = float("inf")  # a checkpoint this good on the episodes of the choice ends the run

    @property
    def algo(self) -> str:
        """Of rlcores train."""
        return "dqn" if self.actor_sizes is None else "ddpg"

    def epsilon(self, at: np.ndarray) -> np.ndarray:
        """DQN: chance of a random action at these environment steps; DDPG: 1 in the warm-up, then anything."""
        falling = 1 - (1 - self.explore_end) * (at - self.warmup) / self.explore_steps
        return np.where(at <= self.warmup, 1.0, np.maximum(self.explore_end, falling))


def tuples(given: Mapping[str, Any]) -> dict[str, Any]:
    """A section of settings.yaml, its lists as tuples."""
    return {name: tuple(x) if isinstance(x, list) else x for name, x in given.items()}


def _task(name: str, given: Mapping[str, Any]) -> Task:
    parts = {"settings": FloatSettings(**given["settings"]), "fractions": Fractions(**tuples(given["fractions"]))}
    return Task(name=name, **(tuples(given) | parts))


SETTINGS = yaml.safe_load(Path(__file__).with_name("settings.yaml").read_text())
TASKS = {name: _task(name, given) for name, given in SETTINGS["replay"].items()}


def task(name: str) -> Task:
    """The task of that name. Raises UserError when there is none."""
    if name not in TASKS:
        raise UserError(f"there is no task '{name}' in the learning study; tasks: {', '.join(TASKS)}")
    return TASKS[name]


def formats_of(task: Task) -> Formats | DdpgFormats:
    """The fractions of a task's integers."""
    f = task.fractions
    value = Formats(f.act, f.delta, f.gradient)
    if task.actor_sizes is None:
        return value
    return DdpgFormats(value, Formats(f.actor_act, f.actor_delta, f.actor_gradient), f.through)
