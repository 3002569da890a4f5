"""A copy of a buffer goes on as the original would: pickled, copied, or with another exponent."""

import copy
import pickle
import warnings

import numpy as np
import pytest

from rlcores.cores.sumtree.maths import recode
from rlcores.cores.sumtree.model import SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree
from rlcores.errors import CoreWarning, UserError

WAYS = {"pickle": lambda x: pickle.loads(pickle.dumps(x)), "deepcopy": copy.deepcopy}


def used(kind, rng, *, laps: int, backend: str, capacity: int = 13, **options):
    """A buffer in the middle of its life."""
    buffer = kind(capacity, backend=backend, **options)
    add = buffer.insert if kind is SumTree else buffer.add
    for _ in range(laps):
        add(count=capacity)
    slots = add(count=int(rng.integers(1, capacity)))
    values = rng.integers(0, 1000, capacity) if kind is SumTree else rng.normal(0, 3, capacity)
    (buffer.update if kind is SumTree else buffer.place)(np.arange(capacity), values)  # of empty slots, too
    buffer.sample(5)
    return buffer, slots


def step(buffer, rng, tags) -> list:
    """What a user sees of a buffer that goes on."""
    add = buffer.insert if isinstance(buffer, SumTree) else buffer.add
    seen = [buffer.sample(5), buffer.sample(7)]
    seen += [add(count=3), buffer.update(tags.indices, np.arange(len(tags.indices)), tags.generations)]
    values = rng.random(4) * 5
    seen += [add(np.floor(values)) if isinstance(buffer, SumTree) else add(td_errors=values), buffer.sample(6)]
    tree = buffer if isinstance(buffer, SumTree) else buffer.tree
    seen += [tree.read(np.arange(tree.capacity)), tree.generations(np.arange(tree.capacity))]
    seen += [len(buffer), tree.total, tree.largest, buffer.stale]
    return [str(x if not hasattr(x, "__dict__") else vars(x)) for x in seen]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [SumTree, PrioritizedSampler])
@pytest.mark.parametrize("laps", [0, 1, 5])
def test_a_copy_has_the_same_tags_and_draws_the_same_samples(backend, kind, way, laps, seed):
    rng = np.random.default_rng(seed)
    buffer, tags = used(kind, rng, laps=laps, backend=backend, seed=seed)
    twin = WAYS[way](buffer)
    assert twin is not buffer
    own, other = (np.random.default_rng(seed) for _ in range(2))
    for _ in range(3):
        assert step(buffer, own, tags) == step(twin, other, tags)


def test_a_copy_is_its_own(backend, seed):
    buffer, _ = used(PrioritizedSampler, np.random.default_rng(seed), laps=1, backend=backend)
    known = str(buffer.state_dict())
    twin = copy.deepcopy(buffer)
    twin.add(5)
    twin.sample()
    twin.beta = twin.alpha = 0.9
    assert str(buffer.state_dict()) == known


def test_a_copy_keeps_settings_and_counts(seed):
    options = {"backend": "model", "stratified": False, "scale": 8, "priority_width": 18}
    buffer, _ = used(PrioritizedSampler, np.random.default_rng(seed), laps=0, **options)
    buffer.beta, buffer.alpha = 0.7, 0.5
    with pytest.warns(CoreWarning):
        buffer.update([0], [5e6])
    twin = pickle.loads(pickle.dumps(buffer))
    for name in ("alpha", "beta", "priority_epsilon", "batch_size", "stratified", "buffer_size"):
        assert getattr(twin, name) == getattr(buffer, name), name
    assert twin.saturations() == buffer.saturations() and buffer.saturations()["priorities"] == 1


@pytest.mark.parametrize("generation_width", [0, 1, 3, 16])
def test_tags_of_every_width_survive_any_number_of_rounds(generation_width, seed):
    tree = SumTree(3, generation_width=generation_width, seed=0)
    rng = np.random.default_rng(seed)
    for _ in range(12):
        tree.insert(count=int(rng.integers(0, 200)))
        if rng.random() < 0.2:
            tree.clear()
        twin = pickle.loads(pickle.dumps(tree))
        assert twin.generations([0, 1, 2]).tolist() == tree.generations([0, 1, 2]).tolist()
        assert twin.insert(count=4).generations.tolist() == tree.insert(count=4).generations.tolist()


def test_a_tree_on_a_driver_of_its_own_says_that_it_cannot_be_copied():
    shape = SumTreeShape(4, 16, 18, 32, 8)
    tree = SumTree(16, backend=SumTreeModelDriver(shape), generation_width=8, seed=0)
    for way in WAYS.values():
        with pytest.raises(UserError, match="cannot be pickled or copied; state_dict"):
            way(tree)


# --- alpha ---


@pytest.mark.parametrize(("old", "new"), [(0.6, 1.0), (1.0, 0.4), (0.3, 0.0), (0.5, 0.7)])
def test_a_new_alpha_gives_the_priorities_that_it_would_have_given(backend, old, new, seed):
    rng = np.random.default_rng(seed)
    errors = rng.lognormal(0, 1, 13)
    options = {"backend": backend, "priority_width": 18, "scale": 9}
    sampler = PrioritizedSampler(13, alpha=old, **options, seed=0)
    tags = sampler.add(13)
    sampler.update(tags.indices, errors, tags.generations)
    fresh = PrioritizedSampler(13, alpha=new, backend="model", priority_width=18, scale=9, seed=0)
    fresh.add(td_errors=errors)
    held = sampler.tree.read(np.arange(13))
    sampler.alpha = new
    assert sampler.alpha == pytest.approx(new, abs=2**-16)
    priorities, expected = sampler.tree.read(np.arange(13)), fresh.tree.read(np.arange(13))
    # What the rounding of the old priority to whole units is worth now, and half a unit of the new one.
    assert (np.abs(priorities - expected) <= expected * (new / old) * 0.6 / held + 1.1).all()
    # New slots and new TD errors have the new exponent too, and nothing else has changed.
    assert sampler.update(tags.indices, errors, tags.generations).all()
    assert sampler.tree.read(np.arange(13)).tolist() == expected.tolist()
    assert abs(sampler.tree.largest - max(expected.max(), 512)) <= expected.max() * 0.01
    assert sampler.add().indices.tolist() == [0]


