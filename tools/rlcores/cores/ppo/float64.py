"""PPO's step in float64 (or float32), from the paper: it says how far the integers are from the mathematics.

Losses are means over the minibatch, in the order of events of CleanRL's ppo.py and ppo_continuous_action.py:
standardised advantages, clipped ratio, value loss, entropy, one norm over all gradients, Adam.
"""

import math
from dataclasses import dataclass

import numpy as np

from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, Optimiser


@dataclass(frozen=True)
class FloatPpoSettings:
    """Coefficients; None: no limit."""

    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    value_clip: float | None = 0.2
    norm: float | None = 0.5
    learning_rate: float = 2.5e-4
    adam_epsilon: float = 1e-5


@dataclass(frozen=True)
class Minibatch:
    """observations (B, N_o); actions (B,) or (B, N_a); before (B,): ln pi(a|s) when it acted, values of then;
    advantages (B,) as GAE gave them; returns (B,)."""

    observations: np.ndarray
    actions: np.ndarray
    before: np.ndarray
    values: np.ndarray
    advantages: np.ndarray
    returns: np.ndarray

    def __len__(self) -> int:
        return len(self.before)


class FloatPpo:
    """Actor and critic, or with value_sizes None one network whose last output is the value.

    Parameters lie in one vector `theta`: the actor's, the log-deviations of a Gaussian policy, the critic's.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        value_sizes: tuple[int, ...] | None,
        gaussian: bool,
        settings: FloatPpoSettings = FloatPpoSettings(),
        dtype: type = np.float64,
    ) -> None:
        self.settings, self.gaussian, self.shared = settings, gaussian, value_sizes is None
        self.actor = FloatNetwork(sizes, dtype)
        self.critic = self.actor if value_sizes is None else FloatNetwork(value_sizes, dtype)
        self.outputs = sizes[-1] - (1 if self.shared else 0)
        parts = [self.actor.theta, np.zeros(self.outputs if gaussian else 0, dtype)]
        if not self.shared:
            parts.append(self.critic.theta)
        self.theta = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        views = np.split(self.theta, ends[:-1])
        self.logs = views[1]
        for network, view in ((self.actor, views[0]), *(() if self.shared else ((self.critic, views[2]),))):
            network.theta = view
            network.weights, network.biases = network.split(view)
        self.gradient = np.zeros_like(self.theta)
        self._ends = ends
        self._optimiser = Optimiser(
            self.theta.size, dtype, FloatSettings(adam_epsilon=settings.adam_epsilon), settings.learning_rate
        )

    def look(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits or means (B, K), and values (B,)."""
        out = self.actor.output(observations)
        if self.shared:
            return out[:, :-1], out[:, -1]
        return out, self.critic.output(observations)[:, 0]

    def log_probability(self, out: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """ln pi(a|s), (B,), from logits or means."""
        if not self.gaussian:
            return _log_softmax(out)[np.arange(len(out)), actions]
        x = (actions - out) / np.exp(self.logs)
        return (-0.5 * x * x - self.logs - 0.5 * math.log(2 * math.pi)).sum(1)

    def gradients(self, b: Minibatch) -> np.ndarray:
        """d loss/d theta, also in .gradient; not clipped."""
        s, rows = self.settings, np.arange(len(b))
        vectors = self.actor.forward(b.observations)
        out = vectors[-1][:, : self.outputs]
        a = (b.advantages - b.advantages.mean()) / (b.advantages.std(ddof=1) + 1e-8)
        ratio = np.exp(self.log_probability(out, b.actions) - b.before)
        cut = ((a > 0) & (ratio > 1 + s.clip)) | ((a < 0) & (ratio < 1 - s.clip))
        slope = np.where(cut, 0, -a * ratio)[:, None]
        views = np.split(self.gradient, self._ends[:-1])
        if self.gaussian:
            x = (b.actions - out) / np.exp(self.logs)
            delta = slope * x / np.exp(self.logs)
            views[1][:] = (slope * (x * x - 1)).mean(0) - s.entropy
        else:
            logs = _log_softmax(out)
            p = np.exp(logs)
            entropy = -(p * logs).sum(1, keepdims=True)
            delta = -slope * p + s.entropy * p * (logs + entropy)
            delta[rows, b.actions] += slope[:, 0]
        through = vectors if self.shared else self.critic.forward(b.observations)
        value = through[-1][:, -1]
        error = value - b.returns
        if s.value_clip is not None:
            held = b.values + np.clip(value - b.values, -s.value_clip, s.value_clip) - b.returns
            error = np.where(np.abs(held) > np.abs(error), 0, error)
        of_value = (s.value * error)[:, None]
        if self.shared:
            self.actor.backward(vectors, np.concatenate([delta, of_value], 1) / len(b), views[0])
        else:
            self.actor.backward(vectors, delta / len(b), views[0])
            self.critic.backward(through, of_value / len(b), views[2])
        return self.gradient

    def step(self, b: Minibatch, rate: float) -> None:
        """One step of Adam with that rate, after the norm's limit."""
        gradient = self.gradients(b)
        norm = math.sqrt(float(gradient @ gradient))
        if self.settings.norm is not None and norm > self.settings.norm:
            gradient *= self.settings.norm / norm
        self._optimiser.state.rate = rate
        self._optimiser.step(self.theta, gradient)


def _log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))
