"""What an algorithm of `rlcores train` is: its name, spaces, settings, trainer and exploration.

Settings are a dataclass. A field made by option() can be given by name: it is an option of the command line, a field of
task_files/*.yaml and a keyword of settings.plan(), all of one name. The command line reads the declarations before
NumPy is there, so what they need beyond Python is imported where it is used.
"""

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rlcores.base import limits
from rlcores.errors import UserError

if TYPE_CHECKING:
    from rlcores.train.settings import Plan
    from rlcores.train.spaces import Spaces
    from rlcores.train.trainer import Trainer

ANY, NUMBERED, VECTORS = "any", "numbered", "vectors"  # actions
LAYERS = 3, limits.NEURONS  # hidden layers and neurons, at most
ALL, OWN = "all", "own"  # banks whose batches importance weights are of


@dataclass(frozen=True)
class Option:
    """A setting that people give by name. kind: int, float, str or "layers"; least and most: its range."""

    name: str
    help: str
    kind: Any
    least: float = -math.inf
    most: float = math.inf
    above: bool = False  # the least value itself is not allowed
    choices: tuple[str, ...] = ()
    metavar: str | None = None

    def checked(self, value: Any) -> Any:
        """The value as the settings have it. Raises UserError: out of range, or of another kind."""
        if self.kind == "layers":
            return layers_of(self.name, value)
        if self.choices:
            if value not in self.choices:
                raise UserError(f"{self.name} is '{value}'; it must be {' or '.join(self.choices)}")
            return value
        kinds = int if self.kind is int else (int, float)
        good = isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
        if not (good and self.least <= value <= self.most) or (self.above and value == self.least):
            above = "above " if self.above else ""
            least, most = self.kind(self.least), self.kind(self.most)
            raise UserError(f"{self.name} is {value}; it must be {above}{least} to {most}")
        return value


def option(default: Any, help: str, kind: Any = float, *, repr: bool = True, **limits: Any) -> Any:
    """A field of settings that can be given by name; arguments as of Option.

    repr: False leaves it out of fingerprints of kept runs, all of which were made with the default.
    """
    return dataclasses.field(default=default, repr=repr, metadata={"option": {"help": help, "kind": kind, **limits}})


def options_of(settings: type) -> dict[str, Option]:
    """The options of a dataclass of settings, by name."""
    return {
        field.name: Option(field.name, **field.metadata["option"])
        for field in dataclasses.fields(settings)
        if "option" in field.metadata
    }


def network(default: tuple[int, ...] = (64, 64)) -> Any:
    """The option `network` of settings."""
    return option(default, "neurons of the hidden layers, such as 64,64", "layers", metavar="SIZES")


def activation() -> Any:
    """The option `activation`."""
    words = f"activation of the hidden layers: {', '.join(limits.ACTIVATIONS)}"
    return option(limits.ACTIVATIONS[0], words, str, choices=limits.ACTIVATIONS, repr=False, metavar="NAME")


def normalisation() -> Any:
    """The option `normalisation`."""
    return option(
        limits.NORMALISATIONS[0],
        "before the activations: none, or layer normalisation (layer)",
        str,
        choices=limits.NORMALISATIONS,
        repr=False,
        metavar="NAME",
    )


def gamma() -> Any:
    """The option `gamma`."""
    return option(0.99, "discount", least=0, most=1)


def learning_rate(default: float) -> Any:
    """The option `learning_rate`."""
    return option(default, "Adam's learning rate of the value network", least=0, most=1, above=True)


def batch_size(default: int, most: int = limits.BATCH) -> Any:
    """The option `batch_size`."""
    return option(default, "transitions per gradient step", int, least=1, most=most)


def learners(words: str) -> Any:
    """The option `learners`; words: what each has."""
    return option(1, f"parallel learners, each {words}", int, least=1, most=16, repr=False, metavar="L")


def average(default: int, unit: str) -> Any:
    """The option `average`; unit: what a round is counted in."""
    words = f"{unit} between two averagings of the learners' weights"
    return option(default, words, int, least=1, most=1 << 16, repr=False, metavar="H")


def importance() -> Any:
    """The option `importance`."""
    words = f"importance weights of several learners: over all banks ({ALL}, default), or each its {OWN}"
    return option(ALL, words, str, choices=(ALL, OWN), repr=False, metavar="BANKS")


