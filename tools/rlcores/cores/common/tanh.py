"""tanh by table and linear interpolation: the integer model of rlc_tanh, bit for bit.

The table cuts |x| < 8 into 512 segments. Its word holds the value at the segment's left end (20 fraction bits) and the
step to the next one. A chord lies below the curve; the nodes are lifted by half of its largest distance, which halves
the error. The sign of x is put on the rounded magnitude, so tanh(-x) is exactly -tanh(x).
"""

import numpy as np

from rlcores.cores.common import rom

IN_WIDTH, IN_FRACTION = 18, 14  # x: sfix(18,14), -8 <= x < 8
OUT_FRACTION = 16  # tanh: sfix(18,16); 1.0 is reached
NODE_FRACTION = 20
STEP_BITS = 14
REST_BITS = IN_WIDTH - 1 - 9  # position inside one of the 512 segments
ERROR = 2.0**-15.6  # bound of |tanh_fixed(x) / 2**16 - tanh(x / 2**14)|, for every x

_DROP = NODE_FRACTION + REST_BITS - OUT_FRACTION
_LARGEST = (1 << (IN_WIDTH - 1)) - 1
# Rounds the result. It rides in the table, which saves an adder.
_HALF = 1 << (NODE_FRACTION - OUT_FRACTION - 1)


def nodes() -> np.ndarray:
    """Nodes of tanh(i/64), i = 0..512, shape [513], int64 with 20 fraction bits; tanh(0) is exact."""
    segment = 2.0 ** (REST_BITS - IN_FRACTION)
    curve = np.tanh(np.arange(rom.WORDS + 1) * segment)
    lift = 2 * curve * (1 - curve**2) * segment**2 / 16
    return np.floor((curve + lift) * 2**NODE_FRACTION + 0.5).astype(np.int64)


def words() -> np.ndarray:
    """Words of rlc_tanh_rom, shape [512], int64 of 35 bits: {node + the rounding of the result, step}."""
    left, steps = nodes()[:-1] + _HALF, np.diff(nodes())
    if steps.min() < 0 or steps.max() >> STEP_BITS or left.max() >> (rom.WIDTH - STEP_BITS):
        raise ValueError("the numbers of tanh's table do not fit its words")
    return left << STEP_BITS | steps


_TABLE = words()


def tanh_fixed(x: np.ndarray) -> np.ndarray:
    """tanh of sfix(18,14) as sfix(18,16): int64 of x's shape.

    x: integers -2**17 .. 2**17 - 1. Odd, monotone, tanh(0) = 0, |result| <= 2**16, within ERROR of the mathematics.
    """
    x = np.asarray(x, dtype=np.int64)
    size = np.minimum(np.abs(x), _LARGEST)
    row = _TABLE[size >> REST_BITS]
    value = ((row >> STEP_BITS) << REST_BITS) + (row & ((1 << STEP_BITS) - 1)) * (size & ((1 << REST_BITS) - 1))
    return np.sign(x) * (value >> _DROP)
