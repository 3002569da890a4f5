"""SGD with momentum, as PyTorch's: the rate times a sum of gradients that fades."""

import numpy as np

from rlcores.cores.learner.optimisers import slot


class Momentum(slot.Optimiser):
    name, title = "momentum", "SGD with momentum"
    state = (slot.StateWord("m", 0),)
    settings = ("rate", "rate_exp", "momentum")
    multipliers = 2

    def clocks(self, betas: slot.Betas = slot.Betas()) -> int:
        return 9

    def step(self, w, state, g, rates, rounding=slot.NEAREST, dither=0, betas=slot.Betas()):
        new, m, over = momentum(w, *state, g, rates.momentum, rates.rate, rates.rate_shift, rounding, dither)
        return new, (m,), over

    def in_floats(self, theta, gradient, kept):
        kept.m *= kept.momentum
        kept.m += gradient
        theta -= kept.m * kept.rate


def momentum(
    w: np.ndarray,
    m: np.ndarray,
    g: np.ndarray,
    mu: int,
    rate: np.ndarray | int,
    shift: np.ndarray | int,
    rounding: int = slot.NEAREST,
    dither: np.ndarray | int = 0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """m' = g + mu*m, w' = w - rate*m' (PyTorch's SGD with momentum): w', m' and where either saturated.

    mu: ufix(17,17). m has the gradient's format, and its symmetric range.
    """
    exact = g + ((m * mu + (1 << 16)) >> 17)
    new_m = np.minimum(np.maximum(exact, -slot.GRADIENT_MAX), slot.GRADIENT_MAX)
    new_w, saturated = slot.moved(w, -slot.step_of(new_m * rate, shift, rounding, dither))
    return new_w, new_m, saturated | (new_m != exact)
