"""AdamW: Loshchilov, Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2.

Beside Adam's step, a weight shrinks by a part of itself, learning rate * weight decay.
"""

import math
from typing import ClassVar

import numpy as np

from rlcores.cores.learner.optimisers import adam, slot

DECAY_SHIFT = 17  # decay / 2**(17 + exponent)
DECAY_EXP_MAX = 63 - DECAY_SHIFT


class AdamW(adam.Adam):
    name, title = "adamw", "AdamW"
    settings = (*adam.Adam.settings, "decay")
    multipliers = 2
    defaults: ClassVar = {"weight_decay": 0.01}  # PyTorch's

    def clocks(self, betas: slot.Betas = slot.Betas()) -> int:
        return super().clocks(betas) + 1

    def step(self, w, state, g, rates, rounding=slot.NEAREST, dither=0, betas=slot.Betas()):
        move, m, v, large = adam.move_of(*state, g, rates.log_rate, rates.eps, rates.log_clip, rounding, dither, betas)
        new, saturated = slot.moved(w, move - decayed(w, rates.decay, rates.decay_exp, rounding, dither))
        return new, (m, v), saturated | large

    def in_floats(self, theta, gradient, kept):
        if kept.decay:
            theta *= 1 - kept.rate * kept.decay
        super().in_floats(theta, gradient, kept)


def decayed(w: np.ndarray, decay: int, exponent: int, rounding: int, dither: np.ndarray | int = 0) -> np.ndarray:
    """By how much a weight shrinks: R(w * decay, 17 + exponent). Its random bits are the step's, in another order."""
    turned = (dither & 0xFF) << 8 | dither >> 8
    return slot.step_of(w * decay, DECAY_SHIFT + exponent, rounding, turned)


def decay_of(part: float) -> int:
    """Register decay, mantissa and exponent side by side, of learning rate * weight decay. Raises ValueError."""
    if not (math.isfinite(part) and 0 <= part < 1):
        raise ValueError(f"learning rate * weight decay is {part:g}; it must be 0 or more, and below 1")
    if part == 0:
        return 0
    exponent = min(max(-1 - math.floor(math.log2(part)), 0), DECAY_EXP_MAX)
    mantissa = min(math.floor(part * 2.0 ** (DECAY_SHIFT + exponent) + 0.5), 2**DECAY_SHIFT - 1)
    return exponent << 18 | mantissa


def decay_parts(register: int) -> tuple[int, int]:
    """Mantissa and exponent of register decay."""
    return register & (1 << 18) - 1, register >> 18
