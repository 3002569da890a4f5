"""Learner core, integer model of the weight update: equals rlc_learner_update bit for bit.

Everything is elementwise on int64 arrays, and every format may be an array that broadcasts, so that all layers of a
network go in one pass. Formats: weights sfix(27,22), gradients sfix(27,fg), Adam's first moment sfix(33,fg+6), its
second ufix(48,2*fg-4), the target network's weights sfix(27,22), or sfix(36,31) where they are averages. A result
`saturated` is a bool array: which lanes the hardware would count.

Adam: Kingma, Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1, with m / max(sqrt(v), eps) in
place of m / (sqrt(v) + eps). The quotient is a difference of logarithms: two tables of 256 words, no divider, no
square root. Bias correction belongs in the rate: log_rate() has it. Error bounds: RATIO_ERROR, docs/learner_update.md.

`python -m rlcores.cores.learner.update log` (or exp) prints the Verilog file of a table.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rlcores.cores.common import rom
from rlcores.cores.common.draws import state_of
from rlcores.cores.common.fixed import limits, round_shift
from rlcores.cores.learner.format import GRADIENT_WIDTH, POLYAK_FRAC, WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.shape import ADAM, FLOOR, NEAREST, SGD, STOCHASTIC

RATE_MAX = 2**17 - 1  # of the mantissas rate, momentum and tau

LOG_UNIT = 2048  # of log_rate, log_eps, log_clip: units of an octave
RATIO_ERROR = 0.0053  # |step / exact step - 1| of Adam, before it is rounded to the weight's last bit

_DITHER_BITS = 16
_TABLE_BITS = 8
_TABLE = 1 << _TABLE_BITS
_WEIGHT_MAX = limits(WEIGHT_WIDTH)[1]
_GRADIENT_MAX = limits(GRADIENT_WIDTH)[1]
_SQUARED_MAX = 2**17 - 1
EPS_MAX = 48 * 1024 - 1  # of eps_of()
_RATIO_OFFSET = 16384


@dataclass(frozen=True)
class Betas:
    """Adam's decays as the RTL's parameters: 1 - beta1 = num1 / 2**shift1, 1 - beta2 = num2 / 2**shift2."""

    num1: int = 205
    shift1: int = 11
    num2: int = 131
    shift2: int = 17

    @cached_property
    def beta1(self) -> float:
        """beta1 as built."""
        return 1 - self.num1 / 2**self.shift1

    @cached_property
    def beta2(self) -> float:
        """beta2 as built."""
        return 1 - self.num2 / 2**self.shift2


def log_words() -> np.ndarray:
    """Words of rlc_learner_log_rom, shape [256], 10 bits: 1024 * log2 of the middle of segment f of an octave."""
    f = np.arange(_TABLE)
    return np.floor(1024 * np.log2(1 + (f + 0.5) / _TABLE) + 0.5).astype(np.int64)


def exp_words() -> np.ndarray:
    """2**10 * 2**middle of segment f, [256], int64, 1024..2047. rlc_learner_exp_rom leaves the leading one out."""
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


def gradient(sums: np.ndarray, shift: np.ndarray | int, optimiser: int = SGD) -> tuple[np.ndarray, np.ndarray]:
    """The batch's gradient g, sfix(27,fg), from its exact 48-bit sum; and where it saturated.

    shift: fraction bits to drop, 0..47. The range is symmetric. Adam's square takes round(g / 512) in 18 symmetric
    bits, which the last 256 values on either side exceed; with optimiser ADAM they count as saturated too.
    """
    shift = np.asarray(shift, dtype=np.int64)
    exact = (sums + ((1 << shift) >> 1)) >> shift
    g = np.minimum(np.maximum(exact, -_GRADIENT_MAX), _GRADIENT_MAX)
    if optimiser == ADAM:
        return g, (exact >= _GRADIENT_MAX - 255) | (exact <= 254 - _GRADIENT_MAX)
    return g, g != exact


def step_of(value: np.ndarray, shift: np.ndarray | int, rounding: int, dither: np.ndarray | int = 0) -> np.ndarray:
    """R(value, shift): value / 2**shift as an integer, rounded by the mode; |value| < 2**46, shift 0..63.

    dither: 16 bits an element (see dither_of), used by STOCHASTIC only.
    """
    return _round_16((value << _DITHER_BITS) >> shift, rounding, dither)


def sgd(
    w: np.ndarray,
    g: np.ndarray,
    rate: np.ndarray | int,
    shift: np.ndarray | int,
    rounding: int = NEAREST,
    dither: np.ndarray | int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """w - rate*g: the new weights, and where they saturated. shift = fg + rate_exp - 22, 0..63."""
    return _moved(w, -step_of(g * rate, shift, rounding, dither))


def momentum(
    w: np.ndarray,
    m: np.ndarray,
    g: np.ndarray,
    mu: int,
    rate: np.ndarray | int,
    shift: np.ndarray | int,
    rounding: int = NEAREST,
    dither: np.ndarray | int = 0,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """m' = g + mu*m, w' = w - rate*m' (PyTorch's SGD with momentum): w', m' and where either saturated.

    mu: ufix(17,17). m has the gradient's format, and its symmetric range.
    """
    exact = g + ((m * mu + (1 << 16)) >> 17)
    new_m = np.minimum(np.maximum(exact, -_GRADIENT_MAX), _GRADIENT_MAX)
    new_w, saturated = _moved(w, -step_of(new_m * rate, shift, rounding, dither))
    return new_w, new_m, saturated | (new_m != exact)


def adam(
    w: np.ndarray,
    m: np.ndarray,
    v: np.ndarray,
    g: np.ndarray,
    rate: np.ndarray | int,
    eps: np.ndarray | int,
    clip: int,
    rounding: int = NEAREST,
    dither: np.ndarray | int = 0,
    betas: Betas = Betas(),
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """One step of Adam without a divider: w', m', v', and where w' (or the step itself) saturated.

    rate: register log_rate; eps: eps_of() of each layer, before or after its limits; clip: register log_clip.
    """
    new_m = m + round_shift(((g << 6) - m) * betas.num1, betas.shift1)
    narrow = np.minimum(np.maximum((g + 256) >> 9, -_SQUARED_MAX), _SQUARED_MAX)
    new_v = v + round_shift(((narrow * narrow << 14) - v) * betas.num2, betas.shift2)
    magnitude = np.abs(new_m)
    floor = np.minimum(np.maximum(eps, 0), EPS_MAX)
    # log2_of(1) is 1: it would show if 0 went the same way.
    log_v = np.maximum(np.where(new_v == 0, 0, log2_of(np.maximum(new_v, 1))), floor)
    ratio = np.minimum(2 * log2_of(np.maximum(magnitude, 1)) - log_v - _RATIO_OFFSET, clip)
    index = ((ratio + rate) >> 3) - (_EXP_LOW << _TABLE_BITS)
    step = _round_16(np.where(index < 0, 0, _EXP[np.minimum(np.maximum(index, 0), _STEP_LAST)]), rounding, dither)
    large = (index > _STEP_LAST) & (magnitude != 0)
    step = np.where(large, _WEIGHT_MAX, step)
    new_w, saturated = _moved(w, -np.sign(new_m) * step)
    return new_w, new_m, new_v, saturated | large


def sync(w: np.ndarray, t: np.ndarray, tau: int, polyak: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The target network's stored weights after an update that synchronises them, and where they saturated.

    w: the new weights. t: stored weights, 9*polyak fraction bits longer than w. tau: ufix(17,17); 0, or an
    architecture that does not average (polyak 0), copies.
    """
    if not polyak or not tau:
        return w << (POLYAK_FRAC * polyak), np.zeros(np.shape(w), dtype=bool)
    exact = w - (t >> POLYAK_FRAC)
    d = np.minimum(np.maximum(exact, -_WEIGHT_MAX - 1), _WEIGHT_MAX)
    return t + ((d * tau + 128) >> 8), d != exact


