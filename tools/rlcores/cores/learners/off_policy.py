"""Several TD3, SAC or DQN learners of rlcores.cores.rl that train one list of networks: Zhang 2022, algorithms 7 and 8.

A round is H gradient steps of every learner on its own weights, in two phases. First the critics learn H times, and
their weights become their average. Then the actors learn on the same batches, through these critics, where they are
due, and their weights become their average; SAC's temperature is among them. Then the targets follow, by as much as in
H steps. Within a round nothing that a loss bootstraps from moves: targets are held, and double DQN chooses by the
network of the last average.

Every learner's weights are sfix(27,22), whatever its other fractions are. So the average is the exact sum over L,
rounded once, half up. Fractions that follow their numbers, moments and counters stay with their learner.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.cores.learners.average import mean
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.networks import Trained
from rlcores.errors import UserError

_FIELDS = tuple(TransitionBatch.__dataclass_fields__)


class OffPolicyLearners:
    """L learners with equal settings; average: H. All begin with the first one's weights.

    since: steps of the present round that are done. rounds: averages so far.

    >>> from rlcores.cores.rl.dqn import Dqn, DqnSettings
    >>> learners = OffPolicyLearners([Dqn(4, 2, DqnSettings(network=(8,)), seed=n) for n in (1, 2)], average=2)
    >>> batch = Batch(np.zeros((8, 4)), np.zeros(8, int), np.ones(8), np.zeros((8, 4)), np.full(8, 0.9), np.ones(8))
    >>> [errors.shape for errors in learners.step([batch, batch])], learners.since, learners.rounds
    ([(8,), (8,)], 1, 0)
    >>> errors = learners.step([batch, batch])
    >>> learners.since, learners.rounds, bool((np.diff(learners.learners[0].weights()[0]) != 0).any())
    (0, 1, True)
    """

    def __init__(self, learners: Sequence[Any], average: int) -> None:
        self.learners, self.average = list(learners), average
        self.since = self.rounds = 0
        self._kept: list[
            list[tuple[TransitionBatch, np.ndarray]]
        ] = []  # of the round: a row a step, an entry a learner
        first = self.learners[0]
        for one in self.learners:
            for network, model in zip(trained(one), trained(first), strict=True):
                network.integers.start(model.integers.planes[WEIGHTS].copy())
            one.holds = True

    @property
    def steps(self) -> int:
        """Gradient steps of each learner so far."""
        return self.learners[0].steps

    def step(self, batches: Sequence[TransitionBatch]) -> list[np.ndarray]:
        """A gradient step of every learner on its own batch; the |TD errors| (B,) of each."""
        if self.since:
            self._move()
        td_errors, row = [], []
        for one, batch in zip(self.learners, batches, strict=True):
            errors, words = one.critics_step(batch)
            td_errors.append(errors)
            row.append((batch, words))
        self._kept.append(row)
        self.since += 1
        if self.since == self.average:
            self._end()
        return td_errors

    def _end(self) -> None:
        first = self.learners[0].steps - self.since + 1
        due = [n for n in range(self.since) if self.learners[0].actor_due(first + n)]
        self._mean([critics(one) for one in self.learners])
        for count, n in enumerate(due):
            if count:
                self._move()
            for one, (batch, words) in zip(self.learners, self._kept[n], strict=True):
                one.actor_step(batch, words)
        self._mean([trained(one) for one in self.learners])
        for one in self.learners:
            if due:
                one.follow(len(due))
        self._move()
        self.since, self.rounds = 0, self.rounds + 1
        self._kept.clear()

    def _move(self) -> None:
        for one in self.learners:
            one.move()

    def _mean(self, networks: Sequence[Sequence[Trained]]) -> None:
        for same in zip(*networks, strict=True):
            new = mean(np.stack([network.integers.planes[WEIGHTS] for network in same]))
            for network in same:
                network.integers.set_flat(new, WEIGHTS)

    # --- outside ---

    def policy(self) -> Any:
        """Of the last average, but for DQN within a round: of the first learner."""
        return self.learners[0].policy()

    def weights(self) -> list[np.ndarray]:
        """The first learner's."""
        return self.learners[0].weights()

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to go on identically, in the middle of a round too."""
        state: dict[str, np.ndarray] = {"round": np.array([self.since, self.average], np.int64)}
        for number, one in enumerate(self.learners):
            state |= add_prefix(f"learner.{number}", one.state_dict())
            kept = [row[number] for row in self._kept]
            for name in _FIELDS if kept else ():
                state[f"kept.{number}.{name}"] = np.stack([getattr(batch, name) for batch, _ in kept])
            if kept:
                state[f"kept.{number}.words"] = np.stack([words for _, words in kept])
        return state

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on as the learners that gave the state would. Raises UserError: it is that of others, or damaged."""
        parts = {name.split(".")[1] for name in state if name.startswith("learner.")}
        since, average = (int(x) for x in state.get("round", (0, 0)))
        if len(parts) != len(self.learners) or average != self.average:
            raise UserError(
                f"the state is of {len(parts)} learners with average = {average}; these are {len(self.learners)} with "
                f"{self.average}"
            )
        names = [f"kept.{number}.{name}" for number in range(len(parts)) for name in (*_FIELDS, "words")]
        if not 0 <= since < average or any(len(state.get(name, ())) != since for name in names):
            raise UserError("the state is damaged: its round is not whole")
        for number, one in enumerate(self.learners):
            one.load_state_dict(strip_prefix(state, f"learner.{number}"))
        self.since, self.rounds = since, 0
        self._kept = [
            [
                (
                    TransitionBatch(*(state[f"kept.{number}.{name}"][step] for name in _FIELDS)),
                    state[f"kept.{number}.words"][step],
                )
                for number in range(len(parts))
            ]
            for step in range(since)
        ]


def critics(learner: Any) -> list[Trained]:
    """The networks that the first phase trains."""
    return learner.critics if hasattr(learner, "critics") else learner.networks


def trained(learner: Any) -> list[Trained]:
    """All networks that are trained, SAC's temperature too."""
    temperature = getattr(learner, "temperature", None)
    return learner.networks + ([] if temperature is None else [temperature.network])
