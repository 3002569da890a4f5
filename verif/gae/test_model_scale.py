"""The integer model of statistics, scales and quantiser against float64: how far from the mathematics it is."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rlcores.cores.common import fixed
from rlcores.cores.gae import scale as gs

CONFIG = gs.ScaleConfig(depth=1024, shift=6, value_point=12)


def measured(values: np.ndarray, rewards: np.ndarray | None = None, **options: int) -> gs.Statistics:
    statistics = gs.Statistics(**options)
    statistics.add(values if rewards is None else rewards, values, np.full(values.shape, gs.STEP))
    return statistics


def test_rounding_takes_halves_up_on_both_sides_of_zero() -> None:
    halves = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6]
    rounded = [-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert [fixed.round_shift(x, 2) for x in halves] == rounded
    assert fixed.round_shift(np.array(halves), 2).tolist() == rounded
    assert [fixed.round_divide(x, 4) for x in halves] == rounded
    assert fixed.round_shift(7, 0) == 7
    with pytest.raises(ValueError, match="-1"):
        fixed.round_shift(7, -1)


def test_saturation_keeps_what_fits_and_limits_what_does_not() -> None:
    assert [fixed.saturate(x, 8) for x in (-129, -128, 127, 128)] == [-128, -128, 127, 127]
    assert [fixed.saturate(x, 8, symmetric=True) for x in (-128, 127)] == [-127, 127]
    assert fixed.saturate(np.array([-(2**40), 5, 2**40]), 27).tolist() == [-(2**26), 5, 2**26 - 1]
    assert fixed.fits(np.array([-128, 127]), 8) and not fixed.fits(np.array([0, 128]), 8) and not fixed.fits(-129, 8)


def test_sums_merge_rollouts_exactly_as_one_long_rollout(seed: int) -> None:
    rng = np.random.default_rng(seed)
    statistics = gs.Statistics()
    rollouts = [rng.integers(-(2**23), 2**23, (rng.integers(1, 400), 3)) for _ in range(12)]
    for rollout in rollouts:
        statistics.new_block()
        statistics.add(rollout, rollout, np.full(rollout.shape, gs.TERMINATED))
    everything = np.concatenate(rollouts).ravel().tolist()
    squares = sum(x * x for x in everything)
    assert statistics.rewards == gs.Sums(len(everything), sum(everything), squares)
    last = rollouts[-1].ravel().tolist()
    assert statistics.values == gs.Sums(len(last), sum(last), sum(x * x for x in last))
    statistics.reset_rewards()
    assert statistics.rewards == gs.Sums() and statistics.values.n == len(last)


def test_sums_count_only_what_a_record_holds() -> None:
    statistics = gs.Statistics()
    statistics.add([1, 10, 100, 1000], [2, 20, 200, 2000], [gs.NONE, gs.STEP, gs.BOOT, gs.TERMINATED])
    assert statistics.rewards == gs.Sums(2, 1010, 1000100)
    assert statistics.values == gs.Sums(3, 2220, 4040400)


def test_sums_of_extreme_numbers_do_not_overflow() -> None:
    x = np.full(300_000, -(2**23))
    assert measured(x).rewards == gs.Sums(300_000, -300_000 * 2**23, 300_000 * 2**46)


def test_full_statistics_stop_at_a_whole_beat_and_say_so() -> None:
    statistics = measured(np.arange(6), beat=4, count_bits=3)
    assert statistics.rewards.n == 6 and not statistics.full
    statistics.add([5, 5], [5, 5], [gs.STEP, gs.BOOT])  # a seventh reward still fits, an eighth value does not
    assert statistics.rewards.n == 7 and not statistics.rewards_full
    assert statistics.values == gs.Sums(6, 15, 55) and statistics.values_full and statistics.full
    statistics.add([5], [5], [gs.BOOT])
    assert statistics.values.n == 6
    statistics.new_block()
    assert not statistics.full
    long = measured(np.ones(100, dtype=int), beat=4, count_bits=6)
    assert long.rewards == gs.Sums(60, 60, 60)


@pytest.mark.parametrize("spread", [1.0, 40.0, 1e3, 1e5, 2e6])
@pytest.mark.parametrize("centre", [0, -3, 77_777, -4_000_000])
def test_scales_are_those_of_numpy(seed: int, spread: float, centre: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.clip(np.rint(rng.normal(centre, spread, 5000)), -(2**23), 2**23 - 1).astype(np.int64)
    mean, sigma = x.astype(float).mean(), x.astype(float).std()
    for clip, qbits in ((1024, 8), (640, 5), (1, 10), (65535, 3)):
        config = replace(CONFIG, storage_qbits=10, clip=clip, qbits=qbits, shift=5)
        scales, _, flags = gs.compute(measured(x), config)
        assert abs(scales.value_mean / 4 - mean) <= 0.125 + 1e-6
        inverse = config.limit / (clip / 256 * sigma)
        if inverse < 2.0**17:  # what mantissa and shift can say; from there on every difference clips
            got = scales.value_inv / 2.0 ** (scales.value_inv_shift - gs.MEAN_FRACTION)
            assert abs(got / inverse - 1) <= 2.0**-15
        else:
            assert scales.value_inv == 2**17 - 1 and scales.value_inv_shift == 1
        s_v = sigma * 2.0 ** (config.shift - config.value_point + 10)
        m_v = scales.value_mean / 4 * 2.0 ** (config.shift - config.value_point + 10) * config.limit * 256 / clip
        if max(s_v / 2**26, abs(m_v) / 2**33) < 0.99:
            assert not flags.scale_sat
            assert abs(scales.value_scale - s_v) <= 0.5 + s_v * 2.0**-30
            assert abs(scales.value_offset - m_v) <= 0.5 + abs(m_v) * 2.0**-50
        assert scales.reward_mean == scales.value_mean and scales.reward_inv == scales.value_inv


def test_a_constant_block_quantises_to_zero_and_keeps_its_mean() -> None:
    scales, derived, flags = gs.compute(measured(np.full(37, 12345)), CONFIG)
    assert flags == gs.ScaleFlags(sigma_zero_r=True, sigma_zero_v=True)
    assert scales.value_mean == scales.reward_mean == 4 * 12345
    assert (scales.value_inv, scales.value_inv_shift, scales.value_scale, derived.s_vn) == (0, 1, 0, 0)
    # value = 12345 / 2**12; in u that is value * L / clip * 2**p, with 10 fraction bits.
    assert abs(scales.value_offset - 12345 / 2**12 * 127 / 4 * 2**6 * 2**10) <= 0.5
    codes, clipped = gs.quantise(np.array([12345, -1]), scales.value_mean, 0, 1, 127)
    assert codes.tolist() == [0, 0] and not clipped.any()


@pytest.mark.parametrize("count", [0, 1])
def test_no_data_and_a_single_number_have_no_sigma(count: int) -> None:
    scales, _, flags = gs.compute(measured(np.full(count, -5)), CONFIG)
    assert flags.sigma_zero_r and flags.sigma_zero_v and not flags.scale_sat
    assert (scales.value_mean, scales.value_scale) == (-20 * count, 0)


def test_counts_near_the_limit_keep_their_precision() -> None:
    n = 2**40 - 1
    statistics = gs.Statistics()
    statistics.values = statistics.rewards = gs.Sums(n, 0, n * 2**46)  # half of them -2**23, half +2**23
    scales, _, _ = gs.compute(statistics, replace(CONFIG, value_point=20))
    inverse = 127 / (4 * 2.0**23)
    assert abs(scales.value_inv / 2.0 ** (scales.value_inv_shift - 2) / inverse - 1) <= 2.0**-15
    assert abs(scales.value_scale - 2.0 ** (23 + 6 - 20 + 10)) <= 0.5


def test_one_odd_number_among_many_saturates_the_inverse_and_clips() -> None:
    statistics = gs.Statistics()
    statistics.values = statistics.rewards = gs.Sums(2**38, 1, 1)
    scales, _, flags = gs.compute(statistics, CONFIG)
    assert (scales.reward_mean, scales.reward_inv, scales.reward_inv_shift) == (0, 2**17 - 1, 1)
    assert flags == gs.ScaleFlags()
    codes, clipped = gs.quantise(np.array([0, 1, -1]), 0, scales.reward_inv, scales.reward_inv_shift, 127)
    assert codes.tolist() == [0, 127, -127] and clipped.tolist() == [False, True, True]


def test_scales_that_do_not_fit_saturate_and_say_so() -> None:
    x = np.array([-1000, 3000])
    scales, _, flags = gs.compute(measured(x), replace(CONFIG, value_point=-128))
    assert flags.scale_sat and (scales.value_scale, scales.value_offset) == (2**26 - 1, 2**33 - 1)
    scales, _, flags = gs.compute(measured(-x), replace(CONFIG, value_point=-128))
    assert flags.scale_sat and scales.value_offset == -(2**33 - 1)
    scales, _, flags = gs.compute(measured(x), replace(CONFIG, value_point=127))
    assert not flags.scale_sat and (scales.value_scale, scales.value_offset) == (0, 0)


def test_software_scales_survive_and_still_give_the_array_its_constants() -> None:
    mine = gs.Scales(1, 2, 3, 4, 5, 6, value_scale=1 << 20, value_offset=-(1 << 25), reward_offset=-77)
    config = replace(CONFIG, reward_auto=False, value_auto=False, lookahead=3, gamma=1 << 30, gamma_lambda=3 << 29)
    scales, derived, flags = gs.compute(measured(np.arange(9)), config, mine)
    assert scales == mine and flags == gs.ScaleFlags()
    assert derived.s_vn == 1 << 19
    assert derived.k_cut == -77 * 1024 + 512 and derived.k_keep == derived.k_cut - (1 << 24)
    assert derived.b_step == -(1 << 15)
    assert derived.b_loop == round((0.75**3 - 1) * 2**17)


@pytest.mark.parametrize(
    "wrong",
    [{"qbits": 2}, {"qbits": 9}, {"clip": 0}, {"shift": 8}, {"gamma": 2**31 + 1}, {"gamma_lambda": 2**31 + 1}],
)
def test_a_configuration_that_could_overflow_is_refused(wrong: dict) -> None:
    before = gs.Scales(reward_mean=5)
    scales, derived, flags = gs.compute(measured(np.arange(9)), replace(CONFIG, **wrong), before)
    assert scales == before and derived is None and flags == gs.ScaleFlags(config=True)
    assert gs.config_valid(replace(CONFIG, shift=7), gs.Scales(reward_offset=2**14))
    assert not gs.config_valid(CONFIG, gs.Scales(reward_offset=2**14 + 1))


def test_quantiser_rounds_to_the_nearest_code_halves_up(seed: int) -> None:
    # mantissa / 2**shift of 1/8 per quarter LSB: half a code is one raw LSB.
    codes, clipped = gs.quantise(np.array([-3, -2, -1, 0, 1, 2, 3, 250, 254, -300]), 0, 1 << 13, 16, 127)
    assert codes.tolist() == [-1, -1, 0, 0, 1, 1, 2, 125, 127, -127]
    assert clipped.tolist() == [False] * 9 + [True]
    rng = np.random.default_rng(seed)
    x = rng.integers(-(2**23), 2**23, 2000)
    for _ in range(200):
        mean, mantissa, shift = int(rng.integers(-(2**25), 2**25)), int(rng.integers(2**17)), int(rng.integers(64))
        codes, clipped = gs.quantise(x, mean, mantissa, shift, 127)
        exact = [math.floor(((4 * int(v) - mean) * mantissa * 2 + 2**shift) / 2 ** (shift + 1)) for v in x[:50]]
        if shift:
            assert codes[:50].tolist() == [max(-127, min(127, e)) for e in exact]
            assert clipped[:50].tolist() == [abs(e) > 127 for e in exact]


def test_a_mean_out_of_range_saturates_and_counts_as_clipped() -> None:
    codes, clipped = gs.quantise(np.array([2**23 - 1, 0]), -(2**26), 1, 24, 127)
    assert codes.tolist() == [4, 4] and clipped.tolist() == [True, True]


def test_standardised_codes_restore_the_values_within_half_a_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-9_000, 11_000, 4000)
    config = replace(CONFIG, clip=1024, shift=7)
    scales, _, _ = gs.compute(measured(x), config)
    codes, clipped = gs.quantise(x, scales.value_mean, scales.value_inv, scales.value_inv_shift, config.limit)
    restored = (codes * scales.value_scale + scales.value_offset) / 2**10  # in u
    to_real = 4 / 127 / 2**config.shift
    step = 4 * x.std() / 127 / 2**12
    assert not clipped.any()
    assert np.abs(restored * to_real - x / 2**12).max() <= step * (0.5 + 127 * 2.0**-15) + to_real
