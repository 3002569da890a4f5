"""Several learners at a replay server, each in a process of its own on a bank of its own, in rounds with a quorum.

Zhang (2022), chapter 5, over machines. A round is `average` gradient steps of every learner that takes part in it.
Where learners make something together (rlcores.cores.learners.rounds), their shares come here, and what is made of them
goes back: when all have answered, or after SECONDS when a quorum has. A learner that is lost or late is left out of the
round. It takes part again from the next round on that finds it idle, with the weights of then. So nothing blocks, and a
learner that is killed costs no more than its share of one round.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learners.rounds import Made, Share, Work, made
from rlcores.errors import RunFailed, UserError
from rlcores.train import crew

SECONDS = 30.0  # that a round's learners have for their answers
BEGIN_SECONDS = 300.0  # that all of them have to begin with
MOST_MISSED = 3  # rounds in a row without a quorum


class BankLearner(Protocol):
    """A learner at its bank of the server, or the one that holds the averages and trains nothing."""

    def set(self, **hyper: float) -> None:
        """Settings, from the next step on. Raises UserError."""

    def in_round(self, steps: int, held: int) -> Work[None]:
        """Gradient steps of a round. held: experiences in the bank, as far as is known."""

    def shared(self) -> Made:
        """What all learners have alike behind a round."""

    def take(self, shared: Made, *, fresh: bool) -> None:
        """Have the same. fresh: the learner has done no step; what else it needs comes from there too."""

    def state_dict(self) -> dict[str, np.ndarray]:
        """What load_state_dict() needs, but for what is at the server."""

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on as the learner that gave the state would. Raises UserError."""


@dataclass(frozen=True)
class StepsRequest:
    """Gradient steps of a learner in a round.

    shared: what the round begins with, in its first request. hyper: as of BankLearner.set. held: as of in_round().
    """

    round: int
    steps: int
    held: int
    shared: Made | None
    hyper: dict[str, float]


@dataclass(frozen=True)
class Answer:
    """Of a learner's process: its share of what the round's learners make next; None: its request is done."""

    share: Share | None


class LearnerProcess:
    """A learner at its bank. A process that does not know the round of its request, or lost its work, answers None."""

    def __init__(self, make: Callable[[int], BankLearner], number: int) -> None:
        """make: the learner of a bank. Raises UserError, and RunFailed where no server answers."""
        self._own, self._round, self._fresh = make(number), -1, True
        self._work: Work[None] | None = None

    def work(self, request: StepsRequest) -> Answer | None:
        """Begin a request."""
        if request.shared is not None:
            self._own.take(request.shared, fresh=self._fresh)
            self._round = request.round
        if self._round != request.round:
            return None
        self._fresh = False
        self._own.set(**request.hyper)
        self._work = self._own.in_round(request.steps, request.held)
        return self._next(lambda work: next(work))

    def go_on(self, made: Made) -> Answer | None:
        """Go on with what the learners made."""
        return self._next(lambda work: work.send(made))

    def _next(self, step: Callable[[Work[None]], Share]) -> Answer | None:
        if self._work is None:
            return None
        try:
            return Answer(step(self._work))
        except StopIteration:
            self._work = None
            return Answer(None)

    def shared(self) -> Made | None:
        """As of a BankLearner, of one that has worked."""
        return None if self._fresh else self._own.shared()

    def state_dict(self) -> dict[str, np.ndarray]:
        """Likewise; of one that has not, nothing."""
        return {} if self._fresh else self._own.state_dict()

    def load_state_dict(self, state: Mapping[str, np.ndarray], round: int) -> None:
        """Go on in a round, or before its first request."""
        self._own.load_state_dict(state)
        self._round, self._fresh = round, False


