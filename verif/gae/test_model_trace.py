"""Sums with a coefficient a step: the integers of a core with TRACE against float64, within the documented bound."""

from dataclasses import dataclass

import numpy as np
import pytest

from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae import traced
from rlcores.cores.gae.driver import GaeShape
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED, ScaleConfig, Scales, config_valid, derive, formats

LANES, STEPS = 6, 300
DEPTH = 512


def backwards(corrections: np.ndarray, decay: np.ndarray) -> np.ndarray:
    """x_t = d_t + c_t * x_t+1, (T, N), in float64."""
    sums, after = np.zeros(corrections.shape), np.zeros(corrections.shape[1:])
    for t in range(len(corrections) - 1, -1, -1):
        sums[t] = after = corrections[t] + decay[t] * after
    return sums


def numbers(rng: np.random.Generator, most: float) -> tuple[np.ndarray, np.ndarray]:
    """d and c of V-trace: ratios that are often clipped, ends of episodes."""
    ratio = np.exp(rng.normal(0, 0.5, (STEPS, LANES)))
    corrections = np.minimum(ratio, 1) * rng.normal(0.2, 1, ratio.shape)
    return corrections, np.where(rng.random(ratio.shape) < 0.02, 0, most * np.minimum(ratio, 1))


@dataclass(frozen=True)
class Outcome:
    """The core's sums, and what docs/returns.md says of their error, step by step."""

    sums: np.ndarray
    exact: np.ndarray
    bound: np.ndarray

    @property
    def error(self) -> np.ndarray:
        return np.abs(self.sums - self.exact)


def bound(scales: traced.TraceScales, exact: np.ndarray, decay: np.ndarray, lookahead: int) -> np.ndarray:
    """The bound of docs/returns.md for every sum (T, N), in the unit of d."""
    own = scales.step / 2 + (lookahead + 1) / 2 * scales.unit
    coefficients = scales.coefficient_error + (lookahead - 1) * 2.0 ** -(scales.coefficient + 1)
    each = own + np.where(decay > 0, coefficients * np.abs(exact).max(), 0)
    return backwards(each, decay) * (1 + 2.0**-6) + scales.result_step / 2


def compute(rng: np.random.Generator, most: float, qbits: int, out_bits: int, lookahead: int) -> Outcome:
    """One piece of a rollout through the integer array."""
    corrections, decay = numbers(rng, most)
    shape = GaeShape(1, LANES, DEPTH, lookahead, 1, 1, qbits, out_bits, 1, 1, 1)
    known = formats(DEPTH, qbits)
    exact = backwards(corrections, decay)
    for coarser in range(20):
        scales = traced.choose(corrections, decay, shape, coarser)
        registers = Scales(
            value_scale=scales.slope,
            value_offset=scales.start,
            reward_offset=scales.offset << known.offset_fraction,
        )
        config = ScaleConfig(DEPTH, qbits, lookahead, qbits, shift=scales.shift, reward_auto=False, value_auto=False)
        assert config_valid(config, registers) and abs(scales.start) <= known.value_offset_max
        kinds = np.full((LANES, STEPS + 1), BOOT)
        kinds[:, :-1] = np.where(decay.T == 0, TERMINATED, STEP)
        d, c = (np.pad(x.T, ((0, 0), (0, 1))) for x in scales.codes(corrections, decay))
        derived = derive(config, registers)
        result = gae_array.run(
            kinds, d, c, scales.shift, scales.drop, registers, derived, lookahead, out_bits, known, True
        )
        assert not result.exact_values.any() and (result.returns == result.advantages).all()
        if not result.saturated:
            break
    return Outcome(result.advantages[:, :-1].T * scales.result_step, exact, bound(scales, exact, decay, lookahead))


@pytest.mark.parametrize("lookahead", [1, 2, 3, 4])
@pytest.mark.parametrize("most", [1.0, 0.99, 0.9, 0.3])
@pytest.mark.parametrize(("qbits", "out_bits"), [(8, 8), (8, 16), (10, 16), (12, 16), (16, 24)])
def test_no_sum_is_beyond_the_documented_bound(
    qbits: int, out_bits: int, most: float, lookahead: int, seed: int
) -> None:
    accuracy = compute(np.random.default_rng(seed), most, qbits, out_bits, lookahead)
    assert (accuracy.error <= accuracy.bound).all()


@pytest.mark.parametrize("most", [1.0, 0.99, 0.9])
def test_records_of_16_bits_are_within_a_thousandth_of_the_largest_sum(most: float, seed: int) -> None:
    accuracy = compute(np.random.default_rng(seed), most, 16, 24, 1)
    assert accuracy.error.max() <= 1e-3 * np.abs(accuracy.exact).max()


def test_a_coefficient_beyond_0_and_1_is_saturated_and_counted() -> None:
    known = formats(DEPTH, 8)
    one = 1 << known.coefficient
    # Codes -1, 0, 1 are coefficients -1/4, 1/2 and 5/4; that of an end does not count.
    kinds = np.array([[STEP, STEP, STEP, TERMINATED, BOOT, NONE]])
    rewards, codes = np.array([[4, 4, 4, 4, 0, 0]]), np.array([[0, 1, -1, 1, 1, 0]])
    scales = Scales(value_scale=one // 4 * 3 << known.fraction, value_offset=-(one // 2) << known.fraction)
    config = ScaleConfig(DEPTH, 8, 1, 8, reward_auto=False, value_auto=False)
    result = gae_array.run(kinds, rewards, codes, 4, 4, scales, derive(config, scales), 1, 16, known, True)
    assert result.advantages.tolist() == [[8, 8, 4, 4, 0, 0]]
    assert result.saturated == 2


if __name__ == "__main__":
    for bits, out in ((8, 16), (12, 16), (16, 24)):
        for chosen in (1.0, 0.99, 0.9):
            outcomes = [compute(np.random.default_rng(s), chosen, bits, out, 1) for s in range(8)]
            largest = [np.abs(o.exact).max() for o in outcomes]
            rms = max(float(np.sqrt((o.error**2).mean() / (o.exact**2).mean())) for o in outcomes)
            worst, most_of = (
                max(float(getattr(o, n).max() / x) for o, x in zip(outcomes, largest, strict=True))
                for n in ("error", "bound")
            )
            print(f"| {bits}, {out} | {chosen} | {rms:.3%} | {worst:.3%} | {most_of:.3%} |")
