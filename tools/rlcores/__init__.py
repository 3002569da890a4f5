"""rlcores: Verilog cores for reinforcement learning, and the tool that builds, verifies and drives them.

The public names can be imported from here: `from rlcores import advantages, PrioritizedSampler`.
"""

import importlib
from typing import TYPE_CHECKING, Any

from rlcores.errors import CoreWarning, RunFailed, UserError

# What type checkers, editors and the site see; __getattr__ below is what runs.
if TYPE_CHECKING:
    from rlcores.cores.gae.api import Gae as Gae
    from rlcores.cores.gae.api import advantages as advantages
    from rlcores.cores.gae.returns import lambda_returns as lambda_returns
    from rlcores.cores.gae.returns import n_step_returns as n_step_returns
    from rlcores.cores.gae.returns import retrace as retrace
    from rlcores.cores.gae.returns import vtrace as vtrace
    from rlcores.cores.learner.api import Learner as Learner
    from rlcores.cores.learners.api import ReplayLearners as ReplayLearners
    from rlcores.cores.policy.api import ActingPolicy as ActingPolicy
    from rlcores.cores.replay_learner.api import ReplayLearner as ReplayLearner
    from rlcores.cores.sumtree.sampler import PrioritizedSampler as PrioritizedSampler
    from rlcores.cores.sumtree.settings import ReplaySettings as ReplaySettings
    from rlcores.cores.sumtree.tree import SumTree as SumTree
    from rlcores.integrations.gymnasium import VectorEnv as VectorEnv
    from rlcores.replay.buffer import ReplayBuffer as ReplayBuffer
    from rlcores.replay.goals import Hindsight as Hindsight
    from rlcores.replay.shared import SharedReplayBuffer as SharedReplayBuffer
    from rlcores.replay.slices import SliceSampler as SliceSampler

importlib.import_module("rlcores.base.forks")  # before anybody forks beside a first call

__version__ = "0.1.0"

# Loaded when asked for: a user of one core does not wait for the others.
_PUBLIC = {
    "Gae": "cores.gae.api",
    "advantages": "cores.gae.api",
    "lambda_returns": "cores.gae.returns",
    "n_step_returns": "cores.gae.returns",
    "vtrace": "cores.gae.returns",
    "retrace": "cores.gae.returns",
    "PrioritizedSampler": "cores.sumtree.sampler",
    "ReplaySettings": "cores.sumtree.settings",
    "SumTree": "cores.sumtree.tree",
    "Learner": "cores.learner.api",
    "ReplayLearner": "cores.replay_learner.api",
    "ReplayLearners": "cores.learners.api",
    "ActingPolicy": "cores.policy.api",
    "ReplayBuffer": "replay.buffer",
    "Hindsight": "replay.goals",
    "SharedReplayBuffer": "replay.shared",
    "SliceSampler": "replay.slices",
    "VectorEnv": "integrations.gymnasium",
}

__all__ = ["CoreWarning", "RunFailed", "UserError", *_PUBLIC]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'rlcores' has no attribute '{name}'")
    return getattr(importlib.import_module(f"rlcores.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
