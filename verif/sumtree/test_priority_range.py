"""Shares of transitions follow |TD error|**alpha over twelve decades on every backend, and what is clipped is said."""

import sys
import warnings

import numpy as np
import pytest

from rlcores import PrioritizedSampler
from rlcores.errors import CoreWarning

BACKENDS = ("native", "model", "rtl")


def share_error(sampler: PrioritizedSampler, errors: np.ndarray) -> float:
    """The worst relative error of a transition's share."""
    wanted = (np.abs(errors) + sampler.priority_epsilon) ** sampler.alpha
    held = sampler.tree.read(np.arange(len(errors)))
    assert sampler.tree.total == held.sum()
    return float(np.abs(held / held.sum() / (wanted / wanted.sum()) - 1).max())


def decades(low: float, high: float, count: int, seed: int = 0) -> np.ndarray:
    return 10 ** np.random.default_rng(seed).uniform(low, high, count)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("low", "high"), [(-12, 0), (-6, 6), (0, 12)])
def test_shares_are_right_over_twelve_decades_at_once(backend, low, high, recwarn):
    n = 60 if backend == "rtl" else 2000
    sampler = PrioritizedSampler(n, priority_epsilon=0.0, backend=backend, seed=1)
    sampler.add(n)
    errors = decades(low, high, n)
    errors[:2] = 10.0**low, 10.0**high
    sampler.update(np.arange(n), errors)
    assert share_error(sampler, errors) < 0.01
    assert not sampler.saturations() and not recwarn.list


@pytest.mark.parametrize("backend", BACKENDS[:2])
@pytest.mark.parametrize("alpha", [0.3, 0.6, 1.0])
def test_shares_are_right_while_errors_grow_through_twelve_decades(backend, alpha):
    """A run whose errors are of one size at a time: the scale follows them, and what was held follows the scale."""
    n = 500
    sampler = PrioritizedSampler(n, alpha=alpha, priority_epsilon=0.0, backend=backend, seed=1)
    sampler.add(n)
    units = set()
    for decade in range(-7, 6):
        errors = decades(decade, decade + 1, n, decade + 7)
        assert sampler.update(np.arange(n), errors.astype(np.float32) if decade % 2 else errors).all()
        assert share_error(sampler, errors) < 0.01, decade
        units.add(sampler.unit)
    assert len(units) > 1, "the scale never moved"
    assert sampler.tree.total < 2**52 and sampler.tree.largest < 2**32


