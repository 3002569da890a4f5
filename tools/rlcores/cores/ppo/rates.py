"""Adam's rate step by step, bit for bit: bias correction and the falling learning rate, made on the chip.

log_rate = log2(rate) + log2(1 - beta2**n) / 2 - log2(1 - beta1**n) + log2(left / iterations), the register of
cores/learner/update.py, units of 1/2048. Powers of beta go by b -= (b * NUM) >> SHIFT from 2**32.
"""

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.common.log2exp2 import LOG2_FRACTION, log2_fixed
from rlcores.cores.learner.optimisers.slot import Betas

ONE = 1 << 32


class Rates:
    """log_rate of every step. first: log2(rate * 2**22), 20 fraction bits; iterations: the rate falls to 0 over them.

    iterations 0: it does not fall.
    """

    def __init__(self, first: int, iterations: int = 0, betas: Betas = Betas()) -> None:
        self.first, self.iterations, self.betas = first, iterations, betas
        self.power1 = self.power2 = ONE

    def next(self, iteration: int) -> int:
        """Of the next step, which belongs to iteration 0, 1 …; from the last iteration on the rate stays."""
        b = self.betas
        self.power1 -= self.power1 * b.num1 >> b.shift1
        self.power2 -= self.power2 * b.num2 >> b.shift2
        rate = 2 * self.first + _log(ONE - self.power2) - 2 * _log(ONE - self.power1)
        if self.iterations:
            rate += 2 * (_log(max(1, self.iterations - iteration)) - _log(self.iterations))
        # log2(2**32) of both powers: one half of it is left.
        rate += 32 << LOG2_FRACTION
        return int(round_shift(rate, 1 + LOG2_FRACTION - 11))


def _log(x: int) -> int:
    return int(log2_fixed(np.array(x, np.uint64)))
