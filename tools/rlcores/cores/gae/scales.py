"""Scales of the GAE core for one rollout, chosen so that nothing is clipped and no constant costs a bit.

The core gets deviations from a constant reward and a constant value. A GAE is linear in rewards and values, so what the
constants contribute is added afterwards, in closed form.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae.driver import GaeDriver, GaeShape
from rlcores.cores.gae.rollout import Rollout
from rlcores.cores.gae.scale import MANTISSA_BITS, NONE, RAW_BITS, formats, quantise
from rlcores.errors import UserError

_LEAST_SEEN = 2.0**-500
_SHIFT_MOST = 44  # of REWARD_INV_SHIFT and VALUE_INV_SHIFT: beyond it every code is 0


@lru_cache(maxsize=8)
def powers(discount: float, most: int) -> np.ndarray:
    """discount**0 … discount**most, to be read, each the one before times `discount`: the same on every machine."""
    series = np.cumprod(np.concatenate([[1.0], np.full(most, discount)]))
    series.flags.writeable = False
    return series


def total(rows: np.ndarray) -> float:
    """The sum of (T, N) numbers in the order that every machine keeps: lane by lane in time, then over the lanes."""
    return float(np.cumsum(np.cumsum(rows, axis=0)[-1])[-1])


class Numbers:
    """A rollout's numbers with the calls that the engine's rollout has: what scales are chosen by.

    rewards, values: the least and the greatest, of values among those that are sent, and how many. deviations (T, N) of
    rewards and rows (2T, N) of Rollout.all_values, 0 where nothing is sent: what centre() has made.
    """

    def __init__(self, rollout: Rollout) -> None:
        self.rollout = rollout
        self.steps, self.lanes = rollout.rewards.shape
        self._rows, self._sent = rollout.all_values, rollout.kinds != NONE
        sent = self._rows[self._sent]
        self.rewards, self.values = ((float(x.min()), float(x.max())) for x in (rollout.rewards, sent))
        self.first_reward, self.first_value = float(rollout.rewards[0, 0]), float(self._rows[0, 0])
        self.sent = sent.size

    def sum(self, values: bool, exponent: int, about: float, squared: bool) -> float:
        """Of rewards or values times 2**exponent less `about`, or of their squares."""
        rows = self._apart(values, exponent, about)
        return total(rows**2 if squared else rows)

    def centre(self, exponent: int, reward: float, value: float, mantissa: float) -> None:
        """Make the deviations from a reward and a value, all times 2**exponent, in units of mantissa."""
        self.deviations = self._apart(False, exponent, reward) / mantissa
        self.rows = self._apart(True, exponent, value) / mantissa

    def _apart(self, values: bool, exponent: int, about: float) -> np.ndarray:
        if values:
            return np.where(self._sent, np.ldexp(self._rows, exponent) - about, 0.0)
        return np.ldexp(self.rollout.rewards, exponent) - about

    def errors(self, gamma: float) -> tuple[float, float, float]:
        """Mean, standard deviation and largest size of the TD errors of the deviations."""
        rows, rollout = self.rows, self.rollout
        following = np.concatenate([rows[2::2], rows[-1:]])
        following = np.where(rollout.kinds[1::2] != NONE, rows[1::2], following)
        errors = self.deviations + gamma * np.where(rollout.terminated, 0.0, following) - rows[0::2]
        mean = total(errors) / errors.size
        return mean, math.sqrt(total((errors - mean) ** 2) / errors.size), float(np.abs(errors).max())

    def spread(self, gamma: float) -> float:
        """The least of deviations()."""
        return float(deviations(self.rollout, gamma).min())


@np.errstate(over="ignore", invalid="ignore")
def deviations(rollout: Rollout, gamma: float) -> np.ndarray:
    """Standard deviation of the TD errors of each environment, (N,), or their size where float32 would see none.

    0 where float32 would see no TD errors either.
    """
    rows, steps = rollout.all_values, len(rollout.rewards)
    following = np.concatenate([rollout.values[1:], rows[-1:]])
    following = np.where(rollout.truncated, rows[1::2], following)
    errors = rollout.rewards + gamma * np.where(rollout.terminated, 0.0, following) - rollout.values
    apart = errors - errors[0]
    sums, squares = np.cumsum(apart, axis=0)[-1], np.cumsum(apart * apart, axis=0)[-1]
    variance = (squares - sums * sums / steps) / steps
    rounding = np.maximum(np.abs(rollout.rewards), np.abs(rollout.values)).max(axis=0) * 2.0**-22
    square = np.where(variance > rounding * rounding, variance, errors[0] * errors[0])
    return np.sqrt(np.where(square > rounding * rounding, square, 0.0))


@dataclass(frozen=True)
class Centred:
    """A rollout as deviations, in a unit in which the greatest code of a reward is a power of two."""

    held: Numbers  # or the engine's
    mantissa: float  # the unit is mantissa * 2**exponent
    exponent: int
    reward_centre: float
    value_centre: float
    reward_range: float  # the largest |deviation| that is not clipped
    value_range: float
    largest_reward: float  # clipped or not
    largest_value: float

    def restored(self, numbers: np.ndarray | float) -> np.ndarray:
        """Numbers of this unit in the caller's."""
        return np.ldexp(np.asarray(numbers) * self.mantissa, self.exponent)


