"""TD3, SAC and dueling DQN: what actors saw goes into ReplayBuffers, and learners of rlcores.cores.rl take batches."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, flat, nested, strip_prefix
from rlcores.cores.learners.average import importance
from rlcores.cores.learners.off_policy import OffPolicyLearners
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.sumtree.maths import OK, POWER_ONE, WEIGHT_ONE
from rlcores.cores.sumtree.model import SAMPLE
from rlcores.errors import UserError
from rlcores.replay.batch import ReplayBatch
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_NAMES = "observation", "action", "reward", "next_observation", "discount"
_APART = 0x9E3779B9  # between seeds of learners, so that runs with neighbouring seeds share none


class OffPolicyTrainer(Trainer):
    """The learner's side of td3, sac and dueling: a gradient step every `train_freq` environment steps.

    Several learners have a bank each, a ReplayBuffer of its own environments: environment e is of learner e mod L.
    """

    looks = True

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any = None) -> None:
        """learner: what is trained, with the calls of an ActorCritic (default: one with the plan's backend).

        Raises UserError.
        """
        algorithm, s = plan.algorithm, plan.settings
        self._plan, self._s, self.kind = plan, s, algorithm.kind(spaces)
        count = s.learners
        if plan.envs % count:
            raise UserError(f"envs is {plan.envs}; it must be a multiple of learners = {count}")
        self.learner = learner or (_learners(plan, spaces) if count > 1 else _learner(plan, spaces))
        envs, prioritized = plan.envs // count, hasattr(s, "alpha")
        action = ((spaces.action_size,), "float32") if spaces.actions is None else ((), "int64")
        priorities = {"alpha": s.alpha, "beta": s.beta} if prioritized else {}
        self.buffers = [
            ReplayBuffer(
                max(s.buffer_size // plan.envs, 1) * envs,
                {"observation": ((spaces.state_size,), "float32"), "action": action},
                num_envs=envs,
                n_steps=s.n_steps,
                gamma=s.gamma,
                prioritized=prioritized,
                batch_size=s.batch_size,
                seed=plan.seed + number * _APART,
                **priorities,
            )
            for number in range(count)
        ]
        self._errors = 0.0

    @property
    def buffer(self) -> ReplayBuffer:
        """The first learner's."""
        return self.buffers[0]

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
                buffer.beta = self._s.beta + (1 - self._s.beta) * min(1.0, step / self._plan.steps)
        for _ in range(max(0, step - self._s.learning_starts) // self._s.train_freq - self.updates):
            self._step()

    def _step(self) -> None:
        """A gradient step of every learner."""
        drawn = [buffer.sample() for buffer in self.buffers] if len(self.buffers) == 1 else _banked(self.buffers)
        batches = [
            TransitionBatch(*(one[name].astype(np.float64) for name in _NAMES), one.weights.astype(np.float64))
            for one in drawn
        ]
        errors = self.learner.step(batches) if len(batches) > 1 else [self.learner.step(*vars(batches[0]).values())]
        for buffer, one, own in zip(self.buffers, drawn, errors, strict=True):
            if buffer.sampler is not None:
                buffer.update(one.indices, own, one.generations)
        self._errors = float(np.mean(errors[0]))

    def policy(self):
        return self.learner.policy()

    @property
    def clocks(self) -> int:
        """Of the core in all gradient steps; 0 without one."""
        return getattr(self.learner, "clocks", 0)

    def weights(self) -> list[np.ndarray]:
        return self.learner.weights()

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


def _banked(buffers: list[ReplayBuffer]) -> list[ReplayBatch]:
    """A batch of each bank; importance weights are those of one batch over all banks."""
    if buffers[0].sampler is None:
        return [buffer.sample() for buffer in buffers]
    drawn, answers, units = [], [], []
    for buffer in buffers:
        sampler = buffer.sampler
        indices, _, priorities, generations, _ = sampler.sample()
        answer = np.zeros(len(indices), SAMPLE)
        answer["status"], answer["priority"], answer["total"] = OK, priorities, sampler.tree.total
        answers.append(answer)
        units.append(round(math.log2(buffers[0].sampler.unit / sampler.unit)))
        drawn.append((buffer.gathered(partial(np.copy, indices)), indices, generations))
    weights = importance(answers, round(buffers[0].beta * POWER_ONE), units)
    return [ReplayBatch(*one, own / WEIGHT_ONE) for one, own in zip(drawn, weights, strict=True)]


def _bank(number: int) -> str:
    return f"buffer{number or ''}"


def _own(plan: Plan, spaces: Spaces, seed: int, backend: str) -> Any:
    actions = spaces.action_size if spaces.actions is None else spaces.actions
    return plan.algorithm.learner(plan.settings, spaces.state_size, actions, seed=seed, backend=backend)


def _learners(plan: Plan, spaces: Spaces) -> OffPolicyLearners:
    if plan.backend == "rtl" or plan.config is not None:
        raise UserError("the simulated core has one learner; several of them are for the backends native and model")
    each = [_own(plan, spaces, plan.seed + n * _APART, plan.backend) for n in range(plan.settings.learners)]
    return OffPolicyLearners(each, plan.settings.average)


def _learner(plan: Plan, spaces: Spaces) -> Any:
    """The plan's learner; with backend "rtl" its steps are those of a simulated tensor core."""
    simulated = plan.backend == "rtl"
    own = _own(plan, spaces, plan.seed, "native" if simulated else plan.backend)
    if not simulated:
        if plan.config is not None:
            raise UserError(f"--config is of the core, which {plan.algo} uses with --backend rtl")
        return own
    from rlcores.cores.tensor.learner import TensorLearner

    return TensorLearner.verilated(own, plan.settings.batch_size, plan.config)
