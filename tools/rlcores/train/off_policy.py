"""TD3 and SAC: what actors saw goes into a ReplayBuffer, and a learner of rlcores.cores.rl takes batches of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.rl.batch import Batch
from rlcores.errors import UserError
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_NAMES = "observation", "action", "reward", "next_observation", "discount"


class OffPolicyTrainer(Trainer):
    """The learner's side of td3 and sac: a gradient step every `train_freq` environment steps."""

    looks = True

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any = None) -> None:
        """learner: what is trained, with the calls of an ActorCritic (default: one with the plan's backend).

        Raises UserError.
        """
        algorithm, s = plan.algorithm, plan.settings
        self._plan, self._s, self.kind = plan, s, algorithm.kind(spaces)
        sizes = spaces.state_size, spaces.action_size
        self.learner = learner or _learner(plan, sizes)
        self.buffer = ReplayBuffer(
            max(s.buffer_size // plan.envs, 1) * plan.envs,
            {"observation": ((sizes[0],), "float32"), "action": ((sizes[1],), "float32")},
            num_envs=plan.envs,
            n_steps=s.n_steps,
            gamma=s.gamma,
            prioritized=False,
            batch_size=s.batch_size,
            seed=plan.seed,
        )
        self._errors = 0.0

    @property
    def updates(self) -> int:
        """Gradient steps so far."""
        return self.learner.steps

    def order(self, number: int, step: int) -> RoundRequest:
        plan = self._plan
        at = step + plan.envs * np.arange(1, plan.round_steps + 1)
        explore = (at <= self._s.learning_starts).astype(float)
        return RoundRequest(
            number, plan.round_steps, self.kind, self.policy(), explore, getattr(self._s, "action_noise", 0.0)
        )

    def learn(self, seen: Rollout, step: int) -> None:
        """Take what a round gave, and do the gradient steps that are due after `step` steps."""
        # Steps of a return end where episodes do: a time limit keeps the value of the state that it cut off.
        self.buffer.add(
            observation=seen.states, action=seen.actions, reward=seen.rewards, next_observation=seen.following,
            terminated=seen.terminated, truncated=seen.truncated,
        )  # fmt: skip
        for _ in range(max(0, step - self._s.learning_starts) // self._s.train_freq - self.updates):
            drawn = self.buffer.sample()
            arrays = (drawn[name].astype(np.float64) for name in _NAMES)
            self._errors = float(np.mean(self.learner.step(Batch(*arrays, drawn.weights.astype(np.float64)))))

    def policy(self):
        return self.learner.policy()

    @property
    def clocks(self) -> int:
        """Of the core in all gradient steps; 0 without one."""
        return getattr(self.learner, "clocks", 0)

    def weights(self) -> list[np.ndarray]:
        return self.learner.weights()

    def live(self) -> dict[str, float]:
        found = {"replay": len(self.buffer) / self.buffer.buffer_size, "td_error": self._errors}
        return found | ({"alpha": self.learner.alpha} if hasattr(self.learner, "alpha") else {})

    def checkpoint(self) -> dict[str, np.ndarray]:
        kept = {name: np.asarray(x) for name, x in self.buffer.state_dict().items()}
        return add_prefix("learner", self.learner.state_dict()) | add_prefix("buffer", kept)

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self.learner.load_state_dict(strip_prefix(kept, "learner"))
        state = strip_prefix(kept, "buffer")
        self.buffer.load_state_dict(state | {"seed": int(state["seed"])})


def _learner(plan: Plan, sizes: tuple[int, int]) -> Any:
    """The plan's learner; with backend "rtl" its steps are those of a simulated tensor core."""
    simulated = plan.backend == "rtl"
    own = plan.algorithm.learner(plan.settings, *sizes, seed=plan.seed, backend="native" if simulated else plan.backend)
    if not simulated:
        if plan.config is not None:
            raise UserError(f"--config is of the core, which {plan.algo} uses with --backend rtl")
        return own
    from rlcores.cores.tensor.learner import TensorLearner

    return TensorLearner.verilated(own, plan.settings.batch_size, plan.config)
