"""Division, two ways: the integer models of rlc_divide and rlc_reciprocal, bit for bit.

rlc_divide is exact, a bit of the quotient a stage, without a multiplier. rlc_reciprocal is a table of 512 segments with
linear interpolation, one multiplier, and little latency. A chord of the curve 1 - 1/x lies below it; the nodes are
lifted by half of its largest distance, which halves the error, except where the answer must be exact.
"""

import numpy as np

from rlcores.cores.common import rom
from rlcores.cores.common.fixed import limits, saturate

MANTISSA_FRACTION = 26  # x - 1.0 of 1 <= x < 2: ufix(26,26)
RECIPROCAL_FRACTION = 23  # 1/x: ufix(24,23); 1.0 is reached, at x = 1
RECIPROCAL_ERROR = 2.0**-19.9  # bound of |reciprocal_fixed(x) / 2**23 - 1/x|, for every x

STEP_BITS = 14
REST_BITS = MANTISSA_FRACTION - 9  # position inside a segment: the unsigned part of an 18-bit multiplier port

_ONE = 1 << RECIPROCAL_FRACTION


def divide_fixed(
    numerator: np.ndarray, denominator: np.ndarray, fraction: int, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """floor(numerator / denominator * 2**fraction + 1/2), clipped to `width` signed bits; and where it was clipped.

    numerator: int64; denominator: int64, 0 or more. By 0 every quotient is clipped, to the greatest number, or to the
    least one if the numerator is negative. Both results have the arguments' shape, int64 and bool. Raises ValueError
    for a negative denominator, and when numerator * 2**fraction does not fit 62 bits.

    >>> [int(x) for x in divide_fixed(np.int64(-7), np.int64(2), 0, 8)]
    [-3, 0]
    """
    numerator, denominator = np.asarray(numerator, dtype=np.int64), np.asarray(denominator, dtype=np.int64)
    if np.any(denominator < 0):
        raise ValueError("a denominator is negative: give 0 or more")
    if np.any(np.abs(numerator) >> (61 - fraction)):
        raise ValueError(f"numerators with {fraction} bits of fraction below them do not fit 62 bits")
    # Half a denominator is added without doubling both: floor((2n + d) / 2d) = floor(floor((2n + d) / 2) / d).
    raised = (numerator << fraction) + (denominator >> 1)
    quotient = raised // np.maximum(denominator, 1)
    quotient = np.where(denominator == 0, np.where(numerator < 0, *limits(63)), quotient)
    clipped = saturate(quotient, width)
    return clipped, clipped != quotient


def nodes() -> np.ndarray:
    """Nodes of 1 - 512/(512 + i), i = 0..512, shape [513], int64, 23 fraction bits; those of 1 and 1/2 are exact."""
    x = 1 + np.arange(rom.WORDS + 1) / rom.WORDS
    lift = 2 / x**3 / rom.WORDS**2 / 16
    rounded = np.floor((1 - 1 / x + lift) * _ONE + 0.5).astype(np.int64)
    rounded[0], rounded[-1] = 0, _ONE >> 1
    return rounded


def words() -> np.ndarray:
    """Words of rlc_reciprocal_rom, shape [512], int64 of 36 bits: {node, step}."""
    left, steps = nodes()[:-1], np.diff(nodes())
    if steps.min() < 0 or steps.max() >> STEP_BITS or left.max() >> (rom.WIDTH - STEP_BITS):
        raise ValueError("the numbers of the reciprocal's table do not fit its words")
    return left << STEP_BITS | steps


_TABLE = words()


def reciprocal_fixed(x: np.ndarray) -> np.ndarray:
    """1/x as ufix(24,23), for 1 <= x < 2: int64 of x's shape.

    x: what stands behind the point of 1.0 <= x < 2.0, integers 0 .. 2**26 - 1 in units of 2**-26. The result never
    rises with x, is exact for 1.0, and within RECIPROCAL_ERROR of the mathematics.

    >>> int(reciprocal_fixed(np.int64(1 << 25)))  # 2/3
    5592404
    """
    x = np.asarray(x, dtype=np.int64)
    row = _TABLE[x >> REST_BITS]
    value = ((row >> STEP_BITS) << REST_BITS) + (row & ((1 << STEP_BITS) - 1)) * (x & ((1 << REST_BITS) - 1))
    return _ONE - ((value + (1 << (REST_BITS - 1))) >> REST_BITS)
