"""GAE core, integer model of its front: statistics, scales, quantiser. Equals the RTL bit for bit.

Names of formats: sfix(W, F) and ufix(W, F) have W bits, F of them fraction. A raw number is what the stream
carries: sfix(24, F) with an F that only software knows.
"""

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from rlcores.cores.common.fixed import round_divide, round_shift, saturate

# Kinds of a record. Bit 0 says that it is a step.
NONE, STEP, BOOT, TERMINATED = 0, 1, 2, 3

RAW_BITS = 24
MEAN_FRACTION = 2  # a mean is sfix(27, 2) in raw LSB
MEAN_BITS = 27
MANTISSA_BITS = 17
CLIP_ONE = 256  # CLIP is ufix(16, 8)
GAMMA_ONE = 1 << 31  # GAMMA and GAMMA_LAMBDA are ufix(32, 31)
QBITS_MIN, QBITS_MAX = 3, 16
QBITS_NARROW = 10  # with more bits a code, a core's products take two DSP slices each
SHIFT_LIMIT = 15  # four bits of shifter


def clog2(x: int) -> int:
    """The least n with 2**n >= x, as Verilog's $clog2."""
    return (x - 1).bit_length()


@dataclass(frozen=True)
class GaeFormats:
    """Widths and limits of the numbers of a core built with DEPTH and QBITS (rlc_gae_defs.vh; docs/gae.md "Numbers").

    u is the LSB of the array's sums. Registers are clipped as raw integers.
    """

    wide: bool  # more than QBITS_NARROW bits a code
    sums: int  # bits of delta, look-ahead and A, signed
    values: int  # bits of a de-quantised value, signed
    fraction: int  # fraction bits of VALUE_SCALE and VALUE_OFFSET, in u
    coefficient: int  # fraction bits of gamma*lambda - 1
    offset_fraction: int  # fraction bits of REWARD_OFFSET, in u
    scale_bits: int  # bits of VALUE_SCALE, signed
    value_offset_bits: int  # bits of VALUE_OFFSET, signed
    reward_offset_bits: int  # bits of REWARD_OFFSET, signed
    shift_max: int  # greatest SHIFT: DEPTH rewards of full scale fill a quarter of the sums' range
    scale_max: int  # greatest |VALUE_SCALE|: a code times it fills half of a value's range
    reward_offset_max: int  # greatest |REWARD_OFFSET|: as much as the greatest reward

    @property
    def value_offset_max(self) -> int:
        """The greatest |VALUE_OFFSET|: half of a value's range."""
        return (1 << (self.value_offset_bits - 1)) - 1


@cache
def formats(depth: int, qbits: int) -> GaeFormats:
    """The formats of a core built with DEPTH and QBITS."""
    wide = qbits > QBITS_NARROW
    room = clog2(depth)
    sums, fraction, coefficient, scale_bits = (35, 15, 26, 32) if wide else (27, 10, 17, 27)
    offset_fraction = max(0, room - 2) if wide else 0
    # The register ends before the range does where two records make a lane.
    offset_bits = 32 if wide else 26
    return GaeFormats(
        wide=wide,
        sums=sums,
        values=sums - 2,
        fraction=fraction,
        coefficient=coefficient,
        offset_fraction=offset_fraction,
        scale_bits=scale_bits,
        value_offset_bits=sums - 3 + fraction,
        reward_offset_bits=offset_bits,
        shift_max=min(SHIFT_LIMIT, sums - 2 - room - qbits),
        scale_max=(1 << min(scale_bits - 1, sums - 3 + fraction - qbits)) - 1,
        reward_offset_max=min(1 << (sums - 3 - room + offset_fraction), (1 << (offset_bits - 1)) - 1),
    )


@dataclass(frozen=True)
class Sums:
    """Exact sums of raw numbers: how many, Σx and Σx²."""

    n: int = 0
    total: int = 0
    squares: int = 0


