"""Environments under a policy, a round at a time. The same class runs here, in a process of its own, and on Ray.

An actor keeps no random state: actions of a round are drawn from (seed, environment, round), and an episode begins
with a seed from (seed, environment, number of the episode). So it does not matter which actor has which environment,
and a checkpoint needs the present episode's actions only, with which any deterministic environment is brought back.
"""

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlcores.cores.rl.squashed import LOG_STD
from rlcores.errors import UserError
from rlcores.native import floats
from rlcores.train.first_errors import FirstErrors
from rlcores.train.policies import tanh
from rlcores.train.spaces import Spaces, look, make

_ACTIONS, _EPISODES = 1, 2  # what a stream of random numbers is for


@dataclass(frozen=True)
class RoundRequest:
    """What actors do in a round."""

    number: int  # of the round
    steps: int  # of each environment
    kind: str  # how actions come from the policy's outputs: one of KINDS
    policy: Any  # Policy, FloatPolicy, or where one is: putting.Published
    explore: np.ndarray  # (steps,) or (steps, N) chance of a random action; "noise", "squashed": 1 means uniform
    deviation: np.ndarray | float = 0.0  # of the noise, or (N_a,) of the Gaussian
    first: FirstErrors | None = None  # actors give the TD errors of what they saw


@dataclass
class Rollout:
    """What a round gave: (T, N) arrays of N environments in order, states float32 and already scaled."""

    states: np.ndarray  # (T, N, N_s)
    actions: np.ndarray  # (T, N) int64 or (T, N, N_a) float32, as the learner has them
    rewards: np.ndarray  # (T, N) float64
    following: np.ndarray  # (T, N, N_s) the state that the step led to, also at an episode's end
    terminated: np.ndarray  # (T, N)
    truncated: np.ndarray  # (T, N), never where terminated
    last: np.ndarray  # (N, N_s) the state that the next round begins with
    episodes: np.ndarray  # (E, 4): step of the round, environment, return, length of every episode that ended
    errors: np.ndarray | None = None  # (T, N) |TD errors|, where they were asked for

    @classmethod
    def blank(cls, steps: int, envs: int, known: Spaces, errors: bool = False) -> "Rollout":
        """A round in which nothing happened."""
        states, vector = (steps, envs, known.state_size), () if known.actions is not None else (known.action_size,)
        return cls(
            np.zeros(states, np.float32),
            np.zeros((steps, envs, *vector), np.float32 if vector else np.int64),
            np.zeros((steps, envs)),
            np.zeros(states, np.float32),
            *np.zeros((2, steps, envs), bool),
            np.zeros(states[1:], np.float32),
            np.zeros((0, 4)),
            np.zeros((steps, envs)) if errors else None,
        )

    @classmethod
    def join(cls, parts: "list[Rollout]") -> "Rollout":
        """Side by side, environments in the order of the parts."""
        names = ("states", "actions", "rewards", "following", "terminated", "truncated")
        ended = np.concatenate([p.episodes for p in parts])
        return cls(
            *(np.concatenate([getattr(p, n) for p in parts], axis=1) for n in names),
            np.concatenate([p.last for p in parts]),
            ended[np.lexsort((ended[:, 1], ended[:, 0]))],
            None if parts[0].errors is None else np.concatenate([p.errors for p in parts], axis=1),
        )

    def experiences(self) -> tuple[np.ndarray, ...]:
        """What ReplayLearner.add takes: steps in turn, and in each the environments; with errors as priorities."""
        rows = self.rewards.size
        return (
            self.states.reshape(rows, -1),
            self.actions.reshape(rows, *self.actions.shape[2:]),
            self.rewards.reshape(rows),
            self.following.reshape(rows, -1),
            self.terminated.reshape(rows),
            *(() if self.errors is None else (self.errors.reshape(rows),)),
        )

    def summary(self) -> "Rollout":
        """The round without its states and actions, which the server already has."""
        steps, envs = self.rewards.shape
        none = np.zeros((steps, envs, 0), np.float32)
        return replace(self, states=none, actions=none.astype(self.actions.dtype), following=none, errors=None)

    def arrays(self) -> dict[str, np.ndarray]:
        """For a checkpoint."""
        return {name: array for name, array in vars(self).items() if array is not None}


