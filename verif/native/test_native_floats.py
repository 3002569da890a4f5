"""Floating-point functions whose bits no processor and no library decides."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from rlcores.native import floats

pytestmark = pytest.mark.usefixtures("isa")


def plain_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Terms one after the other."""
    product = np.zeros((len(a), b.shape[1]), b.dtype)
    for k in range(a.shape[1]):
        product += a[:, k, None] * b[k]
    return product


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_product_adds_its_terms_in_order(dtype, seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        rows, depth, columns = rng.integers(1, 90, 3)
        a, b = rng.normal(size=(rows, depth)).astype(dtype), rng.normal(size=(depth, columns)).astype(dtype)
        wanted = plain_product(a, b)
        for left in (a, a.T.copy().T):
            for right in (b, b.T.copy().T):
                assert floats.product(left, right).tobytes() == wanted.tobytes()
        out = np.empty((rows, columns), dtype)
        assert floats.product(a, b, out) is out and out.tobytes() == wanted.tobytes()
    # Not every order gives these bits, so the comparison says something.
    a, b = rng.normal(size=(8, 500)).astype(dtype), rng.normal(size=(500, 8)).astype(dtype)
    assert (floats.product(a, b) != floats.product(a[:, ::-1], b[::-1])).any()
    with pytest.raises(ValueError, match="different sizes"):
        floats.product(a, b[1:])


def plain_exp(x: float) -> float:
    """The same operations, one number at a time in Python."""
    x = min(max(x, -746.0), 710.0)
    shift = 6755399441055744.0
    whole = (x * float.fromhex("0x1.71547652b82fep+0") + shift) - shift
    r = (x - whole * float.fromhex("0x1.62e42feep-1")) - whole * float.fromhex("0x1.a39ef35793c76p-33")
    total = 1.0
    for k in range(13, 0, -1):
        total = total * r * (1.0 / k) + 1.0
    n = int(whole)
    return total * 2.0 ** (n >> 1) * 2.0 ** (n - (n >> 1))


def plain_log(x: float) -> float:
    m, e = math.frexp(x)
    if m < math.sqrt(0.5):
        m, e = 2 * m, e - 1
    s = (m - 1.0) / (m + 1.0)
    total = 1.0 / 25
    for k in range(23, 0, -2):
        total = total * (s * s) + 1.0 / k
    return e * float.fromhex("0x1.62e42feep-1") + (2.0 * s * total + e * float.fromhex("0x1.a39ef35793c76p-33"))


def test_exp_and_log_are_these_operations_and_near_the_mathematics(seed):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.uniform(-745, 709, 300), rng.normal(size=300), rng.normal(size=100) * 1e-9, [0.0, -0.0]])
    computed = floats.exp(x)
    assert computed.tolist() == [plain_exp(v) for v in x.tolist()]
    np.testing.assert_allclose(computed[x > -700], np.exp(x[x > -700]), rtol=1e-15)
    y = np.concatenate([2.0 ** rng.uniform(-1074, 1023, 300), 1 + rng.normal(size=300) * 1e-3, [1.0, 5e-324, 1.7e308]])
    computed = floats.log(y)
    assert computed.tolist() == [plain_log(v) for v in y.tolist()]
    np.testing.assert_allclose(computed, np.log(y), rtol=1e-15)
    assert floats.exp(np.array([800.0, -800.0, np.inf, -np.inf])).tolist() == [np.inf, 0, np.inf, 0]
    assert floats.log(np.array([0.0, np.inf])).tolist() == [-np.inf, np.inf]
    assert np.isnan(floats.log(np.array([-1.0, np.nan]))).all() and np.isnan(floats.exp(np.array([np.nan]))).all()


def test_types_and_shapes_stay_and_what_was_given_too():
    x = np.linspace(0.1, 0.9, 12, dtype=np.float32).reshape(3, 4)
    kept = x.copy()
    for function in (floats.exp, floats.log, floats.normal, floats.gumbel):
        computed = function(x.T)
        assert (computed.shape, computed.dtype) == ((4, 3), np.float32)
        np.testing.assert_array_equal(computed, function(x).T)
    np.testing.assert_array_equal(x, kept)
    assert floats.exp(np.float64(0.0)).shape == ()


def test_normal_numbers_are_quantiles():
    u = np.concatenate([np.arange(1, 1000) / 1000, 2.0 ** -np.arange(10, 54), 1 - 2.0 ** -np.arange(10, 54)])
    exact, quantiles = np.array([NormalDist().inv_cdf(v) for v in u]), floats.normal(u)
    near = np.abs(exact) < 5.6
    assert near.sum() > 1000
    np.testing.assert_allclose(quantiles[near], exact[near], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(quantiles, exact, rtol=0.1)


def test_gumbel_numbers_are_quantiles(seed):
    u = floats.uniform(np.random.default_rng(seed), (50, 20))
    assert u.shape == (50, 20) and u.min() > 0 and u.max() < 1
    np.testing.assert_array_equal(u * 2.0**53 % 2, 1)
    np.testing.assert_allclose(floats.gumbel(u), -np.log(-np.log(u)), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.exp(-np.exp(-floats.gumbel(u))), u, rtol=1e-9)
