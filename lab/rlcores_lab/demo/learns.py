"""A chip that learns CartPole, heard over its serial line: the Verilated top of the ULX3S, or a board."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np

from rlcores.base.report import Figure
from rlcores.buses.serial import SerialPort
from rlcores.buses.serial_pins import SimulatedPins
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.ppo.native import NativePpo
from rlcores.eda import boards
from rlcores.errors import RunFailed
from rlcores.train import chip, learns
from rlcores.train.evaluation import REPORT_SEED, Evaluation
from rlcores.train.learns import LearningChip, Learns, Line, Serial
from rlcores.train.policies import FloatPolicy, greedy

VLNV, TOP, BOARD = "rlcores:system:learns", "rlc_learns_ulx3s", "ulx3s"
BAUD = 3_000_000
EPISODES = 100  # in Gymnasium
_SILENCE = 3_000_000  # clocks of the simulation


@dataclass(frozen=True)
class Learned:
    """What a chip has told, and what it is worth."""

    made: Learns
    lines: list[Line]
    same_curve: bool  # as the model's, every number
    same_weights: bool
    returns: np.ndarray  # (EPISODES,) of the actor in Gymnasium itself
    clock: boards.Clock
    seconds: float  # from power-on to the last line, here

    @property
    def solved(self) -> Line | None:
        """The first line whose mean is the goal."""
        return next((line for line in self.lines if line.mean >= self.made.goal), None)

    def milliseconds(self, line: Line) -> float:
        """Of the board's clock, from the start to a line."""
        return line.clocks / self.clock.mhz / 1e3


def simulated() -> SimulatedPins:
    """The top, Verilated, at the moment of its power-on. Raises RunFailed when it does not build."""
    clocks = round(boards.of(BOARD).clock_mhz * 1e6 / BAUD)
    return SimulatedPins({}, vlnv=VLNV, top=TOP, clocks=clocks, limit=_SILENCE)


def board(port: str) -> SerialPort:
    """A board's line. Raises RunFailed when the port cannot be opened."""
    return SerialPort(port, BAUD)


def learn(line: Serial, told: Callable[[list[Line]], object] = lambda lines: None) -> Learned:
    """Listen until the chip's rate has fallen, take the actor's weights, and judge them.

    told() gets the lines so far, with each. Raises RunFailed: nobody speaks, or the run had begun before.
    """
    made = learns.declared()
    heard = LearningChip(line)
    begun = time.monotonic()
    while not heard.told or heard.told[-1].iteration < made.iterations:
        heard.listen()
        if heard.told and heard.told[0].iteration != 1:
            raise RunFailed("the chip has begun already: press FIRE1 when rlcores demo listens")
        told(heard.told)
    weights = heard.weights(WeightLayout(made.shape.actor).beats)
    seconds = time.monotonic() - begun
    lines = list(heard.told)
    model = made.learner(NativePpo)
    curve = list(islice(learns.lines(model, made.seed, made.physics), len(lines)))
    own = made.learner()
    learns.take_weights(own, made, weights)
    pairs = zip(own.actor.matrices(), model.actor.matrices(), strict=True)
    same = all(np.array_equal(x, y) for ours, theirs in pairs for x, y in zip(ours, theirs, strict=True))
    return Learned(
        made, lines, [line.curve for line in lines] == [line.curve for line in curve], same, judged(own, made),
        boards.of(BOARD).clock, seconds,
    )  # fmt: skip


def judged(own: chip.Ppo, made: Learns) -> np.ndarray:
    """Returns of EPISODES episodes of the actor, (EPISODES,): Gymnasium's own environment, greatest logit, float32."""
    network = chip.exported(own, made.physics, chip.task_of(made.task).input)
    policy = FloatPolicy(network.sizes, network.theta.astype(np.float32))
    evaluation = Evaluation(made.physics.gymnasium, np.ones(network.sizes[0], np.float32))
    return evaluation(lambda states: greedy("categorical", policy, states), EPISODES, REPORT_SEED)


def figures(result: Learned) -> list[Figure]:
    """What the demo says, as figures."""
    last, solved = result.lines[-1], result.solved
    steps = result.made.envs * result.made.steps
    listed = [
        Figure("learns.iterations", last.iteration, "iterations", "measured"),
        Figure("learns.steps", last.iteration * steps, "environment steps", "measured"),
        Figure("learns.episodes", sum(line.episodes for line in result.lines), "episodes", "measured"),
        Figure("learns.clocks", last.clocks, "clocks", "measured"),
        Figure("learns.cycles_per_env_step", last.clocks / (last.iteration * steps), "clocks", "measured"),
        Figure("learns.model_equal", int(result.same_curve and result.same_weights), "1 = bit for bit", "measured"),
        Figure("learns.gymnasium_return", float(result.returns.mean()), f"mean of {EPISODES} episodes", "measured"),
        Figure("learns.gymnasium_least", float(result.returns.min()), "return", "measured"),
        Figure("learns.seconds", round(result.seconds, 1), "s, here", "measured"),
    ]
    if solved is not None:
        listed += [
            Figure("learns.solved_iteration", solved.iteration, "iterations", "measured"),
            Figure("learns.solved_clocks", solved.clocks, "clocks", "measured"),
            Figure("learns.solved_ms", result.milliseconds(solved), f"ms at {result.clock}", "measured"),
        ]
    return listed
