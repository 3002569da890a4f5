"""Integer models of the activation units in rtl/nn, bit for bit.

Every unit takes sfix(18, frac). `rlc_nn_elu`'s table cuts 0 < -x < 16 into 512 segments; its word holds 1 - e^x at the
segment's left end (20 fraction bits) and the step to the next one. A chord lies below that curve, so the nodes are
lifted by half of its largest distance.
"""

import numpy as np

from rlcores.cores.common import rom
from rlcores.cores.common.tanh import tanh_fixed

KINDS = ("identity", "relu", "leaky_relu", "tanh", "sigmoid", "elu", "silu", "scaled_elu")
UNITS = KINDS[2:]  # those with a unit of their own
CLOCKS = {"identity": 0, "relu": 0, "leaky_relu": 3, "tanh": 6, "sigmoid": 7, "elu": 6, "silu": 9, "scaled_elu": 9}
TABLES = ("tanh", "sigmoid", "elu", "silu", "scaled_elu")  # whose argument has a format of its own
SLOPED = ("leaky_relu", "scaled_elu")
MOST_SLOPE = {"leaky_relu": (1 << 16) - 1, "scaled_elu": (1 << 17) - 1}
WIDTH = 18  # bits of what a unit takes and gives
MOST_FRACTION = 14
ELU_ERROR = 2.0**-13.4  # without the rounding of the result
SIGMOID_ERROR = 2.0**-15.4

_SEGMENT = 2.0**-5
_REST_BITS = 9
_STEP_BITS = 15
_LARGEST = (1 << 18) - 1


def words() -> np.ndarray:
    """Words of rlc_nn_elu_rom, shape [512], int64 of 36 bits: {node, step}."""
    left = np.arange(rom.WORDS + 1) * _SEGMENT
    lift = np.exp(-left) * _SEGMENT**2 / 16
    lift[0] = 0  # ELU(0) is 0
    nodes = np.floor((1 - np.exp(-left) + lift) * 2**20 + 0.5).astype(np.int64)
    steps = np.diff(nodes)
    if steps.min() < 0 or steps.max() >> _STEP_BITS or nodes.max() >> (rom.WIDTH - _STEP_BITS):
        raise ValueError("the numbers of ELU's table do not fit its words")
    return nodes[:-1] << _STEP_BITS | steps


_TABLE = words()


def out_fraction(kind: str, frac: int) -> int:
    """Fraction bits of what a unit gives, of an argument with `frac` of them."""
    return 16 if kind in ("tanh", "sigmoid") else frac


def _tanh(x: np.ndarray, frac: int, half: bool) -> np.ndarray:
    moved = x << (MOST_FRACTION - frac)
    return tanh_fixed(np.clip(moved >> 1 if half else moved, -(1 << 17), (1 << 17) - 1))


def elu(x: np.ndarray, frac: int) -> np.ndarray:
    """ELU of sfix(18, frac) in the same format, int64 of x's shape."""
    size = np.minimum(np.maximum(-x, 0) << (MOST_FRACTION - frac), _LARGEST)
    row = _TABLE[size >> _REST_BITS]
    value = ((row >> _STEP_BITS) << _REST_BITS) + (row & ((1 << _STEP_BITS) - 1)) * (size & ((1 << _REST_BITS) - 1))
    drop = 29 - frac
    return np.where(x < 0, -((value + (1 << (drop - 1))) >> drop), x)


def leaky(x: np.ndarray, slope: int) -> np.ndarray:
    """x, or x · slope / 2^16 rounded half up where it is negative."""
    return np.where(x < 0, (x * slope + (1 << 15)) >> 16, x)


def unit(kind: str, x: np.ndarray, frac: int, slope: int = 0) -> np.ndarray:
    """What a unit gives, int64 with `out_fraction(kind, frac)` fraction bits.

    kind: one of UNITS. x: integers of 18 bits with `frac` fraction bits, 0 to 14. slope: of `leaky_relu`, or alpha of
    `scaled_elu`, in units of 2^-16.

    >>> unit("leaky_relu", np.array([-256, 256]), 8, slope=1 << 14).tolist()
    [-64, 256]
    """
    x = np.asarray(x, dtype=np.int64)
    match kind:
        case "leaky_relu":
            return leaky(x, slope)
        case "tanh":
            return _tanh(x, frac, False)
        case "sigmoid":
            return (_tanh(x, frac, True) + 65537) >> 1
        case "elu":
            return elu(x, frac)
        case "scaled_elu":
            return leaky(elu(x, frac), slope)
        case "silu":
            return (x * (_tanh(x, frac, True) + 65536) + 65536) >> 17
    raise ValueError(f"the activation '{kind}' has no unit; these have: {', '.join(UNITS)}")
