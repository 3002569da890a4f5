"""The integer model of the weight update: exact where it says so, within its stated bound where it approximates."""

from fractions import Fraction

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner import update as model
from rlcores.cores.learner.optimisers import adam, momentum, sgd, slot
from rlcores.cores.learner.optimisers.slot import FLOOR, NEAREST, STOCHASTIC

HALF = Fraction(1, 2)


def test_log2_stays_within_its_bound_for_every_place_and_fraction() -> None:
    rng = np.random.default_rng(1)
    for place in range(48):
        x = np.unique(rng.integers(1 << place, 2 << place, 5000))
        error = np.abs(adam.log2_of(x) - 1024 * np.log2(x))
        # Short numbers have their zeros taken for the middle of a segment; the bound holds for them too.
        assert error.max() < 3.4
    x = np.arange(1, 1 << 18)
    assert np.all(np.diff(adam.log2_of(x)) >= 0), "not monotone"


def test_adams_step_stays_within_its_bound() -> None:
    rng = np.random.default_rng(2)
    n = 200_000
    m = (2.0 ** rng.uniform(0, 32, n)).astype(np.int64) * rng.choice([-1, 1], n)
    v = (2.0 ** rng.uniform(0, 48, n)).astype(np.int64)
    rate, fraction = 0.05, 20
    still = slot.Betas(0, 11, 0, 17)  # moments as given
    new, same_m, same_v, saturated = adam.adam(
        np.zeros(n, np.int64), m, v, m * 0, adam.log_rate(rate), 0, 2**19 - 1, betas=still
    )
    assert np.array_equal(m, same_m) and np.array_equal(v, same_v)
    real = rate * (m / 2.0 ** (fraction + 6)) / np.sqrt(v / 2.0 ** (2 * fraction - 4)) * 2**22
    fits = (np.abs(real) < 2**26 * (1 - adam.RATIO_ERROR)) & (np.abs(real) > 1)
    assert fits.sum() > n / 4 and not saturated[fits].any()
    error = np.abs(-new[fits] - real[fits])
    # The bound, log_rate's own last bit, and half a unit of the weight, which is cut from 16 fraction bits.
    assert np.all(error <= np.abs(real[fits]) * (adam.RATIO_ERROR + np.log(2) / 4096) + 0.51)
    assert (error / np.abs(real[fits]))[np.abs(real[fits]) > 2**12].max() > 0.003, "the bound is far too wide"
    assert saturated[np.abs(real) > 2**26 * (1 + 2 * adam.RATIO_ERROR)].all()


def test_adam_goes_where_float64_adam_goes() -> None:
    rng = np.random.default_rng(3)
    n, steps, fraction, rate = 400, 300, 22, 1e-3
    start = rng.normal(0, 0.3, n)
    scale = 2.0 ** rng.uniform(-8, 0, n)
    w = np.round(start * 2**22).astype(np.int64)
    m, v = np.zeros(n, np.int64), np.zeros(n, np.int64)
    weight, first, second, betas = start.copy(), np.zeros(n), np.zeros(n), slot.Betas()
    eps, clip = adam.eps_of(adam.log_register(1e-8), fraction), adam.log_register(100.0)
    for step in range(1, steps + 1):
        real = rng.normal(0.3, 1, n) * scale
        g, _ = model.gradient(np.round(real * 2**30).astype(np.int64), 30 - fraction, squares=True)
        w, m, v, _ = adam.adam(w, m, v, g, adam.log_rate(rate, step), eps, clip)
        first = betas.beta1 * first + (1 - betas.beta1) * real
        second = betas.beta2 * second + (1 - betas.beta2) * real**2
        corrected = np.sqrt(second / (1 - betas.beta2**step)) + 1e-8
        weight -= rate * first / (1 - betas.beta1**step) / corrected
    moved = np.abs(weight - start)
    assert moved.mean() > 0.02
    assert np.abs(w / 2**22 - weight).mean() < 0.002 * moved.mean()
    assert np.abs(m / 2.0 ** (fraction + 6) - first).max() < 2.0**-20


def test_rounding_is_what_its_mode_says() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        value, shift = int(rng.integers(-(2**43), 2**43)), int(rng.integers(0, 64))
        exact = Fraction(value, 2**shift)
        array = np.array([value])
        assert slot.step_of(array, shift, NEAREST)[0] == (exact + HALF).__floor__()
        assert slot.step_of(array, shift, FLOOR)[0] == exact.__floor__()
        both = [slot.step_of(array, shift, STOCHASTIC, d)[0] for d in (0, 2**16 - 1)]
        assert both[0] == exact.__floor__() and both[1] in (both[0], both[0] + 1)