class Statistics:
    """The statistics unit: rewards since the last reset, values of the current block.

    Keeping exact integer sums is the Chan merge of all rollouts, without its rounding. A count never exceeds
    2**count_bits - 1: the beat that would exceed it and all later ones are ignored as a whole, and `full` says so.
    """

    def __init__(self, beat: int = 1, count_bits: int = 40) -> None:
        self.beat = beat
        self.count_max = (1 << count_bits) - 1
        self.reset_rewards()
        self.new_block()

    @property
    def full(self) -> bool:
        """Whether rewards or values were left out since they were last cleared."""
        return self.rewards_full or self.values_full

    def reset_rewards(self) -> None:
        """Forget the rewards (command RESET_STATS)."""
        self.rewards = Sums()
        self.rewards_full = False

    def new_block(self) -> None:
        """Forget the values (a measuring pass starts)."""
        self.values = Sums()
        self.values_full = False

    def add(self, rewards: np.ndarray, values: np.ndarray, kinds: np.ndarray) -> None:
        """Add one pass of the stream, in its order and from the start of a beat.

        rewards, values: raw integers, any one shape; kinds: of the same shape. A reward counts in STEP records,
        a value in STEP and BOOT records.
        """
        rewards, values, kinds = (np.asarray(a, dtype=np.int64).ravel() for a in (rewards, values, kinds))
        self.rewards, self.rewards_full = self._add(self.rewards, self.rewards_full, rewards, (kinds & 1) == 1)
        self.values, self.values_full = self._add(self.values, self.values_full, values, kinds != NONE)

    def _add(self, sums: Sums, full: bool, x: np.ndarray, counted: np.ndarray) -> tuple[Sums, bool]:
        if full:
            return sums, True
        # Where the count would run over: whole beats up to there.
        counts = sums.n + np.cumsum(counted)
        if counts.size and counts[-1] > self.count_max:
            first = int(np.argmax(counts > self.count_max))
            end, full = first - first % self.beat, True
            x, counted = x[:end], counted[:end]
        x = x[counted]
        squares = _sum(x * x)
        return Sums(sums.n + x.size, sums.total + _sum(x), sums.squares + squares), full


