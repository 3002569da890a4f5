"""Clipping of the gradient's norm over all networks, bit for bit: a sum of squares, and one factor for every number.

As torch.nn.utils.clip_grad_norm_ (Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks",
ICML 2013). A gradient is sfix(27,f), f its layer's; its square is that of round(g / 2**9) in 18 symmetric bits.
"""

import math
from collections.abc import Iterable

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.log2exp2 import LOG2_FRACTION, exp2_fixed
from rlcores.cores.ppo.standardise import log2_wide

NARROW = 9
ONE = 1 << 17  # the factor is ufix(18,17)


def squares(gradient: np.ndarray) -> int:
    """Exact sum of the narrowed squares of one layer's gradients: 34 bits each."""
    narrow = saturate(round_shift(gradient, NARROW), 18, symmetric=True)
    return int((narrow * narrow).sum())


def factor(layers: Iterable[tuple[int, int]], limit: int) -> int:
    """What all gradients are multiplied by, ufix(18,17), at most 1.0, from (sum of squares, fraction f) a layer.

    Sums go, rounded down, to the least fraction. limit: register() of it.
    """
    layers = list(layers)
    least = min(f for _, f in layers)
    total = sum(sum_ >> 2 * (f - least) for sum_, f in layers)
    over = limit - log2_wide(total) if total else 0
    return ONE if over >= 0 else int(exp2_fixed(np.int64(over << 5), 18, 17)[0])


def register(norm: float, batch: int, least: int) -> int:
    """log2 of the squared limit, 20 fraction bits, of gradients summed over `batch`; least: the least fraction."""
    return round(2 * (math.log2(norm * batch) + least - NARROW) * 2**LOG2_FRACTION)


def clipped(gradient: np.ndarray, by: int) -> np.ndarray:
    """round(g * factor / 2**17)."""
    return round_shift(gradient * by, 17)
