"""PPO on the native engine: the model's integers, in C++.

Networks, log-deviations and counters are the model's arrays; where a sum would leave the core's accumulators, the model
does that step.
"""

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learner.native import NativeNetwork
from rlcores.cores.learner.optimisers.adam import EPS_MAX, eps_of
from rlcores.cores.policy.head import Answers
from rlcores.cores.ppo.model import ACT, Environments, Ppo, Rollout
from rlcores.native import engine


class NativePpo(Ppo):
    """Ppo whose rollouts and gradient steps are calls of the engine."""

    NETWORK = NativeNetwork

    def __init__(self, *arguments, **options) -> None:
        """As Ppo. Raises ValueError."""
        super().__init__(*arguments, **options)
        s, frac = self.settings, self.formats.logs
        eps = max(0, min(eps_of(s.log_eps, frac), EPS_MAX))
        coefficients = s.gamma, s.gamma_lambda, s.reward_scale, s.clip, s.entropy, s.value, s.value_clip, s.norm
        self._engine = engine.Ppo(
            self.actor.engine,
            None if self.shared else self.critic.engine,
            self.gaussian,
            self.logs,
            (*coefficients, frac, eps, s.log_clip),
        )
        self._fits = self.actor.fits and self.critic.fits

    def decide(self, observations: np.ndarray) -> tuple[Answers, np.ndarray]:
        n = len(observations)
        shape = (n, self.outputs) if self.gaussian else (n,)
        actions, samples = np.empty(shape, np.int64), np.empty(shape, np.int64)
        logs, values = np.empty(n, np.int64), np.empty(n, np.int64)
        noise, before = self._words(), int(self.counters[ACT])
        arrays = compact(observations, np.int64), noise, actions, samples, logs, values, self.counters
        if not (self._fits and self._engine.act(*arrays)):
            return super().decide(observations)
        self._noise.state = tuple(noise.tolist())
        return Answers(actions, samples, logs, int(self.counters[ACT]) - before), values

    def value(self, observations: np.ndarray) -> np.ndarray:
        values = np.empty(len(observations), np.int64)
        if self._fits and self._engine.values(compact(observations, np.int64), values, self.counters):
            return values
        return super().value(observations)

    def play(self, environments: Environments, observations: np.ndarray, kept: Rollout) -> np.ndarray:
        """Of NativeEnvs in one call."""
        s = self.settings
        alike = isinstance(environments, NativeEnvs) and environments.n_envs == s.envs
        if not (alike and self._fits and (not self.gaussian or self.outputs == 1)):
            return super().play(environments, observations, kept)
        now, t = np.array(observations, np.int64), 0
        k = kept
        arrays = k.observations, k.actions, k.logs, k.values, k.raw_rewards, k.terminated, k.truncated, k.lasts
        while t < s.steps:
            noise = self._words()
            t = self._engine.collect(environments.engine, t, s.steps, now, noise, *arrays, self.counters)
            self._noise.state = tuple(noise.tolist())
            if t < s.steps:
                now = np.array(super().play_step(environments, now, kept, t), np.int64)
                t += 1
        return now

    def find_advantages(self, kept: Rollout) -> None:
        k, r, nothing = kept, self.records, np.empty(0, np.int64)
        k.rewards, k.advantages = np.empty_like(k.raw_rewards), np.empty_like(k.raw_rewards)
        k.baselines = np.empty_like(k.raw_rewards) if r else None
        arrays = k.raw_rewards, k.values, k.finals, k.bootstrap, k.terminated, k.truncated
        codes = (k.baselines, r.bits, r.steps, r.seen) if r else (nothing, 0, nothing, nothing)
        self._engine.advantages(*arrays, k.rewards, k.advantages, *codes, self.counters)

    def shuffled(self, samples: list[np.ndarray], keys: list[int]) -> list[np.ndarray]:
        found = [np.empty_like(x, np.int64) for x in samples]
        self._engine.shuffle(keys, [compact(x, np.int64) for x in samples], found)
        return found

    def find_gradients(self, *minibatch: np.ndarray) -> None:
        networks = [self.actor] if self.shared else [self.actor, self.critic]
        self.gradients = [np.empty(network.size, np.int64) for network in networks]
        if self.gaussian:
            self.gradients.append(np.empty(self.outputs, np.int64))
        arrays = (compact(x, np.int64) for x in minibatch)
        if self._fits and self._engine.gradients(*arrays, *self._places(), self.counters):
            self.fill(len(minibatch[0]))
        else:
            super().find_gradients(*minibatch)

    def apply(self, log_rate: int) -> None:
        self.networks(log_rate)
        self._engine.apply(*self._places(), log_rate, self.counters)

    def _places(self) -> list[np.ndarray]:
        """Gradients of the actor, the critic and the log-deviations; empty ones where there are none."""
        nothing, gradients = np.empty(0, np.int64), list(self.gradients)
        if self.shared:
            gradients.insert(1, nothing)
        return gradients if self.gaussian else [*gradients, nothing]

    def _words(self) -> np.ndarray:
        return np.array(self._noise.state, np.uint32)