def _sum(x: np.ndarray) -> int:
    # A raw square has 46 bits, so 2**17 of them fit int64.
    return sum(int(part.sum()) for part in np.array_split(x, x.size // (1 << 16) + 1))


@dataclass(frozen=True)
class ScaleConfig:
    """What SCALE reads: the core's parameters and software's registers."""

    depth: int  # DEPTH of the core
    storage_qbits: int = 8  # QBITS of the core
    lookahead: int = 1  # LOOKAHEAD of the core
    qbits: int = 8  # code bits in use, 3 … storage_qbits
    clip: int = 4 * CLIP_ONE  # clip range in sigma, ufix(16, 8)
    shift: int = 0  # p: u = 2**-p of a reward step
    value_point: int = 0  # Fv: value = raw / 2**Fv, 8 bits signed
    gamma: int = GAMMA_ONE  # ufix(32, 31)
    gamma_lambda: int = GAMMA_ONE  # ufix(32, 31)
    reward_auto: bool = True  # compute the reward scales from the statistics
    value_auto: bool = True  # compute the value scales from the statistics

    @property
    def limit(self) -> int:
        """L, the greatest code."""
        return (1 << (self.qbits - 1)) - 1

    @property
    def formats(self) -> GaeFormats:
        """Widths and limits of this core's numbers."""
        return formats(self.depth, self.storage_qbits)


@dataclass(frozen=True)
class Scales:
    """The scale registers: written by SCALE, or by software where AUTO is off."""

    reward_mean: int = 0  # sfix(27, 2) raw LSB
    reward_inv: int = 0  # mantissa, 17 bits unsigned
    reward_inv_shift: int = 1  # code = (raw<<2 - mean) * mantissa / 2**shift, 6 bits unsigned
    value_mean: int = 0
    value_inv: int = 0
    value_inv_shift: int = 1
    value_scale: int = 0  # S_v: a value code in u; widths and fraction bits are in GaeFormats
    value_offset: int = 0  # M_v: the values' mean in u
    reward_offset: int = 0  # O: added to every reward, in u; software only


@dataclass(frozen=True)
class Derived:
    """What the array reads besides the registers."""

    s_vn: int  # gamma * S_v
    k_cut: int  # constant of a delta that stops at an episode's end
    k_keep: int  # constant of any other delta
    b_step: int  # gamma * lambda - 1, sfix(18, 17) or sfix(27, 26)
    b_loop: int  # (gamma * lambda)**lookahead - 1


@dataclass(frozen=True)
class ScaleFlags:
    """What SCALE reports. With `config` it was refused and changed nothing."""

    sigma_zero_r: bool = False
    sigma_zero_v: bool = False
    scale_sat: bool = False
    config: bool = False


def config_valid(config: ScaleConfig, scales: Scales) -> bool:
    """Whether SCALE accepts these registers; a value scale only counts when software gives it."""
    known = config.formats
    return (
        QBITS_MIN <= config.qbits <= config.storage_qbits
        and config.clip > 0
        and config.shift <= known.shift_max
        and config.gamma <= GAMMA_ONE
        and config.gamma_lambda <= GAMMA_ONE
        and abs(scales.reward_offset) <= known.reward_offset_max
        and (config.value_auto or abs(scales.value_scale) <= known.scale_max)
    )


def compute(
    statistics: Statistics, config: ScaleConfig, scales: Scales | None = None
) -> tuple[Scales, Derived | None, ScaleFlags]:
    """The SCALE command: statistics and registers in, new registers, array constants and flags out.

    scales: the registers before it; fields of a side whose AUTO is off are kept. Derived is None when the
    configuration is refused.
    """
    scales = scales or Scales()
    if not config_valid(config, scales):
        return scales, None, ScaleFlags(config=True)
    zero_r = zero_v = saturated = False
    if config.reward_auto:
        mean, inv, shift, root, _ = standardiser(statistics.rewards, config)
        zero_r = root == 0
        scales = replace(scales, reward_mean=mean, reward_inv=inv, reward_inv_shift=shift)
    if config.value_auto:
        mean, inv, shift, root, exponent = standardiser(statistics.values, config)
        zero_v = root == 0
        # sigma = root / 2**exponent / n, so S_v = sigma * 2**(p - Fv) with its fraction bits is this:
        known = config.formats
        to_u = config.shift - config.value_point + known.fraction
        scale = _ratio(root, to_u - exponent, statistics.values.n)
        # A value of 1 is L / clip * 2**p in u, because u divides a reward step of clip / L.
        offset = _ratio(mean * config.limit * CLIP_ONE, to_u - MEAN_FRACTION, config.clip)
        saturated = scale > known.scale_max or abs(offset) > known.value_offset_max
        scales = replace(
            scales,
            value_mean=mean,
            value_inv=inv,
            value_inv_shift=shift,
            value_scale=min(scale, known.scale_max),
            value_offset=saturate(offset, known.value_offset_bits, symmetric=True),
        )
    return scales, derive(config, scales), ScaleFlags(zero_r, zero_v, saturated)


def standardiser(sums: Sums, config: ScaleConfig) -> tuple[int, int, int, int, int]:
    """Mean and inverse step of a set of numbers: (mean, mantissa, shift, root, exponent).

    The step of a code is clip * sigma / L. The code of a raw x is ((x << 2) - mean) * mantissa / 2**shift.
    sigma = root / 2**exponent / n in raw LSB, 2**31 <= root < 2**32; sigma 0 (or n 0) gives root 0, mantissa 0.
    """
    n = sums.n
    mean = round_divide(sums.total << MEAN_FRACTION, n) if n else 0
    spread = n * sums.squares - sums.total * sums.total  # (n * sigma)**2
    if spread == 0:
        return mean, 0, 1, 0, 0
    exponent = (64 - spread.bit_length()) // 2
    root = math.isqrt(_shift(spread, 2 * exponent))
    numerator, left_n = _normalise(config.limit * n, 64)
    denominator, left_d = _normalise(config.clip * root, 48)
    mantissa = numerator // denominator
    # 1 / step = mantissa * 2**(8 + exponent - left_n + left_d); 8 are the fraction bits of clip.
    shift = MEAN_FRACTION - (8 + exponent - left_n + left_d)
    # The greatest sigma, 2**23, leaves shift below 51. A sigma below what the mantissa can say clips anyway.
    if shift < 1:
        mantissa, shift = (1 << MANTISSA_BITS) - 1, 1
    return mean, mantissa, shift, root, exponent


def derive(config: ScaleConfig, scales: Scales) -> Derived:
    """The array's constants from the registers, computed by every SCALE, also where AUTO is off."""
    s_vn = round_shift(scales.value_scale * config.gamma, 31)
    m_vn = round_shift(scales.value_offset * config.gamma, 31)
    known = config.formats
    k_cut = (scales.reward_offset << (known.fraction - known.offset_fraction)) + (1 << (known.fraction - 1))
    power = config.gamma_lambda
    for _ in range(config.lookahead - 1):
        power = round_shift(power * config.gamma_lambda, 31)
    one = 1 << known.coefficient
    b_step, b_loop = (round_shift(c, 31 - known.coefficient) - one for c in (config.gamma_lambda, power))
    return Derived(s_vn, k_cut, k_cut + m_vn, b_step, b_loop)


def quantise(x: np.ndarray, mean: int, mantissa: int, shift: int, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of raw numbers, -limit … limit, and which of them were clipped.

    x: raw integers of any shape; mean, mantissa, shift as in Scales. Shift 0 means no shift and no rounding.
    A difference beyond 27 bits (only a mean that software wrote makes one) saturates and counts as clipped.
    """
    exact = (np.asarray(x, dtype=np.int64) << MEAN_FRACTION) - mean
    difference = saturate(exact, MEAN_BITS)
    # 44 bits signed; a shift of 44 or more always gives 0, and more would not fit int64.
    wide = round_shift(difference * mantissa, min(shift, 44))
    codes = np.clip(wide, -limit, limit)
    return codes, (codes != wide) | (difference != exact)


def _shift(x: int, left: int) -> int:
    return x << left if left >= 0 else x >> -left


def _normalise(x: int, width: int) -> tuple[int, int]:
    left = width - x.bit_length()
    return x << left, left


def _ratio(numerator: int, exponent: int, denominator: int) -> int:
    # round(numerator * 2**exponent / denominator), halves up; an empty block has denominator 0 and numerator 0.
    if numerator == 0:
        return 0
    return round_divide(numerator << max(exponent, 0), denominator << max(-exponent, 0))
