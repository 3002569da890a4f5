"""The policy head's integers stand for the distributions that they say, within the errors of docs/policy.md."""

from statistics import NormalDist

import numpy as np
import pytest

from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.policy import density, float64, head, noise

TOP = 1 << 31


def words_of_every_segment() -> np.ndarray:
    """Words near both ends and at several places in each of the 16 segments of every octave, on both sides of 1/2."""
    t = [np.arange(64)]
    for octave in range(2, 32):
        unit = 2.0 ** (octave - 1)
        t.append((unit * (1 + (np.arange(256) + 0.5) / 256)).astype(np.int64))
    t = np.unique(np.minimum(np.concatenate(t), TOP - 1))
    return np.concatenate([t, t + TOP])


def distance(words: np.ndarray) -> np.ndarray:
    return (2 * (words & (TOP - 1)) + 1) * 2.0**-33


def drawn(count: int, seed: int = 3) -> np.ndarray:
    return Xoshiro128pp(state_of(seed)).take(count)


def test_a_normal_number_is_the_quantile_within_its_error():
    words = words_of_every_segment()
    exact = np.vectorize(NormalDist().inv_cdf)(distance(words)) * np.where(words < TOP, 1, -1)
    error = np.abs(noise.normal(words) * 2.0**-noise.NORMAL_FRACTION - exact)
    assert error.max() < noise.NORMAL_ERROR
    assert noise.normal(np.array([0, TOP])).tolist() == [-103841, 103841]


def test_a_gumbel_number_is_the_quantile_within_its_error():
    words = words_of_every_segment()
    t = distance(words)
    exact = -np.log(np.where(words < TOP, -np.log(t), -np.log1p(-t)))
    error = np.abs(noise.gumbel(words) * 2.0**-noise.GUMBEL_FRACTION - exact)
    assert error.max() < noise.GUMBEL_ERROR


def test_normal_numbers_have_the_moments_and_tails_of_the_normal_distribution():
    n = 200_000
    z = noise.normal(drawn(n)) * 2.0**-noise.NORMAL_FRACTION
    assert abs(z.mean()) < 4 / np.sqrt(n)
    assert abs(z.var() - 1) < 4 * np.sqrt(2 / n)
    assert abs((z**4).mean() - 3) < 4 * np.sqrt(96 / n)
    for limit in (2, 3, 4):
        p = 2 * NormalDist().cdf(-limit)
        assert abs((np.abs(z) > limit).mean() - p) < 4 * np.sqrt(p / n)
    cdf = np.vectorize(NormalDist().cdf)(np.sort(z))
    assert np.abs(cdf - (np.arange(n) + 0.5) / n).max() < 1.63 / np.sqrt(n)  # Kolmogorov and Smirnov, 1 %


@pytest.mark.parametrize("actions", [2, 3, 18])
def test_log_probabilities_of_logits_are_those_of_a_softmax(actions):
    rng = np.random.default_rng(actions)
    logits = rng.normal(0, rng.choice([0.1, 1, 8], (4000, 1)), (4000, actions))
    codes = np.floor(logits * 2**density.OUT_FRAC + 0.5).astype(np.int64)
    exact = float64.categorical(codes * 2.0**-density.OUT_FRAC)
    error = np.abs(density.categorical(codes).logs * head.NATURAL - exact)[exact > -20]
    assert error.max() < 2.0**-16.8
    p = density.categorical(codes).probabilities.sum(axis=1)
    assert np.abs(p * 2.0**-density.PROBABILITY_FRAC - 1).max() < actions * 2.0**-16


