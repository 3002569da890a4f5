"""Adam without a divider or a square root.

Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1;
m / max(sqrt(v), eps) stands in place of m / (sqrt(v) + eps). The quotient is a difference of logarithms: two tables of
256 words. Bias correction belongs in the rate: log_rate() has it. Formats: m sfix(33,fg+6), v ufix(48,2*fg-4). Error
bounds: RATIO_ERROR, docs/learner_update.md.
"""

import math

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.learner.format import WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.optimisers import slot

LOG_UNIT = 2048  # of log_rate, log_eps, log_clip: units of an octave
RATIO_ERROR = 0.0053  # |step / exact step - 1| of Adam, before it is rounded to the weight's last bit
EPS_MAX = 48 * 1024 - 1  # of eps_of()
SQUARED_MAX = 2**17 - 1

_TABLE_BITS = 8
_TABLE = 1 << _TABLE_BITS
_RATIO_OFFSET = 16384


def log_words() -> np.ndarray:
    """Words of rlc_nn_log_rom, shape [256], 10 bits: 1024 * log2 of the middle of segment f of an octave."""
    f = np.arange(_TABLE)
    return np.floor(1024 * np.log2(1 + (f + 0.5) / _TABLE) + 0.5).astype(np.int64)


def exp_words() -> np.ndarray:
    """2**10 * 2**middle of segment f, [256], int64, 1024..2047. rlc_nn_exp_rom leaves the leading one out."""
    f = np.arange(_TABLE)
    return np.floor(1024 * np.exp2((f + 0.5) / _TABLE) + 0.5).astype(np.int64)


# log2 of an integer below 2**53 by exponent and first fraction bits of its float64, which holds it exactly.
_LOG = ((np.arange(53)[:, None] << 10) + log_words()).ravel()
_FLOAT_SHIFT = 52 - _TABLE_BITS
_FLOAT_BIAS = 1023 << _TABLE_BITS
# The step with 16 fraction bits, by exponent and segment; below the first exponent it is 0, above the last too large.
_EXP_LOW, _EXP_HIGH = -18, WEIGHT_WIDTH - 2
_EXP = np.concatenate(
    [exp_words() << (e + 6) if e + 6 >= 0 else exp_words() >> -(e + 6) for e in range(_EXP_LOW, _EXP_HIGH + 1)]
)
_STEP_LAST = len(_EXP) - 1


class Adam(slot.Optimiser):
    name, title = "adam", "Adam"
    state = (slot.StateWord("m", 6), slot.StateWord("v", 48, beside_gradient=False, signed=False, power=2))
    settings = ("log_rate", "log_eps", "log_clip")
    squares = True

    def clocks(self, betas: slot.Betas = slot.Betas()) -> int:
        first = 2 + (digits(betas.num1) - 1).bit_length() + 1 + 4
        second = 4 + 2 + (digits(betas.num2) - 1).bit_length() + 4
        return max(first, second) + 10

    def step(self, w, state, g, rates, rounding=slot.NEAREST, dither=0, betas=slot.Betas()):
        new, m, v, over = adam(w, *state, g, rates.log_rate, rates.eps, rates.log_clip, rounding, dither, betas)
        return new, (m, v), over

    def in_floats(self, theta, gradient, kept):
        kept.m *= kept.beta1
        kept.m += gradient * (1 - kept.beta1)
        kept.v *= kept.beta2
        kept.v += gradient * gradient * (1 - kept.beta2)
        root = np.sqrt(kept.v) * (1 / math.sqrt(1 - power(kept.beta2, kept.steps))) + kept.epsilon
        theta -= kept.m / root * (kept.rate / (1 - power(kept.beta1, kept.steps)))


def power(x: float, n: int) -> float:
    """x**n by squares: the C library's power differs from processor to processor."""
    result = 1.0
    while n:
        if n & 1:
            result *= x
        x, n = x * x, n >> 1
    return result


