"""Integer model of layer normalisation in rtl/mlp and of its root in rtl/nn, bit for bit.

Weights and biases of a normalised layer are those of sums whose mean is 0, so that only the root of their mean
square is left: u = z / sqrt(Σz² + ε), and y = u · gain + offset, where the factor sqrt(n) is part of the gains.

`rlc_nn_rsqrt`'s table has 256 segments of 1 … 2 and 256 of 2 … 4; its word holds 1 / sqrt(m) at the segment's left
end (20 fraction bits) and the fall to the next one. A chord lies above that curve, so the nodes are lowered by half of
its largest distance.
"""

from typing import NamedTuple

import numpy as np

ROOT_ERROR = 2.0**-16.5  # of the result
FRAC = 17  # fraction bits of u
WIDTH = 16  # bits of a gain and of an offset
MOST_OFFSET_SHIFT = 18
MOST_EPSILON = (1 << 31) - 1
CLOCKS = 16  # from a layer's last sums to its first normalised ones, without the tree that adds the squares
_MOST_BITS = 48
_STEP_BITS = 15
_REST_BITS = 9
_NODE_BITS = 20


class Norm(NamedTuple):
    """A layer's normalisation. epsilon: in units of its squared sums, times their number, at least 1. frac: fraction
    bits of the sums that it takes, in 18 bits. gain_frac, offset_frac: of gains and offsets, in 16 bits."""

    epsilon: int
    frac: int
    gain_frac: int
    offset_frac: int

    @property
    def out_frac(self) -> int:
        """Fraction bits of its results."""
        return FRAC + self.gain_frac

    @property
    def offset_shift(self) -> int:
        """Bits by which offsets are shifted up to its results."""
        return self.out_frac - self.offset_frac


def words() -> np.ndarray:
    """Words of rlc_nn_rsqrt_rom, shape [512], int64 of 36 bits: {node, step}."""
    parts = []
    for begin, segment in ((1.0, 2.0**-8), (2.0, 2.0**-7)):
        left = begin + np.arange(257) * segment
        lower = 0.75 * left**-2.5 * segment**2 / 16
        # The first node is held below the number that 18 signed bits do not have.
        nodes = np.minimum(np.floor((left**-0.5 - lower) * 2**_NODE_BITS + 0.5), 2**_NODE_BITS - 5).astype(np.int64)
        parts.append(nodes[:-1] << _STEP_BITS | -np.diff(nodes))
    return np.concatenate(parts)


_TABLE = words()


def rsqrt(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mantissas and shifts, int64 of x's shape: 1 / sqrt(x) is about mantissa / 2^(17 + shift). x: 1 to 2^48 - 1.

    >>> [int(n[0]) for n in rsqrt(np.array([4]))]
    [131071, 1]
    """
    x = np.asarray(x, dtype=np.int64)
    place = np.frexp(x.astype(np.float64))[1].astype(np.int64) - 1  # of the leading one; exact below 2^53
    odd, shift = place & 1, place >> 1
    top = x << (_MOST_BITS - 1 - place)
    row = _TABLE[odd << 8 | (top >> 39) & 255]
    rest = (top >> 30) & ((1 << _REST_BITS) - 1)
    value = ((row >> _STEP_BITS) << _REST_BITS) - (row & ((1 << _STEP_BITS) - 1)) * rest
    return (value + 2048) >> 12, shift


def normalise(z: np.ndarray, norm: Norm, factors: np.ndarray) -> np.ndarray:
    """Results, int64 [batch, n] with `norm.out_frac` fraction bits.

    z: int64 [batch, n] of 18 bits. factors: int64 [n, 2], gains and offsets.
    """
    root, shift = rsqrt((z * z).sum(axis=-1, keepdims=True) + norm.epsilon)
    u = np.clip((((z * root << 1) >> shift) + 1) >> 1, -(1 << 17), (1 << 17) - 1)
    return u * factors[:, 0] + (factors[:, 1] << norm.offset_shift)
