"""Several learners at a replay server, each in a process of its own on a bank of its own, in rounds with a quorum.

Zhang (2022), chapter 5, over machines. A round is `average` gradient steps of every learner that takes part in it. It
ends when all of them have answered, or after SECONDS when a quorum has; the weights of those that answered become their
average, exact and rounded once, and the targets follow it. A learner that is lost or late is left out of the round. It
takes part again from the next round on that finds it idle, with the weights of then. So nothing blocks, and a learner
that is killed costs no more than its share of one round.

Importance weights are those of each bank's own batch: `exact=False` of rlcores.ReplayLearners.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learners.average import mean
from rlcores.cores.learners.model import HELD, take_average
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.errors import RunFailed, UserError
from rlcores.train import crew

SECONDS = 30.0  # that a round's learners have for an answer
BEGIN_SECONDS = 300.0  # that all of them have to begin with
MOST_MISSED = 3  # rounds in a row without a quorum

Planes = list[np.ndarray]  # of each network weights and stored targets, int64 (2, size)


@dataclass(frozen=True)
class Order:
    """Gradient steps of a learner in a round.

    planes: what the round begins with, in its first order. ends: the learner gives its new weights back. filled:
    experiences in its bank, as far as is known. hyper: as of ReplayLearner.set.
    """

    steps: int
    ends: bool
    filled: int
    planes: Planes | None
    hyper: dict[str, float]


class LearnerProcess:
    """A learner at its bank."""

    def __init__(self, make: Callable[[int], ReplayLearner], number: int) -> None:
        """make: the learner of a bank. Raises UserError, and RunFailed where no server answers."""
        self._own = make(number)

    def work(self, order: Order) -> Planes | None:
        """The order's steps; of the last order of a round the new weights of each network."""
        own = self._own
        model = own.driver.learner.model
        for network, planes in zip(model.networks, order.planes or [], strict=bool(order.planes)):
            for plane, flat in zip((WEIGHTS, TARGET), planes, strict=True):
                network.set_flat(flat, plane)
        own._filled = order.filled
        own.set(**order.hyper)
        model.since_sync = HELD  # targets wait for the average
        own.train(order.steps)
        return [network.planes[WEIGHTS].copy() for network in model.networks] if order.ends else None

    def state_dict(self) -> dict[str, np.ndarray]:
        """As of a ReplayLearner at a server."""
        return self._own.state_dict()

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Likewise."""
        self._own.load_state_dict(state)


class RemoteLearners:
    """The calls of a ReplayLearner at a server, for L of them in other processes.

    own: a ReplayLearner at the server that trains nothing: it holds the averages. quorum: learners that make a round,
    half of them by default. history: how many did, a number a round.
    """

    def __init__(
        self,
        own: ReplayLearner,
        make: Callable[[int], ReplayLearner],
        learners: int,
        average: int,
        *,
        ray: str | None = None,
        quorum: int | None = None,
        seconds: float = SECONDS,
    ) -> None:
        """Raises UserError and RunFailed."""
        self.own, self.average, self.seconds = own, average, seconds
        self.quorum = math.ceil(learners / 2) if quorum is None else quorum
        if not 1 <= self.quorum <= learners:
            raise UserError(f"quorum is {quorum}; it must be 1 to the number of learners, {learners}")
        self.crew = crew.make(LearnerProcess, (make,), learners, ray)
        self.steps, self.since, self.since_sync, self._missed = 0, 0, 0, 0
        self.history: list[int] = []
        self._members: list[int] = []
        self._hyper: dict[str, float] = {}
        self._all = True  # all learners begin together

    def __getattr__(self, name: str) -> Any:
        # Networks, policies and the server are those of the learner that holds the averages.
        return getattr(self.own, name)

    def __len__(self) -> int:
        """Experiences held in all banks, as far as is known here."""
        return min(self.own._filled, self.buffer_size)

    @property
    def buffer_size(self) -> int:
        """Most experiences held, in all banks."""
        return self.own.buffer_size * self.crew.count

    @property
    def rounds(self) -> int:
        """How often the weights were averaged since start or load_state_dict()."""
        return sum(count >= self.quorum for count in self.history)

    def add(self, states, actions, rewards, next_states, terminated, priorities=None) -> None:
        """Count transitions, which are at the server already, dealt to the banks in turn."""
        self.own._given += len(rewards)
        self.own._filled += len(rewards)

    def set(self, **hyper: float) -> None:
        """Settings of all learners, from the next order on. Raises UserError, nothing changed."""
        self.own.set(**hyper)
        self._hyper |= hyper

    def train(self, steps: int) -> int:
        """`steps` gradient steps of every learner; 0 while a bank holds less than a batch.

        Raises UserError and RunFailed: of a learner, or there was no quorum in MOST_MISSED rounds.
        """
        if not steps or self._filled() < self.own._batch:
            return 0
        left = steps
        while left:
            count = min(left, self.average - self.since)
            self._work(count)
            left -= count
        return steps

    def _filled(self) -> int:
        """Experiences in the bank that has the fewest."""
        return self.own._filled // self.crew.count

    def _work(self, steps: int) -> None:
        planes = None
        if not self.since:
            waits = (self.crew.count, BEGIN_SECONDS) if self._all else (self.quorum, self.seconds)
            self._members, self._all = self.crew.ready(*waits), False
            planes = [network.planes[[WEIGHTS, TARGET]] for network in self._networks()]
        self.since += steps
        self.steps += steps
        ends = self.since == self.average
        order = Order(steps, ends, self._filled(), planes, dict(self._hyper))
        for number in self._members:
            self.crew.ask(number, "work", order)
        answers = self.crew.answers(self._members, self.seconds)
        self._members = sorted(answers)
        if ends:
            self._end([answers[number] for number in self._members])

    def _networks(self) -> list[Any]:
        return self.own.driver.learner.model.networks

    def _end(self, planes: list[Planes]) -> None:
        self.since = 0
        self.since_sync += self.average
        self.history.append(len(planes))
        if len(planes) < self.quorum:
            self._missed += 1
            if self._missed >= MOST_MISSED:
                raise RunFailed(
                    f"{len(planes)} of {self.crew.count} learners answered within {self.seconds:g} s, in "
                    f"{self._missed} rounds one after another; a round needs {self.quorum}"
                )
            return
        self._missed = 0
        self.own._prepare()  # writes the settings by which targets follow
        new = [mean(np.stack(same)) for same in zip(*planes, strict=True)]
        self.since_sync = take_average(self.own.driver.learner.model, new, self.since_sync)

    def counters(self) -> dict[str, int]:
        """Of the learners' rounds."""
        return {"rounds": self.rounds, "lost": self.crew.lost}

    def state_dict(self) -> dict[str, np.ndarray]:
        """What load_state_dict() needs; of learners that are lost or late, nothing."""
        states: dict[str, np.ndarray] = {
            "numbers": np.array([self.steps, self.since, self.since_sync, self.average], np.int64)
        }
        states |= add_prefix("average", self.own.state_dict())
        members = self.crew.idle()
        for number in members:
            self.crew.ask(number, "state_dict")
        for number, state in self.crew.answers(members, self.seconds).items():
            states |= add_prefix(f"learner.{number}", state)
        return states

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on as the learners that gave the state would. Raises UserError: it is that of others, or damaged."""
        numbers = np.asarray(state.get("numbers", []))
        if numbers.shape != (4,) or not 0 <= numbers[1] < numbers[3]:
            raise UserError("the state is damaged: it has no numbers of its round")
        if numbers[3] != self.average:
            raise UserError(f"the state is of average = {numbers[3]}; these learners have {self.average}")
        parts = {int(name.split(".")[1]) for name in state if name.startswith("learner.")}
        if parts and max(parts) >= self.crew.count:
            raise UserError(f"the state is of {max(parts) + 1} learners; these are {self.crew.count}")
        self.own.load_state_dict(strip_prefix(state, "average"))
        members = [n for n in self.crew.ready(self.crew.count, BEGIN_SECONDS) if n in parts]
        for number in members:
            self.crew.ask(number, "load_state_dict", strip_prefix(state, f"learner.{number}"))
        self._members = sorted(self.crew.answers(members, self.seconds))
        self.steps, self.since, self.since_sync = (int(x) for x in numbers[:3])

    def close(self) -> None:
        """End the learners' processes."""
        self.crew.close()
