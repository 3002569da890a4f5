"""PPO's loss, standardisation, norm, rates and advantages in integers, beside float64."""

import numpy as np
import pytest

from rlcores.cores.gae.float64 import rollout
from rlcores.cores.learner.optimisers.adam import log_rate
from rlcores.cores.learner.optimisers.slot import Betas
from rlcores.cores.policy import density
from rlcores.cores.ppo import gae, head, norm, rates, standardise

LN2 = np.log(2)


@pytest.fixture
def rng(seed) -> np.random.Generator:
    return np.random.default_rng(seed)


def codes(x: np.ndarray, frac: int = density.OUT_FRAC) -> np.ndarray:
    return np.floor(x * 2**frac + 0.5).astype(np.int64)


def log_softmax(x: np.ndarray) -> np.ndarray:
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def test_entropy_is_that_of_softmax(rng):
    for actions in (1, 2, 3, 16):
        z = codes(rng.normal(0, 2, (2000, actions)))
        seen, exact = density.categorical(z), log_softmax(z / 2**16)
        entropy = head.entropy(seen, seen.probabilities) / 2**20 * LN2
        assert np.abs(entropy + (np.exp(exact) * exact).sum(1)).max() < 1e-3


def test_a_policy_that_has_not_changed_has_ratio_one(rng):
    z = codes(rng.normal(0, 3, (200, 4)))
    logs = density.categorical(z).log_probability(rng.integers(0, 4, 200))
    ratios = head.ratio(logs, logs.copy(), codes(rng.normal(0, 1, 200), 12), 209715)
    assert (ratios.ratio == 1 << 20).all() and not ratios.cut.any() and ratios.saturated == 0


def test_slope_is_that_of_the_clipped_objective(rng):
    before, log = codes(rng.uniform(-2, 0, 5000), 20), codes(rng.uniform(-2, 0, 5000), 20)
    a = codes(np.clip(rng.normal(0, 1, 5000), -6, 6), 12)
    ratios = head.ratio(log, before, a, round(0.2 * 2**20))
    r, adv = np.exp2((log - before) / 2**20), a / 2**12
    exact = np.where(((adv > 0) & (r > 1.2)) | ((adv < 0) & (r < 0.8)), 0, -adv * r)
    sure = np.minimum(np.abs(r - 1.2), np.abs(r - 0.8)) > 1e-5
    assert np.abs(ratios.slope / 2**12 - exact)[sure].max() < 2e-4
    assert (ratios.cut == (exact == 0))[sure & (a != 0)].all()


def test_categorical_delta_is_the_gradient(rng):
    z, actions = codes(rng.normal(0, 2, (2000, 3))), rng.integers(0, 3, 2000)
    slope = codes(np.clip(rng.normal(0, 2, 2000), -8, 8), 12)
    coefficient = 0.01
    seen, register = density.categorical(z), round(coefficient * LN2 * 2**20)
    delta, saturated = head.categorical_delta(seen, actions, slope, register, 14)
    logs = log_softmax(z / 2**16)
    p = np.exp(logs)
    exact = coefficient * p * (logs - (p * logs).sum(1, keepdims=True)) - slope[:, None] / 2**12 * p
    exact[np.arange(2000), actions] += slope / 2**12
    assert saturated == 0 and np.abs(delta / 2**14 - exact).max() < 2e-4


def test_gaussian_delta_is_the_gradient(rng):
    logs = codes(np.array([-1.5, 0.2]), 22)
    wide, s = density.deviation(logs), logs / 2**22
    mean = codes(rng.normal(0, 1, (2000, 2)))
    actions = mean + wide.noise(codes(np.clip(rng.normal(0, 1, mean.shape), -4, 4), 14))
    slope = codes(np.clip(rng.normal(0, 1, 2000), -4, 4), 12)
    seen = density.gaussian(actions, mean, wide)
    delta, of_logs, saturated = head.gaussian_delta(seen, wide, slope, round(0.01 * 2**20), 10)
    g, x = slope[:, None] / 2**12, (actions - mean) / 2**16 / np.exp(s)
    assert saturated == 0
    assert np.abs(delta / 2**10 - g * x / np.exp(s)).max() < 5e-3
    assert np.abs(of_logs / 2**20 - (g * (x * x - 1) - 0.01)).max() < 1e-2


@pytest.mark.parametrize("clip", [0.0, 0.5])
def test_value_delta_is_the_gradient(rng, clip):
    v, old, returns = (codes(rng.normal(0, 3, 2000)) for _ in range(3))
    delta, saturated = head.value_delta(v, old, returns - old, 1 << 16, 12, round(clip * 2**16))
    error = (v - returns) / 2**16
    if clip:
        held = (old + np.clip(v - old, -round(clip * 2**16), round(clip * 2**16)) - returns) / 2**16
        error = np.where(np.abs(held) > np.abs(error), 0, error)
    assert saturated == 0 and np.abs(delta / 2**12 - error / 2).max() <= 2.0**-13


