"""SGD: the rate times the gradient."""

import numpy as np

from rlcores.cores.learner.optimisers import slot


class Sgd(slot.Optimiser):
    name, title = "sgd", "SGD"
    settings = ("rate", "rate_exp")

    def clocks(self, betas: slot.Betas = slot.Betas()) -> int:
        return 6

    def step(self, w, state, g, rates, rounding=slot.NEAREST, dither=0, betas=slot.Betas()):
        new, over = sgd(w, g, rates.rate, rates.rate_shift, rounding, dither)
        return new, (), over

    def in_floats(self, theta, gradient, kept):
        theta -= gradient * kept.rate


def sgd(
    w: np.ndarray,
    g: np.ndarray,
    rate: np.ndarray | int,
    shift: np.ndarray | int,
    rounding: int = slot.NEAREST,
    dither: np.ndarray | int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """w - rate*g: the new weights, and where they saturated. shift = fg + rate_exp - 22, 0..63."""
    return slot.moved(w, -slot.step_of(g * rate, shift, rounding, dither))