class RemoteLearners:
    """The calls of a learner at a server, for L of them in other processes.

    own: a learner at the server that trains nothing: it holds the averages. quorum: learners that make a round, half of
    them by default. history: how many did, a number a round.
    """

    def __init__(
        self,
        own: Any,
        make: Callable[[int], BankLearner],
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
        self.steps = self.since = self._missed = self._begun = self._count = 0
        self.history: list[int] = []
        self._members: list[int] = []
        self._hyper: dict[str, float] = {}
        self._all = True  # all learners begin together

    def __getattr__(self, name: str) -> Any:
        # Networks, policies and the server are those of the learner that holds the averages.
        return getattr(self.own, name)

    def __len__(self) -> int:
        """Experiences held in all banks, as far as is known here."""
        return min(self.own.held, self.buffer_size)

    @property
    def buffer_size(self) -> int:
        """Most experiences held, in all banks."""
        return self.own.buffer_size * self.crew.count

    @property
    def rounds(self) -> int:
        """How often the weights were averaged since start or load_state_dict()."""
        return sum(count >= self.quorum for count in self.history)

    def set(self, **hyper: float) -> None:
        """Settings of all learners, from the next request on. Raises UserError, nothing changed."""
        self.own.set(**hyper)
        self._hyper |= hyper

    def train(self, steps: int) -> int:
        """`steps` gradient steps of every learner; 0 while a bank holds too little.

        Raises UserError and RunFailed: of a learner, or there was no quorum in MOST_MISSED rounds.
        """
        if not steps or self._held() < self.own.least:
            return 0
        left = steps
        while left:
            count = min(left, self.average - self.since)
            self._request(count)
            left -= count
        return steps

    def _held(self) -> int:
        """Experiences in the bank that has the fewest."""
        return self.own.held // self.crew.count

    def _request(self, steps: int) -> None:
        shared = None
        if not self.since:
            waits = (self.crew.count, BEGIN_SECONDS) if self._all else (self.quorum, self.seconds)
            self._members, self._all = self.crew.ready(*waits), False
            self._begun, shared = self._begun + 1, self.own.shared()
        self.since += steps
        self.steps += steps
        self._ask("work", StepsRequest(self._begun, steps, self._held(), shared, dict(self._hyper)))
        self._carry()
        if self.since == self.average:
            self._end()

    def _ask(self, name: str, *arguments: Any) -> None:
        for number in self._members:
            self.crew.ask(number, name, *arguments)

    def _carry(self) -> None:
        """Carry shares to and fro until the request is done; members are then those that have done it."""
        self._count = 0
        while self._members:
            answers = self.crew.answers(self._members, self.seconds)
            here = {number: answer for number, answer in answers.items() if answer is not None}
            self._members = sorted(here)
            shares = [answer.share for _, answer in sorted(here.items())]
            if shares and shares[0] is None:
                return
            self._count = len(shares)
            if len(shares) < self.quorum:
                self._members = []
            else:
                self._ask("go_on", made(shares))

    def _end(self) -> None:
        self.since = 0
        if not any(map(self._take, self._members)):
            self._count = min(self._count, self.quorum - 1)
        self.history.append(self._count)
        self._missed = 0 if self._count >= self.quorum else self._missed + 1
        if self._missed >= MOST_MISSED:
            raise RunFailed(
                f"{self._count} of {self.crew.count} learners answered within {self.seconds:g} s, in "
                f"{self._missed} rounds one after another; a round needs {self.quorum}"
            )

    def _take(self, number: int) -> bool:
        """Have what a member has behind a round; False: it was lost."""
        shared = self._one(number, "shared")
        if shared is not None:
            self.own.take(shared, fresh=True)
        return shared is not None

    def _one(self, number: int, name: str) -> Any:
        """What a member answers; None: nothing."""
        self.crew.ask(number, name)
        return self.crew.answers([number], self.seconds).get(number)

    def counters(self) -> dict[str, int]:
        """Of the learners' rounds."""
        return {"rounds": self.rounds, "lost": self.crew.lost}

    def state_dict(self) -> dict[str, np.ndarray]:
        """What load_state_dict() needs; of learners that are lost or late, nothing."""
        states: dict[str, np.ndarray] = {"numbers": np.array([self.steps, self.since, self.average], np.int64)}
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
        if numbers.shape != (3,) or not 0 <= numbers[1] < numbers[2]:
            raise UserError("the state is damaged: it has no numbers of its round")
        if numbers[2] != self.average:
            raise UserError(f"the state is of average = {numbers[2]}; these learners have {self.average}")
        parts = {int(name.split(".")[1]) for name in state if name.startswith("learner.")}
        if parts and max(parts) >= self.crew.count:
            raise UserError(f"the state is of {max(parts) + 1} learners; these are {self.crew.count}")
        self.own.load_state_dict(strip_prefix(state, "average"))
        members = [n for n in self.crew.ready(self.crew.count, BEGIN_SECONDS) if n in parts]
        for number in members:
            self.crew.ask(number, "load_state_dict", strip_prefix(state, f"learner.{number}"), self._begun)
        self._members = sorted(self.crew.answers(members, self.seconds))
        self.steps, self.since = (int(x) for x in numbers[:2])

    def close(self) -> None:
        """End the learners' processes."""
        self.crew.close()
