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
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learners import rounds
from rlcores.cores.learners.rounds import MEAN, Made, Share, Work
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.networks import Trained
from rlcores.errors import UserError

_FIELDS = tuple(TransitionBatch.__dataclass_fields__)


class InRounds:
    """A learner's part in rounds of `average` steps. since: steps of the present round that are done."""

    def __init__(self, own: Any, average: int) -> None:
        self.own, self.average, self.since = own, average, 0
        self._kept: list[tuple[TransitionBatch, np.ndarray]] = []  # of the round, a batch a step
        own.holds = True

    def step(self, batch: TransitionBatch) -> Work[np.ndarray]:
        """A gradient step; the |TD errors| (B,)."""
        if self.since:
            self.own.move()
        errors, words = self.own.critics_step(batch)
        self._kept.append((batch, words))
        self.since += 1
        if self.since == self.average:
            yield from self._end()
        return errors

    def _end(self) -> Work[None]:
        own, first = self.own, self.own.steps - self.since + 1
        due = [n for n in range(self.since) if own.actor_due(first + n)]
        yield from self._meet(critics(own))
        for count, n in enumerate(due):
            if count:
                own.move()
            own.actor_step(*self._kept[n])
        yield from self._meet(trained(own))
        if due:
            own.follow(len(due))
        own.move()
        self.since = 0
        self._kept.clear()

    def _meet(self, networks: Sequence[Trained]) -> Work[None]:
        names = {id(network): f"network{n}" for n, network in enumerate(trained(self.own))}
        average = yield Share(MEAN, {names[id(one)]: one.integers.planes[WEIGHTS] for one in networks})
        for one in networks:
            one.integers.set_flat(average[names[id(one)]], WEIGHTS)

    def shared(self) -> Made:
        """What all learners have alike behind a round, and the fractions, which are this one's."""
        planes = {f"network{n}": one.integers.planes[[WEIGHTS, TARGET]] for n, one in enumerate(trained(self.own))}
        fractions = np.array([exponent.state() for exponent in self.own.moving()], np.int64)
        return planes | {"steps": np.array(self.own.steps), "fractions": fractions}

    def take(self, shared: Made, fractions: bool) -> None:
        """Have the same at the beginning of a round; moments stay, and without `fractions` these too."""
        own = self.own
        own.steps = int(shared["steps"])
        if fractions:
            for exponent, kept in zip(own.moving(), shared["fractions"], strict=True):
                exponent.load(kept)
        for n, network in enumerate(trained(own)):
            weights, target = shared[f"network{n}"]
            if fractions:
                network.acts(weights)
            network.integers.set_flat(weights, WEIGHTS)
            network.integers.set_flat(target, TARGET)
        own.holds = True
        self.since = 0
        self._kept.clear()

    def state_dict(self) -> dict[str, np.ndarray]:
        """What the learner kept of a round, an array a field and its words; of no step nothing."""
        if not self._kept:
            return {}
        state = {name: np.stack([getattr(batch, name) for batch, _ in self._kept]) for name in _FIELDS}
        return state | {"words": np.stack([words for _, words in self._kept])}

    def load_state_dict(self, state: Mapping[str, np.ndarray], since: int) -> None:
        """Go on behind `since` steps of a round. Raises UserError: the state has another number of them."""
        if any(len(state.get(name, ())) != since for name in (*_FIELDS, "words")):
            raise UserError("the state is damaged: its round is not whole")
        self.since = since
        self._kept = [
            (TransitionBatch(*(state[name][step] for name in _FIELDS)), state["words"][step]) for step in range(since)
        ]


class OffPolicyLearners:
    """L learners with equal settings; average: H. All begin with the first one's weights.

    each: their parts in the rounds. rounds: averages so far.

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
        self.rounds = 0
        first = self.learners[0]
        for one in self.learners:
            for network, model in zip(trained(one), trained(first), strict=True):
                network.integers.start(model.integers.planes[WEIGHTS].copy())
        self.each = [InRounds(one, average) for one in self.learners]

    @property
    def steps(self) -> int:
        """Gradient steps of each learner so far."""
        return self.learners[0].steps

    @property
    def since(self) -> int:
        """Steps of the present round that are done."""
        return self.each[0].since

    def step(self, batches: Sequence[TransitionBatch]) -> list[np.ndarray]:
        """A gradient step of every learner on its own batch; the |TD errors| (B,) of each."""
        return self.together([one.step(batch) for one, batch in zip(self.each, batches, strict=True)])

    def together(self, works: Sequence[Work[Any]]) -> list[Any]:
        """Carry out works in which each learner does a step; what they return."""
        ends = self.since == self.average - 1
        results = rounds.together(works, self._made)
        self.rounds += ends
        return results

    def _made(self, shares: Sequence[Share]) -> Made:
        return rounds.made(shares)

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
        for number, one in enumerate(self.each):
            state |= add_prefix(f"learner.{number}", one.own.state_dict())
            state |= add_prefix(f"kept.{number}", one.state_dict())
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
        kept = [strip_prefix(state, f"kept.{number}") for number in range(len(parts))]
        if not 0 <= since < average or any((len(one.get("words", ())) != since) for one in kept):
            raise UserError("the state is damaged: its round is not whole")
        for number, one in enumerate(self.each):
            one.own.load_state_dict(strip_prefix(state, f"learner.{number}"))
            one.load_state_dict(kept[number], since)
        self.rounds = 0


def critics(learner: Any) -> list[Trained]:
    """The networks that the first phase trains."""
    return learner.critics if hasattr(learner, "critics") else learner.networks


def trained(learner: Any) -> list[Trained]:
    """All networks that are trained, SAC's temperature too."""
    temperature = getattr(learner, "temperature", None)
    return learner.networks + ([] if temperature is None else [temperature.network])
