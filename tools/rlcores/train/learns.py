"""The chip that learns by itself from power-on (rlc_learns): what it is, its model, and what it says on its line.

learns.yaml has its shape and settings. `rlcores generate` writes them, and the first weights, into the Verilog.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
import yaml

from rlcores.cores.env import environments
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.shape import PpoShape
from rlcores.errors import RunFailed
from rlcores.train import chip

TITLE = "iteration episodes return mean clocks"
DIGITS = (9, 8, 6, 4, 10)  # of the numbers below each word of it
WEIGHT_DIGITS = 9  # of a weight, which is told as 27 bits without a sign


@dataclass(frozen=True)
class Learns:
    """The declaration; the fields are those of learns.yaml."""

    task: str
    seed: int
    hidden: list[int]
    lanes: list[int]
    columns: int
    envs: int
    steps: int
    iterations: int
    settings: dict[str, float]
    actor: dict[str, list[int]]
    critic: dict[str, list[int]]

    @property
    def shape(self) -> PpoShape:
        """Of the core."""
        inputs, outputs = len(self.physics.observations), self.physics.actions
        ones = (1,) * (len(self.lanes) - 1)
        nets = [
            NetworkShape((inputs, *self.hidden, n), tuple(self.lanes), ones, ones, ones, ones) for n in (outputs, 1)
        ]
        s = self.learner().settings
        return PpoShape(*nets, self.columns, s.envs, s.steps, s.epochs, s.minibatches)

    @property
    def physics(self) -> environments.Physics:
        """Of the environment."""
        return environments.named(self.task)

    @property
    def goal(self) -> float:
        """The mean return at which the task is solved."""
        return chip.task_of(self.task).goal

    def learner(self, kind: type[Ppo] = Ppo, seed: int | None = None) -> Ppo:
        """The model of the core, with its first weights; seed: another than the chip's."""
        task = chip.task_of(self.task)
        nets = {"network": tuple(self.hidden), "actor": self.actor, "critic": self.critic}
        task = replace(task, settings=task.settings | self.settings, **nets)
        sizes = {"envs": self.envs, "steps": self.steps, "falls": self.iterations}
        return chip.learner(task, self.seed if seed is None else seed, kind, **sizes)


@dataclass(frozen=True)
class Line:
    """An iteration as the chip tells it: episodes that ended in it, the sum of their returns, and the mean, floored.

    mean: where no episode ended, that of the last iteration in which one did. clocks: since the start, while it learns.
    """

    iteration: int
    episodes: int
    returns: int
    mean: int
    clocks: int = 0

    @property
    def curve(self) -> tuple[int, int, int, int]:
        """All but the clocks, which the model does not have."""
        return self.iteration, self.episodes, self.returns, self.mean

    def text(self) -> str:
        """As it is told, without its end."""
        numbers = self.iteration, self.episodes, self.returns, self.mean, self.clocks
        return " ".join(f"{n:{digits}d}" for n, digits in zip(numbers, DIGITS, strict=True))


@cache
def declared() -> Learns:
    """The chip."""
    return Learns(**yaml.safe_load(Path(__file__).with_name("learns.yaml").read_text()))


def lines(model: Ppo, seed: int, physics: environments.Physics) -> Iterator[Line]:
    """What the chip says of one iteration after the other, without clocks, by its model: `model` learns meanwhile."""
    kind = NativeEnvs if isinstance(model, NativePpo) else EnvModel
    envs = kind(physics, model.settings.envs)
    seen = envs.start(seed)["obs"].astype(np.int64)
    ended = chip.Episodes(np.zeros(model.settings.envs))
    mean = 0
    while True:
        rollout, seen = model.collect(envs, seen)
        model.train(rollout)
        episode_returns = ended.ended(rollout)[:, 2]
        returns = int(episode_returns.sum())
        mean = returns // len(episode_returns) if len(episode_returns) else mean
        yield Line(model.iterations, len(episode_returns), returns, mean)


def first_weights(made: Learns) -> np.ndarray:
    """What the ROM has: plane 0 of the actor, then of the critic, in the order in which they are loaded."""
    own = made.learner()
    nets = made.shape.networks
    return np.concatenate(
        [WeightLayout(nets[name]).to_stream(getattr(own, name).matrices(0)) for name in ("actor", "critic")]
    )


def take_weights(own: Ppo, made: Learns, told: list[int]) -> None:
    """The actor's weights as the chip told them, into `own`. Raises ValueError: there are not as many."""
    numbers = np.array([n - (n >> 26 << 27) for n in told], np.int64)
    flat = np.concatenate([x.reshape(-1) for pair in WeightLayout(made.shape.actor).from_stream(numbers) for x in pair])
    own.actor.set_flat(flat, 0)


def parsed(text: str) -> Line | int | None:
    """A line that came: of an iteration, a weight, or None where it is neither, such as the title or a part."""
    words = text.split()
    if not words or not all(word.isdecimal() for word in words):
        return None
    if len(words) == len(DIGITS) and len(text) == sum(DIGITS) + len(DIGITS) - 1:
        return Line(*map(int, words))
    return int(words[0]) if len(words) == 1 and len(text) == WEIGHT_DIGITS else None


class Serial(Protocol):
    """A line of bytes, as rlcores.buses.serial.SerialPort and rlcores.buses.serial_pins.SimulatedPins."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    def read(self, count: int, timeout: float) -> bytes:
        """At most `count` bytes, fewer when the line was silent for long."""


class LearningChip:
    """The chip at the other end of a line, wherever it is in its run."""

    def __init__(self, line: Serial, timeout: float = 5.0) -> None:
        """timeout: seconds of silence after which nobody is there."""
        self._line, self._timeout, self._part = line, timeout, b""
        self.told: list[Line] = []  # of this run, as far as it was heard

    def listen(self) -> Line | int:
        """The next line of an iteration, which is kept in .told, or a weight. Raises RunFailed: nothing comes."""
        while True:
            byte = self._line.read(1, self._timeout)
            if not byte:
                raise RunFailed("the chip says nothing: is it rlc_learns_ulx3s, and this its serial port?")
            if byte != b"\n":
                self._part += byte
                continue
            text, self._part = self._part.rstrip(b"\r").decode("ascii", "replace"), b""
            line = parsed(text)
            if text == TITLE:
                self.told.clear()
            if isinstance(line, Line):
                self.told.append(line)
            if line is not None:
                return line

    def weights(self, count: int) -> list[int]:
        """The actor's `count` weights as they are after the last line of .told; the chip goes on.

        Raises RunFailed: it told fewer, or more.
        """
        self._line.write(b"w")
        weights: list[int] = []
        while len(weights) < count:
            one = self.listen()
            if isinstance(one, int):
                weights.append(one)
            elif weights:
                raise RunFailed(f"the chip told {len(weights)} weights; its actor has {count}")
        return weights