def exponent_of(largest: float) -> int:
    """The power of two of a rollout's largest number. Raises UserError when it is beyond float64."""
    if not math.isfinite(largest):
        raise UserError(
            "a reward divided by the standard deviation of those before it is beyond float64; order='include' counts "
            "the present rewards as well"
        )
    return math.frexp(largest)[1]


def beside(deviation: float, exponent: int) -> float:
    """A standard deviation in units of 2**exponent, as large as makes everything else nothing."""
    return float(np.ldexp(deviation, -exponent)) if math.frexp(deviation)[1] - exponent < 500 else 2.0**500


def seen(extent: float) -> float:
    """A range beside a largest number of about 1: 0 where float64 has nothing of both in one sum."""
    return extent if extent > _LEAST_SEEN else 0.0


def centre(held: Numbers, limit: int, clip: float | None = None, deviation: float | None = None) -> Centred:
    """Deviations of a rollout, of which `limit` is the greatest code; with `clip`, that many standard deviations are.

    deviation: of the rewards, about 0; None: that of this rollout, about its mean.
    """
    exponent = exponent_of(max(abs(x) for x in (*held.rewards, *held.values)))
    low, high, least, most, base, first = (
        float(np.ldexp(x, -exponent)) for x in (*held.rewards, *held.values, held.first_reward, held.first_value)
    )
    size = held.steps * held.lanes
    # The mean of what they are apart from the first: equal numbers lose nothing.
    reward_centre = base + held.sum(False, -exponent, base, False) / size if deviation is None else 0.0
    mean = 0.0 if clip is None else first + held.sum(True, -exponent, first, False) / held.sent
    value_centre = least / 2 + most / 2 if clip is None else mean
    largest = max(high - reward_centre, reward_centre - low)
    largest_value = max(most - value_centre, value_centre - least)
    reward_range, value_range = largest, largest_value
    if clip is not None:
        own = math.sqrt(held.sum(False, -exponent, reward_centre, True) / size) if deviation is None else 0.0
        spread = own if deviation is None else beside(deviation, exponent)
        reward_range = clip * spread
        value_range = clip * math.sqrt(held.sum(True, -exponent, value_centre, True) / held.sent)
    reward_range, value_range = seen(reward_range), seen(value_range)
    mantissa, power = math.frexp(reward_range / limit) if reward_range else (1.0, 0)
    held.centre(-exponent, reward_centre, value_centre, mantissa)
    return Centred(
        held,
        mantissa,
        exponent,
        reward_centre / mantissa,
        value_centre / mantissa,
        # Not divided: rounded up by a bit it would cost one.
        math.ldexp(limit, power) if reward_range else 0.0,
        value_range / mantissa,
        largest / mantissa,
        largest_value / mantissa,
    )


