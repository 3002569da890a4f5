"""DQN in integers with fractions that follow their numbers: double targets and a dueling head if wanted.

Mnih et al., "Human-level control through deep reinforcement learning", Nature 2015; van Hasselt et al., "Deep
reinforcement learning with double Q-learning", AAAI 2016; Wang et al., "Dueling network architectures", ICML 2016,
equation 9: Q(s, a) = V(s) + A(s, a) - mean of A(s, .). The target follows slowly (tau), as the other algorithms' do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import limits
from rlcores.cores.common.fixed import quantise, quantise_within, round_shift, saturate
from rlcores.cores.common.vanished import Vanished
from rlcores.cores.common.vanished import kept as checked
from rlcores.cores.learner import loss
from rlcores.cores.learner.activations import RELU
from rlcores.cores.learner.format import (
    ACT_WIDTH,
    FACTOR_FRAC,
    FACTOR_ONE,
    REWARD_FRAC,
    REWARD_WIDTH,
    TANH_FRAC,
    VALUE_WIDTH,
)
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.cores.learner.policy import Policy
from rlcores.cores.rl.batch import INPUT_MOST, TransitionBatch, as_input, batch_of
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.networks import (
    COUNTERS,
    RlNetwork,
    Trained,
    check_settings,
    described,
    hidden,
    hidden_of,
    integers_of,
)
from rlcores.errors import UserError

HUBER_FRAC = 20  # of the limit of a TD error
MEAN_FRAC = 17  # of 1 / actions


@dataclass(frozen=True)
class DqnSettings:
    """Of DQN: huber, the TD error from which the loss grows linearly, at most 64, 0 never; the rest as SAC's."""

    network: tuple[int, ...] = (256, 256)
    activation: str = RELU.name
    normalisation: str = limits.NORMALISATIONS[0]
    learning_rate: float = 1e-4
    tau: float = 0.005
    adam_epsilon: float = 1e-8
    double: bool = True
    dueling: bool = True
    huber: float = 1.0
    reward_scale: float = 1.0


