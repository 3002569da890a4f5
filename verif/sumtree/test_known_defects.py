"""Defects that replay buffers elsewhere had or have, one test each: none of them may come back here."""

import numpy as np
import pytest
from float_sumtree import FloatSumTree

from rlcores.cores.sumtree.model import KIND, OK, RANGE, UPDATE
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree
from rlcores.errors import UserError


def everything(tree: SumTree) -> tuple:
    """All of a tree's state that its user can see."""
    state = tree.state_dict()
    tags = tree.generations(np.arange(tree.capacity)).tolist()
    state["priorities"] = state["priorities"].tolist()
    return tuple(state.items()), tags, tree.total, tree.driver.counters()["inserts"]


def test_float_drift_after_millions_of_updates(backend, seed):
    """The total is the sum of the priorities, however often they changed; adding up differences of floats is not."""
    rng = np.random.default_rng(seed)
    tree = SumTree(16, backend=backend, seed=0)
    count = {"rtl": 100_000, "model": 200_000}.get(backend, 2_000_000)
    paper = FloatSumTree(16, 4)
    for index, priority in zip(rng.integers(0, 16, 10_000).tolist(), rng.lognormal(0, 5, 10_000), strict=True):
        paper.update(index, priority)
    assert paper.total != paper.leaf_sum
    for _ in range(10):
        indices = rng.integers(0, 16, count // 10)
        assert tree.update(indices, rng.integers(0, 1 << 18, count // 10)).all()
        assert tree.total == tree.read(np.arange(16)).sum()
    tree.update(np.arange(16), 0)
    assert tree.total == 0
    assert tree.driver.counters()["updates"] == count + 16


def test_index_out_of_range_when_the_target_rounds_up_to_the_total(backend):
    """The largest draw of all stays below the total, so it ends in the last slot that has a priority."""
    paper = FloatSumTree(3, 4)
    for index, priority in ((1, 1e16), (0, 3.0), (1, 0.0)):
        paper.update(index, priority)
    assert paper.leaf_sum == 3.0 and paper.total == 4.0
    assert paper.find(3.5) == 3  # there are slots 0, 1 and 2
    for priorities in ([1, 0, 0], [0, 1, 0], [1, 1, 1], [(1 << 18) - 1] * 3):
        tree = SumTree(3, backend=backend, seed=0)
        tree.insert(priorities)
        last = int(np.flatnonzero(priorities)[-1])
        assert tree.sample_with([(1 << 32) - 1]).indices.tolist() == [last]
        assert tree.sample_at(tree.total - 1).indices.tolist() == [last]
        with pytest.raises(UserError, match=rf"targets\[0\] is {tree.total}; it must be 0 to {tree.total - 1}"):
            tree.sample_at(tree.total)


def test_a_zero_priority_leaf_is_never_sampled(backend):
    """Target 0 is the case: a search for the first prefix sum >= 0 ends in slot 0 whatever its priority is."""
    paper = FloatSumTree(16, 4)
    paper.update(5, 2.0)
    assert paper.find(0.0) == 0
    tree = SumTree(16, backend=backend, seed=0)
    priorities = np.zeros(16, np.int64)
    priorities[[5, 6, 11]] = 2, 1, 3
    tree.insert(priorities)
    assert tree.sample_at(np.arange(6)).indices.tolist() == [5, 5, 6, 11, 11, 11]
    assert tree.sample_with([0]).indices.tolist() == [5]
    assert set(tree.sample(500).indices.tolist()) == {5, 6, 11}


def test_less_or_equal_against_less_at_a_tie(backend):
    """A target that equals a prefix sum belongs to the next slot: each slot gets as many targets as its priority."""
    paper = FloatSumTree(2, 2)
    for index, priority in enumerate([3, 2]):
        paper.update(index, priority)
    assert [paper.find(t) for t in range(5)] == [0, 0, 0, 0, 1]
    tree = SumTree(10, backend=backend, seed=0)
    priorities = [3, 2, 0, 1, 7, 0, 0, 5, 4, 2]
    tree.insert(priorities)
    assert tree.sample_at([2, 3, 4, 5]).indices.tolist() == [0, 1, 1, 3]
    assert np.bincount(tree.sample_at(np.arange(tree.total)).indices).tolist() == priorities


@pytest.mark.parametrize("capacity", [1, 2, 3, 5, 7, 11, 13, 15, 16])
def test_a_capacity_that_is_no_power_of_two_is_used_to_its_last_slot_and_no_further(backend, capacity):
    tree = SumTree(capacity, backend=backend, seed=0)
    assert tree.capacity == capacity
    assert tree.insert([3] * (capacity + 2)).indices.tolist() == [i % capacity for i in range(capacity + 2)]
    assert len(tree) == capacity and tree.total == 3 * capacity
    assert set(tree.sample_at(np.arange(tree.total)).indices.tolist()) == set(range(capacity))
    assert tree.sample(300).indices.max() < capacity


def test_a_buffer_of_one(backend):
    tree = SumTree(1, backend=backend, seed=0)
    with pytest.raises(UserError, match="nothing to sample"):
        tree.sample(1)
    tags = []
    for round_ in range(1, 4):
        slots = tree.insert([round_])
        assert slots.indices.tolist() == [0]
        tags += slots.generations.tolist()
        assert tree.sample(2, stratified=True).indices.tolist() == [0, 0]
        assert (len(tree), tree.total) == (1, round_)
    assert tree.update([0, 0, 0], [7, 8, 9], tags).tolist() == [False, False, True]
    assert tree.total == 9


def test_a_stale_update_after_overwrite_does_not_land_on_the_new_transition(backend):
    tree = SumTree(4, backend=backend, seed=0)
    old = tree.insert([1, 2, 3, 4])
    new = tree.insert([5, 6])
    assert new.indices.tolist() == [0, 1]
    assert tree.update(old.indices, [90, 91, 92, 93], old.generations).tolist() == [False, False, True, True]
    assert tree.read(np.arange(4)).tolist() == [5, 6, 92, 93]
    assert tree.driver.counters()["stale"] == 2 and "STALE" in tree.driver.flags()
    tree.clear()
    assert not tree.update([0, 1, 2, 3], 7, [*new.generations, *old.generations[2:]]).any()
    assert tree.total == 0


def test_of_duplicates_in_a_batch_the_last_write_wins(backend):
    tree = SumTree(8, backend=backend, seed=0)
    tree.insert([1] * 8)
    tree.update([3, 5, 3, 5, 3], [10, 20, 30, 40, 50])
    assert tree.read([3, 5]).tolist() == [50, 40]
    assert tree.total == 6 + 50 + 40


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf"), -1, -0.5, 1.5, 1 << 18, 1 << 70])
def test_a_priority_that_is_none_is_refused_and_changes_nothing(backend, wrong):
    tree = SumTree(8, backend=backend, seed=0)
    tree.insert([4, 5, 6])
    before = everything(tree)
    for call in (
        lambda: tree.update([0, 1, 2], [7, 7, wrong]),
        lambda: tree.update([0, 1], wrong),
        lambda: tree.insert([7, wrong]),
        lambda: tree.commit([0], [1], [wrong]),
    ):
        with pytest.raises(UserError, match=r"^priorities\[\d\] is .*; it must be (0 to 262143|a whole number)$"):
            call()
    assert everything(tree) == before


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf")])
def test_a_td_error_that_is_none_is_refused_and_changes_nothing(backend, wrong):
    sampler = PrioritizedSampler(8, backend=backend, seed=0)
    sampler.add(td_errors=[0.5, -0.5, 2.0])
    before = everything(sampler.tree)
    for call in (
        lambda: sampler.update([0, 1, 2], [1.0, 1.0, wrong]),
        lambda: sampler.add(td_errors=[1.0, wrong]),
        lambda: sampler.commit([0], [1], [wrong]),
    ):
        with pytest.raises(UserError, match=r"^td_errors\[\d\] is .*; it must be a finite number$"):
            call()
    assert everything(sampler.tree) == before


def test_an_insert_into_a_full_buffer_takes_the_oldest_slot(backend):
    tree = SumTree(5, backend=backend, seed=0)
    tree.insert([1, 2, 3, 4, 5])
    for extra in range(7):
        assert tree.insert([10 + extra]).indices.tolist() == [extra % 5]
        assert len(tree) == 5
    assert tree.read(np.arange(5)).tolist() == [15, 16, 12, 13, 14]
    assert tree.total == 15 + 16 + 12 + 13 + 14


def test_a_sample_from_an_empty_buffer_is_refused_and_takes_no_draw(backend):
    tree, other = (SumTree(8, backend=backend, seed=3) for _ in range(2))
    sampler = PrioritizedSampler(8, backend=backend, seed=0)
    for call in (
        lambda: tree.sample(1),
        lambda: tree.sample(4, stratified=True),
        lambda: tree.sample_at([0]),
        lambda: tree.sample_with([0]),
        lambda: sampler.sample(),
    ):
        with pytest.raises(UserError, match="there is nothing to sample: the buffer is empty"):
            call()
    tree.reserve(3)
    with pytest.raises(UserError, match="there is nothing to sample: no slot has a priority above 0"):
        tree.sample(1)
    tree.clear()
    for each in (tree, other):
        each.insert(range(1, 9))
    assert tree.sample(50).indices.tolist() == other.sample(50).indices.tolist()


@pytest.mark.parametrize("index", [5, 7, 15, 16, 1 << 32, (1 << 32) + 1, 1 << 64, -1, 0.5])
def test_an_update_beyond_the_capacity_is_refused_and_changes_nothing(backend, index):
    tree = SumTree(5, backend=backend, seed=0)
    tree.insert([1, 2, 3, 4, 5])
    before = everything(tree)
    for call in (
        lambda: tree.update([0, index], [9, 9]),
        lambda: tree.commit([index], [1], [9]),
        lambda: tree.read([index]),
    ):
        with pytest.raises(UserError, match=r"indices\[\d\] is .*; it must be (0 to 4|a whole number)"):
            call()
    assert everything(tree) == before


def test_the_core_itself_refuses_what_is_beyond_the_capacity_or_unknown(backend):
    """The same with nobody checking before: the status says why, and nothing changes."""
    driver = SumTree(5, backend=backend, seed=0).driver
    flag = np.zeros(4, bool)
    answers = driver.operations(
        np.array([UPDATE, UPDATE, 6, UPDATE], np.uint8), np.array([5, 15, 0, 4]), np.full(4, 9), flag, flag, flag, flag
    )
    assert answers["status"].tolist() == [RANGE, RANGE, KIND, OK]
    assert driver.total == 9
    assert driver.flags() == {"RANGE", "KIND"} and driver.counters()["range"] == 2
    driver.clear_flags()
    assert not driver.flags()


# --- published defects, by the number under which their project has them ---


def test_flashbax_52_the_total_drifts_until_slots_without_priority_are_sampled(backend, seed):
    """A thousand rounds of real-valued priorities on a few slots: in float32 the root leaves the sum of its leaves."""
    rng = np.random.default_rng(seed)
    paper = np.zeros(32, np.float32)  # node 1 is the root; leaves are 16 to 31
    sampler = PrioritizedSampler(16, backend=backend, alpha=1.0, batch_size=16, seed=0)
    sampler.add(8)
    rounds = 1000 if backend != "rtl" else 40
    for _ in range(rounds):
        batch = sampler.sample()
        assert (batch.priorities > 0).all() and batch.indices.max() < 8
        errors = rng.uniform(0.1, 5, 16)
        sampler.update(batch.indices, errors, batch.generations)
        for slot, value in zip(batch.indices.tolist(), errors.astype(np.float32), strict=True):
            change, at = value - paper[16 + slot], 16 + slot
            while at:
                paper[at] += change
                at >>= 1
    assert paper[1] != paper[16:].sum(dtype=np.float64)
    assert sampler.tree.total == sampler.tree.read(np.arange(16)).sum()


def test_flashbax_58_a_new_transition_gets_the_largest_priority_rounded_to_a_whole_td_error(backend):
    """New transitions have the priority of the largest TD error, fraction and all."""
    sampler = PrioritizedSampler(16, backend=backend, alpha=1.0, scale=8, seed=0)
    sampler.add(3)
    sampler.update([0, 1, 2], [2.71, 0.3, 1.9])
    held = sampler.tree.read([0])[0]
    assert held == round(2.71 * 256) != 3 * 256
    assert sampler.tree.read(sampler.add(2).indices).tolist() == [held, held]


def test_flashbax_58_the_running_index_overflows():
    """Slots and tags go on after any number of insertions; the counter that they come from is as wide as a tag."""
    tree = SumTree(3, generation_width=2, seed=0)
    before = tree.insert(count=3 * 4 + 1)
    assert before.generations[0] == before.generations[12] != before.generations[3]  # as documented, after 2**2 rounds
    after = tree.insert(count=200_000)
    assert after.indices.tolist() == ((1 + np.arange(200_000)) % 3).tolist()
    assert len(tree) == 3 and tree.total == 3


@pytest.mark.parametrize("capacity", [3, 5, 6, 7, 9, 11, 12, 13, 14, 15])
def test_cleanrl_546_indices_are_permuted_where_the_capacity_is_no_power_of_two(backend, capacity, seed):
    """Prefix sums run over the slots in their order: with equal priorities mass k + 1/2 belongs to slot k."""
    tree = SumTree(capacity, backend=backend, seed=0)
    tree.insert([2] * capacity)
    assert tree.sample_at(2 * np.arange(capacity) + 1).indices.tolist() == list(range(capacity))
    priorities = np.random.default_rng(seed).integers(0, 9, capacity)
    priorities[-1] += 1
    tree.update(np.arange(capacity), priorities)
    drawn = tree.sample_at(np.arange(tree.total)).indices
    assert drawn.tolist() == np.repeat(np.arange(capacity), priorities).tolist()


def test_torchrl_2230_an_index_beyond_the_part_that_is_filled(backend, seed):
    """A buffer of 500 that holds 100: rounding of the drawn mass may not lead past them."""
    rng = np.random.default_rng(seed)
    sampler = PrioritizedSampler(16, backend=backend, alpha=1.0, batch_size=500, seed=0)
    sampler.add(9)
    for _ in range(20):
        sampler.update(np.arange(9), rng.random(9))
        assert sampler.sample().indices.max() < 9
        assert sampler.sample(2, draws=[(1 << 32) - 1] * 2).indices.max() < 9


def test_torchrl_3925_new_transitions_get_the_exponent_twice(backend):
    sampler = PrioritizedSampler(16, backend=backend, alpha=0.4, scale=10, seed=0)
    sampler.add(2)
    sampler.update([0], [100.0])
    assert sampler.tree.read(sampler.add(1).indices) == sampler.tree.read([0])
    sampler.place([5])
    assert sampler.tree.read([5]) == sampler.tree.read([0])


def test_tianshou_625_a_slot_of_priority_0_before_the_first_one_is_found(backend):
    tree = SumTree(4, backend=backend, seed=0)
    tree.insert([0, 1, 0, 1])
    assert tree.sample_at([0, 1]).indices.tolist() == [1, 3]


def test_stable_baselines_941_the_last_transition_is_never_drawn(backend):
    tree = SumTree(5, backend=backend, seed=0)
    tree.insert([1, 1, 1, 1, 1])
    assert tree.total == 5 and tree.sample_with([(1 << 32) - 1]).indices.tolist() == [4]
    assert set(tree.sample(200).indices.tolist()) == {0, 1, 2, 3, 4}


def test_cleanrl_511_and_rllib_6534_the_priority_of_an_overwritten_transition_lands_on_its_successor(backend):
    sampler = PrioritizedSampler(4, backend=backend, batch_size=4, alpha=1.0, seed=0)
    sampler.add(4)
    batch = sampler.sample()
    sampler.add(4)
    assert not sampler.update(batch.indices, [50.0] * 4, batch.generations).any()
    assert sampler.stale == 4 and set(sampler.tree.read(np.arange(4)).tolist()) == {sampler.unit}


def test_whatever_happened_the_total_is_the_sum_and_every_sample_has_a_priority(backend, seed):
    """The class of flashbax 62 and torchrl 4209, drift and indices: any calls in any order, any capacity."""
    rng = np.random.default_rng(seed)
    for capacity in rng.integers(1, 17, 3).tolist():
        tree = SumTree(capacity, backend=backend, seed=seed)
        for _ in range(60):
            count = int(rng.integers(0, 2 * capacity + 2))
            kind = rng.integers(6)
            if kind == 0:
                tree.insert(rng.integers(0, 1 << 18, count))
            elif kind == 1:
                tree.insert(count=count)
            elif kind == 2:
                slots = tree.reserve(count)
                tree.commit(slots.indices, slots.generations, rng.integers(0, 9, count))
            elif kind == 3:
                tree.place(rng.integers(0, capacity, count))
            else:
                tree.update(rng.integers(0, capacity, count), rng.integers(0, 1 << rng.integers(1, 19), count))
            held = tree.read(np.arange(capacity))
            assert tree.total == held.sum()
            if tree.total:
                drawn = tree.sample(7, stratified=bool(rng.integers(2)))
                assert (drawn.priorities == held[drawn.indices]).all() and (drawn.priorities > 0).all()
