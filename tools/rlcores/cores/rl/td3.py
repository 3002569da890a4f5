"""TD3 in integers (Fujimoto et al., "Addressing function approximation error in actor-critic methods", ICML 2018).

Algorithm 1 of the paper: twin critics learn towards the smaller of two target values; the target's action has clipped
noise around it; actor and targets follow every `policy_delay` steps. Numbers: docs/td3.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.base.arguments import check_int
from rlcores.cores.common.tanh import OUT_FRACTION, tanh_fixed
from rlcores.cores.common.vanished import whole
from rlcores.cores.learner import tail
from rlcores.cores.learner.format import FACTOR_FRAC, TANH_FRAC
from rlcores.cores.learner.policy import Policy
from rlcores.cores.rl import actor_critic
from rlcores.cores.rl.actor_critic import TAIL, ActorCritic, noise_of
from rlcores.cores.rl.batch import Codes
from rlcores.cores.rl.networks import RlNetwork, Trained, critic, hidden, squashed_actor
from rlcores.errors import UserError

_ONE = 1 << OUT_FRACTION


@dataclass(frozen=True)
class Td3Settings(actor_critic.ActorCriticSettings):
    """Of TD3. actor_learning_rate None: as the critics'."""

    network: tuple[int, ...] = (400, 300)
    actor_learning_rate: float | None = None
    policy_delay: int = 2
    target_policy_noise: float = 0.2
    target_noise_clip: float = 0.5


class Td3(ActorCritic):
    """A TD3 learner.

    >>> learner = Td3(3, 1, Td3Settings(network=(16, 16)), seed=1)
    >>> states = np.zeros((8, 3))
    >>> errors = learner.step(states, np.zeros((8, 1)), np.ones(8), states, np.full(8, 0.99))
    >>> errors.shape, learner.steps, learner.policy()(states).shape
    ((8,), 1, (8, 1))
    """

    settings: Td3Settings

    def __init__(self, states: int, actions: int, settings: Td3Settings = Td3Settings(), **options) -> None:
        """Others as ActorCritic. Raises UserError."""
        check_int("policy_delay", settings.policy_delay, 1, 1 << 16)
        if not (0 <= settings.target_policy_noise <= 8 and 0 <= settings.target_noise_clip <= 8):
            raise UserError("target_policy_noise and target_noise_clip must be 0 to 8")
        whole("target_policy_noise", settings.target_policy_noise, FACTOR_FRAC)
        whole("target_noise_clip", settings.target_noise_clip, TANH_FRAC)
        super().__init__(states, actions, settings, **options)

    def _descriptors(self, descriptors: Sequence[RlNetwork] | None) -> list[tuple[RlNetwork, float, bool]]:
        s, inputs = self.settings, self.states + self.actions
        actor = squashed_actor(self.states, s.network, self.actions, *hidden(s))
        networks = descriptors or (actor, *[critic(inputs, s.network, *hidden(s))] * 2)
        rates = (s.actor_learning_rate or s.learning_rate, *[s.learning_rate] * (len(networks) - 1))
        return [(about, rate, True) for about, rate in zip(networks, rates, strict=True)]

    def actor_due(self, step: int) -> bool:
        return step % self.settings.policy_delay == 0

    def _critics(self, codes: Codes) -> np.ndarray:
        gradients = self.critic_gradients(codes, self.next_input(codes))
        self.update_critics(gradients, len(codes.rewards), self.actor_due(self.steps))
        return np.zeros((len(codes.rewards), 0), np.int64)

    def _actor(self, codes: Codes, words: np.ndarray) -> None:
        self.actor.update(self.actor_gradient(codes), len(codes.rewards), not self.holds)

    def next_input(self, codes: Codes) -> np.ndarray:
        """The critics' input at the next state: the target's action with clipped noise."""
        s = self.settings
        u = self.actor.forward(codes.next_states, target=True)[-1]
        noise = noise_of(self.words(len(u)), s.target_policy_noise, s.target_noise_clip, OUT_FRACTION)
        return self.join(codes.next_states, np.clip(tanh_fixed(u) + noise, -_ONE, _ONE))

    def actor_gradient(self, codes: Codes) -> np.ndarray:
        """The actor's gradient, through the first critic's present weights."""
        vectors = self.actor.forward(codes.states)
        u = vectors[-1]
        slope_in = self.through(codes.states, tanh_fixed(u))
        shift = OUT_FRACTION + self.slope.frac - self.actor.integers.formats.delta_frac[-1]
        delta, over = tail.tail_delta(slope_in, tail.slope(u), shift)
        self.counters[TAIL] += int(over.sum())
        return self.actor.gradient(vectors, delta, int(over.sum()))

    @property
    def judges(self) -> list[Trained]:
        return self.critics[:1]

    def policy(self) -> Policy:
        return self._policy(squashes=True)
