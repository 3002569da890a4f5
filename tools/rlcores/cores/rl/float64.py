"""TD3 and SAC in float32 or float64, from the equations of Fujimoto et al. (2018) and Haarnoja et al. (2018).

They say how far the integers are from the mathematics (float64), and how well float32 learns in the same loop. Standard
normal numbers come from the integers' generator. Gradients are those of the batch's mean.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, Optimiser
from rlcores.cores.policy.noise import NORMAL_FRACTION, normal
from rlcores.cores.rl import sac, td3
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.networks import hidden
from rlcores.cores.rl.squashed import LOG_STD


class _Trained:
    """A network, its target, and Adam."""

    def __init__(self, sizes: tuple[int, ...], settings: Any, dtype: type, rate: float) -> None:
        self.net, self.target = (FloatNetwork(sizes, dtype, *hidden(settings)) for _ in range(2))
        self.optimiser = Optimiser(self.net.theta.size, dtype, FloatSettings(adam_epsilon=settings.adam_epsilon), rate)
        self.gradient = np.zeros_like(self.net.theta)

    def start(self, rng: np.random.Generator) -> None:
        self.net.initialise(rng)
        self.target.theta[:] = self.net.theta

    def update(self) -> None:
        self.optimiser.step(self.net.theta, self.gradient)

    def follow(self, tau: float) -> None:
        self.target.theta += tau * (self.net.theta - self.target.theta)


class _ActorCritic(ABC):
    """As rlcores.cores.rl.actor_critic.ActorCritic, its networks _Trained."""

    settings: Any

    def __init__(self, states: int, actions: int, settings: Any, *, seed: int = 0, dtype: type = np.float32) -> None:
        self.states, self.actions, self.settings, self.dtype = states, actions, settings, dtype
        s = settings
        actor, inputs = (states, *s.network, self.outputs), (states + actions, *s.network, 1)
        rates = getattr(s, "actor_learning_rate", None) or s.learning_rate, s.learning_rate, s.learning_rate
        self.networks = [
            _Trained(sizes, s, dtype, rate) for sizes, rate in zip((actor, inputs, inputs), rates, strict=True)
        ]
        self.actor, *self.critics = self.networks
        rng = np.random.default_rng(seed)
        for network in self.networks:
            network.start(rng)
        self.generator = Xoshiro128pp(state_of(seed))
        self.steps = 0

    @property
    @abstractmethod
    def outputs(self) -> int:
        """Of the actor."""

    @abstractmethod
    def step(self, batch: TransitionBatch) -> np.ndarray:
        """One gradient step; |TD error| of the first critic (B,)."""

    def normals(self, rows: int) -> np.ndarray:
        """The generator's next standard normal numbers, (rows, N_a)."""
        words = normal(self.generator.take(rows * self.actions)) * 2.0**-NORMAL_FRACTION
        return words.reshape(self.actions, rows).T.astype(self.dtype)

    def inputs(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """A critic's."""
        return np.concatenate([states, actions], axis=1).astype(self.dtype)

    def critic_gradients(
        self, batch: TransitionBatch, x_next: np.ndarray, less: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """Into the critics' gradient; the first one's TD errors."""
        smaller = np.minimum(*(c.target.output(x_next)[:, 0] for c in self.critics))
        goal = batch.rewards * self.settings.reward_scale + batch.discounts * (smaller - less)
        x, td_errors = self.inputs(batch.states, batch.actions), []
        for c in self.critics:
            vectors = c.net.forward(x)
            td = vectors[-1][:, 0] - goal.astype(self.dtype)
            delta = td * batch.weights.astype(self.dtype) / len(batch)
            c.net.backward(vectors, delta[:, None].astype(self.dtype), c.gradient)
            td_errors.append(td)
        return td_errors[0]

    def through(self, states: np.ndarray, action: np.ndarray, critics: list[_Trained]) -> np.ndarray:
        """-dQ/da of the smallest Q, (B, N_a)."""
        x = self.inputs(states, action)
        passes = [c.net.forward(x) for c in critics]
        chosen = np.argmin(np.concatenate([v[-1] for v in passes], axis=1), axis=1)
        slopes = np.zeros(action.shape, self.dtype)
        for n, (c, vectors) in enumerate(zip(critics, passes, strict=True)):
            delta = -(chosen == n).astype(self.dtype)[:, None]
            slopes += c.net.backward(vectors, delta, None, to_input=True)[:, self.states :]
        return slopes


class FloatTd3(_ActorCritic):
    """TD3."""

    settings: td3.Td3Settings

    @property
    def outputs(self) -> int:
        return self.actions

    def step(self, batch: TransitionBatch) -> np.ndarray:
        s = self.settings
        self.steps += 1
        td = self.critic_gradients(batch, self.next_input(batch))
        for c in self.critics:
            c.update()
        if self.steps % s.policy_delay == 0:
            self.actor_gradient(batch)
            self.actor.update()
            for network in self.networks:
                network.follow(s.tau)
        return np.abs(td)

    def next_input(self, batch: TransitionBatch) -> np.ndarray:
        """The critics' input at the next state: the target's action with clipped noise."""
        s, states = self.settings, batch.next_states.astype(self.dtype)
        noise = self.normals(len(batch)) * self.dtype(s.target_policy_noise)
        noise = np.clip(noise, -s.target_noise_clip, s.target_noise_clip)
        return self.inputs(states, np.clip(np.tanh(self.actor.target.output(states)) + noise, -1, 1))

    def actor_gradient(self, batch: TransitionBatch) -> None:
        """Into the actor's gradient."""
        states = batch.states.astype(self.dtype)
        vectors = self.actor.net.forward(states)
        a = np.tanh(vectors[-1])
        delta = self.through(states, a, self.critics[:1]) * (1 - a * a) / self.dtype(len(batch))
        self.actor.net.backward(vectors, delta, self.actor.gradient)


class FloatSac(_ActorCritic):
    """SAC. log_alpha: of its temperature."""

    settings: sac.SacSettings

    def __init__(self, states: int, actions: int, settings: Any, *, seed: int = 0, dtype: type = np.float32) -> None:
        super().__init__(states, actions, settings, seed=seed, dtype=dtype)
        fixed = settings.ent_coef
        self.log_alpha = np.array([0.0 if fixed is None else np.log(fixed)], dtype)
        self.target = -float(actions) if settings.target_entropy is None else settings.target_entropy
        adam = FloatSettings(adam_epsilon=settings.adam_epsilon)
        self._temperature = Optimiser(1, dtype, adam, settings.learning_rate)

    @property
    def outputs(self) -> int:
        return 2 * self.actions

    def step(self, batch: TransitionBatch) -> np.ndarray:
        s = self.settings
        self.steps += 1
        alpha = float(np.exp(self.log_alpha[0]))
        drawn = self.drawn(batch.states)
        if s.ent_coef is None:
            self._temperature.step(self.log_alpha, self.temperature_gradient(drawn[-1]))
        td = self.critic_gradients(batch, *self.following(batch, alpha))
        for c in self.critics:
            c.update()
        self.actor_gradient(batch, drawn, alpha)
        self.actor.update()
        for c in self.critics:
            c.follow(s.tau)
        return np.abs(td)

    def temperature_gradient(self, logs: np.ndarray) -> np.ndarray:
        """d loss / d log alpha."""
        return np.array([-(logs + self.target).mean()], self.dtype)

    def drawn(self, states: np.ndarray) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
        """The actor's vectors, u, deviation * normal, and log pi (B,)."""
        vectors = self.actor.net.forward(states.astype(self.dtype))
        mean, log_std = np.split(vectors[-1], 2, axis=1)
        log_std = np.clip(log_std, *LOG_STD)
        eps = self.normals(len(states))
        noise = np.exp(log_std) * eps
        u = mean + noise
        # log(1 - tanh(u)**2) without a difference of equal numbers.
        slope = 2 * (np.log(2) - np.abs(u) - np.log1p(np.exp(-2 * np.abs(u))))
        return vectors, u, noise, (-(eps**2) / 2 - log_std - np.log(2 * np.pi) / 2 - slope).sum(axis=1)

    def following(self, batch: TransitionBatch, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        """The critics' input at the next state by the present policy, and alpha * log pi."""
        _, u, _, logs = self.drawn(batch.next_states)
        return self.inputs(batch.next_states, np.tanh(u)), alpha * logs

    def actor_gradient(self, batch: TransitionBatch, drawn: tuple, alpha: float) -> None:
        """Into the actor's gradient."""
        vectors, u, noise, _ = drawn
        a = np.tanh(u)
        back = self.through(batch.states, a, self.critics) * (1 - a * a)
        by_mean = back + 2 * alpha * a
        log_std = vectors[-1][:, self.actions :]
        inside = (log_std >= LOG_STD[0]) & (log_std <= LOG_STD[1])
        delta = np.concatenate([by_mean, np.where(inside, by_mean * noise - alpha, 0)], axis=1) / len(batch)
        self.actor.net.backward(vectors, delta.astype(self.dtype), self.actor.gradient)
