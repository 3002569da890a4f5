"""A priority for a slot that holds no transition: refused, with nothing changed, however the slots came to be held."""

import copy
import pickle

import numpy as np
import pytest

from rlcores import PrioritizedSampler
from rlcores.cores.sumtree.loss_adjusted import LossAdjustedSampler
from rlcores.cores.sumtree.ranks import RankSampler
from rlcores.errors import UserError

KINDS = {
    "native": lambda n: PrioritizedSampler(n, seed=1),
    "fixed scale": lambda n: PrioritizedSampler(n, seed=1, scale=16),
    "banks": lambda n: PrioritizedSampler(n, seed=1, banks=2),
    "model": lambda n: PrioritizedSampler(n, seed=1, backend="model"),
    "within": lambda n: PrioritizedSampler(n, seed=1, max_priority_within_buffer=True),
    "no tags": lambda n: PrioritizedSampler(n, seed=1, generation_width=0),
    "ranks": lambda n: RankSampler(n, seed=1),
    "loss-adjusted": lambda n: LossAdjustedSampler(n, seed=1),
}
EVERY = pytest.mark.parametrize("kind", KINDS)
CAPACITY = 23


def held(sampler):
    """Priorities of all slots."""
    return sampler.tree.read(np.arange(sampler.buffer_size))


@EVERY
@pytest.mark.parametrize("container", [np.array, list])
def test_an_update_of_a_slot_that_holds_nothing_is_refused(kind, container):
    sampler = KINDS[kind](CAPACITY)
    with pytest.raises(UserError, match="slot 0 holds no transition, so it has no priority to update; add"):
        sampler.update(container([0]), container([1.0]))
    slots = sampler.add(5)
    before = held(sampler)
    for wrong in (5, CAPACITY - 1):
        with pytest.raises(UserError, match=f"slot {wrong} holds no transition"):
            sampler.update(container([0, wrong, 4]), container([2.0, 2.0, 2.0]))
        with pytest.raises(UserError, match=f"slot {wrong} holds no transition"):
            sampler.commit(container([wrong]), sampler.tree.generations([wrong]), container([2.0]))
        with pytest.raises(UserError, match=f"slot {wrong} holds no transition"):
            sampler.commit(container([wrong]), sampler.tree.generations([wrong]))
    assert np.array_equal(held(sampler), before) and sampler.stale == 0
    assert sampler.update(container([0, 4]), container([2.0, 3.0]), slots.generations[[0, 4]]).all()
    assert set(sampler.sample(64).indices.tolist()) <= set(range(5))


@EVERY
def test_reserved_and_placed_slots_are_held(kind):
    sampler = KINDS[kind](CAPACITY)
    reserved = sampler.reserve(3)
    assert sampler.update(reserved.indices, [1.0] * 3, reserved.generations).all()
    sampler.place([20])
    sampler.place([21, 22], [0.5, 2.0])
    assert (held(sampler)[20:] > 0).all()
    assert sampler.update([20, 21, 22], [1.0] * 3).all()
    with pytest.raises(UserError, match="slot 19 holds no transition"):
        sampler.update([20, 19], [1.0] * 2)


@EVERY
def test_what_comes_back_after_clear_is_stale_and_no_mistake(kind):
    sampler = KINDS[kind](CAPACITY)
    slots = sampler.add(6)
    sampler.clear()
    if kind == "no tags":  # nothing tells it from a mistake
        with pytest.raises(UserError, match="slot 0 holds no transition"):
            sampler.update(slots.indices, np.ones(6), slots.generations)
        return
    assert not sampler.update(slots.indices, np.ones(6), slots.generations).any()
    assert sampler.stale == 6 and not held(sampler).any()
    with pytest.raises(UserError, match="slot 0 holds no transition"):
        sampler.update(slots.indices, np.ones(6))


class Reference:
    """Which slots hold something, by the words of the documentation."""

    def __init__(self):
        self.size, self.placed = 0, set()

    def take(self, count):
        self.size = min(self.size + count, CAPACITY)

    def clear(self):
        self.__init__()

    def holds(self, slot):
        return slot < self.size or slot in self.placed


@EVERY
def test_any_order_of_calls_is_judged_as_a_reference_does(kind, seed):
    rng = np.random.default_rng(seed)
    refused = done = 0
    for _ in range(6):
        sampler, reference = KINDS[kind](CAPACITY), Reference()
        for _ in range(60):
            action = rng.integers(0, 20)
            some = rng.integers(0, CAPACITY, rng.integers(1, 5))
            errors = rng.normal(size=len(some)) * 3
            if action < 2:
                count = int(rng.integers(0, 4))
                reference.take(count)
                sampler.add(count) if rng.random() < 0.5 else sampler.add(td_errors=rng.normal(size=count))
            elif action < 3:
                slots = sampler.reserve(2)
                reference.take(2)
                if rng.random() < 0.5:
                    assert sampler.commit(slots.indices, slots.generations).all()
            elif action < 5:
                sampler.place(some, *([errors] if rng.random() < 0.5 else []))
                reference.placed |= set(some.tolist())
            elif action < 6:
                sampler.clear()
                reference.clear()
            elif action < 8:
                sampler = pickle.loads(pickle.dumps(sampler)) if rng.random() < 0.5 else copy.copy(sampler)
            elif action < 10:
                other = KINDS[kind](CAPACITY)
                other.load_state_dict(sampler.state_dict())
                sampler = other
            else:
                tags = sampler.tree.generations(some) if rng.random() < 0.4 else None
                wrong = np.zeros(len(some), bool)
                if tags is not None and kind != "no tags":
                    wrong = rng.random(len(some)) < 0.3
                    tags = (tags + wrong) & 0xFFFF
                mistakes = [
                    s for s, stale in zip(some.tolist(), wrong, strict=True) if not (stale or reference.holds(s))
                ]
                before = held(sampler)
                if mistakes:
                    refused += 1
                    with pytest.raises(UserError, match=f"slot ({'|'.join(map(str, mistakes))}) holds no transition"):
                        sampler.update(some, errors, tags)
                    assert np.array_equal(held(sampler), before)
                else:
                    done += 1
                    assert np.array_equal(sampler.update(some, errors, tags), ~wrong)
    assert refused > 5 and done > 5, (refused, done)