@dataclass(frozen=True)
class Scales:
    """Registers for a rollout, and the numbers that they stand for, in the unit of `centred`. u is the array's LSB."""

    centred: Centred
    limit: int  # the greatest code
    lsb: int  # its power of two
    shift: int  # SHIFT: a reward code is 2**shift u
    drop: int  # low bits of u that a result leaves out
    reward_point: int  # raw reward = deviation * 2**reward_point
    reward_inv_shift: int
    value_point: int
    value_inv: int
    value_inv_shift: int
    value_scale: int  # VALUE_SCALE
    value_step: float  # of a code

    @property
    def reward_step(self) -> float:
        """Of a code."""
        return math.ldexp(1.0, self.lsb + self.shift)

    @property
    def result_step(self) -> float:
        """Of a result's code."""
        return math.ldexp(1.0, self.lsb + self.drop)

    @property
    def raw(self) -> tuple[np.ndarray, np.ndarray]:
        """Raw rewards (T, N) and values (2T, N), integers of 24 bits."""
        held = self.centred.held
        return raw(held.deviations, self.reward_point), raw(held.rows, self.value_point)

    def write(self, driver: GaeDriver, wide: bool) -> None:
        """Into the registers; all scales are software's."""
        driver.write("SHIFT", self.shift)
        if wide:
            driver.write("OUT_DROP", self.drop)
        for name, value in (
            ("REWARD_MEAN", 0),
            ("REWARD_INV", 1 << (MANTISSA_BITS - 1)),
            ("REWARD_INV_SHIFT", self.reward_inv_shift),
            ("VALUE_MEAN", 0),
            ("VALUE_INV", self.value_inv),
            ("VALUE_INV_SHIFT", self.value_inv_shift),
            ("VALUE_SCALE", self.value_scale),
            ("VALUE_OFFSET_LO", 0),
            ("VALUE_OFFSET_HI", 0),
            ("REWARD_OFFSET", 0),
        ):
            driver.write(name, value)

    def seen(self) -> tuple[np.ndarray, np.ndarray]:
        """Deviations of rewards (T, N) and values (2T, N) as the array has them."""
        rewards, values = self.raw
        codes = quantise(rewards, 0, 1 << (MANTISSA_BITS - 1), self.reward_inv_shift, self.limit)[0]
        value_codes = quantise(values, 0, self.value_inv, self.value_inv_shift, self.limit)[0]
        return codes * self.reward_step, value_codes * self.value_step


def choose(centred: Centred, shape: GaeShape, qbits: int, gamma: float, gae_lambda: float, lsb: int | None) -> Scales:
    """Scales at the least LSB that is at least `lsb` (None: the least that a guess of the advantages allows)."""
    form = formats(shape.depth, shape.qbits)
    limit = (1 << (qbits - 1)) - 1
    least = -math.inf
    if centred.reward_range:
        least = _ceil_log2(centred.reward_range / limit) - form.shift_max
    if centred.value_range:
        # Half of the largest VALUE_SCALE, because its last bits are chosen for gamma.
        step = centred.value_range / limit
        least = max(least, _ceil_log2(step) + form.fraction - (form.scale_max >> 1).bit_length() + 1)
    if form.wide:
        lsb = least
    elif lsb is None:
        drop = gae_array.out_drop(shape.depth, shape.qbits, shape.out_bits)
        guess = seen(_expected(centred, gamma, gae_lambda))
        lsb = _ceil_log2(guess / ((1 << (shape.out_bits - 1)) - 1)) - drop if guess else -math.inf
    lsb = max(lsb, least)
    lsb = 0 if lsb == -math.inf else int(lsb)
    if form.wide:
        bound = seen(_bound(centred, gamma, gae_lambda))
        drop = max(0, _ceil_log2(bound) - lsb - (shape.out_bits - 1) + 1) if bound else 0
    else:
        drop = gae_array.out_drop(shape.depth, shape.qbits, shape.out_bits)
    shift = max(0, _ceil_log2(centred.reward_range / limit) - lsb) if centred.reward_range else 0
    # A code is raw * 2**18 / 2**reward_inv_shift, and has 2**(shift + lsb).
    of_code = shift + lsb
    reward_point = point_of(centred.largest_reward, _SHIFT_MOST - MANTISSA_BITS - 1 - of_code)
    reward_inv_shift = MANTISSA_BITS + 1 + reward_point + of_code
    if reward_inv_shift < 0:
        raise UserError(
            "a reward is so far beyond the clip range that nothing within it is left beside it; order='include' counts "
            "the present rewards as well"
        )
    horizon = _horizon(centred.held.steps, gamma * gae_lambda)
    value_scale = _value_scale(centred.value_range / limit, lsb, form, gamma, horizon)
    value_step = math.ldexp(value_scale, lsb - form.fraction)
    fraction, exponent = math.frexp(1 / value_step)
    mantissa = round(fraction * (1 << MANTISSA_BITS))
    if mantissa >> MANTISSA_BITS:
        mantissa, exponent = mantissa >> 1, exponent + 1
    # A code is raw * 2**2 * mantissa / 2**value_inv_shift.
    value_point = point_of(centred.largest_value, _SHIFT_MOST - 2 - MANTISSA_BITS + exponent)
    value_inv_shift = 2 + MANTISSA_BITS - exponent + value_point
    if value_inv_shift < 0:
        raise UserError("a value is so far beyond the clip range that nothing within it is left beside it; clip later")
    return Scales(
        centred,
        limit,
        lsb,
        shift,
        drop,
        reward_point,
        reward_inv_shift,
        value_point,
        mantissa,
        value_inv_shift,
        value_scale,
        value_step,
    )


