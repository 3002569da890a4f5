"""What people tune about a run: settings given by name, in place of those that the plan would have."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, TypeVar

from rlcores.errors import UserError
from rlcores.train.tasks import Fractions, Task

# Name -> least and greatest value, and the algorithms that have it. A rate must be above its least value.
_EVERY = ("dqn", "ddpg", "ppo")
_REPLAY = ("dqn", "ddpg")
_WHOLE = {
    "batch_size": (1, 4096, _EVERY),
    "buffer_size": (1, 1 << 24, _REPLAY),
    "learning_starts": (1, 1 << 24, _REPLAY),
    "ahead": (0, 1 << 16, _REPLAY),  # read by whoever makes the learner
    "explore_steps": (1, 1 << 31, ("dqn",)),
}
_REAL = {
    "gamma": (0.0, 1.0, _EVERY),
    "learning_rate": (0.0, 1.0, _EVERY),
    "gae_lambda": (0.0, 1.0, ("ppo",)),
    "entropy": (0.0, 1.0, ("ppo",)),
    "actor_epsilon": (0.0, 1.0, ("dqn",)),  # this and what follows is read by the trainer
    "actor_alpha": (0.0, 100.0, ("dqn",)),
}
_CHOICES = {"first_priority": (("largest", "actor"), ("dqn",))}
NAMES = ("network", *_WHOLE, *_REAL, *_CHOICES)
_ACTORS = ("actor_epsilon", "actor_alpha", *_CHOICES)  # of actors on the host
T = TypeVar("T")


def checked(algo: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not None. Raises UserError for one that the algorithm does not have, or out of range."""
    found = {name: value for name, value in given.items() if value is not None}
    for name, value in found.items():
        if name == "network":
            found[name] = _layers(value)
            continue
        *allowed, algorithms = (_WHOLE | _REAL | _CHOICES).get(name, ((), ()))
        if algo not in algorithms:
            raise UserError(f"{algo} has no setting '{name}'")
        if name in _CHOICES:
            if value not in allowed[0]:
                raise UserError(f"{name} is '{value}'; it must be {' or '.join(allowed[0])}")
            continue
        least, most = allowed
        kinds = int if name in _WHOLE else (int, float)
        good = isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
        if not (good and least <= value <= most) or (name == "learning_rate" and value == 0):
            raise UserError(
                f"{name} is {value}; it must be {'above ' if name == 'learning_rate' else ''}{least} to {most}"
            )
    if "explore_steps" in found and found.keys() & {"actor_epsilon", "actor_alpha"}:
        raise UserError("explore_steps is of an exploration that falls; that of actor_epsilon stays as it is")
    return found


def on_chip(given: Mapping[str, Any]) -> None:
    """Raises UserError for a setting of actors that are on the host."""
    for name in _ACTORS:
        if name in given:
            raise UserError(f"{name} is of actors on the host; with --on chip the core acts by itself")


def replay(task: Task, given: Mapping[str, Any]) -> Task:
    """A task of DQN or DDPG with these settings."""
    settings = {name: given[name] for name in ("gamma", "learning_rate") if name in given}
    fields = {
        "batch_size": "batch",
        "buffer_size": "capacity",
        "learning_starts": "warmup",
        "explore_steps": "explore_steps",
    }
    own = {field: given[name] for name, field in fields.items() if name in given}
    if "network" in given:
        own["sizes"] = (task.sizes[0], *given["network"], task.sizes[-1])
        if task.actor_sizes:
            own["actor_sizes"] = (task.actor_sizes[0], *given["network"], task.actor_sizes[-1])
        own["fractions"] = Fractions((), (), ())  # those of the task are of its own layers
    return dataclasses.replace(task, settings=dataclasses.replace(task.settings, **settings), **own)


def ppo(own: T, given: Mapping[str, Any]) -> T:
    """settings.Ppo with these settings; the learning rate is that of both networks."""
    names = {"network": "hidden", "batch_size": "minibatch"}
    found = {names.get(name, name): tuple(value) if name == "network" else value for name, value in given.items()}
    if "learning_rate" in found:
        found["value_learning_rate"] = found["learning_rate"]
    return dataclasses.replace(own, **found)


def network(text: str | None) -> list[int] | None:
    """Hidden layers from an option's text, '64,64'. Raises UserError when it names none."""
    if text is None:
        return None
    try:
        layers = [int(word) for word in text.split(",")]
    except ValueError as error:
        raise UserError(f"network is '{text}'; it must be the neurons of each hidden layer, such as 64,64") from error
    return _layers(layers)


def _layers(value: Any) -> list[int]:
    right = isinstance(value, list) and 1 <= len(value) <= 3
    if not right or not all(isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 512 for n in value):
        raise UserError(f"network is {value}; it must be 1 to 3 hidden layers of 1 to 512 neurons")
    return value
