"""The learner's side of a run: what the loop asks of every algorithm's."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from rlcores.cores.learner.policy import Policy
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.policies import FloatPolicy


class Trainer(ABC):
    """The base of ReplayTrainer, PpoTrainer, ChipTrainer and AgentTrainer. Their methods are described here."""

    looks = False  # it checks a checkpoint's arrays by itself
    ahead = False  # actors collect the next round while this one is learned from
    kind: str  # as of actor.RoundRequest
    updates: int  # gradient steps so far
    clocks = 0  # that the simulated core worked in this session; 0 without one

    @abstractmethod
    def order(self, number: int, step: int) -> RoundRequest:
        """What actors do in round `number`, which begins after `step` steps."""

    @abstractmethod
    def learn(self, seen: Rollout, step: int) -> None:
        """Learn from what a round gave; `step` steps have been made."""

    @abstractmethod
    def policy(self) -> Policy | FloatPolicy:
        """The present policy."""

    @abstractmethod
    def weights(self) -> list[np.ndarray]:
        """All weights that are trained, exact."""

    def live(self) -> dict[str, float]:
        """Figures beside the return."""
        return {}

    def close(self) -> None:
        """End processes that work for it."""
        return

    @abstractmethod
    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything of the learner."""

    @abstractmethod
    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the learner that gave checkpoint() would."""
