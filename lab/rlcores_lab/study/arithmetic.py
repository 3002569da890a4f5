"""The learners of the study behind one interface: float32 and the core's integers, from the same first weights."""

from collections.abc import Callable

import numpy as np

from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import LearnerBatch
from rlcores.cores.learner.policy import Policy
from rlcores.errors import RunFailed, UserError
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train.policies import FloatPolicy
from rlcores.train.replaying import HYPER
from rlcores_lab.study.tasks import StudyTask

ARITHMETICS = ("float32", "integer")  # of the table
_LOOK = 100  # gradient steps from one comparison of all weights with the simulated core's to the next

LearnHook = Callable[..., np.ndarray]


class FloatArithmetic:
    """learner_float in float32, and what the study needs of any learner.

    step(batch): one gradient step, |td| (B,). set_rate(rate): another learning rate of the value network from now on.
    """

    def __init__(self, task: StudyTask, seed: int) -> None:
        if task.actor_sizes is None:
            self.learner = FloatValueLearner(task.sizes, task.floats, seed)
        else:
            self.learner = FloatDdpgLearner(task.sizes, task.actor_sizes, task.floats, seed)
        self.step, self.set_rate = self.learner.step, self.learner.set_rate

    def policy(self) -> Policy | FloatPolicy:
        """The present policy."""
        actor = getattr(self.learner, "actor", None)
        network = actor or self.learner.network
        return FloatPolicy(network.sizes, network.theta.copy(), actor is not None)

    def saturations(self) -> dict[str, int]:
        """Counters that are not 0."""
        return {}


class IntegerArithmetic:
    """The core's integers, started from the float learner's first weights."""

    def __init__(self, task: StudyTask, seed: int, backend: str = "native") -> None:
        s, start = task.floats, FloatArithmetic(task, seed).learner
        built = {"backend": backend, "optimiser": s.optimiser, "batch_max": task.settings.batch_size,
                 "formats": task.settings.formats}  # fmt: skip
        hyper = {name: getattr(s, name) for name in HYPER}
        self.core = Learner(task.sizes, actor=task.actor_sizes, **built, **hyper)
        for name in self.core.networks[::2]:
            self.core.load_weights(learner_state.to_state(getattr(start, name).matrices(), frac=0), name)
            # The target has what the weights were rounded to, too.
            self.core.load_weights(self.core.weights(name), name)
        self.step, self.policy = self.core.step, self.core.policy

    @property
    def learner(self):
        """The integer model."""
        return self.core.driver.model

    def set_rate(self, rate: float) -> None:
        self.core.set(learning_rate=rate)

    def saturations(self) -> dict[str, int]:
        return {str(k): int(n) for k, n in enumerate(self.core.driver.counters()) if n}


class RtlArithmetic(IntegerArithmetic):
    """The core itself, simulated, in step with its integers: every priority must be equal, and the weights at times.

    Actions are those of the integers, since reading the weights back after every step takes longer than the step.
    """

    def __init__(self, task: StudyTask, seed: int) -> None:
        super().__init__(task, seed)
        self._integers, self._rtl = self.step, IntegerArithmetic(task, seed, "rtl")
        self.step = self._both

    def _both(self, batch: LearnerBatch) -> np.ndarray:
        """One gradient step of both. Raises RunFailed where they differ."""
        expected, priorities, steps = self._integers(batch), self._rtl.step(batch), self.core.steps
        if not np.array_equal(expected, priorities):
            raise RunFailed(f"step {steps}: the priorities of the core are not those of its model")
        if steps % _LOOK == 0 and not np.array_equal(self._rtl.policy().weights, self.policy().weights):
            raise RunFailed(f"after step {steps} the weights of the core are not those of its model")
        return priorities

    def set_rate(self, rate: float) -> None:
        super().set_rate(rate)
        self._rtl.set_rate(rate)


_ARITHMETICS = {"float32": FloatArithmetic, "integer": IntegerArithmetic, "rtl": RtlArithmetic}


def make(task: StudyTask, arithmetic: str, seed: int) -> FloatArithmetic | IntegerArithmetic:
    """A learner of `task` with first weights drawn from `seed`. arithmetic: 'float32', 'integer' or 'rtl'."""
    if arithmetic not in _ARITHMETICS:
        raise UserError(f"there is no arithmetic '{arithmetic}' in the study; there are {', '.join(_ARITHMETICS)}")
    return _ARITHMETICS[arithmetic](task, seed)


class Replayed:
    """A learner behind a replay buffer, with the calls of a ReplayLearner that rlcores.train.replaying makes.

    Every arithmetic has the same buffer, so it is not what a difference between them comes from.
    """

    networks = ("network",)

    def __init__(
        self,
        task: StudyTask,
        arithmetic: FloatArithmetic | IntegerArithmetic,
        envs: int,
        seed: int,
        watch: LearnHook | None,
    ) -> None:
        self.arithmetic, self.steps, self._envs, self._watch = arithmetic, 0, envs, watch
        action = ((), "int64") if task.actor_sizes is None else ((task.actor_sizes[-1],), "float32")
        self._buffer = ReplayBuffer(
            task.settings.buffer_size,
            {"observation": ((len(task.state_scale),), "float32"), "action": action},
            num_envs=envs,
            alpha=task.settings.alpha,
            beta=task.settings.beta,
            priority_epsilon=task.settings.priority_epsilon,
            batch_size=task.settings.batch_size,
            seed=seed,
        )
        self.buffer_size = self._buffer.buffer_size

    def __len__(self) -> int:
        return len(self._buffer)

    def add(self, *rows: np.ndarray) -> None:
        """Transitions of rounds of all environments, in order."""
        for states, actions, rewards, following, terminated in zip(
            *(x.reshape(-1, self._envs, *x.shape[1:]) for x in rows), strict=True
        ):
            step = {"observation": states, "action": actions, "reward": rewards, "next_observation": following}
            self._buffer.add(**step, terminated=terminated, truncated=np.zeros(self._envs, bool))

    def set(self, beta: float, learning_rate: float | None = None) -> None:
        """Settings of the next steps."""
        self._buffer.beta = beta
        if learning_rate is not None:
            self.arithmetic.set_rate(learning_rate)

    def train(self, steps: int) -> None:
        """`steps` gradient steps."""
        for _ in range(steps):
            drawn = self._buffer.sample()
            names = ("observation", "action", "reward", "next_observation", "terminated")
            batch = LearnerBatch(*(drawn[name] for name in names), drawn.weights)
            if self._watch:
                td = self._watch(self.arithmetic.learner, batch, step=self.arithmetic.step)
            else:
                td = self.arithmetic.step(batch)
            self.steps += 1
            self._buffer.update(drawn.indices, td, drawn.generations)

    def policy(self) -> Policy | FloatPolicy:
        """The present policy."""
        return self.arithmetic.policy()

    def weights(self, name: str) -> dict[str, np.ndarray]:
        """Those of the policy."""
        return {name: self.policy().weights}