def test_all_backends_recode_alike(seed):
    rng = np.random.default_rng(seed)
    pair = [PrioritizedSampler(13, backend=b, seed=3) for b in ("native", "model", "rtl")]
    errors = rng.lognormal(0, 2, 13)
    for sampler in pair:
        sampler.add(td_errors=errors)
        sampler.reserve(2)
        sampler.alpha = 0.9
        sampler.update([4], [2.0])
    assert str(pair[0].state_dict()) == str(pair[1].state_dict()) == str(pair[2].state_dict())
    first, *others = [sampler.sample().indices.tolist() for sampler in pair]
    assert others == [first, first]
    assert pair[0].tree.read([0, 1]).tolist() == [0, 0]  # reserved stays reserved


def test_recoding_is_the_mathematics(seed):
    """Against float64, over all widths; a priority of 0 stays 0."""
    rng = np.random.default_rng(seed)
    for width, scale in ((18, 8), (32, 22), (10, 0), (24, 14)):
        old, new = int(rng.integers(1, 32769)), int(rng.integers(0, 32769))
        p = np.unique(rng.integers(1, 1 << width, 500))
        exact = (p / 2.0**scale) ** (new / old) * 2.0**scale
        clipped = np.clip(exact, 1, (1 << width) - 1)
        recoded = recode(np.append(p, 0), old, new, scale * 256, scale * 256, width)
        assert recoded[-1] == 0
        # log2 is exact to 2**-19.9, times the ratio of the exponents.
        assert (np.abs(recoded[:-1] - clipped) <= clipped * (2**-20 * (1 + new / old)) * 1.4 + 0.51).all()


def test_alpha_from_zero_warns_and_keeps_the_priorities(backend):
    sampler = PrioritizedSampler(13, alpha=0.0, backend=backend, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sampler.alpha = 0.5  # an empty buffer has nothing to lose
        sampler.alpha = 0.0
    sampler.add(td_errors=[1.0, 2.0, 3.0])
    with pytest.warns(CoreWarning, match="alpha moves away from 0, where all priorities are equal"):
        sampler.alpha = 0.5
    assert len(set(sampler.tree.read([0, 1, 2]).tolist())) == 1
    sampler.update([0, 1], [1.0, 4.0])
    assert np.diff(sampler.tree.read([0, 1])) > 0


@pytest.mark.parametrize("wrong", [-0.1, 2.1, float("nan"), "high", None])
def test_a_wrong_alpha_is_refused_and_changes_nothing(wrong):
    sampler = PrioritizedSampler(8, seed=0)
    sampler.add(td_errors=[1.0, 2.0])
    before = str(sampler.state_dict())
    with pytest.raises(UserError, match="alpha is"):
        sampler.alpha = wrong
    assert str(sampler.state_dict()) == before


# --- the largest priority ---


def test_the_largest_priority_is_that_of_the_buffer_when_asked_for(backend, seed):
    """Against a plain list of what every slot holds."""
    rng = np.random.default_rng(seed)
    tree = SumTree(13, backend=backend, max_priority_within_buffer=True, initial=7, seed=0)
    held, following = np.zeros(13, np.int64), 0
    for _ in range(60):
        top = held.max() or 7
        assert tree.largest == top
        choice = rng.integers(5)
        if choice == 0:
            count = int(rng.integers(1, 16))
            slots = tree.insert(count=count).indices
            held[slots] = top
            following = (following + count) % 13
        elif choice == 1:
            priorities = rng.integers(0, 50, 3)
            held[tree.insert(priorities).indices] = priorities
        elif choice == 2:
            indices = rng.choice(13, 5, replace=False)
            priorities = rng.integers(0, 50, 5)
            tree.update(indices, priorities)
            held[indices] = priorities
        elif choice == 3:
            slots = tree.reserve(2)
            held[slots.indices] = 0  # void from here: the largest may have been in one of them
            tree.commit(slots.indices[:1], slots.generations[:1])
            held[slots.indices[0]] = held.max() or 7
        else:
            indices = rng.choice(13, 2, replace=False)
            tree.place(indices)
            held[indices] = top
        assert tree.read(np.arange(13)).tolist() == held.tolist()
    twin = copy.deepcopy(tree)
    assert twin.largest == tree.largest
    tree.clear()
    assert tree.largest == 7


def test_without_it_the_largest_priority_ever_seen_stays(backend):
    for within, expected in ((True, 3), (False, 900)):
        tree = SumTree(13, backend=backend, max_priority_within_buffer=within, seed=0)
        tree.insert([900, 3, 2])
        tree.update([0], [1])
        assert tree.read(tree.insert().indices).tolist() == [expected]


def test_transitions_at_places_of_the_users_choice_get_the_largest_priority(backend):
    sampler = PrioritizedSampler(13, backend=backend, scale=4, alpha=1.0, seed=0)
    sampler.place([7, 3])
    sampler.update([3], [5.0])
    sampler.place([9])
    assert sampler.tree.read([3, 7, 9, 0]).tolist() == [80, 16, 80, 0]
    assert set(sampler.sample(20).indices.tolist()) <= {3, 7, 9}
