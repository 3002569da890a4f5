"""Advantages of a minibatch less their mean, over their standard deviation, bit for bit: no divider, no square root."""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import LOG2_FRACTION, log2_fixed
from rlcores.cores.policy.density import power
from rlcores.cores.ppo.head import ADVANTAGE_FRAC


@dataclass(frozen=True)
class Scale:
    """What standardises a minibatch of `count`: its sum, mantissa ufix(17,16) (0: all are equal) and exponent."""

    count: int
    total: int
    mantissa: int
    exponent: int

    @property
    def bits(self) -> int:
        """b, the least with 2**b >= count."""
        return (self.count - 1).bit_length()


def log2_wide(x: int) -> int:
    """log2 of a positive integer of any width, 20 fraction bits: of its first 27 bits, as log2_fixed() has it."""
    drop = max(0, x.bit_length() - 63)
    return int(log2_fixed(np.array(x >> drop, np.uint64))) + (drop << LOG2_FRACTION)


def scale_of(advantages: np.ndarray) -> Scale:
    """Of a minibatch (B,), B at least 2, sfix(27,16); with B - 1 below the root, as PyTorch's std.

    n = B * sum(a**2) - sum(a)**2; h = max(log2 n + log2 B - log2(B - 1), 2 b);
    2**(-h / 2) = mantissa * 2**(exponent - 16).
    """
    count, total = len(advantages), int(advantages.sum())
    # Of squares: 54 bits each, more than 2**9 of them would not fit int64.
    squares = sum(int(part @ part) for part in np.array_split(advantages, len(advantages) // 512 + 1))
    spread = count * squares - total * total
    if not spread:
        return Scale(count, total, 0, 0)
    h = log2_wide(spread) + log2_wide(count) - log2_wide(count - 1)
    h = max(h, 2 * (count - 1).bit_length() << LOG2_FRACTION)
    mantissa, exponent = power(np.int64(-h << 5))
    return Scale(count, total, int(mantissa), int(exponent))


def standardised(advantages: np.ndarray, by: Scale) -> tuple[np.ndarray, int]:
    """Standardised advantages, sfix(18,12), and how many did not fit.

    c = round((B * a - sum) / 2**(b + 1)), 27 bits; sat(round(c * mantissa / 2**(3 - exponent - b))).
    """
    centred = round_shift(advantages * by.count - by.total, by.bits + 1)
    # All equal: centred is 0, whatever the shift.
    exact = round_shift(centred * by.mantissa, max(0, 15 - ADVANTAGE_FRAC - by.exponent - by.bits))
    saturated = saturate(exact, 18)
    return saturated, int(np.count_nonzero(exact != saturated))
