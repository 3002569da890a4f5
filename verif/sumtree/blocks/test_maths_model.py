"""The model of the priority maths against float64: errors in the stated bounds, limits where they are promised."""

import numpy as np
import pytest
from maths_reference import Answer, batch_limit, priorities_float, weigh, weights_float

from rlcores.cores.sumtree import maths
from rlcores.cores.sumtree.maths import WEIGHT_ONE, priorities, weights

PRIORITY_BOUND = 2.0**-20
WEIGHT_BOUND = 2.0**-18.3
ALPHAS = [0.0, 0.4, 0.5, 0.6, 0.7, 1.0]


def power(x: float) -> int:
    """ufix(16, 15)."""
    return round(x * 2**15)


def magnitudes(exponent: int, rng: np.random.Generator) -> np.ndarray:
    """Numbers of an octave: both ends of every segment of the table, and random ones."""
    ends = ((512 + np.arange(513)) << exponent) >> 9
    magnitudes = np.concatenate([ends, ends - 1, rng.integers(1 << exponent, 2 << exponent, 4000)])
    return np.unique(np.clip(magnitudes, 1 << exponent, (2 << exponent) - 1))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_priorities_are_those_of_the_mathematics_in_every_octave(alpha: float) -> None:
    rng = np.random.default_rng(3)
    worst = 0.0
    for exponent in range(33):
        x = magnitudes(exponent, rng)
        # |delta| has 32 bits at most; what is more comes from eps.
        eps = {31: 2**31, 32: 2**32 - 1}.get(exponent, 0)
        delta = np.where(rng.random(x.size) < 0.5, 1, -1) * np.minimum(np.abs(x - eps), 2**31 - 1)
        # The scale that makes these priorities about 2**31: rounding to an integer disappears beside the error.
        scale = round((30.5 - power(alpha) / 2**15 * (exponent + 0.5 - 20)) * 256)
        computed, saturated = priorities(delta, power(alpha), eps, scale, 32)
        exact = priorities_float(delta / 2**20, power(alpha) / 2**15, eps / 2**20, scale / 256)
        kept = exact < 2.0**32 - 2.0**13
        assert kept.mean() > 0.3 and not saturated[kept].any()
        worst = max(worst, (np.abs(computed - exact) / exact)[kept].max())
    assert worst < PRIORITY_BOUND
    assert worst > PRIORITY_BOUND / 64, "the measure measures nothing"


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("width", [8, 18, 32])
def test_priorities_round_to_the_nearest_integer_and_stay_in_range(alpha: float, width: int) -> None:
    rng = np.random.default_rng(4)
    delta = rng.integers(-(2**31), 2**31, 20000) >> rng.integers(0, 32, 20000)
    eps, scale = 10486, (width - 5) << 8  # 0.01
    computed, saturated = priorities(delta, power(alpha), eps, scale, width)
    exact = priorities_float(delta / 2**20, power(alpha) / 2**15, eps / 2**20, scale / 256)
    top = 2**width - 1
    expected = np.clip(exact, 1, top)
    assert np.all(np.abs(computed - expected) <= 0.5 + PRIORITY_BOUND * expected)
    # The flag says that the limit changed it; on the edge itself either is right.
    edge = np.abs(exact - (top + 0.5)) <= PRIORITY_BOUND * top
    assert np.array_equal(saturated[~edge], (exact > top + 0.5)[~edge])
    assert saturated.any() == (alpha >= 0.5)


def test_a_larger_error_never_has_a_smaller_priority() -> None:
    delta = np.unique(np.concatenate([np.arange(70000), 2 ** np.arange(32), np.arange(2**25, 2**25 + 70000)]))
    for alpha in ALPHAS[1:]:
        computed, _ = priorities(-delta, power(alpha), 1, 12 << 8, 32)
        assert np.all(np.diff(computed) >= 0)


