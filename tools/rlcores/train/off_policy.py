"""TD3, SAC and dueling DQN: what actors saw goes into ReplayBuffers, and learners of rlcores.cores.rl take batches."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from rlcores.base.states import add_prefix, flat, nested, strip_prefix
from rlcores.cores.learners.off_policy import InRounds, OffPolicyLearners
from rlcores.cores.learners.rounds import Work, over_all_banks
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.sumtree.maths import OK, POWER_ONE, WEIGHT_ONE
from rlcores.cores.sumtree.model import SAMPLE
from rlcores.errors import UserError
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.algorithms.algorithm import ALL
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_NAMES = "observation", "action", "reward", "next_observation", "discount"
_APART = 0x9E3779B9  # between seeds of learners, so that runs with neighbouring seeds share none


@dataclass(frozen=True)
class Drawn:
    """A batch of a bank.

    batch: with the weights of this bank's batch alone. answers (n,) of dtype sumtree.SAMPLE, and unit, log2 of what 1
    means in them: for weights over all banks. tags: what update() takes.
    """

    batch: TransitionBatch
    tags: tuple[np.ndarray, np.ndarray]
    answers: np.ndarray | None = None
    unit: int = 0


class Bank(Protocol):
    """Where a learner's transitions are. beta: exponent of its importance weights."""

    beta: float

    def drawn(self) -> Drawn:
        """A batch."""

    def update(self, drawn: Drawn, errors: np.ndarray) -> None:
        """Priorities of its |TD errors|, where draws have priorities."""


def trained_on(bank: Bank, learner: InRounds) -> Work[np.ndarray]:
    """A gradient step of a learner in rounds on a batch of its bank; the |TD errors| (B,)."""
    drawn = bank.drawn()
    batch = drawn.batch
    if drawn.answers is not None:
        weights = yield from over_all_banks(drawn.answers, round(bank.beta * POWER_ONE), drawn.unit)
        batch = replace(batch, weights=weights / WEIGHT_ONE)
    errors = yield from learner.step(batch)
    bank.update(drawn, errors)
    return errors


class BufferBank:
    """A ReplayBuffer. exact: batches come with what weights over all banks need."""

    def __init__(self, buffer: ReplayBuffer, exact: bool = False) -> None:
        self._buffer, self._exact = buffer, exact and buffer.sampler is not None

    @property
    def beta(self) -> float:
        return self._buffer.beta

    def drawn(self) -> Drawn:
        buffer = self._buffer
        if not self._exact:
            one = buffer.sample()
            return Drawn(batch_of(one, one.weights), (one.indices, one.generations))
        sampler = buffer.sampler
        indices, _, priorities, generations, _ = sampler.sample()
        answers = np.zeros(len(indices), SAMPLE)
        answers["status"], answers["priority"], answers["total"] = OK, priorities, sampler.tree.total
        arrays = buffer.gathered(partial(np.copy, indices))
        unit = -round(math.log2(sampler.unit))
        return Drawn(batch_of(arrays, np.ones(len(indices))), (indices, generations), answers, unit)

    def update(self, drawn: Drawn, errors: np.ndarray) -> None:
        indices, generations = drawn.tags
        if self._buffer.sampler is not None:
            self._buffer.update(indices, errors, generations)


def batch_of(arrays: Any, weights: np.ndarray) -> TransitionBatch:
    """A learner's batch of the arrays of a ReplayBuffer's."""
    return TransitionBatch(*(arrays[name].astype(np.float64) for name in _NAMES), weights.astype(np.float64))


class OffPolicySide(Trainer):
    """What a trainer of these algorithms does wherever transitions are."""

    learner: Any  # steps, policy(), weights()

    def __init__(self, plan: Plan, spaces: Spaces) -> None:
        self._plan, self._s, self.kind = plan, plan.settings, plan.algorithm.kind(spaces)

    @property
    def updates(self) -> int:
        """Gradient steps so far, of each learner."""
        return self.learner.steps

    def order(self, number: int, step: int) -> RoundRequest:
        plan = self._plan
        at = step + plan.envs * np.arange(1, plan.round_steps + 1)
        return RoundRequest(
            number, plan.round_steps, self.kind, self.policy(), self._s.exploration(at),
            getattr(self._s, "action_noise", 0.0),
        )  # fmt: skip

    def due(self, step: int) -> int:
        """Gradient steps that are due after `step` steps."""
        return max(0, step - self._s.learning_starts) // self._s.train_freq - self.updates

    def beta(self, step: int) -> float:
        """Exponent of the importance weights after `step` steps."""
        return self._s.beta + (1 - self._s.beta) * min(1.0, step / self._plan.steps)

    def policy(self):
        return self.learner.policy()

    def weights(self) -> list[np.ndarray]:
        return self.learner.weights()