def test_every_backend_gives_the_same_priorities_draws_and_scales_when_the_scale_moves():
    rng = np.random.default_rng(5)
    samplers = [PrioritizedSampler(50, backend=b, batch_size=16, seed=3, priority_epsilon=1e-9) for b in BACKENDS]
    moves = 0
    for step in range(40):
        size, count = 10.0 ** rng.integers(-10, 4 + step // 4), int(rng.integers(1, 20))
        errors = rng.normal(size=count) * size
        slots = [s.add(td_errors=errors) if step % 3 else s.add(count) for s in samplers]
        for other in slots[1:]:
            assert all(np.array_equal(a, b) for a, b in zip(slots[0], other, strict=True))
        batches = [s.sample() for s in samplers]
        for batch in batches[1:]:
            assert all(np.array_equal(a, b) for a, b in zip(batches[0], batch, strict=True))
        errors = rng.normal(size=16) * size
        taken = [s.update(batches[0].indices, errors, batches[0].generations) for s in samplers]
        assert all(np.array_equal(taken[0], x) for x in taken)
        before, moves = samplers[0].unit, moves + (samplers[0].unit != samplers[1].unit)
        assert len({s.unit for s in samplers}) == 1 and len({s.tree.largest for s in samplers}) == 1
        if step == 20:
            for s in samplers:
                s.alpha = 0.9
        if step == 30:
            for s in samplers:
                s.clear()
            assert samplers[0].unit == 2.0**30 != before
    assert samplers[0].saturations() == samplers[1].saturations() == samplers[2].saturations()
    assert samplers[0].saturations()["coarse"] > 0


def test_what_is_too_small_beside_the_largest_is_counted_and_said():
    sampler = PrioritizedSampler(4, alpha=1.0, priority_epsilon=0.0, seed=0)
    sampler.add(4)
    with pytest.warns(CoreWarning, match="2 of 4 TD errors are so small beside the largest one seen"):
        sampler.update(np.arange(4), np.array([1.0, 1e-9, 1e-8, 1e-6]))
    assert sampler.saturations() == {"coarse": 2}
    with pytest.warns(CoreWarning, match=r"the scale moved by \d+ bits: 1 smaller priorities"):
        sampler.update(np.array([0]), np.array([1e6]))
    assert sampler.saturations() == {"coarse": 2, "rescaled": 1}


def test_a_fixed_scale_stays_and_says_where_priorities_end():
    sampler = PrioritizedSampler(4, alpha=1.0, priority_epsilon=0.0, scale=8, priority_width=18, seed=0)
    sampler.add(4)
    with pytest.warns(CoreWarning, match="1 of 2 TD errors have the largest priority that fits: those from 1024 on"):
        sampler.update(np.array([0, 1]), np.array([1023.5, 1e9]))
    assert sampler.unit == 256 and sampler.tree.read([0, 1]).tolist() == [262016, 262143]
    assert sampler.saturations() == {"priorities": 1}


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_a_sampler_whose_scale_moved_goes_on_from_its_state_and_from_a_copy(backend):
    import copy
    import pickle

    def grown():
        sampler = PrioritizedSampler(30, backend=backend, batch_size=8, seed=2)
        sampler.add(30)
        sampler.update(np.arange(30), decades(-3, 9, 30))
        sampler.sample()
        return sampler

    sampler, other = grown(), PrioritizedSampler(30, backend=backend, batch_size=8, seed=9)
    assert sampler.unit < 2.0**20
    other.load_state_dict(sampler.state_dict())
    for one in (other, copy.deepcopy(sampler), pickle.loads(pickle.dumps(sampler))):
        assert one.unit == sampler.unit and one.tree.largest == sampler.tree.largest
        twin = copy.deepcopy(sampler)
        a, b = one.sample(), twin.sample()
        assert np.array_equal(a.indices, b.indices) and np.array_equal(a.priorities, b.priorities)
        one.update(a.indices, np.full(8, 1e12)), twin.update(a.indices, np.full(8, 1e12))
        assert np.array_equal(one.tree.read(np.arange(30)), twin.tree.read(np.arange(30))) and one.unit == twin.unit
        one.clear()
        assert one.unit == 2.0**30 and one.add(1) and one.tree.read([0]).tolist() == [2**30]


def test_threads_that_move_the_scale_lose_no_priority():
    from concurrent.futures import ThreadPoolExecutor

    sampler = PrioritizedSampler(4000, priority_epsilon=0.0, seed=0)
    sampler.add(4000)
    errors = decades(-6, 6, 4000)

    def work(k):
        own = np.arange(k, 4000, 4)
        for part in np.array_split(own, 50):
            sampler.update(part, errors[part])
            sampler.sample()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert share_error(sampler, errors) < 0.01


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_error_of_a_transition_that_is_gone_does_not_move_the_scale(backend):
    sampler = PrioritizedSampler(4, backend=backend, seed=0)
    old = sampler.add(4)
    new = sampler.add(2)
    errors = np.array([1e9, -1e12, 2.0, 1.0])
    assert sampler.update(old.indices, errors, old.generations).tolist() == [False, False, True, True]
    assert sampler.unit == 2.0**30 and sampler.stale == 2
    assert sampler.tree.read(new.indices).tolist() == [2**30, 2**30]


@pytest.mark.parametrize("alpha", [4e-5, 0.001, 0.01])
def test_a_small_alpha_whose_priorities_are_all_one_is_said_and_ends_no_update(alpha: float) -> None:
    sampler = PrioritizedSampler(64, alpha=alpha, scale=0, batch_size=8, seed=1)
    sampler.add(20)
    with pytest.warns(CoreWarning, match="20 of 20 TD errors are so small"):
        sampler.update(np.arange(20), np.linspace(0.1, 2, 20))
    assert sampler.saturations()["coarse"] == 20 and (sampler.sample().indices < 20).all()


def test_threads_that_share_a_model_take_turns():
    """A switch of threads inside of a call mixed up batch and write: impossible samples, and sums that were wrong."""
    from concurrent.futures import ThreadPoolExecutor

    sampler = PrioritizedSampler(500, backend="model", priority_width=20, seed=1)
    sampler.add(500)

    def work(k):
        rng = np.random.default_rng(k)
        for _ in range(60):
            count = int(rng.integers(1, 9)) * 8
            batch = sampler.sample(count)
            assert (batch.priorities > 0).all() and len(batch.indices) == count
            sampler.update(batch.indices, rng.random(count) * 10.0 ** rng.integers(-3, 4), batch.generations)
            sampler.add(3)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with warnings.catch_warnings(action="ignore"), ThreadPoolExecutor(6) as pool:
            list(pool.map(work, range(6)))
    finally:
        sys.setswitchinterval(switch)
    assert sampler.tree.total == sampler.tree.read(np.arange(500)).sum()