@dataclass
class _Episode:
    environment: Any
    number: int = -1
    actions: list[Any] = field(default_factory=list)  # as the environment took them
    total: float = 0.0


class Actor:
    """Environments first … last-1 of all."""

    def __init__(self, environment: str, cut: int | None, scale: tuple[float, ...], seed: int, span) -> None:
        """cut: longest episode, None the environment's own; scale: of states; span: (first, last).

        Raises UserError when the environment does not exist or gives another shape than it says.
        """
        self._name, self._seed = environment, seed
        self._first, self._last = span
        self._spaces = look(environment)
        self._scale = np.array(scale, np.float32)
        self._episodes = [_Episode(make(environment, cut)) for _ in range(*span)]
        self._states = np.zeros((len(self._episodes), self._spaces.state_size), np.float32)
        self._fresh = True
        for n in range(len(self._episodes)):
            self._begin(n)

    def collect(self, order: RoundRequest) -> Rollout:
        """Step all environments. Raises UserError when a reward or an observation is not a finite number."""
        count, size = self._states.shape
        steps = order.steps
        if order.explore.ndim == 2:
            order = replace(order, explore=order.explore[:, self._first : self._last])
        if self._fresh and order.number:
            # It stands for one that was lost, whose episodes are not played again: there were fewer than steps.
            for n in range(count):
                self._begin(n, order.number * steps)
        self._fresh = False
        states, following = np.zeros((2, steps, count, size), np.float32)
        rewards, (terminated, truncated) = np.zeros((steps, count)), np.zeros((2, steps, count), bool)
        act = KINDS[order.kind](order, self._spaces, self._draws(order))
        actions, ended = [], []
        for t in range(steps):
            states[t] = self._states
            chosen = act(t, order.policy(states[t]))
            actions.append(chosen)
            for n, action in enumerate(self._spaces.to_environment(chosen)):
                episode = self._episodes[n]
                rewards[t, n], terminated[t, n], cut = self._step(n, action)
                truncated[t, n] = cut and not terminated[t, n]
                following[t, n] = self._states[n]
                if terminated[t, n] or cut:
                    ended.append((t, self._first + n, episode.total, len(episode.actions)))
                    self._begin(n)
        rollout = Rollout(
            states,
            np.array(actions),
            rewards,
            following,
            terminated,
            truncated,
            self._states.copy(),
            np.array(ended, np.float64).reshape(-1, 4),
        )
        self._check(rollout)
        if order.first is not None:
            rollout.errors = order.first.of(order.policy, rollout)
        return rollout

    def timed(self, order: RoundRequest, seconds: float) -> float:
        """Environment steps per second of the processor, of rounds like this one for so long; their steps are lost."""
        done, begun, end = 0, time.process_time(), time.perf_counter() + seconds
        while not done or time.perf_counter() < end:
            done += self.collect(order).rewards.size
        return done / (time.process_time() - begun)

    def checkpoint(self) -> list[dict[str, Any]]:
        """Of each environment: the episode's number and its actions so far, and the state they led to."""
        rows = zip(self._episodes, self._states, strict=True)
        dtype = np.int64 if self._spaces.actions is not None else np.float32
        size = () if self._spaces.actions is not None else (self._spaces.action_size,)
        return [
            {
                "number": np.array(e.number),
                "actions": np.array(e.actions, dtype).reshape(-1, *size),
                "total": np.array(e.total),
                "state": state.copy(),
            }
            for e, state in rows
        ]

    def restore(self, kept: list[dict[str, Any]]) -> bool:
        """Go on as the actor that gave checkpoint() would.

        False when an environment did not come back to its state, because it is not deterministic; it then goes on with
        the state it has come to, or a new episode. kept: all environments', of which the actor takes its own.
        """
        same, self._fresh = True, False
        for n, episode in enumerate(kept[self._first : self._last]):
            self._begin(n, int(episode["number"]) - self._episodes[n].number)
            for action in episode["actions"]:
                _, terminated, truncated = self._step(n, action)
                if terminated or truncated:
                    self._begin(n)
                    break
            same &= np.array_equal(self._states[n], episode["state"])
        return same

    def _begin(self, n: int, ahead: int = 1) -> None:
        episode = self._episodes[n]
        episode.number, episode.actions, episode.total = episode.number + ahead, [], 0.0
        stream = np.random.SeedSequence([self._seed, _EPISODES, self._first + n, episode.number])
        seed = int(stream.generate_state(1)[0]) >> 1
        self._observe(n, episode.environment.reset(seed=seed)[0])

    def _step(self, n: int, action: Any) -> tuple[Any, bool, bool]:
        """An action in an episode; reward, terminated, truncated."""
        episode = self._episodes[n]
        action = int(action) if self._spaces.actions is not None else action
        seen, reward, terminated, truncated, _ = episode.environment.step(action)
        episode.actions.append(action)
        episode.total += float(reward)
        self._observe(n, seen)
        return reward, terminated, truncated

    def _observe(self, n: int, seen: Any) -> None:
        seen = np.asarray(seen, np.float32)
        if seen.shape != self._scale.shape:
            raise UserError(f"{self._name} gave an observation of shape {seen.shape}; it must be {self._scale.shape}")
        self._states[n] = seen * self._scale

    def _draws(self, order: RoundRequest) -> list[np.random.Generator]:
        return [np.random.default_rng([self._seed, _ACTIONS, n, order.number]) for n in range(self._first, self._last)]

    def _check(self, rollout: Rollout) -> None:
        for what, array in (
            ("reward", rollout.rewards),
            ("observation", rollout.following),
            ("observation", rollout.last),
        ):
            wrong = np.argwhere(~np.isfinite(array))
            if len(wrong):
                at = tuple(wrong[0])
                n = self._first + at[0 if array is rollout.last else 1]
                raise UserError(
                    f"environment {n} of {self._name} gave the {what} {array[at]}; it must be a finite number"
                )


