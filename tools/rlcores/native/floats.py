"""Floating-point functions with the same bits on every processor, with any library of matrices and any C library.

NumPy's exp and log depend on the vectors that a processor has, its products on the matrix library, and its generators'
normal and Gumbel numbers on the C library. Here every operation is one of IEEE 754's, in one order. NumPy's sums,
products and quotients of numbers one by one, square roots and uniform draws are defined as they are.
"""

from collections.abc import Callable

import numpy as np

from rlcores.native import engine


def product(a: np.ndarray, b: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """a @ b of matrices of one type, float32 or float64: terms are added from the first to the last.

    out: in one piece, and neither a nor b.

    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    if out is None:
        out = np.empty((len(a), b.shape[1]), b.dtype)
    engine.floats_product(a, np.ascontiguousarray(b), out)
    return out


def exp(x: np.ndarray) -> np.ndarray:
    """e**x, computed in float64; of x's type and shape."""
    return _each(engine.floats_exp, x)


def log(x: np.ndarray) -> np.ndarray:
    """The natural logarithm, computed in float64; of x's type and shape."""
    return _each(engine.floats_log, x)


def normal(u: np.ndarray) -> np.ndarray:
    """Normal numbers (mean 0, deviation 1) of uniform() ones: the quantiles of u, by Giles's (2010) polynomials.

    Within 1e-6 of the number; beyond 5.6 deviations, where one in 50 million is, up to a tenth less.
    """
    return _each(engine.floats_normal, u)


def gumbel(u: np.ndarray) -> np.ndarray:
    """Gumbel numbers of uniform() ones."""
    return -log(-log(u))


def uniform(draws: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Between 0 and 1, both left out: odd multiples of 2**-53."""
    return (draws.integers(1 << 52, size=shape) + 0.5) * 2.0**-52


def _each(function: Callable[[np.ndarray], None], x: np.ndarray) -> np.ndarray:
    result = np.array(x, np.float64, order="C")
    function(result)
    return result.astype(np.asarray(x).dtype, copy=False)
