"""The learner in float32 or float64: DQN, double DQN and DDPG from the equations of Meng et al. and Zhang (2022).

It says how far the integer model is from the mathematics (float64), and how well float32 learns with the same settings.
Gradients are those of the batch's mean; the core sums over the batch and folds 1/B into the rate.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from rlcores.cores.learner.activations import Vectors
from rlcores.cores.learner.format import LearnerBatch
from rlcores.cores.learner.layout import Matrices, numbers, split
from rlcores.cores.learner.loss_settings import LossSettings
from rlcores.cores.learner.optimisers import ALL, OPTIMISERS
from rlcores.cores.learner.optimisers.slot import Floats


@dataclass(frozen=True)
class FloatSettings(LossSettings):
    """Everything a float learner needs beside the sizes. Rates are those of the batch's mean."""

    optimiser: str = "adam"
    learning_rate: float = 1e-3
    actor_learning_rate: float = 1e-4
    momentum: float = 0.9
    beta1: float = 0.9
    beta2: float = 0.999
    adam_epsilon: float = 1e-8
    weight_decay: float = 0.0  # of AdamW
    target_update_interval: int = 1  # target networks follow after every this many updates; 0: never
    tau: float = 0.0  # Polyak factor; 0: hard copy
    lag: bool = True  # DDPG: the actor's step uses the critic's weights from before this step's update


def _power_of(z: np.ndarray) -> np.ndarray:
    return np.exp(np.minimum(z, 0))


def _sigmoid(z: np.ndarray) -> np.ndarray:
    return (1 + np.tanh(z / 2)) / 2


# Of each activation the function, and its derivative by the sum z where that is not 0 or 1.
_LEAK = 0.01
_ACTIVATIONS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    "leaky_relu": (lambda z: np.where(z > 0, z, z * _LEAK), lambda z: np.where(z > 0, 1, _LEAK)),
    "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "elu": (lambda z: np.where(z > 0, z, np.expm1(np.minimum(z, 0))), _power_of),
    "silu": (lambda z: z * _sigmoid(z), lambda z: _sigmoid(z) * (1 + z * (1 - _sigmoid(z)))),
}


def _normal(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    centred = z - z.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True)) + np.finfo(z.dtype).tiny
    return centred / deviation, deviation