def test_stochastic_rounding_loses_nothing_on_average() -> None:
    words = Xoshiro128pp(model.seed_of(7, 1)).take(4000)
    dither = model.dither_of(words, 8)
    assert dither.shape == (4000, 8) and dither.min() >= 0 and dither.max() < 2**16
    assert np.array_equal(dither[:, 0], words.astype(np.int64) & 0xFFFF)
    value = np.full(dither.shape, 5 << 14)  # 5/8 at shift 17
    steps = slot.step_of(value, 17, STOCHASTIC, dither)
    assert set(steps.ravel()) == {0, 1}
    assert np.all(np.abs(steps.mean(axis=0) - 0.625) < 0.04)  # 5 sigma a lane
    different = [tuple(model.seed_of(7, layer, actor)) for layer in range(1, 5) for actor in (0, 1)]
    assert len(set(different)) == 8 and model.seed_of(2**32 - 1, 2) == model.seed_of(0, 1)


def test_sgd_and_momentum_are_exact() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        w, m, g = (int(x) for x in rng.integers(-(2**26) + 1, 2**26, 3))
        rate, mu, shift = int(rng.integers(0, 2**17)), int(rng.integers(0, 2**17)), int(rng.integers(14, 30))
        top = 2**26 - 1
        exact = w - (Fraction(rate * g, 2**shift) + HALF).__floor__()
        new, saturated = sgd.sgd(np.array([w]), np.array([g]), rate, shift)
        assert new[0] == min(max(exact, -top - 1), top) and saturated[0] == (new[0] != exact)
        new_m = g + (Fraction(mu * m, 2**17) + HALF).__floor__()
        clipped = min(max(new_m, -top), top)
        exact = w - (Fraction(rate * clipped, 2**shift) + HALF).__floor__()
        new, moment, saturated = momentum.momentum(np.array([w]), np.array([m]), np.array([g]), mu, rate, shift)
        assert moment[0] == clipped and new[0] == min(max(exact, -top - 1), top)
        assert saturated[0] == (new[0] != exact or clipped != new_m)


def test_an_averaged_target_follows_the_weights_to_the_last_bit() -> None:
    rng = np.random.default_rng(6)
    w = rng.integers(-(2**26), 2**26, 500)
    t, _ = model.sync(w * 0, w * 0, 0)
    for tau in (131071, 6554, 655):
        t, _ = model.sync(w, t, 0)
        goal = np.clip(w + rng.integers(-(2**20), 2**20, 500), -(2**26), 2**26 - 1)
        for _ in range(20 * 2**17 // tau):
            t, saturated = model.sync(goal, t, tau)
            assert not saturated.any() and np.abs(t).max() <= 2**35
        assert np.array_equal(model.target_of(t), goal), "a small tau stops short of the weights"
    far, saturated = model.sync(np.array([2**26 - 1]), np.array([-(2**35)]), 131071)
    assert saturated[0] and far[0] > -(2**35)


def test_gradients_saturate_symmetrically_and_are_counted() -> None:
    top = 2**26 - 1
    sums = np.array([2**47 - 1, -(2**47), top << 4, (top << 4) + 8, -(top << 4) - 8, -(top << 4) - 9, 0])
    g, saturated = model.gradient(sums, 4)
    assert g.tolist() == [top, -top, top, top, -top, -top, 0]
    assert saturated.tolist() == [True, True, False, True, False, True, False]
    edge = np.array([2**26 - 257, 2**26 - 256, -(2**26) + 256, -(2**26) + 255])
    assert model.gradient(edge, 0, squares=True)[1].tolist() == [False, True, False, True]


def test_bias_correction_is_in_the_rate_register() -> None:
    betas = slot.Betas()
    for step in (1, 10, 1000):
        exact = 1e-3 * np.sqrt(1 - betas.beta2**step) / (1 - betas.beta1**step)
        assert abs(2.0 ** (adam.log_rate(1e-3, step) / 2048 - 22) / exact - 1) < 2.0**-11
    assert adam.log_register(0) == -(2**19) and adam.log_register(2.0) == 2048
