"""PPO (Schulman et al. 2017): two small networks in float32 with one order of sums, advantages from the GAE core."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, Optimiser
from rlcores.errors import UserError
from rlcores.native import floats
from rlcores.train import advantages
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.algorithms.ppo import PpoRunSettings
from rlcores.train.policies import FloatPolicy, OrderedNetwork
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_FIRST, _SHUFFLE = 3, 4  # streams of random numbers


class NumpyPpo:
    """PPO's two networks and their optimisers in NumPy, gradients by hand."""

    def __init__(
        self, policy: FloatNetwork, value: FloatNetwork, deviation: np.ndarray | None, settings: PpoRunSettings
    ) -> None:
        """deviation: (N_a,) of a Gaussian policy, None: a categorical one."""
        self._s, self._policy, self._value = settings, policy, value
        # The logarithms of the deviations are trained with the policy: one vector, one optimiser.
        logs = [] if deviation is None else floats.log(deviation)
        self._theta = np.concatenate([policy.theta, logs]).astype(np.float32)
        policy.theta = self._theta[: policy.theta.size]
        policy.weights, policy.biases = policy.split(policy.theta)
        self._log = None if deviation is None else self._theta[policy.theta.size :]
        adam = FloatSettings(adam_epsilon=1e-5)
        self._optimisers = {
            "policy": Optimiser(self._theta.size, np.float32, adam, settings.learning_rate),
            "value": Optimiser(value.theta.size, np.float32, adam, settings.value_learning_rate),
        }
        self._gradients = {"policy": np.zeros_like(self._theta), "value": np.zeros_like(value.theta)}

    def policy(self) -> FloatPolicy:
        """The present policy."""
        return FloatPolicy(self._policy.sizes, self._policy.theta.copy())

    def weights(self) -> list[np.ndarray]:
        """All weights that are trained."""
        return [self._theta, self._value.theta]

    @property
    def deviation(self) -> np.ndarray | float:
        """Of a Gaussian policy, (N_a,)."""
        return 0.0 if self._log is None else floats.exp(self._log)

    def values(self, states: np.ndarray) -> np.ndarray:
        """V of states (B, N_s), (B,)."""
        return self._value.output(states)[:, 0]

    def log_chances(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """log pi(a | s), (B,)."""
        out = self._policy.output(states)
        if self._log is None:
            return _log_softmax(out)[np.arange(len(out)), actions]
        return self._normal((actions - out) / self.deviation)

    def step(self, states, actions, before, advantages, returns, share: float) -> None:
        """One gradient step on a minibatch of B; share: of the first learning rates.

        before: log pi(a | s) of the policy that acted. The loss is PPO's clipped one less `entropy` times the mean
        entropy, and half the mean squared error of the values.
        """
        s, count = self._s, np.float32(len(states))
        rows = np.arange(len(states))
        vectors = self._policy.forward(states)
        out = vectors[-1]
        if self._log is None:
            logs = _log_softmax(out)
            chances = logs[rows, actions]
        else:
            scaled = (actions - out) / self.deviation
            chances = self._normal(scaled)
        ratio = floats.exp(chances - before)
        cut = np.where(advantages > 0, ratio > 1 + s.clip, ratio < 1 - s.clip)
        slope = np.where(cut, np.float32(0), -advantages * ratio / count)  # d loss / d log chance
        gradient = self._gradients["policy"]
        if self._log is None:
            p = floats.exp(logs)
            delta = -slope[:, None] * p
            delta[rows, actions] += slope
            if s.entropy:
                entropy = -(p * logs).sum(1, keepdims=True)
                delta += np.float32(s.entropy) / count * p * (logs + entropy)
        else:
            delta = slope[:, None] * scaled / self.deviation
            gradient[self._policy.theta.size :] = (slope[:, None] * (scaled * scaled - 1)).sum(0) - s.entropy
        self._policy.backward(vectors, delta.astype(np.float32), gradient[: self._policy.theta.size])
        self._update("policy", self._theta, s.learning_rate * share)
        vectors = self._value.forward(states)
        delta = (vectors[-1] - returns[:, None]) / count
        self._value.backward(vectors, delta.astype(np.float32), self._gradients["value"])
        self._update("value", self._value.theta, s.value_learning_rate * share)

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights and moments."""
        kept = {"policy.theta": self._theta, "value.theta": self._value.theta}
        for name, optimiser in self._optimisers.items():
            state = optimiser.state
            kept |= {f"{name}.m": state.m, f"{name}.v": state.v, f"{name}.updates": np.array(state.steps)}
        return kept

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """The state that arrays() gave."""
        self._theta[:], self._value.theta[:] = kept["policy.theta"], kept["value.theta"]
        for name, optimiser in self._optimisers.items():
            state = optimiser.state
            state.m[:], state.v[:] = kept[f"{name}.m"], kept[f"{name}.v"]
            state.steps = int(kept[f"{name}.updates"])

    def _normal(self, scaled: np.ndarray) -> np.ndarray:
        return (-0.5 * scaled * scaled - self._log - np.float32(0.5 * math.log(2 * math.pi))).sum(1)

    def _update(self, name: str, theta: np.ndarray, rate: float) -> None:
        gradient, optimiser = self._gradients[name], self._optimisers[name]
        norm = math.sqrt(float(floats.product(gradient[None], gradient[:, None])[0, 0]))
        if norm > self._s.largest_gradient:
            gradient *= self._s.largest_gradient / norm
        optimiser.state.rate = rate
        optimiser.step(theta, gradient)


class PpoTrainer(Trainer):
    """The learner's side of ppo. Actors wait while it learns, as PPO wants it."""

    def __init__(self, plan: Plan, spaces: Spaces, source: Any = None) -> None:
        """source: where advantages come from, as advantages.Advantages (default: the plan's backend).

        Raises UserError, and RunFailed when the core does not build.
        """
        s = plan.settings
        self._plan, self._s, self._spaces = plan, s, spaces
        if plan.envs * s.rollout < 2:
            raise UserError("advantages of one step cannot be standardised; give more environments or steps")
        self.kind = plan.algorithm.kind(spaces)
        self._advantages = source or advantages.make(s, plan.envs, plan.backend, plan.config)
        rng = np.random.default_rng([plan.seed, _FIRST])
        policy = OrderedNetwork((spaces.state_size, *s.network, spaces.action_size))
        policy.initialise(rng, 3e-3)
        value = OrderedNetwork((spaces.state_size, *s.network, 1))
        value.initialise(rng)
        deviation = np.full(spaces.action_size, s.deviation) if self.kind == "gaussian" else None
        self.networks = NumpyPpo(policy, value, deviation, s)
        self.updates = 0  # gradient steps
        self._rounds = 0

    def order(self, number: int, step: int) -> RoundRequest:
        steps = self._s.rollout
        return RoundRequest(number, steps, self.kind, self.policy(), np.zeros(steps), self.networks.deviation)

    def learn(self, seen: Rollout, step: int) -> None:
        """The update that a rollout pays for; `step` steps have been made."""
        gains, returns = self.advantages(seen)
        self.update(seen, gains, returns, step)

    def advantages(self, seen: Rollout) -> tuple[np.ndarray, np.ndarray]:
        """Advantages and returns of a rollout, (T, N)."""
        steps, count = seen.rewards.shape
        values = self.networks.values(_rows(seen.states)).reshape(steps, count)
        final = np.full((steps, count), np.nan)
        if seen.truncated.any():
            final[seen.truncated] = self.networks.values(seen.following[seen.truncated])
        bootstrap = self.networks.values(seen.last)
        return self._advantages(seen.rewards, values, seen.terminated, seen.truncated, bootstrap, final)

    def update(self, seen: Rollout, gains: np.ndarray, returns: np.ndarray, step: int) -> None:
        """All epochs over a rollout."""
        s = self._s
        states, actions = _rows(seen.states), _rows(seen.actions)
        before = self.networks.log_chances(states, actions)
        gains, returns = (x.reshape(-1).astype(np.float32) for x in (gains, returns))
        rng = np.random.default_rng([self._plan.seed, _SHUFFLE, self._rounds])
        share = max(0.0, 1 - (step - seen.rewards.size) / self._plan.steps) if s.anneal else 1.0
        for _ in range(s.epochs):
            mixed = rng.permutation(len(states))
            arrays = [x[mixed] for x in (states, actions, before, gains, returns)]
            for first in range(0, len(states), s.batch_size):
                part = [x[first : first + s.batch_size] for x in arrays]
                part[3] = (part[3] - part[3].mean()) / (part[3].std() + np.float32(1e-8))
                self.networks.step(*part, share)
                self.updates += 1
        self._rounds += 1

    def policy(self) -> FloatPolicy:
        return self.networks.policy()

    def weights(self) -> list[np.ndarray]:
        return self.networks.weights()

    @property
    def clocks(self) -> int:
        """See Trainer: those of the array."""
        return self._advantages.clocks

    def checkpoint(self) -> dict[str, np.ndarray]:
        kept = add_prefix("networks", self.networks.arrays()) | add_prefix("advantages", self._advantages.checkpoint())
        return kept | {"updates": np.array(self.updates), "rounds": np.array(self._rounds)}

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self.updates, self._rounds = int(kept["updates"]), int(kept["rounds"])
        self.networks.load(strip_prefix(kept, "networks"))
        self._advantages.restore(strip_prefix(kept, "advantages"))


def _rows(x: np.ndarray) -> np.ndarray:
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:])


def _log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(1, keepdims=True)
    return x - floats.log(floats.exp(x).sum(1, keepdims=True))
