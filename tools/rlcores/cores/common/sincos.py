"""Sine and cosine by table and second-order correction: the integer model of rlc_sincos, bit for bit.

An angle is a fraction of a turn, so it wraps by itself. It is folded into an eighth of a turn, which is cut into 512
segments. A table has sine and cosine at their centres. With rho the distance to the centre in radians,
sin(centre + rho) = sin(centre) + rho (cos(centre) - rho/2 sin(centre)) to within rho**3/6 < 2**-33, and the cosine
likewise: each is the other's slope. The eighth decides which result is which, and the signs.
"""

import numpy as np

from rlcores.cores.common import rom
from rlcores.cores.common.fixed import round_shift

ANGLE_BITS = 26  # of one turn
FRACTION = 25  # sine and cosine: sfix(27,25); -1.0 and 1.0 are reached
ERROR = 2.0**-24.9  # bound of the distance to the mathematics, for every angle

NODE_FRACTION = 30
REST_BITS = ANGLE_BITS - 3 - 9  # position inside one of the 512 segments of an eighth
RHO_FRACTION = 27  # rho: sfix(18,27)
SLOPE_FRACTION = 17  # sfix(18,17)
BEND_BITS = 6  # the correction of the slope takes this many bits of the node, and with its sign one more of rho
TURN = round(4 * np.pi * 2**13)  # radians of rho in a unit of the angle, with 13 fraction bits

_EIGHTH = 1 << (ANGLE_BITS - 3)
# Rounds the results. It rides in the table, which saves an adder.
_HALF = 1 << (NODE_FRACTION - FRACTION - 1)


def words() -> list[int]:
    """The 512 words of rlc_sincos_rom, of 60 bits: {cosine, sine} of the centres, and the rounding of the results."""
    angles = (np.arange(rom.WORDS) + 0.5) * (2 * np.pi / 8 / rom.WORDS)
    cosine, sine = (np.floor(f(angles) * 2**NODE_FRACTION + 0.5).astype(np.int64) + _HALF for f in (np.cos, np.sin))
    sine[-1] -= 3  # sine and cosine of an eighth of a turn are one number
    if max(cosine.max(), sine.max()) >> NODE_FRACTION:
        raise ValueError("the numbers of the sine's table do not fit its words")
    return [int(c) << NODE_FRACTION | int(s) for c, s in zip(cosine, sine, strict=True)]


_COSINE, _SINE = (np.array([word >> low & (1 << 30) - 1 for word in words()], dtype=np.int64) for low in (30, 0))


def _bend(node: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """node * rho / 2 from a few bits of both, in units of 2**-23: 6 of node (2**-6), 7 of rho (2**-16)."""
    return (node >> (NODE_FRACTION - BEND_BITS)) * (rho >> (18 - 1 - BEND_BITS))


def sincos_fixed(angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of angles, both int64 of angle's shape in sfix(27,25).

    angle: integers in units of 2**-26 turns; whole turns are dropped, so any int64 will do. Both results are within
    ERROR of the mathematics, exact at quarter turns, odd and even, and the cosine is the sine of a quarter turn more.

    >>> [int(x) for x in sincos_fixed(np.int64(1 << 24))]  # a quarter turn
    [33554432, 0]
    """
    angle = np.asarray(angle, dtype=np.int64)
    eighth = (angle >> (ANGLE_BITS - 3)) & 7
    place = angle & (_EIGHTH - 1)
    place = np.where(eighth & 1, _EIGHTH - place, place)  # 0 .. an eighth of a turn, both reached
    segment = np.minimum(place >> REST_BITS, rom.WORDS - 1)
    rest = place - (segment << REST_BITS) - (1 << (REST_BITS - 1))
    rho = round_shift(rest * TURN, 13)
    sine, cosine = _SINE[segment], _COSINE[segment]
    # The slopes with 17 fraction bits; 1.0 does not fit.
    slope = NODE_FRACTION - SLOPE_FRACTION
    rise = np.minimum(round_shift(cosine - (_bend(sine, rho) << 7), slope), (1 << SLOPE_FRACTION) - 1)
    fall = round_shift(sine + (_bend(cosine, rho) << 7), slope)
    drop = RHO_FRACTION + SLOPE_FRACTION - FRACTION
    align = RHO_FRACTION + SLOPE_FRACTION - NODE_FRACTION
    small = ((sine << align) + rise * rho) >> drop
    large = ((cosine << align) - fall * rho) >> drop
    swap = ((eighth + 1) >> 1) & 1
    sine, cosine = np.where(swap, large, small), np.where(swap, small, large)
    return np.where(eighth >= 4, -sine, sine), np.where(((eighth + 2) >> 2) & 1, -cosine, cosine)