@pytest.mark.parametrize("squash", [head.NONE, head.SAMPLE])
@pytest.mark.parametrize("dimensions", [1, 6])
def test_log_probabilities_of_samples_are_those_of_a_gaussian(dimensions, squash):
    rng = np.random.default_rng(dimensions)
    n = 4000
    for log_deviation in (-3.0, -0.5, 0.0, 0.7):
        logs = np.full(dimensions, int(log_deviation * 2**22))
        means = rng.normal(0, 1, (n, dimensions))
        codes = np.floor(means * 2**density.OUT_FRAC + 0.5).astype(np.int64)
        words = drawn(n * (1 + dimensions)).reshape(n, -1)
        outputs = head.continuous(codes, words, head.HeadSettings(noise=True, squash=squash, log_deviations=logs))
        reference = float64.squashed if squash else float64.gaussian
        exact = reference(outputs.samples * 2.0**-16, codes * 2.0**-16, logs * 2.0**-22)
        # A sample has 16 fraction bits, the scaled one 14: half a unit moves the log-density by z times it.
        z = np.abs(outputs.samples - codes) * 2.0**-16 * np.exp(-log_deviation)
        allowed = ((z + 0.5) * 2.0**-14.5).sum(axis=1) + dimensions * 2.0**-17
        assert (np.abs(outputs.logs * head.NATURAL - exact) < allowed).all()


def test_categorical_actions_come_as_often_as_the_softmax_says():
    n, logits = 200_000, np.array([0.0, -1.0, 1.5, -6.0, 0.3])
    codes = np.tile((logits * 2**16).astype(np.int64), (n, 1))
    words = drawn(n * 6).reshape(n, 6)
    counts = np.bincount(head.discrete(codes, words, head.HeadSettings(noise=True)).actions, minlength=5)
    expected = n * np.exp(float64.categorical(logits[None])[0])
    assert ((counts - expected) ** 2 / expected).sum() < 18.5  # chi-square, 4 degrees of freedom, 0.1 %


def test_epsilon_takes_uniform_actions_as_often_as_it_says_and_the_greatest_otherwise():
    n = 100_000
    codes = np.tile(np.array([5, 9, 9, -3]), (n, 1))
    words = drawn(n * 5).reshape(n, 5)
    settings = head.HeadSettings(epsilon=int(0.3 * 65536))
    counts = np.bincount(head.discrete(codes, words, settings).actions, minlength=4)
    p = np.array([0.075, 0.775, 0.075, 0.075])
    assert ((counts - n * p) ** 2 / (n * p)).sum() < 16.3  # 3 degrees of freedom, 0.1 %
    assert (head.discrete(codes, words, head.HeadSettings()).actions == 1).all()
    assert head.explores(words, head.HeadSettings(epsilon=1 << 16)).all()


def test_fractions_of_the_outputs_do_not_change_which_logit_is_drawn():
    n = 2000
    logits = np.random.default_rng(1).integers(-8, 8, (n, 3))
    words = drawn(n * 4).reshape(n, 4)
    settings = head.HeadSettings(noise=True)
    outputs = [head.discrete(logits << frac, words, settings, frac) for frac in (14, 16, 20)]
    assert (outputs[1].actions == outputs[2].actions).all()
    assert (outputs[0].actions != outputs[1].actions).sum() < 5  # the noise is rounded to the outputs' fraction
    assert (
        outputs[0].logs[outputs[0].actions == outputs[1].actions]
        == outputs[1].logs[outputs[0].actions == outputs[1].actions]
    ).all()


def test_squashed_actions_stay_inside_and_the_scale_is_physical():
    n = 5000
    means = np.random.default_rng(2).integers(-(1 << 19), 1 << 19, (n, 2))
    words = drawn(n * 3).reshape(n, 3)
    for squash in (head.MEAN, head.SAMPLE):
        settings = head.HeadSettings(noise=True, squash=squash, scale=2 << 15, log_deviations=np.zeros(2, np.int64))
        outputs = head.continuous(means, words, settings)
        assert np.abs(outputs.actions).max() == 2 << 15 and outputs.actions.min() == -2 << 15
    still = head.HeadSettings(squash=head.MEAN, log_deviations=np.zeros(2, np.int64))
    exact = np.tanh(np.clip(means * 2.0**-16, -8, 8))
    assert np.abs(head.continuous(means, words, still).actions * 2.0**-15 - exact).max() < 2.0**-13.8
    uniform = head.HeadSettings(epsilon=1 << 16, log_deviations=np.zeros(2, np.int64))
    u = head.continuous(means, words, uniform).actions * 2.0**-15
    assert abs(u.mean()) < 4 / np.sqrt(3 * 2 * n) and abs(u.var() - 1 / 3) < 0.02
