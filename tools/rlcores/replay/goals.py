"""Hindsight experience replay (Andrychowicz et al. 2017): transitions with goals that were reached later."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base.arguments import check_int, choice
from rlcores.base.arrays import flags, need_finite, plain
from rlcores.errors import UserError
from rlcores.replay.draws import Words
from rlcores.replay.episodes import Bounds, Episodes
from rlcores.replay.store import Store

STRATEGIES = ("future", "final", "episode")
Reward = Callable[[np.ndarray, np.ndarray, Any], Any]


@dataclass(frozen=True)
class Hindsight:
    """How goals are relabelled, for ReplayBuffer(hindsight=…); the arguments are those of SB3's HerReplayBuffer.

    compute_reward            (achieved_goal (n, …), desired_goal (n, …), info) -> rewards (n,), as of Gymnasium's goal
                              environments; achieved_goal is that behind the step, info has "indices", the slots (n,)
    n_sampled_goal            new goals for each one of the environment's: a share of n / (n + 1) of a batch is
                              relabelled
    goal_selection_strategy   where a new goal comes from: "future", a step of the episode that is not before the
                              transition; "final", its last step; "episode", any of its steps
    compute_terminated        likewise -> bool (n,), whether the step ends the episode then; None: as it was
    observation               name of the nested observation that has `achieved_goal` and `desired_goal`

    >>> Hindsight(lambda achieved, desired, info: -np.abs(achieved - desired).sum(-1)).share
    0.8
    """

    compute_reward: Reward
    n_sampled_goal: int = 4
    goal_selection_strategy: str = "future"
    compute_terminated: Reward | None = None
    observation: str = "observation"

    def __post_init__(self) -> None:
        check_int("n_sampled_goal", self.n_sampled_goal, 1, 1 << 20)
        choice("goal_selection_strategy", self.goal_selection_strategy, STRATEGIES)
        for name in ("compute_reward", "compute_terminated"):
            function = getattr(self, name)
            if not callable(function) and (function is not None or name == "compute_reward"):
                raise UserError(f"{name} is {function!r}; it must be a function of achieved_goal, desired_goal, info")

    @property
    def share(self) -> float:
        """Of a batch, how much is relabelled."""
        return self.n_sampled_goal / (self.n_sampled_goal + 1)

    @property
    def names(self) -> tuple[str, str]:
        """The arrays of achieved and of desired goals."""
        return f"{self.observation}.achieved_goal", f"{self.observation}.desired_goal"

    def check(self, store: Store) -> None:
        """Raise UserError where a store has not two goals of one shape and type."""
        achieved, desired = (store.frames.get(name) for name in self.names)
        if achieved is None or desired is None:
            raise UserError(f"hindsight needs the observations {' and '.join(self.names)}: {', '.join(store.frames)}")
        if achieved.shape != desired.shape or achieved.dtype != desired.dtype or store.stacks[self.names[0]] > 1:
            raise UserError(f"{' and '.join(self.names)} must have one shape and type, and be single frames")


class Relabeller:
    """Hindsight on one store."""

    def __init__(self, hindsight: Hindsight, store: Store, episodes: Episodes, words: Words, gamma: float) -> None:
        """words: where goals are drawn from; gamma: the discount of a step. Raises UserError as Hindsight.check."""
        hindsight.check(store)
        self._gamma = gamma
        self._how, self._store, self._episodes, self._words = hindsight, store, episodes, words

    def relabel(self, slots: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
        """Give new goals, rewards and ends to some transitions of a batch, those of ended episodes only."""
        how = self._how
        bounds = self._episodes.bounds(slots)
        chosen = np.argsort(self._words.take(len(slots)))[: int(how.share * len(slots))]
        chosen = chosen[bounds.closed[chosen]]
        if not len(chosen):
            return
        achieved, desired = how.names
        columns = slots[chosen] % self._store.columns
        goals = self._store.behind(achieved, self._goal_steps(Bounds(*(x[chosen] for x in bounds))), columns)
        arrays[desired][chosen] = arrays[f"next_{desired}"][chosen] = goals
        arguments = arrays[f"next_{achieved}"][chosen], goals, {"indices": slots[chosen]}
        rewards = _answer("compute_reward", how.compute_reward(*arguments), len(chosen))
        need_finite("compute_reward", rewards)
        arrays["reward"][chosen] = rewards
        if how.compute_terminated is None:
            return
        ends = flags(
            "compute_terminated", _answer("compute_terminated", how.compute_terminated(*arguments), len(chosen))
        )
        discounts = arrays["discount"][chosen]
        arrays["terminated"][chosen] = ends
        arrays["discount"][chosen] = np.where(ends, 0, np.where(discounts == 0, self._gamma, discounts))

    def _goal_steps(self, of: Bounds) -> np.ndarray:
        """The steps behind which the new goals were achieved, int64 (m,)."""
        if self._how.goal_selection_strategy == "final":
            return of.last
        first = of.step if self._how.goal_selection_strategy == "future" else of.begin
        return np.asarray(first + self._words.below(of.last - first + 1, len(first)))


def _answer(name: str, answer: Any, count: int) -> np.ndarray:
    array = plain(name, answer)
    if array.shape != (count,):
        raise UserError(f"{name} gave an array of shape {array.shape}; it must be one number for each of {count} goals")
    return array
