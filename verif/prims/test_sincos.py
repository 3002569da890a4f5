"""The model of sine and cosine: its error against float64 stays in the stated bound, its table is that of the RTL."""

import numpy as np
import pytest

from rlcores.cores.common.sincos import ANGLE_BITS, ERROR, sincos_fixed

TURN = 1 << ANGLE_BITS
ONE = 1 << 25


def worst(eighth: int) -> float:
    """The largest error of sine and cosine over every angle of an eighth of a turn."""
    largest = 0.0
    for first in range(eighth * TURN // 8, (eighth + 1) * TURN // 8, 1 << 20):
        angle = np.arange(first, first + (1 << 20))
        exact = angle * (2 * np.pi / TURN)
        for fixed, curve in zip(sincos_fixed(angle), (np.sin, np.cos), strict=True):
            largest = max(largest, float(np.abs(fixed / ONE - curve(exact)).max()))
    return largest


@pytest.mark.parametrize("eighth", [pytest.param(k, marks=[pytest.mark.slow] if k else []) for k in range(8)])
def test_sine_and_cosine_stay_within_their_bound_for_every_angle(eighth: int) -> None:
    assert ERROR / 2 < worst(eighth) < ERROR == 2.0**-24.9


def test_sine_and_cosine_have_the_symmetries_of_the_circle() -> None:
    angle = np.concatenate([np.arange(8) * TURN // 8 + k for k in (0, 1, 2)] + [np.arange(0, TURN, 1023)])
    sine, cosine = sincos_fixed(angle)
    assert np.array_equal(sincos_fixed(-angle)[0], -sine)
    assert np.array_equal(sincos_fixed(-angle)[1], cosine)
    assert np.array_equal(sincos_fixed(angle + TURN // 4), (cosine, -sine))
    assert np.array_equal(sincos_fixed(angle - 5 * TURN), (sine, cosine))
    assert np.array_equal(sincos_fixed(np.arange(4) * TURN // 4), ([0, ONE, 0, -ONE], [ONE, 0, -ONE, 0]))
