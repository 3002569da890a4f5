"""Fractions that follow their numbers: a shared exponent a tensor, which moves by whole bits between two batches.

A tensor has one fraction for all its numbers. After a batch it is known how many of them were clipped, and how many
bits the largest one had. The rule, which needs an OR of magnitudes and a counter, and nothing that a core lacks:

- Were numbers clipped, the fraction falls by 1 at once, and the window begins again.
- Else, at the end of a window in which nothing was clipped, it moves so that `spare` bits stay free above the window's
  largest number. The next window is twice as long, up to WINDOW batches, so that fractions are found in the first
  dozens of batches and then move rarely.

docs/rl_exponents.md compares it with fractions found by hand and with float32.
"""

from collections.abc import Sequence

import numpy as np

from rlcores.cores.learner.format import ACT_WIDTH, FACTOR_FRAC, GRADIENT_WIDTH, SHIFT_MAX, WEIGHT_FRAC, LearnerFormats

WINDOW = 256  # batches, at most
SPARE, DELTA_SPARE, GRADIENT_SPARE = 1, 2, 3  # bits that stay free above the largest number of a window


class Exponent:
    """One tensor's: numbers of `width` bits, `frac` of them fraction."""

    def __init__(self, frac: int, width: int = ACT_WIDTH, spare: int = SPARE, most: int = 31) -> None:
        """frac: where it begins. most: the largest that it can be."""
        self.frac, self.width, self.spare, self.most = frac, width, spare, most
        self.moves = 0
        self._window, self._batches, self._peak, self._saturated = 1, 0, 0, 0

    def see(self, numbers: np.ndarray | int, saturated: int = 0) -> None:
        """What a batch had: its numbers (or the largest magnitude), and how many were clipped. Any number of times."""
        peak = numbers if isinstance(numbers, int) else int(np.abs(numbers).max(initial=0))
        if peak > self._peak:
            self._peak = peak
        self._saturated += saturated

    def move(self) -> int:
        """The end of a batch: by how many bits the fraction has moved."""
        before = self.frac
        self._batches += 1
        if self._saturated:
            self.frac = max(self.frac - 1, 0)
        elif self._batches >= self._window:
            free = self.width - 1 - self._peak.bit_length() - self.spare
            # A tensor of zeros says nothing.
            if self._peak:
                self.frac = min(max(self.frac + free, 0), self.most)
            self._window = min(2 * self._window, WINDOW)
        else:
            self._saturated = 0
            return 0
        self._batches, self._peak, self._saturated = 0, 0, 0
        self.moves += self.frac != before
        return self.frac - before

    def state(self) -> list[int]:
        """Everything that load() needs."""
        return [self.frac, self._window, self._batches, self._peak, self._saturated, self.moves]

    def load(self, state: Sequence[int]) -> None:
        """Go on as the exponent that gave state() would."""
        self.frac, self._window, self._batches, self._peak, self._saturated, self.moves = (int(x) for x in state)


def hidden(layers: int) -> list[Exponent]:
    """Of the activations 1 … M-1."""
    return [Exponent(12, most=20) for _ in range(layers - 1)]


def deltas(layers: int) -> list[Exponent]:
    """Of the deltas 1 … M."""
    return [Exponent(12, spare=DELTA_SPARE) for _ in range(layers)]


def gradients(layers: int) -> list[Exponent]:
    """Of the gradients 1 … M."""
    return [Exponent(12, GRADIENT_WIDTH, GRADIENT_SPARE, SHIFT_MAX) for _ in range(layers)]


def fitting(act: Sequence[int], delta: Sequence[int], grad: Sequence[int]) -> LearnerFormats:
    """Formats of fractions 0 … M of activations and 1 … M of the others, lowered where a shift would not exist."""
    act, delta, grad = list(act), [0, *delta], [0, *grad]
    layers = len(act) - 1
    for layer in range(1, layers + 1):
        act[layer] = min(act[layer], act[layer - 1] + WEIGHT_FRAC)
    delta[layers] = min(delta[layers], FACTOR_FRAC + act[layers])
    before: list[int] = []
    while delta != before:
        before = list(delta)
        for layer in range(1, layers + 1):
            delta[layer] = min(delta[layer], grad[layer] + SHIFT_MAX - act[layer - 1])
            if layer > 1:
                delta[layer] = min(delta[layer], delta[layer - 1] + SHIFT_MAX - WEIGHT_FRAC)
                delta[layer - 1] = min(delta[layer - 1], delta[layer] + WEIGHT_FRAC)
    for layer in range(1, layers + 1):
        grad[layer] = min(grad[layer], delta[layer] + act[layer - 1], SHIFT_MAX)
    return LearnerFormats(tuple(act), tuple(delta), tuple(grad))
