"""The engine's deployed networks against the model, on every instruction set."""

from itertools import pairwise

import numpy as np
import pytest

from rlcores.cores.mlp import activations
from rlcores.cores.mlp.model import MlpModel, Weights
from rlcores.cores.mlp.native import NativeMlp
from rlcores.cores.mlp.norm import Norm
from rlcores.cores.mlp.shape import MlpShape

BATCHES = 1, 63, 64, 65, 300


def drawn(rng: np.random.Generator) -> Weights:
    """A network of random size, activations, formats and widths; half of its biases are large."""
    sizes = tuple(int(n) for n in rng.integers(1, rng.choice([6, 40, 150]), rng.integers(2, 8)))
    layers = len(sizes) - 1
    kinds = tuple(str(k) for k in rng.choice(activations.KINDS, layers))
    weight_widths, act_widths = (tuple(int(n) for n in rng.integers(4, 19, layers)) for _ in range(2))
    unit_frac = int(rng.integers(4, 13))
    acts = tuple(int(n) for n in rng.integers(0, unit_frac + 1, layers))
    ins = (unit_frac, *acts[:-1])
    weight_fracs = tuple(unit_frac + int(rng.integers(0, 8)) for _ in range(layers))
    sums = [w + a for w, a in zip(weight_fracs, ins, strict=True)]
    biases = tuple(max(0, s - int(rng.integers(0, 12))) for s in sums)
    slopes = tuple(int(rng.integers(0, activations.MOST_SLOPE.get(kind, 0) + 1)) for kind in kinds)
    norms = tuple(
        Norm(int(2.0 ** rng.uniform(0, 31)), int(rng.integers(0, s + 1)), 14, int(rng.integers(13, 32)))
        if rng.random() < 0.3 else None
        for s in sums
    )  # fmt: skip
    shape = MlpShape(
        sizes, kinds, unit_frac, acts, weight_fracs, biases, unit_frac, weight_widths, act_widths, 1, 1, 1,
        bool(rng.integers(2)), slopes, norms,
    )  # fmt: skip
    tops = [1 << (width - 1) for width in weight_widths]
    weights = tuple(rng.integers(-top, top, (o, i)) for top, (i, o) in zip(tops, pairwise(sizes), strict=True))
    reach = 1 << (31 if rng.integers(2) else 12)
    biases = tuple(rng.integers(-reach, reach, n) for n in sizes[1:])
    top = 1 << 15
    factors = tuple(
        None if norm is None else rng.integers(-top, top, (n, 2)) for norm, n in zip(norms, sizes[1:], strict=True)
    )
    return Weights(shape, weights, biases, factors)


def test_a_deployed_network_answers_like_the_model(isa: str, seed: int) -> None:
    rng, seen = np.random.default_rng(seed), set()
    for _ in range(60):
        weights = drawn(rng)
        seen |= set(weights.shape.kinds)
        top = 1 << (weights.shape.act_width - 1)
        x = rng.integers(-top, top, (int(rng.choice(BATCHES)), weights.shape.sizes[0]))
        x[0], x[-1] = -top, top - 1
        expected = MlpModel(weights)
        np.testing.assert_array_equal(NativeMlp(weights).outputs(x), expected.outputs(x))
        np.testing.assert_array_equal(NativeMlp(weights).act(x), expected.act(x))
    assert seen == set(activations.KINDS)


def test_observations_that_do_not_fit_are_refused() -> None:
    weights = drawn(np.random.default_rng(1))
    for wrong in (np.full((1, weights.shape.sizes[0]), 1 << 17), np.zeros((2, weights.shape.sizes[0] + 1))):
        with pytest.raises(ValueError, match="observations must be"):
            NativeMlp(weights).outputs(wrong)