# Each draws for a whole round, and gives act(t, out (n, N_M)) -> actions of the actor's own environments.


def _epsilon(order: RoundRequest, spaces, draws):
    chance = np.array([d.random(order.steps) for d in draws])
    other = np.array([d.integers(spaces.actions, size=order.steps) for d in draws])
    return lambda t, values: np.where(chance[:, t] < order.explore[t], other[:, t], values.argmax(1))


def _noise(order: RoundRequest, spaces, draws):
    shape = order.steps, spaces.action_size
    uniform = np.array([d.uniform(-1, 1, shape) for d in draws])
    normal = floats.normal(np.array([floats.uniform(d, shape) for d in draws]))

    def act(t: int, mean: np.ndarray) -> np.ndarray:
        noisy = np.clip(mean + normal[:, t] * order.deviation, -1, 1)
        return (uniform[:, t] if order.explore[t] >= 1 else noisy).astype(np.float32)

    return act


def _categorical(order: RoundRequest, spaces, draws):
    gumbel = floats.gumbel(np.array([floats.uniform(d, (order.steps, spaces.actions)) for d in draws]))
    return lambda t, logits: (logits + gumbel[:, t]).argmax(1)


def _gaussian(order: RoundRequest, spaces, draws):
    normal = floats.normal(np.array([floats.uniform(d, (order.steps, spaces.action_size)) for d in draws]))
    return lambda t, mean: (mean + normal[:, t] * order.deviation).astype(np.float32)


def _squashed(order: RoundRequest, spaces, draws):
    shape = order.steps, spaces.action_size
    uniform = np.array([d.uniform(-1, 1, shape) for d in draws])
    normal = floats.normal(np.array([floats.uniform(d, shape) for d in draws]))

    def act(t: int, out: np.ndarray) -> np.ndarray:
        mean, log_std = np.split(np.asarray(out, np.float64), 2, axis=1)
        drawn = tanh(mean + floats.exp(np.clip(log_std, *LOG_STD)) * normal[:, t])
        return (uniform[:, t] if order.explore[t] >= 1 else drawn).astype(np.float32)

    return act


KINDS = {
    "epsilon": _epsilon,
    "noise": _noise,
    "categorical": _categorical,
    "gaussian": _gaussian,
    "squashed": _squashed,
}
