"""Sums of features, each times a coefficient that is learnt from measurements.

Coefficients are never negative; they are the least squares of the *relative* errors.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Parameters = Mapping[str, int]
Features = Callable[[Parameters], Sequence[float]]
_RIDGE = 1e-3  # towards 0: features that no measurement tells apart share their weight


def features(*names: str) -> Features:
    """A constant, and these parameters."""
    return lambda p: [1, *(p[name] for name in names)]


@dataclass(frozen=True)
class Fit:
    """features(p) · coefficients."""

    features: Features
    coefficients: tuple[float, ...]

    def __call__(self, parameters: Parameters) -> float:
        return float(np.dot(self.features(parameters), self.coefficients))


def fit(features: Features, measured: Sequence[tuple[Parameters, float, float]]) -> Fit:
    """Fit to (parameters, counted, of it known) triples. Raises ValueError when there are none."""
    if not measured:
        raise ValueError("there is nothing to fit to")
    rows, wanted = [], []
    for parameters, counted, known in measured:
        scale = max(counted, 1.0)
        rows.append(np.array(features(parameters), float) / scale)
        wanted.append((counted - known) / scale)
    return Fit(features, tuple(nonnegative(np.array(rows), np.array(wanted))))


def nonnegative(matrix: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The x >= 0 of least |matrix x - wanted|; matrix (n, k), wanted (n,). Active sets of Lawson and Hanson (1974)."""
    size = np.sqrt((matrix**2).sum(axis=0))
    size[size == 0] = 1.0
    scaled = matrix / size
    gram = scaled.T @ scaled + _RIDGE**2 * np.eye(scaled.shape[1])
    aim = scaled.T @ wanted
    x, used = np.zeros(len(aim)), np.zeros(len(aim), bool)
    for _ in range(10 * len(aim) + 10):
        slope = np.where(used, -np.inf, aim - gram @ x)
        if slope.max(initial=-np.inf) <= 1e-12:
            break
        used[int(slope.argmax())] = True
        while True:
            best = np.zeros(len(aim))
            best[used] = np.linalg.solve(gram[np.ix_(used, used)], aim[used])
            falls = used & (best <= 0)
            if not falls.any():
                break
            # As far towards the best as nothing becomes negative; what becomes 0 is no longer used.
            step = (x[falls] / np.maximum(x[falls] - best[falls], 1e-300)).min()
            x += step * (best - x)
            used &= x > 1e-15
        x = best
    return x / size
