"""Learner core, integer model of the weight update: equals rlc_learner_update bit for bit.

Everything is elementwise on int64 arrays, and every format may be an array that broadcasts, so that all layers of a
network go in one pass. Formats: weights sfix(27,22), gradients sfix(27,fg), the target network's weights sfix(27,22),
or sfix(36,31) where they are averages. A result `saturated` is a bool array: which lanes the hardware would count. What
moves the weights stands in optimisers/.
"""

from collections.abc import Sequence

import numpy as np

from rlcores.cores.common.draws import state_of
from rlcores.cores.learner.format import POLYAK_FRAC
from rlcores.cores.learner.optimisers.slot import GRADIENT_MAX, WEIGHT_MAX

RATE_MAX = 2**17 - 1  # of the mantissas rate, momentum and tau


def gradient(sums: np.ndarray, shift: np.ndarray | int, squares: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The batch's gradient g, sfix(27,fg), from its exact 48-bit sum; and where it saturated.

    shift: fraction bits to drop, 0..47. The range is symmetric. The square of a gradient takes round(g / 512) in 18
    symmetric bits, which the last 256 values on either side exceed; with `squares` they count as saturated too.
    """
    shift = np.asarray(shift, dtype=np.int64)
    exact = (sums + ((1 << shift) >> 1)) >> shift
    g = np.minimum(np.maximum(exact, -GRADIENT_MAX), GRADIENT_MAX)
    if squares:
        return g, (exact >= GRADIENT_MAX - 255) | (exact <= 254 - GRADIENT_MAX)
    return g, g != exact


def sync(w: np.ndarray, t: np.ndarray, tau: int, polyak: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The target network's stored weights after an update that synchronises them, and where they saturated.

    w: the new weights. t: stored weights, 9*polyak fraction bits longer than w. tau: ufix(17,17); 0, or an
    architecture that does not average (polyak 0), copies.
    """
    if not polyak or not tau:
        return w << (POLYAK_FRAC * polyak), np.zeros(np.shape(w), dtype=bool)
    exact = w - (t >> POLYAK_FRAC)
    d = np.minimum(np.maximum(exact, -WEIGHT_MAX - 1), WEIGHT_MAX)
    return t + ((d * tau + 128) >> 8), d != exact


def target_of(t: np.ndarray, polyak: int = 1) -> np.ndarray:
    """The weights sfix(27,22) that the target network computes with, from the stored ones."""
    return t >> (POLYAK_FRAC * polyak)


def seed_of(seed: int, layer: int, actor: int = 0) -> tuple[int, int, int, int]:
    """State of a layer's generator of dither: xoshiro128++, seeded with (seed + layer + 16*actor) mod 2**32."""
    return state_of((seed + layer + 16 * actor) & 0xFFFFFFFF)


def dither_of(words: np.ndarray | Sequence[int], lanes: int) -> np.ndarray:
    """Dither of 16 bits, int64 (groups, lanes): lane k takes its group's word, rotated right by 5*k mod 32.

    words: one of the generator's 32-bit words for each group updated, weights first, then biases.
    """
    word = np.asarray(words, dtype=np.int64)[:, None]
    turn = 5 * np.arange(lanes) % 32
    return (word >> turn | word << (32 - turn)) & 0xFFFF