def constants(steps: int, gamma: float, gae_lambda: float, reward: float, value: float) -> np.ndarray:
    """GAE, (2, T + 1), of rewards that are all `reward` and values all `value`, by the n = 0 … T steps to an end.

    A = sum of (gamma*lambda)**l * (reward + (gamma - 1) * value), l < n, and where the end is a termination, the second
    row, less (gamma*lambda)**(n-1) * gamma * value, because no value follows there.
    """
    discount, gae = gamma * gae_lambda, np.zeros((2, steps + 1))
    last = powers(discount, steps)[:-1]
    terms = np.arange(1.0, steps + 1) if discount == 1 else (1 - discount * last) / (1 - discount)
    gae[:, 1:] = terms * (reward + (gamma - 1) * value)
    gae[1, 1:] -= last * gamma * value
    return gae


def constant_gae(rollout: Rollout, gamma: float, gae_lambda: float, reward: float, value: float) -> np.ndarray:
    """GAE, (T, N), of a rollout whose rewards are all `reward` and values all `value`."""
    n = rollout.to_end
    ended = np.take_along_axis(rollout.terminated, np.arange(len(n))[:, None] + n - 1, axis=0)
    return constants(len(n), gamma, gae_lambda, reward, value)[ended.astype(int), n]


def _value_scale(step: float, lsb: int, form, gamma: float, horizon: float) -> int:
    """VALUE_SCALE for codes of at least `step`: gamma times it is rounded too, so the best of some is taken."""
    one = 1 << form.fraction
    least = max(math.ceil(math.ldexp(step, form.fraction - lsb)), one >> 1)
    tried = np.arange(least, min(least + max(64, least >> 4), form.scale_max + 1, least + 4096))
    product = gamma * tried
    # In u: the rounding of codes, which averages out, and that of gamma * scale, which adds up over the horizon.
    codes = math.ldexp(step, form.fraction - lsb) / tried
    return int(tried[np.argmin(0.3 * tried + horizon * codes * np.abs(product - np.rint(product)))])


def _horizon(steps: int, discount: float) -> float:
    return float(steps) if discount == 1 else (1 - float(powers(discount, steps)[-1])) / (1 - discount)


def _expected(centred: Centred, gamma: float, gae_lambda: float) -> float:
    """About the largest |advantage|: a guess."""
    (mean, deviation, largest), steps = centred.held.errors(gamma), centred.held.steps
    discount = gamma * gae_lambda
    return max(
        abs(mean) * _horizon(steps, discount) + 3 * deviation * math.sqrt(_horizon(steps, discount * discount)), largest
    )


def _bound(centred: Centred, gamma: float, gae_lambda: float) -> float:
    """What no |advantage| exceeds.

    It is a sum of discounted TD errors, and a mixture of n-step estimates of a return, each less a value.
    """
    by_errors = centred.held.errors(gamma)[2] * _horizon(centred.held.steps, gamma * gae_lambda)
    by_returns = centred.reward_range * _horizon(centred.held.steps, gamma) + 2 * centred.value_range
    # A code may be half a step larger than its number.
    return min(by_errors, by_returns) * (1 + 2.0**-6)


def _ceil_log2(x: float) -> int:
    fraction, exponent = math.frexp(x)
    return exponent - 1 if fraction == 0.5 else exponent


def point_of(largest: float, most: int = 1000) -> int:
    """Fraction bits, at most `most`, with which the largest number has 23 bits."""
    if largest == 0:
        return most
    point = 23 - math.frexp(largest)[1]
    return min(point if round(math.ldexp(largest, point)) < 1 << (RAW_BITS - 1) else point - 1, most)


def raw(numbers: np.ndarray, point: int) -> np.ndarray:
    """Raw numbers, integers, with `point` fraction bits."""
    return np.rint(np.ldexp(numbers, point)).astype(np.int64)
