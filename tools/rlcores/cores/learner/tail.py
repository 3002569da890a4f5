"""The actor's end, bit for bit: tanh of its output towards the critic, and the delta that comes back through tanh.

Everything is an int64 array of any shape. The RTL is `rlc_rl_tanh` and `rlc_rl_tanh_backward`.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.tanh import OUT_FRACTION, tanh_fixed
from rlcores.cores.learner.format import ACT_WIDTH


def action(u: np.ndarray, shift: int) -> np.ndarray:
    """tanh of the actor's output, sfix(18,14), with 16 - shift fraction bits: the critic's input. shift is 0..16."""
    return round_shift(tanh_fixed(u), shift)


def slope(u: np.ndarray) -> np.ndarray:
    """1 - tanh(u)**2 of u sfix(18,14), ufix(17,16): 0 .. 2**16."""
    a = tanh_fixed(u)
    return round_shift((1 << 2 * OUT_FRACTION) - a * a, OUT_FRACTION)


def tail_delta(da: np.ndarray, slopes: np.ndarray, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """Delta of the actor's output, 18 bits, and which elements saturated.

    da is the critic's gradient by the action, sfix(18, fp); slopes as slope() gives them. The delta has
    16 + fp - shift fraction bits.
    """
    exact = round_shift(da * slopes, shift)
    delta = saturate(exact, ACT_WIDTH)
    return delta, exact != delta
