"""Regression of vectors in integers: its bits in model and engine, its gradient, and that it learns."""

import numpy as np
import pytest

from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.rl.regression import Regression, RegressionSettings
from rlcores.errors import UserError


def batch(rng: np.random.Generator, rows: int = 32) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = rng.normal(size=(rows, 3))
    y = np.stack([x[:, 0] * x[:, 1], np.sin(2 * x[:, 2])], axis=1)
    return x, y, rng.uniform(0.1, 1, rows)


def test_model_and_engine_give_the_same_bits(seed: int) -> None:
    learners = [
        Regression(3, 2, RegressionSettings(network=(16, 16)), seed=seed, backend=b) for b in ("model", "native")
    ]
    rng = np.random.default_rng(seed)
    for _ in range(40):
        samples = batch(rng)
        first, second = (one.step(*samples) for one in learners)
        assert np.array_equal(first, second)
    x = batch(rng)[0]
    assert np.array_equal(learners[0](x), learners[1](x))
    assert np.array_equal(*(one.network.integers.planes for one in learners))


def test_its_gradient_is_that_of_the_squared_error(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = Regression(3, 2, RegressionSettings(network=(16, 16)), seed=seed, backend="model")
    for _ in range(40):
        one.step(*batch(rng, 64))
    x, y, weights = batch(rng, 64)
    net = FloatNetwork((3, 16, 16, 2), np.float64)
    net.theta[:] = one.network.theta()
    exact = np.zeros_like(net.theta)
    vectors = net.forward(x)
    net.backward(vectors, (vectors[-1] - y) * weights[:, None], exact)
    kept = []
    update = one.network.integers.update
    one.network.integers.update = lambda g, *rest: (kept.append(g.copy()), update(g, *rest))
    fractions = one.network.integers.grad_frac.astype(float)
    one.step(x, y, weights)
    gradient = kept[0] * 2.0**-fractions
    assert gradient @ exact / np.linalg.norm(gradient) / np.linalg.norm(exact) > 0.999


def test_it_learns_a_product_and_a_sine(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = Regression(3, 2, RegressionSettings(network=(64, 64), learning_rate=3e-3), seed=seed)
    for _ in range(2000):
        one.step(*batch(rng, 64)[:2])
    x, y, _ = batch(rng, 1000)
    assert np.mean((one(x) - y) ** 2) < 0.05 * y.var(axis=0).mean()


def test_wrong_shapes_and_numbers_are_refused() -> None:
    one = Regression(3, 2, RegressionSettings(network=(4,)))
    with pytest.raises(UserError, match="must be"):
        one.step(np.zeros((4, 2)), np.zeros((4, 2)))
    with pytest.raises(UserError, match="finite"):
        one.step(np.full((4, 3), np.nan), np.zeros((4, 2)))
    assert one.steps == 0