class FloatNetwork:
    """Linear layers with an activation between them; the last one is linear.

    activation: one of limits.ACTIVATIONS. normalised: layer normalisation without gain, offset and epsilon is in front.

    weights[l] (N_{l+1}, N_l) and biases[l] (N_{l+1},) are views of the flat vector `theta`, so one optimiser step is a
    handful of vector operations whatever the number of layers. product: how matrices are multiplied, as np.matmul.
    """

    product = staticmethod(np.matmul)

    def __init__(
        self, sizes: tuple[int, ...], dtype: type = np.float32, activation: str = "relu", normalised: bool = False
    ) -> None:
        self.sizes, self.activation, self.normalised = tuple(sizes), activation, normalised
        self.theta = np.zeros(numbers(sizes), dtype)
        self.weights, self.biases = self.split(self.theta)

    def split(self, flat: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Views of a flat vector in the shapes of the weights and of the biases."""
        return tuple(map(list, zip(*split(flat, self.sizes), strict=True)))

    def matrices(self) -> Matrices:
        """(W, b) layer by layer, as views."""
        return split(self.theta, self.sizes)

    def initialise(self, rng: np.random.Generator, last: float | None = None) -> None:
        """Uniform in +-1/sqrt(inputs) as PyTorch's Linear; `last`: this limit for the last layer instead."""
        for layer, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            limit = last if last is not None and layer == len(self.weights) - 1 else 1 / math.sqrt(w.shape[1])
            w[:] = rng.uniform(-limit, limit, w.shape)
            b[:] = rng.uniform(-limit, limit, b.shape)

    def forward(self, x: np.ndarray) -> Vectors:
        """Inputs of all layers, (B, N_l), and the output at the end."""
        vectors = Vectors([x])
        for w, b in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = self.product(x, w.T)
            x += b
            if self.normalised:
                x, deviation = _normal(x)
                vectors.norms.append((x.copy(), deviation))
            if self.activation == "relu":
                np.maximum(x, 0, out=x)
            else:
                vectors.before.append(x)
                x = _ACTIVATIONS[self.activation][0](x).astype(x.dtype)
            vectors.append(x)
        x = self.product(x, self.weights[-1].T)
        x += self.biases[-1]
        vectors.append(x)
        return vectors

    def output(self, x: np.ndarray) -> np.ndarray:
        """The output alone, (B, N_M)."""
        return self.forward(x)[-1]

    def deltas(self, vectors: Vectors, delta: np.ndarray) -> list[np.ndarray]:
        """d loss/d sum of layers 1 … M, (B, N_l), from that of the output; vectors as of forward()."""
        deltas = [delta]
        for layer in range(len(self.weights) - 1, 0, -1):
            delta = self.product(delta, self.weights[layer])
            if self.activation == "relu":
                delta *= vectors[layer] > 0
            else:
                delta *= _ACTIVATIONS[self.activation][1](vectors.before[layer - 1])
            if self.normalised:
                n, deviation = vectors.norms[layer - 1]
                along = (delta * n).mean(axis=1, keepdims=True)
                delta = (delta - delta.mean(axis=1, keepdims=True) - n * along) / deviation
            deltas.insert(0, delta)
        return deltas

    def backward(
        self, vectors: Vectors, delta: np.ndarray, gradient: np.ndarray | None, to_input: bool = False
    ) -> np.ndarray | None:
        """Writes d loss/d theta into `gradient`, unless None, from delta = d loss/d output (B, N_M).

        to_input: returns d loss/d input, (B, N_0).
        """
        deltas = self.deltas(vectors, delta)
        if gradient is not None:
            for (w, b), x, d in zip(split(gradient, self.sizes), vectors, deltas, strict=False):
                self.product(d.T, x, out=w)
                np.add.reduce(d, axis=0, out=b)
        return self.product(deltas[0], self.weights[0]) if to_input else None


class Optimiser:
    """The optimiser that the settings name, on a flat vector of floats.

    state: its moments, the number of steps, and the learning rate, which may change.
    """

    def __init__(self, size: int, dtype: type, settings: FloatSettings, rate: float) -> None:
        if settings.optimiser not in OPTIMISERS:
            raise ValueError(f"optimiser is '{settings.optimiser}'; it must be one of {', '.join(OPTIMISERS)}")
        self._own = ALL[OPTIMISERS.index(settings.optimiser)]
        self.state = Floats(
            rate, settings.momentum, settings.adam_epsilon, settings.beta1, settings.beta2, settings.weight_decay,
            np.zeros(size, dtype), np.zeros(size, dtype),
        )  # fmt: skip

    def step(self, theta: np.ndarray, gradient: np.ndarray) -> None:
        """Updates theta in place."""
        self.state.steps += 1
        self._own.in_floats(theta, gradient, self.state)


class _Follower:
    """A target network: a copy that follows its network by hard copies or a Polyak average."""

    def __init__(self, network: FloatNetwork, settings: FloatSettings) -> None:
        self._online, self._interval, self._tau = network, settings.target_update_interval, settings.tau
        self.network = FloatNetwork(network.sizes, network.theta.dtype.type)
        self.copy()

    def copy(self) -> None:
        self.network.theta[:] = self._online.theta

    def after(self, update: int) -> None:
        """Called after update number 1, 2, ..."""
        if not self._interval or update % self._interval:
            return
        if self._tau:
            self.network.theta += self._tau * (self._online.theta - self.network.theta)
        else:
            self.copy()


class _Learner:
    """What DQN and DDPG share: the value network, its loss, its update."""

    def __init__(
        self, sizes: tuple[int, ...], settings: FloatSettings, seed: int = 0, dtype: type = np.float32
    ) -> None:
        self.settings, self.dtype, self.steps = settings, dtype, 0
        self.rng = np.random.default_rng(seed)
        self.network = FloatNetwork(sizes, dtype)
        self.network.initialise(self.rng)
        self._target = _Follower(self.network, settings)
        self._optimiser = Optimiser(self.network.theta.size, dtype, settings, settings.learning_rate)
        self.gradient = np.zeros_like(self.network.theta)

    target = property(attrgetter("_target.network"), doc="The target network.")
    weights = property(
        attrgetter("network.weights"), doc="Of the value network, (N_{l+1}, N_l) each, to be set in place."
    )
    biases = property(attrgetter("network.biases"), doc="Of the value network, (N_{l+1},) each.")

    def set_rate(self, rate: float) -> None:
        """Another learning rate of the value network from now on."""
        self._optimiser.state.rate = rate

    def _float(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(x, self.dtype)

    def _values(self, x: np.ndarray, actions: np.ndarray, following: np.ndarray, batch: LearnerBatch) -> np.ndarray:
        """Gradient of the value loss into self.gradient; returns td (B,). following: target value at s', (B,)."""
        s = self.settings
        rows = np.arange(len(x))
        vectors = self.network.forward(x)
        goal = self._float(batch.rewards) * self.dtype(s.reward_scale)
        goal = goal + self.dtype(s.gamma) * np.where(batch.terminated, self.dtype(0), following)
        td = vectors[-1][rows, actions] - goal
        delta = np.zeros_like(vectors[-1])
        delta[rows, actions] = s.clipped(td) * self._float(batch.weights) / self.dtype(len(x))
        self.network.backward(vectors, delta, self.gradient)
        return td

    def _update_values(self) -> None:
        self._optimiser.step(self.network.theta, self.gradient)


class FloatValueLearner(_Learner):
    """DQN and double DQN. sizes: (N_0, ..., N_M), N_M actions."""

    def values(self, states: np.ndarray) -> np.ndarray:
        """Q of states (B, N_s), shape (B, actions)."""
        return self.network.output(self._float(states))

    def gradients(self, batch: LearnerBatch) -> np.ndarray:
        """Gradient of the batch's mean loss into .gradient, weights unchanged; returns |td| (B,).

        y = r + gamma * max_k Qt(s')[k], or gamma * Qt(s')[argmax_k Q(s')[k]] for double DQN; td = Q(s)[a] - y.
        """
        next_states = self._float(batch.next_states)
        following = self.target.output(next_states)
        chosen = (self.network.output(next_states) if self.settings.double else following).argmax(1)
        following = following[np.arange(len(chosen)), chosen]
        return np.abs(self._values(self._float(batch.states), np.asarray(batch.actions), following, batch))

    def step(self, batch: LearnerBatch) -> np.ndarray:
        """One gradient step; returns |td| (B,), the new priorities."""
        priorities = self.gradients(batch)
        self.steps += 1
        self._update_values()
        self._target.after(self.steps)
        return priorities


class FloatDdpgLearner(_Learner):
    """DDPG. actor_sizes (N_s, ..., N_a), tanh at its end; sizes of the critic (N_s + N_a, ..., 1)."""

    def __init__(
        self,
        sizes: tuple[int, ...],
        actor_sizes: tuple[int, ...],
        settings: FloatSettings,
        seed: int = 0,
        dtype: type = np.float32,
        last: float = 3e-3,
    ) -> None:
        """last: limit of the first weights of both last layers (Lillicrap et al. 2016)."""
        super().__init__(sizes, settings, seed, dtype)
        self.network.initialise(self.rng, last)
        self._target.copy()
        self.actor = FloatNetwork(actor_sizes, dtype)
        self.actor.initialise(self.rng, last)
        self._actor_target = _Follower(self.actor, settings)
        self._actor_optimiser = Optimiser(self.actor.theta.size, dtype, settings, settings.actor_learning_rate)
        self.actor_gradient = np.zeros_like(self.actor.theta)

    actor_target = property(attrgetter("_actor_target.network"), doc="The actor's target network.")

    def actions(self, states: np.ndarray) -> np.ndarray:
        """mu(s) in -1..1, (B, N_a)."""
        return np.tanh(self.actor.output(self._float(states)))

    def critic_gradients(self, batch: LearnerBatch) -> np.ndarray:
        """Gradient of the critic's mean loss into .gradient; returns |td| (B,)."""
        x = np.concatenate([self._float(batch.states), self._float(batch.actions)], axis=1)
        next_states = self._float(batch.next_states)
        next_actions = np.tanh(self.actor_target.output(next_states))
        following = self.target.output(np.concatenate([next_states, next_actions], axis=1))[:, 0]
        return np.abs(self._values(x, np.zeros(len(x), np.int64), following, batch))

    def actor_gradients(self, batch: LearnerBatch) -> None:
        """Gradient of -mean Q(s, mu(s)) into .actor_gradient, through the critic's present weights."""
        states = self._float(batch.states)
        vectors = self.actor.forward(states)
        actions = np.tanh(vectors[-1])
        through = self.network.forward(np.concatenate([states, actions], axis=1))
        slope = np.full_like(through[-1], -1 / len(states))
        to_action = self.network.backward(through, slope, None, to_input=True)[:, states.shape[1] :]
        self.actor.backward(vectors, to_action * (1 - actions * actions), self.actor_gradient)

    def step(self, batch: LearnerBatch) -> np.ndarray:
        """One step of critic, actor and both targets; returns |td| (B,)."""
        priorities = self.critic_gradients(batch)
        if self.settings.lag:
            self.actor_gradients(batch)
        self.steps += 1
        self._update_values()
        if not self.settings.lag:
            self.actor_gradients(batch)
        self._actor_optimiser.step(self.actor.theta, self.actor_gradient)
        self._target.after(self.steps)
        self._actor_target.after(self.steps)
        return priorities
