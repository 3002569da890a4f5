"""Everything that decides a run: algorithm, environment, networks, rates, lengths, seed."""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from rlcores.errors import UserError
from rlcores.train import algorithms, tasks, tuning
from rlcores.train.algorithms.algorithm import Algorithm, tuples
from rlcores.train.spaces import Spaces

BACKENDS = ("native", "model", "rtl")  # equal bit for bit
PLACES = ("host", "chip")  # of environments and acting


@dataclass(frozen=True)
class Plan:
    """One run. Two runs with equal plans are equal, step for step. Steps are environment steps, all environments'."""

    algo: str  # of rlcores.train.algorithms
    environment: str
    backend: str
    seed: int
    steps: int
    envs: int  # environments that are stepped side by side
    round_steps: int  # steps of each in a round
    evaluate_every: int  # 0: never
    state_scale: tuple[float, ...]  # policies see states times this
    until: float  # the run ends when the mean of an evaluation reaches it
    report: int  # episodes of the last evaluation
    settings: Any  # the algorithm's, on the host or on the chip
    on: str = "host"  # where environments and acting are, one of PLACES
    promising: float = -math.inf  # a look below this is not worth more episodes
    config: str | None = None  # of the core, in configs.yaml; None: a small one that fits
    episode: int | None = None  # steps after which an episode of training is truncated; None: the environment's own
    tuning: dict[str, Any] = field(default_factory=dict)  # what was given by name

    @property
    def algorithm(self) -> Algorithm:
        """The one that learns."""
        return algorithms.named(self.algo)

    @property
    def on_chip(self) -> bool:
        """Environments and acting are on the chip."""
        return self.on == "chip"

    @property
    def core(self) -> str:
        """The core that learns."""
        return self.algorithm.chip.core if self.on_chip else self.algorithm.core

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinity: those are texts."""
        return _plain(dataclasses.asdict(self))


def plan(algo: str, environment: str, backend: str, spaces: Spaces, *, seed: int = 0, **changes: Any) -> Plan:
    """The plan for an environment: the task's where there is one, else a sensible one.

    changes: fields of Plan, ppo's accuracy, and the place that `on` names; those that are not None replace the plan's
    own, and what `tuning` names replaces the algorithm's settings. Raises UserError.
    """
    algorithm = algorithms.fitting(algo, environment, spaces)
    if backend not in BACKENDS:
        raise UserError(f"there is no backend '{backend}'; backends: {', '.join(BACKENDS)}")
    if not 0 <= seed < 2**31:
        raise UserError(f"the seed is {seed}; it must be 0 to {2**31 - 1}")
    on = changes.pop("on", None) or PLACES[0]
    if on not in PLACES:
        raise UserError(f"there is no place '{on}' to train on; places: {', '.join(PLACES)}")
    accuracy = changes.pop("accuracy", None)
    overrides = changes.pop("tuning", None) or {}
    if on == "chip":
        chosen = _on_chip(algorithm, environment, accuracy, overrides, changes)
    else:
        chosen = of_environment(algorithm, environment, spaces)
        if accuracy is not None:
            if algo != "ppo":
                raise UserError(f"--accuracy is the GAE core's, which {algo} does not use")
            chosen["settings"] = dataclasses.replace(chosen["settings"], accuracy=accuracy)
        overrides = tuning.checked(algo, overrides)
        chosen["settings"] = algorithm.tuned(chosen["settings"], overrides)
    chosen |= {"tuning": overrides, "on": on}
    chosen |= {name: value for name, value in changes.items() if value is not None}
    if hasattr(chosen["settings"], "rollout"):
        chosen["round_steps"] = chosen["settings"].rollout
    made = Plan(algo=algo, environment=environment, backend=backend, seed=seed, **chosen)
    if math.isnan(made.until):
        raise UserError("until is nan; it must be a return")
    for name, least in (("steps", 1), ("envs", 1), ("round_steps", 1), ("evaluate_every", 1), ("report", 1)):
        if getattr(made, name) < least:
            raise UserError(f"{name} is {getattr(made, name)}; it must be at least {least}")
    return made


def of_environment(algorithm: Algorithm, environment: str, spaces: Spaces) -> dict[str, Any]:
    """Of a plan on the host, settings and what else is known of an environment."""
    task = tasks.of(environment)
    if task is None or algorithm.name not in task.host:
        settings, plan_fields = algorithm.defaults(spaces)
    else:
        settings, plan_fields = algorithm.of_task(task.host[algorithm.name], spaces)
    return plan_fields | {"settings": settings}


def _on_chip(
    algorithm: Algorithm, environment: str, accuracy: str | None, overrides: dict[str, Any], changes: dict[str, Any]
) -> dict[str, Any]:
    if accuracy is not None:
        raise UserError("--accuracy is of a core that --on chip does not use")
    if algorithm.chip is None:
        able = ", ".join(one.name for one in algorithms.ALL.values() if one.chip)
        raise UserError(f"{algorithm.name} has no core with its environments; algorithms of --on chip: {able}")
    overrides.update(tuning.checked(algorithm.name, overrides))
    tuning.on_chip(algorithm.name, overrides)
    return algorithm.chip.plan(environment, changes.get("config"), changes.get("envs"), overrides)


def differences(one: dict[str, Any], other: dict[str, Any], prefix: str = "") -> list[str]:
    """Names of the settings that differ, those of the algorithm with dots."""
    names = []
    for name in sorted(set(one) | set(other)):
        a, b = one.get(name), other.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            names += differences(a, b, f"{prefix}{name}.")
        elif a != b:
            names.append(prefix + name)
    return names


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: _plain(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(v) for v in x]
    return str(x) if isinstance(x, float) and math.isinf(x) else x


__all__ = ["BACKENDS", "PLACES", "Plan", "differences", "of_environment", "plan", "tuples"]
