"""SAC in integers (Haarnoja et al., "Soft actor-critic algorithms and applications", 2018), with its temperature found.

The order of a step is Stable-Baselines3's: temperature, critics, actor through the new critics, targets. Numbers:
docs/sac.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.cores.learner import update as learner_update
from rlcores.cores.learner.format import WEIGHT_FRAC
from rlcores.cores.learner.optimisers import ADAM, ALL
from rlcores.cores.learner.optimisers.adam import eps_of, log_register
from rlcores.cores.learner.optimisers.slot import Rates
from rlcores.cores.learner.policy import Policy
from rlcores.cores.learner.registers import CLIP, AdamRate
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.rl import actor_critic
from rlcores.cores.rl.actor_critic import LOG, SAMPLE, TAIL, ActorCritic
from rlcores.cores.rl.batch import Codes
from rlcores.cores.rl.networks import Network, critic
from rlcores.cores.rl.squashed import NATURAL_FRAC, Factor, Sample, output_delta, sample

TEMPERATURE_FRAC = 10  # fraction bits of the temperature's gradient, 27 bits


@dataclass(frozen=True)
class Settings(actor_critic.Settings):
    """Of SAC. target_entropy None: minus the dimensions of actions; ent_coef None: the temperature is learned."""

    learning_rate: float = 3e-4
    target_entropy: float | None = None
    ent_coef: float | None = None


class Temperature:
    """alpha = e**log, trained so that the entropy is the target's. log: sfix(27,22)."""

    def __init__(self, settings: Settings, actions: int) -> None:
        fixed = settings.ent_coef
        self.moves = fixed is None
        first = 0.0 if fixed is None else np.log(max(fixed, 1e-6))
        self.planes = np.zeros((3, 1), np.int64)
        self.planes[0] = round(first * (1 << WEIGHT_FRAC))
        target = -float(actions) if settings.target_entropy is None else settings.target_entropy
        self.target = round(target * (1 << NATURAL_FRAC))
        self._rate, self._epsilon = AdamRate(settings.learning_rate), settings.adam_epsilon
        self.updates = 0

    @property
    def log(self) -> int:
        """log alpha."""
        return int(self.planes[0, 0])

    @property
    def alpha(self) -> Factor:
        """The temperature."""
        return Factor.exp(self.log)

    def gradient(self, logs: np.ndarray) -> np.ndarray:
        """d loss / d log alpha of the loss -log alpha * (log pi + target), summed over the batch, 27 bits."""
        sums = np.array([-int((logs + self.target).sum())], np.int64)
        return learner_update.gradient(sums, NATURAL_FRAC - TEMPERATURE_FRAC, squares=True)[0]

    def step(self, logs: np.ndarray) -> None:
        """One step of Adam."""
        if not self.moves:
            return
        self.updates += 1
        rates = Rates(
            log_rate=self._rate.at(self.updates),
            eps=eps_of(log_register(self._epsilon * len(logs), 4096 - 2**19), TEMPERATURE_FRAC),
            log_clip=log_register(CLIP),
        )
        w, state, _ = ALL[ADAM].step(self.planes[0], tuple(self.planes[1:]), self.gradient(logs), rates)
        self.planes[:] = w, *state


class Sac(ActorCritic):
    """A SAC learner.

    >>> learner = Sac(3, 1, Settings(network=(16, 16)), seed=1)
    >>> states = np.zeros((8, 3))
    >>> errors = learner.step(states, np.zeros((8, 1)), np.ones(8), states, np.full(8, 0.99))
    >>> errors.shape, learner.steps, learner.policy()(states).shape
    ((8,), 1, (8, 2))
    """

    settings: Settings

    def __init__(self, states: int, actions: int, settings: Settings = Settings(), **options) -> None:
        """Others as ActorCritic. Raises UserError."""
        self.temperature = Temperature(settings, actions)
        super().__init__(states, actions, settings, **options)

    def _descriptors(self, given: Sequence[Network] | None) -> list[tuple[Network, float, bool]]:
        s, inputs = self.settings, self.states + self.actions
        actor = Network((self.states, *s.network, 2 * self.actions), output_frac=OUT_FRAC)
        networks = given or (actor, critic(inputs, s.network), critic(inputs, s.network))
        return [(about, s.learning_rate, n > 0) for n, about in enumerate(networks)]

    def _step(self, codes: Codes) -> None:
        count, alpha = len(codes.rewards), self.temperature.alpha
        vectors, drawn = self.drawn(codes.states)
        self.temperature.step(drawn.log)
        gradients = self.critic_gradients(codes, *self.following(codes, alpha))
        self.update_critics(gradients, count, True)
        self.actor.update(self.actor_gradient(codes, vectors, drawn, alpha), count, False)
        self.alpha, self.entropy = float(alpha), -float(drawn.log.mean()) * 2.0**-NATURAL_FRAC

    def drawn(self, states: np.ndarray) -> tuple[list[np.ndarray], Sample]:
        """The actor's vectors, and actions by its output."""
        vectors = self.actor.forward(states)
        found = sample(vectors[-1], self.words(len(states)))
        self.counters[SAMPLE] += found.limited[0]
        self.counters[LOG] += found.limited[1]
        return vectors, found

    def following(self, codes: Codes, alpha: Factor) -> tuple[np.ndarray, np.ndarray]:
        """The critics' input at the next state by the present policy, and alpha * log pi with the value's fraction."""
        _, found = self.drawn(codes.next_states)
        return self.join(codes.next_states, found.action), alpha.times(found.log, NATURAL_FRAC, self.value.frac)

    def actor_gradient(self, codes: Codes, vectors: list[np.ndarray], drawn: Sample, alpha: Factor) -> np.ndarray:
        """The actor's gradient, through the smaller of the critics' present values."""
        to_action, frac = self.through(codes.states, drawn.action, self.critics)
        delta, over = output_delta(drawn, to_action, frac, alpha, self.actor.integers.formats.delta_frac[-1])
        self.counters[TAIL] += int(over.sum())
        return self.actor.gradient(vectors, delta, int(over.sum()))

    def policy(self) -> Policy:
        return self._policy(squashes=False)

    def state_dict(self) -> dict[str, np.ndarray]:
        t = self.temperature
        return super().state_dict() | {"temperature": np.append(t.planes[:, 0], t.updates)}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        super().load_state_dict(state)
        *planes, self.temperature.updates = (int(x) for x in state["temperature"])
        self.temperature.planes[:, 0] = planes
