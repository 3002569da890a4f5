"""The TD errors that an actor itself has of what it saw, as first priorities (Horgan et al. 2018, Ape-X).

They are those of the learner's loss stage, bit for bit, with the actor's network as online and as target network: the
learner would compute the same with the weights that the actor has.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rlcores.cores.common.fixed import quantise_within
from rlcores.cores.learner import loss
from rlcores.cores.learner.format import REWARD_FRAC, REWARD_WIDTH
from rlcores.cores.learner.policy import Policy

if TYPE_CHECKING:
    from rlcores.train.actor import Rollout


@dataclass(frozen=True)
class FirstErrors:
    """What a TD error needs beside a policy: registers of the learner, ufix(18,17)."""

    gamma: int
    reward_scale: int

    def of(self, policy: Policy, seen: "Rollout") -> np.ndarray:
        """|TD errors| of a round, float64 (T, N), exact: whole numbers of 2**-act_frac of the output layer."""
        frac = policy.formats.act_frac[-1]
        states, actions, rewards, following, terminated = seen.experiences()[:5]
        # Q values are whole numbers of that fraction already.
        q, q_next = (np.rint(policy(x) * 2.0**frac).astype(np.int64) for x in (states, following))
        reward = quantise_within(rewards, REWARD_WIDTH, REWARD_FRAC, "reward")
        registers = {"gamma": self.gamma, "reward_scale": self.reward_scale}
        td, _ = loss.td_error(q, actions, q_next, reward, terminated, act_frac=frac, **registers)
        return (loss.priority(td) * 2.0**-frac).reshape(seen.rewards.shape)