def test_numbers_beyond_a_format_are_saturated_and_counted():
    huge = np.array([2**26 - 1, -(2**26)])
    assert head.value_delta(-huge, huge, huge, 1 << 17, 16)[1] == 6  # return, error and delta
    ratios = head.ratio(np.array([0, 0]), np.array([-(20 << 20)] * 2), np.array([-4096, 4096]), 1 << 18)
    assert ratios.saturated == 2 and ratios.slope.tolist() == [2**17 - 1, 0]  # a cut ratio does no harm
    wide = density.deviation(np.array([-(4 << 22)]))
    assert density.gaussian(np.array([[2**20]]), np.array([[0]]), wide).saturated == 1


@pytest.mark.parametrize("count", [2, 3, 64, 100, 512, 4096])
@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (-90.0, 0.02), (3.0, 150.0)])
def test_advantages_are_standardised(rng, count, mean, deviation):
    a = codes(rng.normal(mean, deviation, count))
    advantages, saturated = standardise.standardised(a, standardise.scale_of(a))
    exact = (a - a.mean()) / a.std(ddof=1)
    assert saturated == int((np.abs(exact) > 32).sum()) == 0
    step = 2.0 ** ((count - 1).bit_length() + 1) / count  # of a centred advantage, in its last bits
    assert np.abs(advantages / 2**12 - exact).max() < 3e-4 + 0.51 * step / a.std(ddof=1)


def test_equal_advantages_are_nothing():
    a = np.full(64, -77777)
    assert not standardise.standardised(a, standardise.scale_of(a))[0].any()


def test_largest_advantages_fit():
    a = np.where(np.arange(4096) % 2, 2**26 - 1, -(2**26))
    advantages, _ = standardise.standardised(a, standardise.scale_of(a))
    assert set(np.abs(advantages)) <= {4095, 4096}
    one = np.zeros(4096, np.int64)
    one[7] = 64
    advantages, saturated = standardise.standardised(one, standardise.scale_of(one))
    assert advantages[7] == 2**17 - 1 and saturated == 1  # it is 64 deviations above the mean


def test_advantages_are_those_of_float64(rng):
    shape = (50, 8)
    rewards, values, final = (codes(rng.normal(0, spread, shape)) for spread in (1, 5, 5))
    terminated, truncated = rng.random((2, *shape)) < 0.08
    bootstrap = codes(rng.normal(0, 5, 8))
    estimated = gae.advantages(rewards, values, terminated, truncated, final, bootstrap, 129761, 123273)
    numbers = (x / 2**16 for x in (rewards, values))
    gamma, gl = 129761 / 2**17, 123273 / 2**17
    exact, _ = rollout(*numbers, terminated, truncated, bootstrap / 2**16, final / 2**16, gamma, gl / gamma)
    assert (
        estimated.saturated == 0
        and np.abs(estimated.advantages / 2**16 - exact).max() < 2.5 * 2.0**-17 * 1 / (1 - gl) + 2e-5
    )


def test_rewards_are_scaled_and_saturated():
    rewards, saturated = gae.scaled(np.array([2**19, -3 << 18, 2**26 - 1]), 1 << 16)
    assert rewards.tolist() == [2**15, -3 << 14, 2**22] and saturated == 0


@pytest.mark.parametrize("limit", [0.5, 1e3, 1e-3])
def test_norm_is_clipped(rng, limit):
    fractions, batch = (18, 20, 16), 256
    layers = [codes(rng.normal(0, 2.0, 400), f) for f in fractions]
    layers = [np.clip(g, -(2**26), 2**26 - 1) for g in layers]
    squares = [(norm.squares(g), f) for g, f in zip(layers, fractions, strict=True)]
    by = norm.factor(squares, norm.register(limit, batch, 16))
    exact = np.sqrt(sum(((g / 2**f) ** 2).sum() for g, f in zip(layers, fractions, strict=True))) / batch
    assert abs(by / 2**17 - min(1.0, limit / exact)) < 1e-2 * min(1.0, limit / exact) + 2.0**-17
    assert (by == norm.ONE) == (exact <= limit)
    assert (norm.clipped(layers[0], norm.ONE) == layers[0]).all()


def test_rates_have_bias_correction_and_fall():
    first = 2.5e-4
    made, betas = rates.Rates(round(np.log2(first * 2**22) * 2**20), 10), Betas()
    for n in range(1, 400):
        iteration = n // 40
        exact = log_rate(first * (1 - iteration / 10), n, betas)
        assert abs(made.next(iteration) - exact) <= 1
    assert rates.Rates(0).next(5) == rates.Rates(0, 7).next(0)
