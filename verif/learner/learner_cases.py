"""What the tests of the learner's models start from: small networks, real weights and batches."""

import itertools

import numpy as np

from rlcores.cores.learner.format import Batch, DdpgFormats, Formats
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.registers import settings

SIZES = (4, 16, 12, 3)
FINE = Formats((12, 12, 12, 16), (0, 14, 14, 16), (0, 20, 20, 20))


def real_weights(rng: np.random.Generator, *sizes: int, scale: float = 1.0):
    return [
        (rng.uniform(-scale, scale, (n, m)) / m**0.5, rng.uniform(-scale, scale, n) / m**0.5)
        for m, n in itertools.pairwise(sizes)
    ]


def real_batch(rng: np.random.Generator, count: int = 32, states: int = 4, actions: int = 3) -> Batch:
    return Batch(
        rng.normal(size=(count, states)),
        rng.integers(0, actions, count),
        rng.normal(size=count),
        rng.normal(size=(count, states)),
        rng.random(count) < 0.2,
        rng.random(count),
    )


def ddpg_batch(rng: np.random.Generator, count: int = 32, states: int = 3, size: int = 2) -> Batch:
    batch = real_batch(rng, count, states)
    batch.actions = rng.uniform(-1, 1, (count, size))
    return batch


def value_learner(rng: np.random.Generator, formats: Formats = FINE, *args, count: int = 32, **registers):
    given = {key: registers.pop(key) for key in ("polyak", "columns", "groups") if key in registers}
    learner = ValueLearner(SIZES, formats, settings(formats, batch=count, **registers), *args, **given)
    learner.load(real_weights(rng, *SIZES))
    return learner


def ddpg_learner(rng: np.random.Generator, count: int = 32, **registers) -> DdpgLearner:
    formats = DdpgFormats(
        Formats((12, 12, 12, 16), (0, 14, 14, 15), (0, 20, 20, 20)),
        Formats((12, 12, 12, 14), (0, 16, 16, 16), (0, 22, 22, 22)),
        (16, 16, 16, 16),
    )
    learner = DdpgLearner((5, 16, 12, 1), (3, 16, 12, 2), formats, settings(formats, batch=count, **registers))
    learner.load(real_weights(rng, 5, 16, 12, 1), real_weights(rng, 3, 16, 12, 2))
    return learner


def planes(learner) -> np.ndarray:
    networks = [learner.network] + ([learner.actor] if isinstance(learner, DdpgLearner) else [])
    return np.concatenate([network.planes.ravel() for network in networks])
