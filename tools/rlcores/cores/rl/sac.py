"""SAC in integers (Haarnoja et al., "Soft actor-critic algorithms and applications", 2018), with its temperature found.

The order of a step is Stable-Baselines3's: temperature, critics, actor through the new critics, targets. Numbers:
docs/sac.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.base import limits
from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.learner.format import ACT_WIDTH, GRADIENT_WIDTH, WEIGHT_FRAC, LearnerFormats
from rlcores.cores.learner.network import NetworkModel as Integers
from rlcores.cores.learner.policy import Policy
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.rl import actor_critic, stages
from rlcores.cores.rl.actor_critic import LOG, SAMPLE, TAIL, TEMPERATURE, ActorCritic
from rlcores.cores.rl.batch import Codes
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.networks import RlNetwork, Trained, critic, hidden
from rlcores.cores.rl.squashed import NATURAL_FRAC, POWER_FRAC, POWER_WIDTH, Sample
from rlcores.errors import UserError

TEMPERATURE_FRAC = 10  # fraction bits of the temperature's deltas and gradient
ONE_BIAS = RlNetwork(
    (1, 1),
    output_frac=WEIGHT_FRAC,
    formats=LearnerFormats((0, WEIGHT_FRAC), (0, TEMPERATURE_FRAC), (0, TEMPERATURE_FRAC)),
)


@dataclass(frozen=True)
class SacSettings(actor_critic.ActorCriticSettings):
    """Of SAC. target_entropy None: minus the dimensions of actions; ent_coef, 1e-6 to 60, None: it is learned."""

    learning_rate: float = 3e-4
    target_entropy: float | None = None
    ent_coef: float | None = None


class Temperature:
    """alpha = e**log, trained so that the entropy is the target's.

    log is a network of its own: the bias, sfix(27,22), of a layer whose one input is 0.
    """

    def __init__(
        self,
        settings: SacSettings,
        actions: int,
        kind: type[Integers],
        exponential: Callable[[int], int] = stages.exponential,
    ) -> None:
        """exponential: squashed.exponential() of one number, the model's or the engine's."""
        self._exponential = exponential
        fixed = settings.ent_coef
        least, most = limits.TEMPERATURE
        if fixed is not None and not least <= fixed <= most:
            raise UserError(f"ent_coef is {fixed:g}; it must be {least:g} to {most:g}")
        self.moves = fixed is None
        target = -float(actions) if settings.target_entropy is None else settings.target_entropy
        self.target = round(target * (1 << NATURAL_FRAC))
        self.network = Trained(
            ONE_BIAS, kind, Exponent(0), None, learning_rate=settings.learning_rate,
            adam_epsilon=settings.adam_epsilon, tau=0.0, target=False,
        )  # fmt: skip
        self.network.load(np.array([0.0, 0.0 if fixed is None else np.log(fixed)]))

    @property
    def log(self) -> int:
        """log alpha."""
        return int(self.network.integers.planes[0, 1])

    @property
    def alpha(self) -> int:
        """The temperature, ufix(26,20)."""
        return self._exponential(self.log)

    def gradient(self, logs: np.ndarray) -> np.ndarray:
        """d loss / d (weight, log alpha) of the loss -log alpha * (log pi + target), summed over the batch, 27 bits.

        The weight's is 0, for its input is.
        """
        exact = round_shift(-logs - self.target, NATURAL_FRAC - TEMPERATURE_FRAC)
        total = int(saturate(exact, ACT_WIDTH).sum())
        return np.array([0, saturate(total, GRADIENT_WIDTH, symmetric=True)])

    def step(self, logs: np.ndarray) -> None:
        """One step of Adam."""
        if self.moves:
            self.network.update(self.gradient(logs), len(logs), False)


class Sac(ActorCritic):
    """A SAC learner.

    >>> learner = Sac(3, 1, SacSettings(network=(16, 16)), seed=1)
    >>> states = np.zeros((8, 3))
    >>> errors = learner.step(states, np.zeros((8, 1)), np.ones(8), states, np.full(8, 0.99))
    >>> errors.shape, learner.steps, learner.policy()(states).shape
    ((8,), 1, (8, 2))
    """

    settings: SacSettings

    def __init__(self, states: int, actions: int, settings: SacSettings = SacSettings(), **options) -> None:
        """Others as ActorCritic. Raises UserError."""
        super().__init__(states, actions, settings, **options)
        self.temperature = Temperature(settings, actions, self.kind, self._stages.exponential)

    def _descriptors(self, descriptors: Sequence[RlNetwork] | None) -> list[tuple[RlNetwork, float, bool]]:
        s, inputs = self.settings, self.states + self.actions
        actor = RlNetwork((self.states, *s.network, 2 * self.actions), *hidden(s), output_frac=OUT_FRAC)
        networks = descriptors or (actor, *[critic(inputs, s.network, *hidden(s))] * 2)
        return [(about, s.learning_rate, n > 0) for n, about in enumerate(networks)]

    def _critics(self, codes: Codes) -> np.ndarray:
        alpha = self.temperature.alpha
        self.counters[TEMPERATURE] += alpha == (1 << POWER_WIDTH) - 1
        words = self.words(len(codes.rewards))
        gradients = self.critic_gradients(codes, *self.following(codes, alpha))
        self.update_critics(gradients, len(codes.rewards), True)
        return words

    def _actor(self, codes: Codes, words: np.ndarray) -> None:
        alpha = self.temperature.alpha
        vectors, drawn = self.drawn(codes.states, words)
        self.temperature.step(drawn.log)
        self.actor.update(self.actor_gradient(codes, vectors, drawn, alpha), len(codes.rewards), False)
        self.alpha, self.entropy = alpha * 2.0**-POWER_FRAC, -float(drawn.log.mean()) * 2.0**-NATURAL_FRAC

    def drawn(self, states: np.ndarray, words: np.ndarray | None = None) -> tuple[list[np.ndarray], Sample]:
        """The actor's vectors, and actions by its output and normal words, the generator's next ones without."""
        vectors = self.actor.forward(states)
        drawn = self._stages.sample(vectors[-1], self.words(len(states)) if words is None else words)
        self.counters[SAMPLE] += drawn.saturated[0]
        self.counters[LOG] += drawn.saturated[1]
        return vectors, drawn

    def following(self, codes: Codes, alpha: int) -> tuple[np.ndarray, np.ndarray]:
        """The critics' input at the next state by the present policy, and alpha * log pi with the value's fraction."""
        _, drawn = self.drawn(codes.next_states)
        less = round_shift(drawn.log * alpha, NATURAL_FRAC + POWER_FRAC - self.value.frac)
        return self.join(codes.next_states, drawn.action), less

    def actor_gradient(self, codes: Codes, vectors: list[np.ndarray], drawn: Sample, alpha: int) -> np.ndarray:
        """The actor's gradient, through the smaller of the critics' present values."""
        to_action = self.through(codes.states, drawn.action)
        delta, over = self._stages.output_delta(
            drawn, to_action, self.slope.frac, alpha, self.actor.integers.formats.delta_frac[-1]
        )
        self.counters[TAIL] += int(over.sum())
        return self.actor.gradient(vectors, delta, int(over.sum()))

    def policy(self) -> Policy:
        return self._policy(squashes=False)

    def state_dict(self) -> dict[str, np.ndarray]:
        network = self.temperature.network
        return super().state_dict() | {"temperature": np.append(network.integers.planes, network.updates)}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        super().load_state_dict(state)
        network = self.temperature.network
        network.restore(state["temperature"][:-1].reshape(network.integers.planes.shape))
        network.updates = int(state["temperature"][-1])
