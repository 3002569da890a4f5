"""Activations that are trained: how near they are to the mathematics, for every number, and gradients through them."""

import continuous as problems
import numpy as np
import pytest

from rlcores.base import limits
from rlcores.cores.learner import activations
from rlcores.cores.learner.format import LearnerFormats
from rlcores.cores.learner.native import NativeNetwork
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.mlp import activations as deployed
from rlcores.cores.rl.dqn import Dqn, DqnSettings

NEW = limits.ACTIVATIONS[1:]
MEDIAN_ERROR, COSINE = 0.01, 0.999
WORD = np.arange(-(1 << 17), 1 << 17)  # every number of 18 bits
WIDE = np.arange(-(1 << 26), 1 << 26, 997)  # .. and some of 27
# Bounds of |y - f(z)| with 16 fraction bits, and of |slope - f'(z)|, which docs/tensor.md has.
BOUNDS = {"tanh": (-15.6, -14.8), "elu": (-14.9, -14.9), "silu": (-14.3, -14.4)}


def _sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))


MATHEMATICS = {
    "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "elu": (lambda z: np.where(z > 0, z, np.expm1(np.minimum(z, 0))), lambda z: np.exp(np.minimum(z, 0))),
    "silu": (lambda z: z * _sigmoid(z), lambda z: _sigmoid(z) * (1 + z * _sigmoid(-z))),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_result_and_derivative_are_within_their_bounds_for_every_number(name: str) -> None:
    one = activations.named(name)
    for z in (WORD, WIDE):
        real = z * 2.0**-one.before
        result, slope = (f(real) for f in MATHEMATICS[name])
        assert np.abs(one.of(z, 16) * 2.0**-16 - result).max() <= 2.0 ** BOUNDS[name][0]
        assert np.abs(one.slope(z) * 2.0**-one.slope_frac - slope).max() <= 2.0 ** BOUNDS[name][1]


def test_leaky_relu_loses_half_a_unit_at_most_and_its_derivative_is_exact() -> None:
    one = activations.named("leaky_relu")
    exact = np.where(WORD > 0, WORD, WORD * 655 / 65536)
    assert np.abs(one.of(WORD, 12) - exact).max() <= 0.5
    np.testing.assert_array_equal(one.slope(WORD), np.where(WORD > 0, 65536, 655))
    assert abs(655 / 65536 - 0.01) < 1e-5


@pytest.mark.parametrize(("name", "frac", "slope"), [("tanh", 14, 0), ("silu", 13, 0), ("leaky_relu", 14, 655)])
def test_a_trained_unit_gives_the_bits_of_the_deployed_one(name: str, frac: int, slope: int) -> None:
    own = activations.named(name).of(WORD, deployed.out_fraction(name, frac))
    np.testing.assert_array_equal(own, deployed.unit(name, WORD, frac, slope))


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_gradients_are_those_of_the_mathematics_over_a_run(algo: str, name: str, seed: int) -> None:
    make = lambda: problems.learner(algo, 5, 2, (32, 32), activation=name)  # noqa: E731
    own, rng = make(), np.random.default_rng(seed)
    seen: dict[str, list[tuple[float, float]]] = {}
    for step in range(160):
        given = problems.batch(rng, 64, 5, 2)
        if step % 8 == 7:
            other = make()
            other.load_state_dict(own.state_dict())
            integer, exact = problems.gradients(algo, other, given)
            for part, x in integer.items():
                seen.setdefault(part, []).append(
                    (problems.median_error(x, exact[part]), problems.cosine(x, exact[part]))
                )
        own.step(given)
    assert len(seen) == 3 + (algo == "sac")
    for part, found in seen.items():
        errors, cosines = np.array(found).T
        assert len(found) == 20 and np.median(errors) <= MEDIAN_ERROR and cosines.mean() >= COSINE, part


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_model_and_engine_give_the_same_bits(algo: str, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pair = [problems.learner(algo, 4, 3, (24, 9), backend=backend, activation=name) for backend in ("model", "native")]
    for _ in range(40):
        given = problems.batch(rng, int(rng.integers(1, 40)), 4, 3)
        np.testing.assert_array_equal(*[one.step(given) for one in pair])
    for mine, other in zip(pair[0].networks, pair[1].networks, strict=True):
        np.testing.assert_array_equal(mine.integers.planes, other.integers.planes)
        np.testing.assert_array_equal(mine.counters, other.counters)
    assert pair[0].fractions() == pair[1].fractions()
    states = rng.normal(size=(20, 4))
    np.testing.assert_array_equal(pair[0].policy()(states), pair[1].policy()(states))


@pytest.mark.parametrize("name", NEW)
def test_dqn_has_the_same_bits_too_and_learns(name: str, seed: int) -> None:
    """A bandit: action 1 pays the sign of the first number, action 0 the opposite."""
    rng = np.random.default_rng(seed)
    settings = DqnSettings(network=(16, 16), learning_rate=1e-2, activation=name)
    model, native = (Dqn(2, 2, settings, seed=seed, backend=backend) for backend in ("model", "native"))
    for step in range(250):
        x, a = rng.normal(size=(64, 2)), rng.integers(0, 2, 64)
        batch = x, a, np.sign(x[:, 0]) * (2 * a - 1), x, np.zeros(64)
        errors = native.step(*batch)
        if step < 20:
            np.testing.assert_array_equal(model.step(*batch), errors)
    x = rng.normal(size=(500, 2))
    assert (native.act(x) == (x[:, 0] > 0)).mean() > 0.95
    np.testing.assert_array_equal(native.policy()(x).argmax(axis=1), native.act(x))


@pytest.mark.parametrize("name", NEW)
def test_any_vector_and_any_weight_has_the_models_bits_and_counts(name: str, seed: int) -> None:
    """Also where an activation, or what comes back to it, has more than 27 bits: the model takes the stage over."""
    rng = np.random.default_rng(seed)
    limited = 0
    for size in (1 << 14, 1 << 22, 1 << 26):
        formats = LearnerFormats((10, 20, 12, 14), (0, 20, 16, 10), (0, 18, 16, 14))
        pair = [kind((5, 11, 8, 2), formats, activation=name) for kind in (NetworkModel, NativeNetwork)]
        flat = rng.integers(-size, size, pair[0].size)
        x, delta = rng.integers(-size // 512, size // 512, (9, 5)), rng.integers(-size // 512, size // 512, (9, 2))
        counts, found = [np.zeros(64, np.int64) for _ in pair], []
        for net, counted in zip(pair, counts, strict=True):
            net.start(flat)
            vectors = net.forward(np.clip(x, -(1 << 17), (1 << 17) - 1), counters=counted)
            deltas = net.backward(vectors, delta, formats.delta_frac, counters=counted, base=10)
            found.append([*vectors, *vectors.before, *deltas, net.gradient(vectors, deltas, counted, 20)])
        for mine, other in zip(*found, strict=True):
            np.testing.assert_array_equal(mine, other)
        np.testing.assert_array_equal(*counts)
        limited += counts[0][0]
    assert limited > 0
