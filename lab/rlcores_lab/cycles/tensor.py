"""Clocks of a step on a core: of the largest of some learners that its memories hold."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.dqn import DqnSettings as DqnSettings
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.sac import SacSettings as SacSettings
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.rl.td3 import Td3Settings as Td3Settings
from rlcores.cores.tensor import clocks
from rlcores.cores.tensor.driver import lacking
from rlcores.cores.tensor.learner import TensorLearner, needs, programs_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.errors import RunFailed, UserError

KINDS: dict[str, tuple[Any, Any]] = {"dqn": (Dqn, DqnSettings), "td3": (Td3, Td3Settings), "sac": (Sac, SacSettings)}
# States, actions, neurons of both hidden layers, batch.
LARGEST = ((17, 6, 256, 256), (17, 6, 128, 128), (17, 6, 128, 64), (17, 6, 64, 64), (3, 1, 8, 8), (3, 1, 4, 8))
_LARGE = 512  # multipliers
Parameters = Mapping[str, int | str]


def learner_of(parameters: Parameters, kind: str = "sac") -> tuple[Any, int]:
    """The learner, of KINDS, and its batch. Raises UserError: the core holds none of them."""
    learner, settings = KINDS[kind]
    built = {name: int(value) for name, value in parameters.items()}
    shape = TensorShape(built["SIDE"], built["BLOCKS"], built["PASS_SUMS"])
    for states, actions, neurons, batch in LARGEST:
        learner_settings = settings(network=(neurons, neurons))
        own = learner(states, max(actions, 1 + (kind == "dqn")), learner_settings, seed=1, backend="model")
        try:
            if not lacking(needs(programs_of(own, shape, batch)), built):
                return own, batch
        except UserError:
            continue
    raise UserError("the tensor core holds no learner with two hidden layers")


def step(parameters: Parameters, kind: str = "sac") -> int:
    """Of a step behind others like it, by the schedule of its program; of TD3 one in which actor and targets move."""
    own, batch = learner_of(parameters, kind)
    shape = TensorShape(*(int(parameters[name]) for name in ("SIDE", "BLOCKS", "PASS_SUMS")))
    return clocks.clocks(programs_of(own, shape, batch)[0])


def counted(parameters: Parameters, seed: int, kind: str = "sac", steps: int | None = None) -> int:
    """The same in RTL: of the quickest of some steps, in which no fraction of a gradient moves.

    steps: default 12; of a large array 4, for a step takes minutes there.

    Raises RunFailed: a TD error is not the model's.
    """
    (learner, batch), (model, _) = learner_of(parameters, kind), learner_of(parameters, kind)
    core = TensorLearner.verilated(learner, batch, {name: int(value) for name, value in parameters.items()})
    rng, step_clocks = np.random.default_rng(seed), []
    for number in range(steps or (4 if core.driver.shape.multipliers > _LARGE else 12)):
        arrays = vars(random_batch(rng, learner, batch)).values()
        if not np.array_equal(core.step(*arrays), model.step(*arrays)):
            raise RunFailed(f"the tensor core and its model differ in step {number}")
        if kind != "td3" or learner.steps % learner.settings.policy_delay == 0:
            step_clocks.append(core.driver.clocks)
    return min(step_clocks[1:])  # the first one follows nothing


def random_batch(rng: np.random.Generator, own: Any, batch: int) -> TransitionBatch:
    """Of numbers about as large as an environment's."""
    states, following = rng.normal(size=(2, batch, own.states))
    discrete = isinstance(own, Dqn)
    actions = rng.integers(0, own.actions, batch) if discrete else rng.uniform(-1, 1, (batch, own.actions))
    return TransitionBatch(
        states, actions, rng.normal(size=batch), following, rng.choice([0, 0.99], batch), np.ones(batch)
    )