def digits(number: int) -> int:
    """Digits that are not 0 of a number in canonical signed form: additions of a multiplication, and one."""
    count = 0
    while number:
        if number % 2:
            number -= 2 - number % 4
            count += 1
        number //= 2
    return count


def adam(
    w: np.ndarray,
    m: np.ndarray,
    v: np.ndarray,
    g: np.ndarray,
    rate: np.ndarray | int,
    eps: np.ndarray | int,
    clip: int,
    rounding: int = slot.NEAREST,
    dither: np.ndarray | int = 0,
    betas: slot.Betas = slot.Betas(),
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """One step of Adam without a divider: w', m', v', and where w' (or the step itself) saturated.

    rate: register log_rate; eps: eps_of() of each layer, before or after its limits; clip: register log_clip.
    """
    move, new_m, new_v, large = move_of(m, v, g, rate, eps, clip, rounding, dither, betas)
    new_w, saturated = slot.moved(w, move)
    return new_w, new_m, new_v, saturated | large


def move_of(
    m: np.ndarray,
    v: np.ndarray,
    g: np.ndarray,
    rate: np.ndarray | int,
    eps: np.ndarray | int,
    clip: int,
    rounding: int,
    dither: np.ndarray | int,
    betas: slot.Betas,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What Adam adds to the weights, m', v', and where that was clipped."""
    new_m = m + round_shift(((g << 6) - m) * betas.num1, betas.shift1)
    narrow = np.minimum(np.maximum((g + 256) >> 9, -SQUARED_MAX), SQUARED_MAX)
    new_v = v + round_shift(((narrow * narrow << 14) - v) * betas.num2, betas.shift2)
    magnitude = np.abs(new_m)
    floor = np.minimum(np.maximum(eps, 0), EPS_MAX)
    # log2_of(1) is 1: it would show if 0 went the same way.
    log_v = np.maximum(np.where(new_v == 0, 0, log2_of(np.maximum(new_v, 1))), floor)
    ratio = np.minimum(2 * log2_of(np.maximum(magnitude, 1)) - log_v - _RATIO_OFFSET, clip)
    index = ((ratio + rate) >> 3) - (_EXP_LOW << _TABLE_BITS)
    step = slot.round_16(np.where(index < 0, 0, _EXP[np.minimum(np.maximum(index, 0), _STEP_LAST)]), rounding, dither)
    large = (index > _STEP_LAST) & (magnitude != 0)
    return -np.sign(new_m) * np.where(large, slot.WEIGHT_MAX, step), new_m, new_v, large


def log2_of(x: np.ndarray) -> np.ndarray:
    """L(x), 1024 * log2 of integers 1..2**53 - 1: by the exponent and 8 bits of fraction. Error below 3.4 / 1024."""
    bits = np.asarray(x, dtype=np.int64).astype(np.float64).view(np.int64)
    return _LOG[(bits >> _FLOAT_SHIFT) - _FLOAT_BIAS]


def eps_of(log_eps: int, grad_frac: np.ndarray | int) -> np.ndarray | int:
    """The least 1024 * log2(v) of layers with these gradient fractions, before its limits; log_eps is the register."""
    return log_eps + (2 * grad_frac - 4) * 1024


def log_register(value: float, least: int = -(2**19)) -> int:
    """2048 * log2(value) in a signed register of 20 bits; 0 and less give the least. log_eps is that of eps."""
    if value <= 0:
        return least
    return max(least, min(math.floor(LOG_UNIT * math.log2(value) + 0.5), 2**19 - 1))


def log_rate(rate: float, step: int = 0, betas: slot.Betas = slot.Betas()) -> int:
    """Register log_rate of Adam's step number `step` (from 1): rate * sqrt(1 - beta2**n) / (1 - beta1**n).

    step 0 leaves the bias correction out, as after many steps.
    """
    if step:
        rate *= math.sqrt(1 - betas.beta2**step) / (1 - betas.beta1**step)
    return log_register(rate * 2**WEIGHT_FRAC)
