"""Settings of a run that a user gives by name; they replace the plan's own."""

from collections.abc import Mapping
from typing import Any

from rlcores.errors import UserError
from rlcores.train import algorithms
from rlcores.train.algorithms.algorithm import Option, layers_of

_ACTORS = ("actor_epsilon", "actor_alpha", "first_priority")  # of actors on the host
_LEARNERS = ("learners", "average", "importance")  # of learners on the host


def options() -> dict[str, tuple[Option, tuple[str, ...]]]:
    """All options by name, and the algorithms that have each; the first one's words."""
    by_name: dict[str, tuple[Option, tuple[str, ...]]] = {}
    for one in algorithms.ALL.values():
        for name, option in one.options.items():
            known, owners = by_name.get(name, (option, ()))
            by_name[name] = known, (*owners, one.name)
    return by_name


NAMES = tuple(options())


def checked(algo: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not None. Raises UserError for one that the algorithm does not have, or out of range."""
    one = algorithms.named(algo)
    settings = {name: value for name, value in overrides.items() if value is not None}
    for name, value in settings.items():
        if name not in one.options:
            raise UserError(f"{algo} has no setting '{name}'")
        settings[name] = one.options[name].checked(value)
    if "importance" in settings and settings.get("learners", 1) == 1:
        raise UserError("importance is of the batches of several learners; give learners too")
    one.check(settings)
    return settings


def on_chip(algo: str, overrides: Mapping[str, Any]) -> None:
    """Raises UserError for a setting of actors or learners that are on the host."""
    for name in _ACTORS:
        if name in overrides:
            raise UserError(f"{name} is of actors on the host; with --on chip the core acts by itself")
    for name in _LEARNERS:
        if name in overrides and algo != "ppo":
            raise UserError(f"{name} is of learners on the host; with --on chip one learner of {algo} trains")


def network(text: str | None) -> list[int] | None:
    """Hidden layers from an option's text, '64,64'. Raises UserError when it names none."""
    if text is None:
        return None
    try:
        layers = [int(word) for word in text.split(",")]
    except ValueError as error:
        raise UserError(f"network is '{text}'; it must be the neurons of each hidden layer, such as 64,64") from error
    return layers_of("network", layers)
