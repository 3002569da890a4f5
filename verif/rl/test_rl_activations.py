"""Activations and normalisation that are trained: how near they are to the mathematics, and gradients through them."""

import continuous as problems
import numpy as np
import pytest

from rlcores.base import limits
from rlcores.cores.learner import activations, normalisation
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


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 200, 256])
def test_a_normalised_layer_is_within_its_bound(count: int, seed: int) -> None:
    """Of sums of any size: those of n are wrong by 2^-13 of themselves, and by the grain of the sums."""
    rng = np.random.default_rng(seed)
    for size in (1 << 9, 1 << 12, 1 << 16):
        z = rng.integers(-size, size, (200, count)) + rng.integers(-(1 << 20), 1 << 20, (200, 1))
        kept = normalisation.forward(z, 14)
        centred = z - z.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True))
        exact = centred / np.maximum(deviation, 1e-9)
        there = deviation[:, 0] > size / 8
        error = np.abs(kept.n * 2.0**-14 - exact)[there]
        assert count == 1 or there.sum() > 50
        assert (error <= 2.0**-13 * np.abs(exact[there]) + 2.0**-14 + 6 / size).all()
        assert kept.saturated == 0 and (count > 1 or (kept.n == 0).all())


def test_what_a_normalised_layer_cannot_take_is_saturated_and_counted() -> None:
    z = np.array([[1 << 25, -(1 << 25), 0, 0], [5, 5, 5, 5], [-(1 << 26)] * 4])
    kept = normalisation.forward(z, 14)
    assert kept.saturated == 2 and (kept.centred[0] == [(1 << 17) - 1, -(1 << 17), 0, 0]).all()
    assert (kept.n[1:] == 0).all() and np.abs(kept.n[0] * 2.0**-14 - [2**0.5, -(2**0.5), 0, 0]).max() < 1e-3


@pytest.mark.parametrize("count", [2, 5, 32])
def test_the_way_back_through_a_normalisation_is_the_derivative_by_differences(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    real, weights = rng.normal(size=(50, count)), rng.normal(size=(50, count))

    def normal(z: np.ndarray) -> np.ndarray:
        c = z - z.mean(axis=1, keepdims=True)
        return c / np.sqrt((c * c).mean(axis=1, keepdims=True))

    there = real.std(axis=1) > 0.3
    exact = np.zeros_like(real)
    for k in range(count):
        move = np.zeros(count)
        move[k] = 1e-6
        exact[:, k] = ((normal(real + move) - normal(real - move)) * weights).sum(axis=1) / 2e-6
    kept = normalisation.forward(np.round(real * 2**14).astype(np.int64), 14)
    delta = np.round(weights * 2.0 ** (12 + normalisation.EXTRA)).astype(np.int64)
    slopes = normalisation.backward(delta, kept, 14, 14) * 2.0**-12
    assert there.sum() > 20 and np.abs(slopes - exact)[there].max() < 6e-3


@pytest.mark.parametrize("name", limits.ACTIVATIONS)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_gradients_through_normalised_layers_are_those_of_the_mathematics(algo: str, name: str, seed: int) -> None:
    run(algo, seed, activation=name, normalisation="layer")


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_gradients_are_those_of_the_mathematics_over_a_run(algo: str, name: str, seed: int) -> None:
    run(algo, seed, activation=name)


def run(algo: str, seed: int, **changes: str) -> None:
    make = lambda: problems.learner(algo, 5, 2, (32, 24), **changes)  # noqa: E731
    own, rng = make(), np.random.default_rng(seed)
    seen: dict[str, list[tuple[float, float]]] = {}
    for step in range(160):
        transitions = problems.batch(rng, 64, 5, 2)
        if step % 8 == 7:
            other = make()
            other.load_state_dict(own.state_dict())
            integer, exact = problems.gradients(algo, other, transitions)
            for part, x in integer.items():
                seen.setdefault(part, []).append(
                    (problems.median_error(x, exact[part]), problems.cosine(x, exact[part]))
                )
        own.step(transitions)
    assert len(seen) == 3 + (algo == "sac")
    for part, agreements in seen.items():
        errors, cosines = np.array(agreements).T
        assert len(agreements) == 20 and np.median(errors) <= MEDIAN_ERROR and cosines.mean() >= COSINE, part


@pytest.mark.parametrize("normalisation", limits.NORMALISATIONS)
@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_model_and_engine_give_the_same_bits(algo: str, name: str, normalisation: str, seed: int) -> None:
    rng, hidden = np.random.default_rng(seed), {"activation": name, "normalisation": normalisation}
    pair = [problems.learner(algo, 4, 3, (24, 9), backend=backend, **hidden) for backend in ("model", "native")]
    for _ in range(40):
        transitions = problems.batch(rng, int(rng.integers(1, 40)), 4, 3)
        np.testing.assert_array_equal(*[one.step(transitions) for one in pair])
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
    saturated = 0
    for size in (1 << 14, 1 << 22, 1 << 26):
        formats = LearnerFormats((10, 20, 12, 14), (0, 20, 16, 10), (0, 18, 16, 14))
        pair = [kind((5, 11, 8, 2), formats, activation=name) for kind in (NetworkModel, NativeNetwork)]
        flat = rng.integers(-size, size, pair[0].size)
        x, delta = rng.integers(-size // 512, size // 512, (9, 5)), rng.integers(-size // 512, size // 512, (9, 2))
        counts, results = [np.zeros(64, np.int64) for _ in pair], []
        for net, counted in zip(pair, counts, strict=True):
            net.start(flat)
            vectors = net.forward(np.clip(x, -(1 << 17), (1 << 17) - 1), counters=counted)
            deltas = net.backward(vectors, delta, formats.delta_frac, counters=counted, base=10)
            results.append([*vectors, *vectors.before, *deltas, net.gradient(vectors, deltas, counted, 20)])
        for mine, other in zip(*results, strict=True):
            np.testing.assert_array_equal(mine, other)
        np.testing.assert_array_equal(*counts)
        saturated += counts[0][0]
    assert saturated > 0
