"""Programs beside the learner, without RTL: TD errors and gradients of whole steps, whatever a hidden layer is."""

from itertools import product

import numpy as np
import pytest
from tensor_programs import Machine

from rlcores.base import limits
from rlcores.cores.rl.dqn import Dqn, DqnSettings
from rlcores.cores.tensor.learners import trainer_of
from rlcores.cores.tensor.program import TensorShape

HIDDEN = list(product(limits.ACTIVATIONS, limits.NORMALISATIONS))


@pytest.mark.parametrize("network", [(6, 5), (5, 1, 3), (70, 9)])
@pytest.mark.parametrize(("activation", "normalisation"), HIDDEN)
def test_a_step_of_a_program_is_the_learners(activation, normalisation, network, seed) -> None:
    rng, batch = np.random.default_rng(seed), 7
    learner = Dqn(3, 2, DqnSettings(network, activation, normalisation), seed=seed, backend="model")
    integers, gradients = learner.network.integers, []
    update = integers.update
    integers.update = lambda g, *rest: (gradients.append(g.copy()), update(g, *rest))
    for _ in range(4):
        arrays = (
            rng.normal(size=(batch, 3)), rng.integers(0, 2, batch), rng.normal(size=batch), rng.normal(size=(batch, 3)),
            rng.choice([0, 0.99], batch), rng.uniform(0.1, 1, batch),
        )  # fmt: skip
        trainer = trainer_of(learner, TensorShape(2, 2, 64), batch)
        machine = Machine(trainer)
        machine.run(trainer.records(dict(zip(trainer.record, arrays, strict=True))))
        learner.step(*arrays)
        np.testing.assert_array_equal(machine.td, learner.td)
        parts = [part.reshape(-1) for n in range(len(network) + 1) for part in machine.gradients[n]]
        np.testing.assert_array_equal(np.concatenate(parts), gradients.pop())
