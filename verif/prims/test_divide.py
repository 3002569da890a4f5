"""The models of division: rlc_divide is exact, rlc_reciprocal stays in its stated bound."""

import math
from fractions import Fraction

import numpy as np
import pytest

from rlcores.cores.common.divide import RECIPROCAL_ERROR, divide_fixed, reciprocal_fixed


@pytest.mark.parametrize(("fraction", "width"), [(0, 7), (3, 9), (6, 14), (0, 2)])
def test_every_quotient_is_the_rounded_and_saturated_one(fraction: int, width: int) -> None:
    numerator, denominator = np.arange(-64, 64)[:, None], np.arange(1, 64)[None, :]
    quotients, saturated = divide_fixed(numerator, denominator, fraction, width)
    for i, n in enumerate(range(-64, 64)):
        for k, d in enumerate(range(1, 64)):
            exact = math.floor(Fraction(n << fraction, d) + Fraction(1, 2))
            kept = min(max(exact, -(1 << (width - 1))), (1 << (width - 1)) - 1)
            assert (quotients[i, k], saturated[i, k]) == (kept, kept != exact), (n, d)


def test_by_nothing_a_quotient_is_the_limit() -> None:
    quotients, saturated = divide_fixed(np.array([-5, 0, 5]), np.zeros(3), 4, 8)
    assert quotients.tolist() == [-128, 127, 127] and saturated.all()


def test_what_cannot_be_divided_is_refused() -> None:
    with pytest.raises(ValueError, match="a denominator is negative"):
        divide_fixed(np.array([1]), np.array([-1]), 0, 8)
    with pytest.raises(ValueError, match="do not fit 62 bits"):
        divide_fixed(np.array([1 << 40]), np.array([1]), 30, 8)


def test_the_reciprocal_stays_within_its_bound_for_every_number() -> None:
    """Every one of 2^26."""
    worst, last = 0.0, 1 << 23
    for first in range(0, 1 << 26, 1 << 20):
        x = np.arange(first, first + (1 << 20))
        reciprocals = reciprocal_fixed(x)
        worst = max(worst, float(np.abs(reciprocals / 2**23 - 1 / (1 + x / 2**26)).max()))
        assert reciprocals[0] <= last and np.all(np.diff(reciprocals) <= 0)
        last = reciprocals[-1]
    assert RECIPROCAL_ERROR / 2 < worst < RECIPROCAL_ERROR == 2.0**-19.9
    assert reciprocal_fixed(np.int64(0)) == 1 << 23
