"""The integer array model against float64 written from the equations, and the two float64 forms against each other."""

import gae_records
import numpy as np
import pytest

from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae.scale import (
    BOOT,
    NONE,
    STEP,
    TERMINATED,
    Derived,
    ScaleConfig,
    Scales,
    derive,
    formats,
)

DEPTH, QBITS = 1024, 8
LIMIT = (1 << (QBITS - 1)) - 1
SHIFT = formats(DEPTH, QBITS).shift_max


def stacks(rng: np.random.Generator, lanes: int = 12, depth: int = DEPTH) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random kinds, reward and value codes, shape (lanes, depth + 1); lanes of any length, each ends in a BOOT."""
    kinds = rng.choice([STEP] * 40 + [TERMINATED, BOOT], size=(lanes, depth + 1))
    lengths = rng.integers(2, depth + 2, lanes)
    lengths[0] = depth + 1
    place = np.arange(depth + 1)
    kinds = np.where(place < lengths[:, None], kinds, NONE)
    kinds[np.arange(lanes), lengths - 1] = BOOT
    codes = np.clip(np.rint(rng.normal(0, LIMIT / 4, (2, lanes, depth + 1))), -LIMIT, LIMIT).astype(np.int64)
    return kinds, codes[0], codes[1]


def constants(gamma: float, gae_lambda: float, lookahead: int, sigma: float, mean: float) -> tuple[Scales, Derived]:
    """Registers for values of this spread and mean, both in reward steps a code."""
    scales = Scales(value_scale=round(sigma * 2**SHIFT * 1024), value_offset=round(mean * 2**SHIFT * 1024))
    config = ScaleConfig(
        depth=DEPTH,
        storage_qbits=QBITS,
        lookahead=lookahead,
        qbits=QBITS,
        shift=SHIFT,
        gamma=round(gamma * 2**31),
        gamma_lambda=round(gamma * gae_lambda * 2**31),
        value_auto=False,
        reward_auto=False,
    )
    return scales, derive(config, scales)


def run(
    records, gamma: float, gae_lambda: float, lookahead: int, out_bits: int, sigma: float = 3.0, mean: float = 100.0
):
    """Advantages and returns of the integers, of float64 on the same de-quantised inputs, and the output step."""
    kinds, rewards, values = records
    scales, derived = constants(gamma, gae_lambda, lookahead, sigma, mean)
    drop = gae_array.out_drop(DEPTH, QBITS, out_bits)
    known = formats(DEPTH, QBITS)
    result = gae_array.run(kinds, rewards, values, SHIFT, drop, scales, derived, lookahead, out_bits, known)
    step = 2.0 ** (drop - SHIFT)
    real_values = (values * scales.value_scale + scales.value_offset) / 1024 / 2**SHIFT
    exact = gae_records.records(kinds, rewards, real_values, gamma, gae_lambda)
    return result, exact, step


@pytest.mark.parametrize("lookahead", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("gamma", "gae_lambda"), [(0.99, 0.95), (0.99, 1.0), (1.0, 0.95), (0.999, 0.98), (0.9, 0.0), (0.0, 1.0), (1.0, 1.0)]
)
def test_wide_results_are_within_a_thousandth_of_the_largest_advantage(
    gamma: float, gae_lambda: float, lookahead: int, seed: int
) -> None:
    result, (advantages, returns), step = run(stacks(np.random.default_rng(seed)), gamma, gae_lambda, lookahead, 16)
    bound = np.abs(advantages).max() * 2.0**-10
    assert not result.saturated and bound > step
    assert np.abs(result.advantages * step - advantages).max() <= bound
    assert np.abs(result.returns * step - returns).max() <= bound


@pytest.mark.parametrize("lookahead", [1, 2, 3, 4])
def test_results_in_place_add_no_more_than_half_an_output_step(lookahead: int, seed: int) -> None:
    result, (advantages, _), step = run(stacks(np.random.default_rng(seed)), 0.99, 0.95, lookahead, 8, 0.3, 1.0)
    inside = np.abs(advantages) < 127 * step
    bound = step / 2 + np.abs(advantages).max() * 2.0**-10
    assert inside.mean() > 0.5
    assert np.abs(result.advantages * step - advantages)[inside].max() <= bound


def test_with_lambda_1_advantage_plus_value_is_the_discounted_return(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, gamma = 300, 0.99
    kinds = np.full((4, steps + 1), STEP)
    kinds[:, -1] = BOOT
    rewards, values = rng.integers(-40, 41, (2, 4, steps + 1))
    result, (advantages, _), step = run((kinds, rewards, values), gamma, 1.0, 2, 16)
    scales, _ = constants(gamma, 1.0, 2, 3.0, 100.0)
    ahead = (values[:, -1] * scales.value_scale + scales.value_offset) / 1024 / 2**SHIFT
    discounted = np.zeros((4, steps))
    for t in range(steps - 1, -1, -1):
        ahead = rewards[:, t] + gamma * ahead
        discounted[:, t] = ahead
    bound = np.abs(advantages).max() * 2.0**-10
    assert np.abs(result.returns[:, :-1] * step - discounted).max() <= bound


def test_looking_ahead_changes_nothing_but_roundings(seed: int) -> None:
    records = stacks(np.random.default_rng(seed))
    one, *more = (run(records, 0.99, 0.95, lookahead, 16)[0] for lookahead in (1, 2, 3, 4))
    for other in more:
        # At most one rounding a step and the horizon of 17 steps that carries them; gamma*lambda has 17 bits.
        far = np.abs(other.exact_advantages - one.exact_advantages)
        assert far.max() <= 2 * 17 + np.abs(one.exact_advantages).max() * 17 * 2.0**-17


@pytest.mark.parametrize(("depth", "qbits"), [(400, 3), (400, 8), (400, 10), (400, 11), (400, 16), (4, 16), (4096, 16)])
def test_no_legal_register_makes_a_sum_overflow(depth: int, qbits: int) -> None:
    known = formats(depth, qbits)
    steps = min(depth, 400)
    kinds = np.full((2, steps + 1), STEP)
    kinds[:, -1] = BOOT
    alternating = np.where(np.arange(steps + 1) % 2 == 0, 1, -1)
    limit = (1 << (qbits - 1)) - 1
    shift = known.shift_max
    codes = np.stack([limit * alternating, np.full(steps + 1, -limit)])
    drop = gae_array.out_drop(depth, qbits, qbits)
    config = ScaleConfig(depth=depth, storage_qbits=qbits, lookahead=4, qbits=qbits, shift=shift)
    for mean in (known.value_offset_max, -known.value_offset_max):
        for sign in (1, -1):
            scales = Scales(
                value_scale=known.scale_max, value_offset=mean, reward_offset=sign * known.reward_offset_max
            )
            rewards = np.full((2, steps + 1), sign * limit)
            derived = derive(config, scales)
            gae_array.run(kinds, rewards, codes, shift, drop, scales, derived, 4, qbits, known)


def test_the_two_float_forms_agree_on_a_rollout_with_both_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, envs = 60, 5
    rewards, values, final = rng.normal(size=(3, steps, envs))
    ends = rng.random((steps, envs))
    terminated, truncated = ends < 0.05, (ends >= 0.05) & (ends < 0.1)
    bootstrap = rng.normal(size=envs)
    expected = gae_float.rollout(rewards, values, terminated, truncated, bootstrap, final, 0.97, 0.9)
    for env in range(envs):
        kinds, r, v, at = [], [], [], []
        for t in range(steps):
            at.append(len(kinds))
            kinds.append(TERMINATED if terminated[t, env] else STEP)
            r.append(rewards[t, env])
            v.append(values[t, env])
            if truncated[t, env]:
                kinds.append(BOOT)
                r.append(0.0)
                v.append(final[t, env])
        lane = [np.array([x]) for x in ([*kinds, BOOT], [*r, 0.0], [*v, bootstrap[env]])]
        for estimate, of in zip(gae_records.records(*lane, 0.97, 0.9), expected, strict=True):
            np.testing.assert_allclose(estimate[0, at], of[:, env], rtol=1e-12, atol=1e-12)
