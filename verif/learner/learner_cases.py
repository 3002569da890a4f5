"""What the tests of the learner's models start from: small networks, real weights and batches."""

import itertools

import numpy as np

from rlcores.cores.learner.format import DdpgFormats, LearnerBatch, LearnerFormats, LearnerSettings
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.optimisers import OPTIMISERS
from rlcores.cores.learner.optimisers.slot import ROUNDINGS
from rlcores.cores.learner.registers import settings
from rlcores.cores.learner.shape import LearnerShape, NetworkShape

SIZES = (4, 16, 12, 3)
FINE = LearnerFormats((12, 12, 12, 16), (0, 14, 14, 16), (0, 20, 20, 20))


def real_weights(rng: np.random.Generator, *sizes: int, scale: float = 1.0):
    return [
        (rng.uniform(-scale, scale, (n, m)) / m**0.5, rng.uniform(-scale, scale, n) / m**0.5)
        for m, n in itertools.pairwise(sizes)
    ]


def real_batch(rng: np.random.Generator, count: int = 32, states: int = 4, actions: int = 3) -> LearnerBatch:
    return LearnerBatch(
        rng.normal(size=(count, states)),
        rng.integers(0, actions, count),
        rng.normal(size=count),
        rng.normal(size=(count, states)),
        rng.random(count) < 0.2,
        rng.random(count),
    )


def ddpg_batch(rng: np.random.Generator, count: int = 32, states: int = 3, size: int = 2) -> LearnerBatch:
    batch = real_batch(rng, count, states)
    batch.actions = rng.uniform(-1, 1, (count, size))
    return batch


def shape_of(
    chosen: LearnerSettings,
    *sizes: tuple[int, ...],
    optimiser: str = "adam",
    rounding: str = "nearest",
    polyak: bool | None = None,
    columns: int = 1,
    groups: NetworkShape | None = None,
) -> LearnerShape:
    """Of networks whose units take a whole vector a clock. polyak: by default, if the target weights are averages."""
    ones = [(1,) * (len(each) - 1) for each in sizes]
    nets = [groups or NetworkShape(each, each, one, one, one, one) for each, one in zip(sizes, ones, strict=True)]
    names = OPTIMISERS.index(optimiser), ROUNDINGS.index(rounding)
    return LearnerShape(*(*nets, None)[:2], columns, 4096, *names, bool(chosen.tau) if polyak is None else polyak, 4)


def value_of(
    sizes, formats: LearnerFormats, chosen: LearnerSettings, optimiser="adam", rounding="nearest", **built
) -> ValueLearner:
    return ValueLearner(shape_of(chosen, sizes, optimiser=optimiser, rounding=rounding, **built), formats, chosen)


def ddpg_of(sizes, actor, formats: DdpgFormats, chosen: LearnerSettings, optimiser="adam", **built) -> DdpgLearner:
    return DdpgLearner(shape_of(chosen, sizes, actor, optimiser=optimiser, **built), formats, chosen)


def value_learner(rng: np.random.Generator, formats: LearnerFormats = FINE, *args, count: int = 32, **registers):
    options = {key: registers.pop(key) for key in ("polyak", "columns", "groups") if key in registers}
    learner = value_of(SIZES, formats, settings(formats, batch=count, **registers), *args, **options)
    learner.load(real_weights(rng, *SIZES))
    return learner


def ddpg_learner(rng: np.random.Generator, count: int = 32, **registers) -> DdpgLearner:
    formats = DdpgFormats(
        LearnerFormats((12, 12, 12, 16), (0, 14, 14, 15), (0, 20, 20, 20)),
        LearnerFormats((12, 12, 12, 14), (0, 16, 16, 16), (0, 22, 22, 22)),
        (16, 16, 16, 16),
    )
    learner = ddpg_of((5, 16, 12, 1), (3, 16, 12, 2), formats, settings(formats, batch=count, **registers))
    learner.load(real_weights(rng, 5, 16, 12, 1), real_weights(rng, 3, 16, 12, 2))
    return learner


def planes(learner) -> np.ndarray:
    networks = [learner.network] + ([learner.actor] if isinstance(learner, DdpgLearner) else [])
    return np.concatenate([network.planes.ravel() for network in networks])