class Dqn:
    """A DQN learner: states numbers in, one of `actions` out.

    >>> learner = Dqn(4, 2, DqnSettings(network=(16, 16)), seed=1)
    >>> states = np.zeros((8, 4))
    >>> errors = learner.step(states, np.zeros(8, int), np.ones(8), states, np.full(8, 0.99))
    >>> errors.shape, learner.values(states).shape
    ((8,), (8, 2))
    """

    def __init__(
        self,
        states: int,
        actions: int,
        settings: DqnSettings = DqnSettings(),
        *,
        seed: int = 0,
        backend: str = "native",
    ) -> None:
        """backend: "native" or "model", the same bits. Raises UserError."""
        kind = integers_of(backend, "Dqn")
        check_settings(settings, seed, states=(states, 1), actions=(actions, 2))
        if not 0 <= settings.huber <= 64:
            raise UserError(f"huber is {settings.huber:g}; it must be 0 to 64")
        checked("huber", settings.huber, round(settings.huber * (1 << HUBER_FRAC)), HUBER_FRAC)  # 0 would be no limit
        self.states, self.actions, self.settings, self.seed, self.backend = states, actions, settings, seed, backend
        self.input, self.value = Exponent(12, most=INPUT_MOST), Exponent(14, VALUE_WIDTH, most=HUBER_FRAC)
        self.counters = np.zeros(COUNTERS, np.int64)
        self.steps = 0
        self._rewards = Vanished("rewards", REWARD_FRAC)
        about = RlNetwork(
            (states, *settings.network, actions + settings.dueling),
            *hidden(settings),
        )
        self.network = Trained(
            about, kind, self.input, self.value, learning_rate=settings.learning_rate,
            adam_epsilon=settings.adam_epsilon, tau=settings.tau,
        )  # fmt: skip
        self.network.start(np.random.default_rng(seed))
        self.td = np.zeros(0, np.int64)
        self._kind = kind
        self._judge: Trained | None = None

    def __repr__(self) -> str:
        return described(self)

    @property
    def networks(self) -> list[Trained]:
        """The one network, in a list as every algorithm's."""
        return [self.network]

    def moving(self) -> list[Exponent]:
        """All fractions that follow their numbers."""
        return [self.input, self.value, *self.network.own()]

    def codes(self, states: ArrayLike) -> tuple[np.ndarray, int]:
        """States (R, N_s) as inputs, and how many numbers were clipped."""
        exact = as_input(quantise(states, TANH_FRAC), self.input.frac)
        saturated = saturate(exact, ACT_WIDTH)
        return saturated, int(np.count_nonzero(saturated != exact))

    def values(self, states: ArrayLike) -> np.ndarray:
        """Q of all actions, float64 (R, actions)."""
        return self.head(self.network.integers.forward(self.codes(states)[0])[-1]) * 2.0**-self.value.frac

    def act(self, states: ArrayLike) -> np.ndarray:
        """The best actions (R,)."""
        return self.values(states).argmax(axis=1)

    @property
    def part(self) -> int:
        """1 / actions, 17 fraction bits."""
        return round((1 << MEAN_FRAC) / self.actions)

    def head(self, outputs: np.ndarray) -> np.ndarray:
        """Q (R, actions) of the network's outputs: itself, or V and the advantages."""
        if not self.settings.dueling:
            return outputs
        advantages = outputs[:, 1:]
        mean = round_shift(advantages.sum(axis=1, keepdims=True) * self.part, MEAN_FRAC)
        return saturate(advantages + (outputs[:, :1] - mean), VALUE_WIDTH)

    def deltas(self, delta: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Deltas of the outputs (R, outputs) of those of Q(s, a), 18 bits (R,)."""
        own = np.where(np.arange(self.actions) == actions[:, None], delta[:, None], 0)
        if not self.settings.dueling:
            return own
        mean = round_shift(delta * self.part, MEAN_FRAC)[:, None]
        return np.concatenate([delta[:, None], saturate(own - mean, ACT_WIDTH)], axis=1)

    def step(
        self, states: ArrayLike, actions: ArrayLike, rewards: ArrayLike, next_states: ArrayLike, discounts: ArrayLike,
        weights: ArrayLike | None = None,
    ) -> np.ndarray:  # fmt: skip
        """One gradient step on B transitions; returns |TD error| (B,).

        states, next_states (B, N_s); actions (B,) whole numbers; rewards, discounts, weights (B,), the last two in
        0 … 1; a discount is 0 at an end. Raises UserError, nothing changed: shapes, or numbers out of their range; and
        ValueError: a reward beyond 27 bits.
        """
        arrays = (states, actions, rewards, next_states, discounts, weights)
        errors, _ = self.critics_step(batch_of(self.states, self.actions, arrays, numbered=True))
        self.move()
        return errors

    def critics_step(self, batch: TransitionBatch) -> tuple[np.ndarray, np.ndarray]:
        """A gradient step, fractions left: |TD error| (B,), and nothing for an actor. Raises ValueError as step()."""
        actions = np.asarray(batch.actions, np.int64)
        codes = quantise_within(
            np.asarray(batch.rewards) * self.settings.reward_scale, REWARD_WIDTH, REWARD_FRAC, "reward"
        )
        self._rewards.see(batch.rewards, codes)
        gamma, weight = quantise(batch.discounts, FACTOR_FRAC), quantise(batch.weights, FACTOR_FRAC)
        frac = self.value.frac
        self._step(batch.states, actions, codes, batch.next_states, gamma, weight)
        self.steps += 1
        return np.abs(self.td) * 2.0**-frac, np.zeros((len(actions), 0), np.int64)

    def actor_step(self, batch: TransitionBatch, words: np.ndarray) -> None:
        """Nothing: the values act."""

    def actor_due(self, step: int) -> bool:
        """Whether targets follow in gradient step 1, 2, …"""
        return True

    def move(self) -> None:
        """The end of a step: fractions follow the numbers that were seen."""
        for exponent in self.moving():
            exponent.move()
        self.network.follow()
        if self._judge is not None:
            self._judge.acts(self._judge.integers.planes[WEIGHTS])

    @property
    def holds(self) -> bool:
        """Targets, and the network by which double DQN chooses, stand still until follow()."""
        return self._judge is not None

    @holds.setter
    def holds(self, held: bool) -> None:
        self._judge = self._frozen() if held else None

    def follow(self, steps: int) -> None:
        """The target follows the present weights as in `steps` steps; from now on double DQN chooses by these."""
        self.network.follow_target(1 - (1 - self.settings.tau) ** steps)
        if self._judge is not None:
            self._judge.acts(self.network.integers.planes[WEIGHTS].copy())

    def _frozen(self) -> Trained:
        """The present network, held, with the fractions of the one that learns."""
        network, s = self.network, self.settings
        made = Trained(
            network.about, self._kind, self.input, self.value, learning_rate=s.learning_rate,
            adam_epsilon=s.adam_epsilon, tau=s.tau, target=False,
        )  # fmt: skip
        made.act, made.delta, made.grad, made.norm = network.act, network.delta, network.grad, network.norm
        made.acts(network.integers.planes[WEIGHTS].copy())
        return made

    # --- outside ---

    def policy(self) -> Policy:
        """The network, to act with elsewhere: of a dueling one the advantages, whose largest is that of Q."""
        net = self.network.integers
        sizes, planes = net.sizes, net.planes[WEIGHTS]
        if not self.settings.dueling:
            return Policy(sizes, net.formats, planes.copy(), False, self.backend, *hidden_of(net))
        last = net.starts[-2]
        inputs, outputs = sizes[-2:]
        w, b = planes[last:-outputs].reshape(outputs, inputs)[1:], planes[-outputs:][1:]
        flat = np.concatenate([planes[:last], w.ravel(), b])
        return Policy((*sizes[:-1], self.actions), net.formats, flat, False, self.backend, *hidden_of(net))

    def weights(self) -> list[np.ndarray]:
        """All that is trained, int64 with 22 fraction bits, a vector a network."""
        return [self.network.integers.planes[WEIGHTS]]

    def saturations(self) -> dict[str, int]:
        """How often a number did not fit, by stage and layer, if ever."""
        return {f"network.{stage}": n for stage, n in self.network.saturations().items()}

    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to go on identically."""
        state = {
            "counts": np.array([self.steps, self.network.updates], np.int64),
            "counters": np.array([self.counters, self.network.counters]),
            "shared": np.array([self.input.state(), self.value.state()], np.int64),
            "network.planes": self.network.integers.planes.copy(),
            "network.exponents": np.array([e.state() for e in self.network.own()], np.int64),
        }
        return state | ({"judge": self._judge.integers.planes[WEIGHTS].copy()} if self._judge is not None else {})

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Go on as the learner that gave the state would. Raises UserError: it is that of another one."""
        if {n: np.shape(x) for n, x in state.items()} != {n: x.shape for n, x in self.state_dict().items()}:
            raise UserError("the state is that of another learner, or is damaged")
        network = self.network
        self.steps, network.updates = (int(x) for x in state["counts"])
        self.counters[:], network.counters[:] = state["counters"]
        for exponent, kept in zip((self.input, self.value), state["shared"], strict=True):
            exponent.load(kept)
        for exponent, kept in zip(network.own(), state["network.exponents"], strict=True):
            exponent.load(kept)
        network.restore(state["network.planes"])
        if self._judge is not None:
            self._judge.acts(state["judge"])

    # --- a step ---

    def _step(self, states, actions, rewards, next_states, gamma, weight) -> None:
        network, frac, rows = self.network, self.value.frac, np.arange(len(actions))
        (x, over), (x_next, next_over) = self.codes(states), self.codes(next_states)
        self.input.see(x, over)
        self.input.see(x_next, next_over)
        targets = self.head(network.forward(x_next, target=True)[-1])
        judge = self._judge or network
        judged = self.head(judge.forward(x_next)[-1]) if self.settings.double else targets
        vectors = network.forward(x)
        q = self.head(vectors[-1])[rows, actions][:, None]
        best = targets[rows, judged.argmax(axis=1)][:, None]
        self.value.see(loss.scaled_reward(rewards, FACTOR_ONE, frac)[0])
        nothing = np.zeros(len(actions), np.int64)
        td, cut = loss.td_error(
            q, nothing, best, rewards, gamma == 0, act_frac=frac, gamma=gamma, reward_scale=FACTOR_ONE
        )
        self.value.see(td, int(cut.sum()))
        huber = round_shift(round(self.settings.huber * (1 << HUBER_FRAC)), HUBER_FRAC - frac)
        error = np.clip(td, -huber, huber) if huber else td
        delta, over = loss.output_delta(
            error, weight, act_frac=frac, delta_frac=network.integers.formats.delta_frac[-1]
        )
        gradient = network.gradient(vectors, self.deltas(delta, actions), int(over.sum()))
        network.update(gradient, len(actions), not self.holds)
        self.td = td
