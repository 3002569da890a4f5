"""The model of log2 and exp2: its error against float64 stays in the stated bounds, its tables are those of the RTL."""

import numpy as np
import pytest

from rlcores.cores.common.log2exp2 import exp2_fixed, log2_fixed

LOG2_BOUND = 2.0**-19.9
EXP2_BOUND = 2.0**-22
# Positions in an octave: an odd stride meets every part of every segment; `slow` takes all 2**26.
STRIDES = [pytest.param(61), pytest.param(1, marks=pytest.mark.slow)]


def octave(stride: int) -> list[np.ndarray]:
    """Positions 0..2**26 - 1 in steps of stride, in parts that fit memory."""
    part = 1 << 21
    return [np.arange(first, min(first + part * stride, 1 << 26), stride) for first in range(0, 1 << 26, part * stride)]


@pytest.mark.parametrize("stride", STRIDES)
def test_log2_stays_within_its_bound_in_every_segment(stride: int) -> None:
    worst = 0.0
    last = -1
    for position in octave(stride):
        x = position + (1 << 26)
        logarithms = log2_fixed(x)
        assert np.all(np.diff(logarithms, prepend=last) >= 0), "not monotone"
        last = logarithms[-1]
        worst = max(worst, np.abs(logarithms / 2**20 - np.log2(x)).max())
    assert 2.0**-21 < worst < LOG2_BOUND


def test_log2_stays_within_its_bound_at_every_width() -> None:
    rng = np.random.default_rng(1)
    for bits in range(1, 65):
        x = rng.integers(1 << (bits - 1), (1 << bits) - 1, 2000, dtype=np.uint64, endpoint=True)
        x = np.concatenate([x, np.array([1 << (bits - 1), (1 << bits) - 1], dtype=np.uint64)])
        # float64 rounds a wide x by 2**-53 of it, far below the bound.
        assert np.abs(log2_fixed(x) / 2**20 - np.log2(x.astype(np.float64))).max() < LOG2_BOUND
        assert log2_fixed(np.array([1 << (bits - 1)], dtype=np.uint64))[0] == (bits - 1) << 20, "a power of two"
    assert log2_fixed(np.array([0]))[0] == 0


@pytest.mark.parametrize("stride", STRIDES)
def test_exp2_stays_within_its_bound_in_every_segment(stride: int) -> None:
    worst = 0.0
    last = 0
    for position in octave(stride):
        powers, saturated = exp2_fixed(position, 39, 38)
        assert not saturated.any()
        assert np.all(np.diff(powers, prepend=last) >= 0), "not monotone"
        last = powers[-1]
        worst = max(worst, np.abs(powers / 2**38 / np.exp2(position / 2**26) - 1).max())
    assert 2.0**-23 < worst < EXP2_BOUND


@pytest.mark.parametrize(("width", "fraction"), [(18, 0), (32, 31), (32, 0), (1, 0), (39, 20), (6, 6)])
def test_exp2_rounds_and_saturates_as_it_says(width: int, fraction: int) -> None:
    rng = np.random.default_rng(2)
    y = rng.integers((-fraction - 3) << 26, (width - fraction + 2) << 26, 20000)
    powers, saturated = exp2_fixed(y, width, fraction)
    exact = np.exp2(y / 2**26 + fraction)
    top = 2.0**width - 1
    inside = exact < top * (1 - EXP2_BOUND)
    assert np.all(np.abs(powers - exact)[inside] <= (0.5 + EXP2_BOUND * exact)[inside])
    beyond = exact > (top + 0.5) * (1 + EXP2_BOUND)
    assert beyond.any() and saturated[beyond].all() and np.all(powers[beyond] == top)
    assert not saturated[inside].any()
    # Whole powers are exact from the least to the greatest that fits; half of the least unit rounds up to one.
    for whole in range(-fraction, width - fraction):
        assert exp2_fixed(np.array(whole << 26), width, fraction) == (1 << (whole + fraction), False)
    assert exp2_fixed(np.array((-fraction - 1) << 26), width, fraction)[0] == 1
    assert exp2_fixed(np.array(((-fraction - 1) << 26) - 1), width, fraction)[0] == 0


def test_exp2_refuses_a_width_that_it_cannot_give() -> None:
    with pytest.raises(ValueError, match="cannot give 40 bits"):
        exp2_fixed(np.array(0), 40, 0)
