"""log2 and exp2 by table and linear interpolation: the integer model of rlc_log2 and rlc_exp2, bit for bit.

A table cuts one octave into 512 segments. Its word holds the value at the segment's left end (22 fraction bits) and
the step to the next one, so the curve is continuous and rises with its argument. A chord lies on one side of the
curve; the nodes are moved by half of its largest distance, which halves the error. Bounds: docs/sumtree_maths.md.
"""

import numpy as np

INDEX_BITS = 9  # 512 segments
REST_BITS = 17  # position inside a segment: the unsigned part of an 18-bit multiplier port
FRACTION = INDEX_BITS + REST_BITS  # 26: bits of the normalised argument of log2, fraction bits of the argument of exp2
NODE_FRACTION = 22  # fraction bits of a node
STEP_BITS = 14  # of the step to the next node; with the node, a word is 36 bits
LOG2_FRACTION = 20  # fraction bits of log2's result
EXP2_MAX_OUTPUT = FRACTION + 13

_SEGMENTS = 1 << INDEX_BITS
_REST = (1 << REST_BITS) - 1
_DROP = NODE_FRACTION + REST_BITS - LOG2_FRACTION  # bits of the interpolated value below log2's result
# Rounds log2's result. It rides in the table, which saves an adder.
_HALF = 1 << (NODE_FRACTION - LOG2_FRACTION - 1)


def log2_nodes() -> np.ndarray:
    """Nodes of log2(1 + i/512), i = 0..512, shape [513], int64 with 22 fraction bits."""
    m = np.arange(_SEGMENTS + 1) / _SEGMENTS
    lift = 1 / np.log(2) / (1 + m) ** 2 / _SEGMENTS**2 / 16
    nodes = np.floor((np.log2(1 + m) + lift) * 2**NODE_FRACTION + 0.5).astype(np.int64)
    # Round to 0 and 1 in the result, so that powers of two are exact.
    nodes[0], nodes[-1] = 1, 1 << NODE_FRACTION
    return nodes


def exp2_nodes() -> np.ndarray:
    """Nodes of 2**(i/512), i = 0..512, shape [513], int64 with 22 fraction bits; powers of two are exact."""
    curve = np.exp2(np.arange(_SEGMENTS + 1) / _SEGMENTS)
    lower = np.log(2) ** 2 * curve / _SEGMENTS**2 / 16
    nodes = np.floor((curve - lower) * 2**NODE_FRACTION + 0.5).astype(np.int64)
    nodes[0], nodes[-1] = 1 << NODE_FRACTION, 2 << NODE_FRACTION
    return nodes


def log2_words() -> np.ndarray:
    """Words of rlc_log2_rom, shape [512], int64 of 36 bits: {node + the rounding of the result, step}."""
    nodes = log2_nodes()
    return _words(nodes[:-1] + _HALF, np.diff(nodes))


def exp2_words() -> np.ndarray:
    """Words of rlc_exp2_rom, shape [512], int64 of 36 bits: {node - 1.0, step}."""
    nodes = exp2_nodes()
    return _words(nodes[:-1] - (1 << NODE_FRACTION), np.diff(nodes))


def _words(nodes: np.ndarray, steps: np.ndarray) -> np.ndarray:
    if nodes.min() < 0 or nodes.max() >> NODE_FRACTION or steps.min() < 0 or steps.max() >> STEP_BITS:
        raise ValueError("a table's numbers do not fit its words")
    return nodes << STEP_BITS | steps


_LOG2 = log2_words()
_EXP2 = exp2_words()


def log2_fixed(x: np.ndarray) -> np.ndarray:
    """log2 of unsigned integers: int64 with 20 fraction bits, of x's shape; 0 where x is 0.

    x: integers 0..2**64 - 1 (an array of uint64 or of non-negative int64). The result is monotone in x, exact for
    powers of two, at most the number of bits of x (2**64 - 1 gives 64.0), and within 2**-19.9 of the mathematics.
    """
    word = np.array(x, dtype=np.uint64)  # a copy: normalised in place of shifting by a data-dependent amount
    exponent = np.full(word.shape, 63, dtype=np.int64)
    for bits in (32, 16, 8, 4, 2, 1):
        low = word < np.uint64(1 << (64 - bits))
        word = np.where(low, word << np.uint64(bits), word)
        exponent -= np.where(low, bits, 0)
    mantissa = (word >> np.uint64(63 - FRACTION)).astype(np.int64) & ((1 << FRACTION) - 1)
    row = _LOG2[mantissa >> REST_BITS]
    value = ((row >> STEP_BITS) << REST_BITS) + (row & ((1 << STEP_BITS) - 1)) * (mantissa & _REST)
    return (exponent << LOG2_FRACTION) + (value >> _DROP)


def log2_double(x: np.ndarray) -> np.ndarray:
    """log2 of normal positive float64, from the same table: int64 with 20 fraction bits, of x's shape.

    >>> log2_double(np.array([0.25, 1.0])).tolist()
    [-2097152, 0]
    """
    bits = np.asarray(x, np.float64).view(np.int64)
    mantissa = (bits >> (52 - FRACTION)) & ((1 << FRACTION) - 1)
    row = _LOG2[mantissa >> REST_BITS]
    value = ((row >> STEP_BITS) << REST_BITS) + (row & ((1 << STEP_BITS) - 1)) * (mantissa & _REST)
    return ((bits >> 52) - 1023 << LOG2_FRACTION) + (value >> _DROP)


def exp2_fixed(y: np.ndarray, width: int, fraction: int) -> tuple[np.ndarray, np.ndarray]:
    """2**y as ufix(width, fraction), rounded half up; and where that was too large and became 2**width - 1.

    y: int64 with 26 fraction bits; width: 1..39. Both results have y's shape, int64 and bool. Monotone in y, exact
    for whole y that fit, relative error before rounding below 2**-22. Raises ValueError for another width.
    """
    if not 1 <= width <= EXP2_MAX_OUTPUT:
        raise ValueError(f"exp2 cannot give {width} bits: give 1 to {EXP2_MAX_OUTPUT}")
    y = np.asarray(y, dtype=np.int64)
    row = _EXP2[(y >> REST_BITS) & (_SEGMENTS - 1)]
    node = (row >> STEP_BITS) + (1 << NODE_FRACTION)
    mantissa = (node << REST_BITS) + (row & ((1 << STEP_BITS) - 1)) * (y & _REST)  # 40 bits, 1.0 is 2**39
    aligned = mantissa >> (EXP2_MAX_OUTPUT - width)  # leading one at the output's top bit, one bit for rounding below
    shift = width - 1 - fraction - (y >> FRACTION)
    shifted = aligned >> np.clip(shift, 0, width + 1)
    value = np.where(shift < 0, 1 << width, (shifted + 1) >> 1)
    saturated = value > (1 << width) - 1
    return np.where(saturated, (1 << width) - 1, value), saturated
