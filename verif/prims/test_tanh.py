"""The model of tanh: its error against float64 stays in the stated bound; it is odd and never falls."""

import numpy as np

from rlcores.cores.common import tanh
from rlcores.cores.common.tanh import tanh_fixed

EVERY_X = np.arange(-(1 << 17), 1 << 17)


def test_tanh_stays_within_its_bound_for_every_number() -> None:
    worst = np.abs(tanh_fixed(EVERY_X) / 2**16 - np.tanh(EVERY_X / 2**14)).max()
    assert 2.0**-16.6 < worst < tanh.ERROR == 2.0**-15.6


def test_tanh_is_odd_and_never_falls() -> None:
    curve = tanh_fixed(EVERY_X)
    assert np.all(np.diff(curve) >= 0)
    assert np.array_equal(curve[1:], -curve[:0:-1])
    assert curve[1 << 17] == 0
    assert (curve[0], curve[-1]) == (-(1 << 16), 1 << 16)