class OffPolicyTrainer(OffPolicySide):
    """The learner's side of td3, sac and dueling: a gradient step every `train_freq` environment steps.

    Several learners have a bank each, a ReplayBuffer of its own environments: environment e is of learner e mod L.
    """

    looks = True

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any = None) -> None:
        """learner: what is trained, with the calls of an ActorCritic (default: one with the plan's backend).

        Raises UserError.
        """
        super().__init__(plan, spaces)
        s, count = plan.settings, plan.settings.learners
        envs, size = bank_of(plan)
        self.learner = learner or (_learners(plan, spaces) if count > 1 else _learner(plan, spaces))
        action = ((spaces.action_size,), "float32") if spaces.actions is None else ((), "int64")
        priorities = {"alpha": s.alpha, "beta": s.beta} if prioritized(s) else {}
        self.buffers = [
            ReplayBuffer(
                size,
                {"observation": ((spaces.state_size,), "float32"), "action": action},
                num_envs=envs,
                n_steps=s.n_steps,
                gamma=s.gamma,
                prioritized=prioritized(s),
                batch_size=s.batch_size,
                seed=seed_of(plan, number),
                **priorities,
            )
            for number in range(count)
        ]
        self._banks = [BufferBank(buffer, exact(s)) for buffer in self.buffers]
        self._errors = 0.0

    @property
    def buffer(self) -> ReplayBuffer:
        """The first learner's."""
        return self.buffers[0]

    def learn(self, seen: Rollout, step: int) -> None:
        """Take what a round gave, and do the gradient steps that are due after `step` steps."""
        # Steps of a return end where episodes do: at a truncation they keep the value of the state.
        for number, buffer in enumerate(self.buffers):
            own = np.s_[:, number :: len(self.buffers)]
            buffer.add(
                observation=seen.states[own], action=seen.actions[own], reward=seen.rewards[own],
                next_observation=seen.following[own], terminated=seen.terminated[own], truncated=seen.truncated[own],
            )  # fmt: skip
            if buffer.sampler is not None:
                buffer.beta = self.beta(step)
        for _ in range(self.due(step)):
            self._errors = float(np.mean(self._step()))

    def _step(self) -> np.ndarray:
        """A gradient step of every learner; the first one's |TD errors|."""
        if len(self._banks) > 1:
            return self.learner.together(list(map(trained_on, self._banks, self.learner.each)))[0]
        drawn = self._banks[0].drawn()
        errors = self.learner.step(*vars(drawn.batch).values())
        self._banks[0].update(drawn, errors)
        return errors

    @property
    def clocks(self) -> int:
        """Of the core in all gradient steps; 0 without one."""
        return getattr(self.learner, "clocks", 0)

    def live(self) -> dict[str, float]:
        held = sum(map(len, self.buffers)) / sum(buffer.buffer_size for buffer in self.buffers)
        numbers = {"replay": held, "td_error": self._errors}
        return numbers | ({"alpha": self.learner.alpha} if hasattr(self.learner, "alpha") else {})

    def checkpoint(self) -> dict[str, np.ndarray]:
        state = add_prefix("learner", self.learner.state_dict())
        for number, buffer in enumerate(self.buffers):
            state |= add_prefix(_bank(number), flat(buffer.state_dict()))
        return state

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self.learner.load_state_dict(strip_prefix(kept, "learner"))
        for number, buffer in enumerate(self.buffers):
            buffer.load_state_dict(nested(strip_prefix(kept, _bank(number))))


def prioritized(settings: Any) -> bool:
    """Whether draws have priorities."""
    return hasattr(settings, "alpha")


def exact(settings: Any) -> bool:
    """Whether importance weights are those of several banks together."""
    return settings.learners > 1 and prioritized(settings) and settings.importance == ALL


def bank_of(plan: Plan) -> tuple[int, int]:
    """Environments of each learner, and transitions of its bank. Raises UserError."""
    count = plan.settings.learners
    if plan.envs % count:
        raise UserError(f"envs is {plan.envs}; it must be a multiple of learners = {count}")
    envs = plan.envs // count
    return envs, max(plan.settings.buffer_size // plan.envs, 1) * envs


def seed_of(plan: Plan, number: int) -> int:
    """The seed of a learner and of its draws."""
    return plan.seed + number * _APART


def learner_of(plan: Plan, spaces: Spaces, number: int = 0, backend: str | None = None) -> Any:
    """Learner `number` of a plan, as of rlcores.cores.rl."""
    actions = spaces.action_size if spaces.actions is None else spaces.actions
    own = {"seed": seed_of(plan, number), "backend": backend or plan.backend}
    return plan.algorithm.learner(plan.settings, spaces.state_size, actions, **own)


def no_core(plan: Plan) -> None:
    """Raises UserError where the plan has a core's configuration."""
    if plan.config is not None:
        raise UserError(f"--config is of the core, which {plan.algo} uses with --backend rtl")


def _bank(number: int) -> str:
    return f"buffer{number or ''}"


def _learners(plan: Plan, spaces: Spaces) -> OffPolicyLearners:
    if plan.backend == "rtl" or plan.config is not None:
        raise UserError("the simulated core has one learner; several of them are for the backends native and model")
    each = [learner_of(plan, spaces, number) for number in range(plan.settings.learners)]
    return OffPolicyLearners(each, plan.settings.average)


def _learner(plan: Plan, spaces: Spaces) -> Any:
    """The plan's learner; with backend "rtl" its steps are those of a simulated tensor core."""
    if plan.backend != "rtl":
        no_core(plan)
        return learner_of(plan, spaces)
    from rlcores.cores.tensor.learner import TensorLearner

    own = learner_of(plan, spaces, backend="native")
    return TensorLearner.verilated(own, plan.settings.batch_size, plan.config)
