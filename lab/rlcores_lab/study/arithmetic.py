"""The learners of the study behind one interface: float32 and the core's integers, from the same first weights."""

import numpy as np

from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import WEIGHT_FRAC, Batch
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.errors import RunFailed, UserError
from rlcores.train.tasks import HYPER, Task, formats_of

ARITHMETICS = ("float32", "integer")  # of the table


class FloatBackend:
    """learner_float in float32, and what an agent needs of any learner.

    step(batch): one gradient step, |td| (B,). output(states): values of all actions, or the action in -1..1, (B, N).
    set_rate(rate): another learning rate of the value network from now on.
    """

    def __init__(self, task: Task, seed: int) -> None:
        if task.actor_sizes is None:
            self.learner = FloatValueLearner(task.sizes, task.settings, seed)
            self._network, self.output = self.learner.network, self.learner.values
        else:
            self.learner = FloatDdpgLearner(task.sizes, task.actor_sizes, task.settings, seed)
            self._network, self.output = self.learner.actor, self.learner.actions
        self.step, self.set_rate = self.learner.step, self.learner.set_rate

    def snapshot(self) -> np.ndarray:
        """A copy of the weights that output() uses."""
        return self._network.theta.copy()

    def restore(self, weights: np.ndarray) -> None:
        """The weights of a snapshot again; only output() is meaningful after it."""
        self._network.theta[:] = weights

    def saturations(self) -> dict[str, int]:
        """Counters that are not 0."""
        return {}


class IntegerBackend(FloatBackend):
    """The integer model, which equals the core bit for bit, started from the float learner's first weights."""

    def __init__(self, task: Task, seed: int) -> None:
        self._core = self._started(task, seed, "model")
        self.learner = self._core.driver.model
        self._name = "network" if task.actor_sizes is None else "actor"
        self._network = getattr(self.learner, self._name)
        self.output = self._core.values if task.actor_sizes is None else self._core.act

    @staticmethod
    def _started(task: Task, seed: int, backend: str) -> Learner:
        s, start = task.settings, FloatBackend(task, seed).learner
        built = {"backend": backend, "optimiser": s.optimiser, "batch_max": task.batch, "formats": formats_of(task)}
        hyper = {name: getattr(s, name) for name in HYPER}
        core = Learner(task.sizes, actor=task.actor_sizes, **built, **hyper)
        for name in core.networks[::2]:
            core.load_weights(learner_state.to_state(getattr(start, name).matrices(), frac=0), name)
            core.load_weights(core.weights(name), name)  # the target has what the weights were rounded to, too
        return core

    def step(self, batch: Batch) -> np.ndarray:
        return self._core.step(batch)

    def set_rate(self, rate: float) -> None:
        self._core.set(learning_rate=rate)

    def snapshot(self) -> np.ndarray:
        return self._network.planes[WEIGHTS].copy()

    def restore(self, weights: np.ndarray) -> None:
        self._network.set_flat(weights, WEIGHTS)

    def saturations(self) -> dict[str, int]:
        return {str(k): int(n) for k, n in enumerate(self._core.driver.counters()) if n}


class RtlBackend(IntegerBackend):
    """The core itself, simulated, in step with the integer model: every priority and every snapshot must be equal.

    The priorities that go back to the replay are the core's, and what is evaluated are weights read back from it; the
    actions of exploration are the model's, since reading the weights back after every step takes longer than the step.
    """

    def __init__(self, task: Task, seed: int) -> None:
        super().__init__(task, seed)
        self.core = self._started(task, seed, "rtl")

    def step(self, batch: Batch) -> np.ndarray:
        """One gradient step of both. Raises RunFailed where they differ."""
        expected, priorities = super().step(batch), self.core.step(batch)
        if not np.array_equal(expected, priorities):
            raise RunFailed(f"step {self.learner.steps}: the priorities of the core are not those of its model")
        return priorities

    def set_rate(self, rate: float) -> None:
        super().set_rate(rate)
        self.core.set(learning_rate=rate)

    def snapshot(self) -> np.ndarray:
        """The core's own weights. Raises RunFailed where the model has others."""
        state = self.core.weights(self._name)
        flat = np.concatenate([np.asarray(x).reshape(-1) for x in state.values()])
        codes = (flat * 2.0**WEIGHT_FRAC).astype(np.int64)
        if not np.array_equal(codes, super().snapshot()):
            raise RunFailed(f"after step {self.learner.steps} the weights of the core are not those of its model")
        return codes


class ValueAgent:
    """DQN in an environment of numbered actions."""

    def __init__(self, backend: FloatBackend, task: Task) -> None:
        self.backend, self._actions = backend, task.sizes[-1]

    def policy(self, states: np.ndarray) -> np.ndarray:
        """Greedy actions (B,) of states (B, N_s)."""
        return self.backend.output(states).argmax(1)

    def explore(self, state: np.ndarray, epsilon: float, rng: np.random.Generator) -> int:
        """A random action with probability epsilon, else the greedy one."""
        if rng.random() < epsilon:
            return int(rng.integers(self._actions))
        return int(self.policy(state[None])[0])

    def to_environment(self, action: int) -> int:
        """What the environment takes."""
        return action


class ActorAgent:
    """DDPG in an environment of actions in a box."""

    def __init__(self, backend: FloatBackend, task: Task) -> None:
        self.backend, self._task = backend, task

    def policy(self, states: np.ndarray) -> np.ndarray:
        """Actions of the environment (B, N_a)."""
        return self.backend.output(states) * self._task.action_scale

    def explore(self, state: np.ndarray, epsilon: float, rng: np.random.Generator) -> np.ndarray:
        """Action in -1..1 with noise; uniform when epsilon is 1."""
        if epsilon >= 1:
            return rng.uniform(-1, 1, self._task.actor_sizes[-1]).astype(np.float32)
        action = self.backend.output(state[None])[0]
        return np.clip(action + rng.normal(0, self._task.noise, action.shape), -1, 1).astype(np.float32)

    def to_environment(self, action: np.ndarray) -> np.ndarray:
        """What the environment takes."""
        return action * self._task.action_scale


_BACKENDS = {"float32": FloatBackend, "integer": IntegerBackend, "rtl": RtlBackend}


def make(task: Task, arithmetic: str, seed: int) -> ValueAgent | ActorAgent:
    """A learner of `task` with first weights drawn from `seed`. arithmetic: 'float32', 'integer' or 'rtl'."""
    if arithmetic not in _BACKENDS:
        raise UserError(f"there is no arithmetic '{arithmetic}' in the study; there are {', '.join(_BACKENDS)}")
    backend = _BACKENDS[arithmetic](task, seed)
    return (ValueAgent if task.actor_sizes is None else ActorAgent)(backend, task)
