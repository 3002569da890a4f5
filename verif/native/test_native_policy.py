"""The policy core on the native engine equals its model: any network, fractions and settings, also what is clipped."""

from itertools import pairwise

import numpy as np
import pytest

from rlcores import native
from rlcores.cores.common.draws import state_of
from rlcores.cores.policy.head import MEAN, NONE, SAMPLE, SCALE_ONE, HeadSettings
from rlcores.cores.policy.model import ACC_OVERFLOW, PolicyModel
from rlcores.cores.policy.native import NativePolicy

NETWORKS = [((4, 2), 27), ((5, 7, 3), 27), ((3, 16, 16, 1), 27), ((4, 9, 6, 5), 18)]


def pair(sizes, width, continuous, rng, fractions, bits, logp=True):
    """The model and the engine, with the same seed and weights of `bits` bits."""
    state = state_of(int(rng.integers(1 << 62)))
    top = 1 << bits
    weights = [(rng.integers(-top, top, (n, m)), rng.integers(-top, top, n)) for m, n in pairwise(sizes)]
    logs = rng.integers(-(1 << 24), 1 << 23, sizes[-1]) if continuous else None
    policies = [
        k(sizes, fractions, output_width=width, continuous=continuous, logp=logp) for k in (PolicyModel, NativePolicy)
    ]
    for policy in policies:
        policy.seed(state)
        policy.load(weights, logs)
    return policies


@pytest.mark.parametrize("isa", native.isas())
@pytest.mark.parametrize("continuous", [False, True], ids=["discrete", "continuous"])
@pytest.mark.parametrize(("sizes", "width"), NETWORKS)
def test_every_answer_is_the_models(sizes, width, continuous, isa, seed) -> None:
    rng, before = np.random.default_rng(seed), native.isa()
    native.choose_isa(isa)
    try:
        saturated = 0  # elements of hidden layers
        for turn in range(12):
            fractions = *(int(rng.integers(10, 14)) for _ in sizes[:-1]), int(rng.integers(12, 19))
            model, engine = pair(
                sizes, width, continuous, rng, fractions, bits=(18, 21, 24)[turn % 3], logp=turn % 4 > 0
            )
            codes = rng.integers(-(1 << 17), 1 << 17, (40, sizes[0])) >> 4 * (turn % 2)
            for squash in (NONE, MEAN, SAMPLE):
                epsilon = int(rng.choice([0, 20_000, 1 << 16]))
                settings = HeadSettings(epsilon, bool(rng.integers(2)), squash, int(rng.choice([SCALE_ONE, 100_000])))
                wanted, answered = model.act(codes, settings), engine.act(codes, settings)
                for name in ("actions", "samples", "logs"):
                    assert np.array_equal(getattr(wanted, name), getattr(answered, name)), name
                assert np.array_equal(model.counters, engine.counters)
                assert model.generator.state == engine.generator.state
            saturated += int(model.counters[1 : len(sizes) - 1].sum())
        assert len(sizes) == 2 or saturated > 100
    finally:
        native.choose_isa(before)


def test_where_the_engine_cannot_the_model_acts(seed) -> None:
    rng = np.random.default_rng(seed)
    policies = [kind((64, 2), (12, 12)) for kind in (PolicyModel, NativePolicy)]
    codes = rng.integers(1 << 16, 1 << 17, (20, 64))
    for policy in policies:
        policy.load([(np.full((2, 64), (1 << 26) - 1), np.zeros(2, np.int64))])
    wanted, seen = (policy.act(codes, HeadSettings(noise=True)) for policy in policies)
    assert np.array_equal(wanted.actions, seen.actions) and np.array_equal(wanted.logs, seen.logs)
    assert policies[0].counters[ACC_OVERFLOW] == policies[1].counters[ACC_OVERFLOW] > 0
    none = policies[1].act(np.empty((0, 64), np.int64))
    assert none.actions.shape == (0,)