def test_corners_of_the_priority() -> None:
    nothing, least, most = np.array(0), np.array(1), np.array(-(2**31))
    assert priorities(nothing, power(0.6), 0, 17 << 8, 18) == (1, False)
    assert priorities(nothing, power(1.0), 0, 127 << 8, 18) == (1, False), "a scale cannot lift what is nothing"
    assert priorities(least, power(1.0), 0, 0, 18) == (1, False), "2**-20 is still sampled"
    # alpha 0 takes every error alike, the one that is 0 included.
    for delta in (nothing, least, most):
        assert priorities(delta, 0, 0, 10 << 8, 18) == (1024, False)
    # |-2**31| is 2**31, not itself.
    assert priorities(most, power(1.0), 0, 20 << 8, 32) == (2**31, False)
    assert priorities(most, power(1.0), 2**31, 20 << 8, 32) == (2**32 - 1, True)
    assert priorities(most, power(1.0), 0, 6 << 8, 18) == (2**17, False)
    assert priorities(most, power(1.0), 0, 7 << 8, 18) == (2**18 - 1, True)
    assert [int(x) for x in maths.direct(np.array(2**18), 18)] == [2**18 - 1, 1]
    assert [int(x) for x in maths.direct(np.array(0), 18)] == [0, 0]


@pytest.mark.parametrize("beta", [0.0, 0.4, 0.5, 0.7, 1.0])
def test_weights_are_those_of_the_mathematics(beta: float) -> None:
    rng = np.random.default_rng(5)
    worst = 0.0
    for number in range(300):
        size = int(rng.integers(1, 200))
        total_bits, spread = int(rng.integers(8, 57)), int(rng.integers(1, 33))
        total = rng.integers(1 << (total_bits - 1), 1 << total_bits, size)
        if number % 2:
            total[:] = total[0]
        priority = np.minimum(np.maximum(rng.integers(1, 1 << 32, size) >> rng.integers(0, spread, size), 1), total)
        computed = weights(np.zeros(size, dtype=int), priority, total, power(beta)) / 2**31
        exact = weights_float(priority, total, power(beta) / 2**15)
        assert computed.max() == 1.0
        worst = max(worst, (np.abs(computed - exact) - 2.0**-32).max())
        assert np.all(np.abs(computed - exact) <= WEIGHT_BOUND * exact + 2.0**-32)
    assert worst > WEIGHT_BOUND / 256 or beta == 0


def test_corners_of_the_weights() -> None:
    ok = np.zeros(4, dtype=int)
    priority, total = np.array([1, 2, 4, 8]), np.full(4, 1 << 40)
    assert (weights(ok, priority, total, power(1.0)) == [WEIGHT_ONE >> i for i in range(4)]).all()
    assert (weights(ok, priority, total, 0) == WEIGHT_ONE).all()
    # Answers without a priority have no say, whatever they carry.
    status = np.array([1, 0, 0, 2])
    assert weights(status, np.array([0, 6, 3, 0]), total, power(1.0)).tolist() == [0, WEIGHT_ONE // 2, WEIGHT_ONE, 0]
    assert weights(np.ones(4, dtype=int), np.zeros(4), np.zeros(4), power(1.0)).tolist() == [0] * 4
    with pytest.raises(ValueError, match="at most the total"):
        weights(ok, np.array([1, 1, 1, 2]), np.ones(4), 0)


def test_batches_end_where_the_registers_say() -> None:
    one = Answer(0, 1, 10)
    assert [batch_limit(n, 64, True) for n in (0, 1, 64, 65)] == [1, 1, 64, 64]
    assert [batch_limit(n, 64, False) for n in (0, 1, 64, 65)] == [1, 1, 64, 65]
    answers = [one, one, one, None, one, one, None, one]
    # Batches of two; the third answer is alone because of the restart; the last one waits.
    assert [last for _, last in weigh(answers, 2, 64, 0)] == [False, True, True, False, True]
    assert [last for _, last in weigh(answers, 2, 64, 0, enable=False)] == [
        False, True, False, False, True, False,
    ]  # fmt: skip