def n_steps(default: int) -> Any:
    """The option `n_steps`."""
    return option(default, "steps in a return", int, least=1, most=64)


def buffer_size(default: int) -> Any:
    """The option `buffer_size`."""
    return option(default, "transitions kept", int, least=1, most=1 << 24)


def learning_starts(default: int) -> Any:
    """The option `learning_starts`."""
    return option(default, "random steps before the first gradient step", int, least=1, most=1 << 24)


class Algorithm(ABC):
    """One algorithm; the table of all is algorithms.ALL."""

    name: str
    title: str
    actions: str  # ANY, NUMBERED or VECTORS
    settings: type  # dataclass, on the host
    core: str  # that learns, on the host
    exploration: Mapping[str, str]  # kind of actions -> how actors explore, as of actor.RoundRequest
    at_server: "AtServer | None" = None  # how it learns at a replay server
    ahead = False  # actors collect a round while the one before is learned from
    chip: "OnChip | None" = None

    @property
    def options(self) -> dict[str, Option]:
        """What of its settings is given by name."""
        return options_of(self.settings)

    @abstractmethod
    def defaults(self, spaces: "Spaces") -> tuple[Any, dict[str, Any]]:
        """Settings, and fields of the plan, of an environment that has no task."""

    def of_task(self, section: Mapping[str, Any], spaces: "Spaces") -> tuple[Any, dict[str, Any]]:
        """The same where a task has a section for the algorithm: what it says in place of the defaults."""
        settings, plan = self.defaults(spaces)
        values = tuples(section)
        changes = {name: self.read(name, value) for name, value in values.pop("settings", {}).items()}
        values.pop("study", None)
        return dataclasses.replace(settings, **changes), plan | values

    def read(self, name: str, value: Any) -> Any:
        """A setting as a task's file has it."""
        return tuple(value) if isinstance(value, list) else value

    def tuned(self, settings: Any, overrides: Mapping[str, Any]) -> Any:
        """Settings with those that were given by name."""
        return dataclasses.replace(settings, **{n: self.read(n, value) for n, value in overrides.items()})

    def check(self, overrides: Mapping[str, Any]) -> None:
        """Raises UserError for settings that do not go together."""
        return

    @abstractmethod
    def trainer(self, plan: "Plan", spaces: "Spaces") -> "Trainer":
        """Its side of a run. Raises UserError, and RunFailed when a core does not build."""

    def kind(self, spaces: "Spaces") -> str:
        """How actors explore such actions."""
        return self.exploration[VECTORS if spaces.actions is None else NUMBERED]


@dataclass(frozen=True)
class AtServer:
    """How an algorithm learns at a replay server.

    learner: of plan, spaces, address, key and bank: the learner of a bank, or without one the only one, or that which
    holds the averages of several; has what remote_learners.BankLearner says. trainer: as Algorithm.trainer, with the
    learner, or the remote_learners.RemoteLearners around it.
    """

    learner: Callable[..., Any]
    trainer: "Callable[[Plan, Spaces, Any], Trainer]"


@dataclass(frozen=True)
class OnChip:
    """An algorithm with its environments on the chip.

    core: that learns. plan: of the environment, the core's configuration and the number
    of environments that were asked for (or None), and what was given by name, the fields of a plan. trainer: as
    Algorithm.trainer.
    """

    core: str
    plan: Callable[[str, str | None, int | None, Mapping[str, Any]], dict[str, Any]]
    trainer: "Callable[[Plan, Spaces], Trainer]"


def tuples(section: Mapping[str, Any]) -> dict[str, Any]:
    """A section of a YAML file, its lists as tuples."""
    return {name: tuple(x) if isinstance(x, list) else x for name, x in section.items()}


def scale_of(spaces: "Spaces") -> tuple[float, ...]:
    """States to about 1 where the environment says how large they are."""
    return tuple(1 / x if 1 < x < 1e6 else 1.0 for x in spaces.state_limit)


def layers_of(name: str, value: Any) -> list[int]:
    right = isinstance(value, list) and 1 <= len(value) <= LAYERS[0]
    if not right or not all(isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= LAYERS[1] for n in value):
        raise UserError(f"{name} is {value}; it must be 1 to 3 hidden layers of 1 to {LAYERS[1]} neurons")
    return value
