"""Normal and Gumbel numbers from words of 32 random bits: the integer model of rlc_policy_noise, bit for bit.

A word's top bit says on which side of 1/2 the uniform number lies; the other bits, doubled and one, are its distance t
from that end of (0, 1), t = (2 * bits + 1) / 2**33. A table has 16 segments for each octave of t, with the quantile at
the segment's left end and the step to its right end; in between it is a line. A chord lies on one side of the curve, so
the ends are moved by half of its largest distance, which halves the error.

Normal numbers: the quantile function of the normal distribution is odd, so the top bit is a sign. Gumbel numbers,
-ln(-ln u), have a table for each side.
"""

from statistics import NormalDist

import numpy as np

NORMAL_FRACTION = 14  # of a normal number, sfix(18,14)
GUMBEL_FRACTION = 16  # of a Gumbel number, sfix(22,16)
NORMAL_ERROR = 2.0**-12.8  # bound of |normal(w) / 2**14 - quantile|, for every word
GUMBEL_ERROR = 2.0**-11.9

_NODE_BITS, _STEP_BITS, _REST_BITS = 22, 14, 17
_SEGMENTS = 16  # an octave
_OCTAVES = 32
_NORMAL_NODE = 18  # fraction bits of a node
_DROP = _REST_BITS + _NORMAL_NODE - NORMAL_FRACTION
_HALF = 1 << (_NORMAL_NODE - NORMAL_FRACTION - 1)  # rounds a normal number; it rides in the table


def normal_words() -> np.ndarray:
    """Words of rlc_rl_normal_rom, shape [512], int64 of 36 bits: {node + the rounding of the result, step}."""
    quantile = np.vectorize(NormalDist().inv_cdf)
    left, right = _segments()
    z, middle = quantile(left), -quantile((left + right) / 2)
    # The second derivative is z / density**2.
    density = np.exp(-(middle**2) / 2) / np.sqrt(2 * np.pi)
    lower = middle / density**2 * (right - left) ** 2 / 16
    first, last = (-quantile(t) - lower for t in (left, right))
    assert z.max() < 0
    return _words(first, last, _NORMAL_NODE, _HALF)


def gumbel_words() -> np.ndarray:
    """Words of rlc_rl_gumbel_rom, shape [1024], int64 of 36 bits: {node, step}; first those of small u."""
    left, right = _segments()
    t, width = (left + right) / 2, right - left
    # Small u: rises with t, concave or nearly straight. Great u = 1 - t: falls with t, convex.
    log = np.log(t)
    bend = (1 + log) / (t * log) ** 2
    low = [-np.log(-np.log(x)) - bend * width**2 / 16 for x in (left, right)]
    log = np.log1p(-t)
    bend = (1 + log) / ((1 - t) * log) ** 2
    high = [-np.log(-np.log1p(-x)) - bend * width**2 / 16 for x in (left, right)]
    return np.concatenate([_words(*low, GUMBEL_FRACTION, 0), _words(*high, GUMBEL_FRACTION, 0)])


def _segments() -> tuple[np.ndarray, np.ndarray]:
    """The ends of the segments as distances from 0 or 1, shape [512] each."""
    row = np.arange(_OCTAVES * _SEGMENTS)
    octave, segment = np.divmod(row, _SEGMENTS)
    unit = np.exp2(octave - 33.0)
    return unit * (1 + segment / _SEGMENTS), unit * (1 + (segment + 1) / _SEGMENTS)


def _words(first: np.ndarray, last: np.ndarray, fraction: int, half: int) -> np.ndarray:
    nodes, ends = (np.floor(x * 2.0**fraction + 0.5).astype(np.int64) for x in (first, last))
    steps = np.abs(ends - nodes)
    nodes = nodes + half
    if nodes.min() < -(1 << (_NODE_BITS - 1)) or nodes.max() >> (_NODE_BITS - 1) or steps.max() >> _STEP_BITS:
        raise ValueError("a table's numbers do not fit its words")
    return (nodes & ((1 << _NODE_BITS) - 1)) << _STEP_BITS | steps


_NORMAL = normal_words()
_GUMBEL = gumbel_words()


def normal(words: np.ndarray) -> np.ndarray:
    """Normal numbers, int64 with 14 fraction bits, of words 0 … 2**32 - 1: at most 6.4 either way."""
    above, row, rest = _place(words)
    node, step = _read(_NORMAL[row])
    size = ((node << _REST_BITS) - step * rest) >> _DROP
    return np.where(above, size, -size)


def gumbel(words: np.ndarray) -> np.ndarray:
    """Gumbel numbers -ln(-ln u), int64 with 16 fraction bits, -3.2 … 22.9, of words 0 … 2**32 - 1."""
    above, row, rest = _place(words)
    node, step = _read(_GUMBEL[row + above * (_OCTAVES * _SEGMENTS)])
    return ((node << _REST_BITS) + np.where(above, -step, step) * rest + (1 << (_REST_BITS - 1))) >> _REST_BITS


def uniform(words: np.ndarray) -> np.ndarray:
    """Numbers of [0, 1) as the two above understand a word, float64: the middle of what its bits leave open."""
    words = np.asarray(words).astype(np.int64)
    t = (2 * (words & 0x7FFFFFFF) + 1) * 2.0**-33
    return np.where(words >> 31, 1 - t, t)


def _place(words: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whether u is above 1/2, the row of the table and the place in the segment, 17 bits."""
    words = np.asarray(words).astype(np.int64)
    t = 2 * (words & 0x7FFFFFFF) + 1
    octave = np.frexp(t.astype(np.float64))[1].astype(np.int64) - 1
    mantissa = (t << (31 - octave)) & 0x7FFFFFFF
    return words >> 31 != 0, octave * _SEGMENTS + (mantissa >> 27), (mantissa >> 10) & ((1 << _REST_BITS) - 1)


def _read(word: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    node = word >> _STEP_BITS
    node = node - ((node >> (_NODE_BITS - 1)) << _NODE_BITS)
    return node, word & ((1 << _STEP_BITS) - 1)