def target_of(t: np.ndarray, polyak: int = 1) -> np.ndarray:
    """The weights sfix(27,22) that the target network computes with, from the stored ones."""
    return t >> (POLYAK_FRAC * polyak)


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


def log_rate(rate: float, step: int = 0, betas: Betas = Betas()) -> int:
    """Register log_rate of Adam's step number `step` (from 1): rate * sqrt(1 - beta2**n) / (1 - beta1**n).

    step 0 leaves the bias correction out, as after many steps.
    """
    if step:
        rate *= math.sqrt(1 - betas.beta2**step) / (1 - betas.beta1**step)
    return log_register(rate * 2**WEIGHT_FRAC)


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


def _round_16(value: np.ndarray, rounding: int, dither: np.ndarray | int) -> np.ndarray:
    if rounding == FLOOR:
        return value >> _DITHER_BITS
    return (value + (dither if rounding == STOCHASTIC else 1 << (_DITHER_BITS - 1))) >> _DITHER_BITS


def _moved(w: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    exact = w + step
    new = np.minimum(np.maximum(exact, -_WEIGHT_MAX - 1), _WEIGHT_MAX)
    return new, new != exact


def rom_text(name: str) -> str:
    """The Verilog file of a table, name "log" or "exp"; as committed in rtl/learner/rlc_learner_<name>_rom.v."""
    return rom.text(f"learner/rlc_learner_{name}_rom.v", {"log": log_words(), "exp": exp_words() - 1024}[name])


if __name__ == "__main__":
    rom.command(rom_text, "log", "exp")
