"""`rlcores train --cores M`: how many processes act beside the learner, from times measured before the run begins.

Equation 5 of Zhang et al. (2021). The learner of rlcores train takes one core whatever it is given, so its curve is
flat. Times are of the processor, so that other programs do not change the choice.
"""

import time
from dataclasses import asdict, dataclass
from typing import Any

from rlcores.base.report import Figure
from rlcores.errors import UserError
from rlcores.train import pool
from rlcores.train.actor import Rollout
from rlcores.train.loop import make_trainer
from rlcores.train.replaying import ReplayTrainer
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.split import Curve, at, split

MOST = 1024
_FILLED = 512  # experiences that the learner draws from when it is timed


@dataclass(frozen=True)
class Division:
    """How cores were divided between actors and learner, and from which times.

    curve: environment steps per second by the number of actors; gradient_steps: per second of the learner;
    update_interval: environment steps that a gradient step waits for. Where nothing was measured, they are empty and 0.
    """

    cores: int
    actors: int
    learners: int  # 0: acting and learning take turns
    why: str  # the end of line()
    curve: dict[int, float]
    gradient_steps: float = 0.0
    update_interval: float = 0.0
    bound: str = ""  # what limits: 'actors' or 'learner'

    @property
    def line(self) -> str:
        """The choice in one line."""
        learner = "the learner on another" if self.learners else "the learner in turn with them"
        return f"{_some(self.cores, 'core')}: {_some(self.actors, 'actor')}, {learner}; {self.why}"

    def as_dict(self) -> dict[str, Any]:
        """For run.json."""
        return {**asdict(self), "curve": {str(cores): rate for cores, rate in self.curve.items()}}

    def figures(self) -> list[Figure]:
        """For --json."""
        figures = [
            Figure("train.cores", self.cores, "cores", "assumed"),
            Figure("train.actors", self.actors, "processes", "model"),
            Figure("train.learners", self.learners, "processes", "model"),
        ]
        if self.curve:
            figures += [
                *(Figure(f"train.actors_{n}.steps", round(r, 1), "1/s", "measured") for n, r in self.curve.items()),
                Figure("train.learner.gradient_steps", round(self.gradient_steps, 1), "1/s", "measured"),
                Figure("train.update_interval", self.update_interval, "environment steps", "assumed"),
            ]
        return figures


def divide(plan: Plan, spaces: Spaces, cores: int, seconds: float = 0.4) -> Division:
    """Measure a plan's actors and its learner here, for `seconds` each, and divide the cores.

    What is measured leaves no trace in the run. Raises UserError, and what actors and the learner raise.
    """
    if not 1 <= cores <= MOST:
        raise UserError(f"cores is {cores}; it must be 1 to {MOST}")
    if not plan.algorithm.ahead:
        why = f"{plan.algo}'s actors wait while it learns, so all cores act"
        return Division(cores, min(cores, plan.envs), 0, why, {})
    if cores == 1:
        return Division(1, 1, 0, "there is nothing to divide", {})
    trainer = make_trainer(plan, spaces)
    assert isinstance(trainer, ReplayTrainer)
    curve = {n: _actors(plan, trainer, n, seconds) for n in counts(min(cores - 1, plan.envs))}
    gradient_steps = _learner(plan, trainer, seconds)
    return chosen(plan, cores, curve, gradient_steps)


def chosen(plan: Plan, cores: int, curve: Curve, gradient_steps: float) -> Division:
    """The division from measured times. More actors than environments do no more."""
    interval = float(plan.settings.train_freq)
    whole = {n: at(curve, min(n, plan.envs)) for n in range(1, cores)}
    best = split(whole, {n: gradient_steps for n in range(1, cores)}, cores, interval)
    limit = "the actors limit" if best.bound == "actors" else "the learner limits"
    why = (
        f"{whole[best.actors]:,.0f} environment steps/s and {gradient_steps:,.0f} gradient steps/s measured, "
        f"{interval:g} environment step{'s' if interval != 1 else ''} each: {limit} it to {best.rate:,.0f} gradient "
        "steps/s"
    )
    return Division(cores, best.actors, 1, why, dict(curve), gradient_steps, interval, best.bound)


def counts(most: int) -> list[int]:
    """Numbers of actors to measure: powers of two, and the most."""
    return sorted({*(1 << n for n in range(most.bit_length())), most})


def _actors(plan: Plan, trainer: ReplayTrainer, actors: int, seconds: float) -> float:
    workers = pool.make(plan, actors, apart=True)
    try:
        return workers.timed(trainer.order(0, 0), seconds)
    finally:
        workers.close()


def _learner(plan: Plan, trainer: ReplayTrainer, seconds: float) -> float:
    """Gradient steps per second of the processor: rounds of a learner with experiences to draw from."""
    s = plan.settings
    workers = pool.make(plan)
    rounds: list[Rollout] = []
    size = plan.envs * plan.round_steps
    while len(rounds) * size < max(s.batch_size, _FILLED):
        workers.start(trainer.order(len(rounds), len(rounds) * size))
        rounds.append(workers.finish())
        trainer.learner.add(*rounds[-1].experiences())
    due = max(1, size // s.train_freq)
    done, begun, end = 0, time.process_time(), time.perf_counter() + seconds
    while not done or time.perf_counter() < end:
        trainer.order(0, 0)
        trainer.learner.add(*rounds[done // due % len(rounds)].experiences())
        done += trainer.learner.train(due)
    return done / (time.process_time() - begun)


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
