"""Differential test against the trees of torchrl and tianshou: same integer priorities, same targets, same slots.

Both peers answer the first slot whose prefix sum is >= the value; this tree the first one whose prefix sum is > the
target. Prefix sums of integers are integers, so > t is the same as >= t + 1/2: the peers are asked for t + 1/2, which
is exact in float64 and stays below the total, as tianshou demands. At t itself they differ, and a test says how.

The peers are optional: `uv sync --extra peers`.
"""

import numpy as np
import pytest

from rlcores.cores.sumtree.tree import SumTree

HOW = "install it with `uv sync --extra peers`"


class TorchRL:
    """torchrl.data's PrioritizedSampler stands on this tree."""

    def __init__(self, size: int) -> None:
        module = pytest.importorskip("torchrl._torchrl", reason=f"no torchrl that loads: {HOW}", exc_type=ImportError)
        self.tree = module.SumSegmentTreeFp64(size)

    def update(self, indices: np.ndarray, priorities: np.ndarray) -> None:
        self.tree[indices] = priorities.astype(np.float64)

    def find(self, values: np.ndarray) -> np.ndarray:
        return self.tree.scan_lower_bound(values)

    def total(self) -> float:
        return self.tree.query(0, self.tree.size)


class Tianshou:
    """tianshou's PrioritizedReplayBuffer stands on this tree."""

    def __init__(self, size: int) -> None:
        data = pytest.importorskip("tianshou.data", reason=f"no tianshou that loads: {HOW}", exc_type=ImportError)
        self.tree = data.SegmentTree(size)

    def update(self, indices: np.ndarray, priorities: np.ndarray) -> None:
        self.tree[indices] = priorities.astype(np.float64)

    def find(self, values: np.ndarray) -> np.ndarray:
        return self.tree.get_prefix_sum_idx(values)

    def total(self) -> float:
        return self.tree.reduce()


@pytest.mark.parametrize("peer", [TorchRL, Tianshou])
@pytest.mark.parametrize("capacity", [1, 1000, 1024])
def test_the_same_targets_find_the_same_slots(peer, capacity, backend, seed):
    rng = np.random.default_rng(seed)
    theirs = peer(capacity)
    ours = SumTree(capacity, backend=backend, seed=0)
    for _ in range(20):
        indices = rng.integers(0, capacity, 300)
        priorities = rng.integers(0, 1 << 18, 300) * (rng.random(300) < 0.7)
        priorities[-1] = 5  # so that the total is above 0, whatever the capacity
        theirs.update(indices, priorities)
        ours.update(indices, priorities)
        assert ours.total == theirs.total()
        # Every border between two slots, from both sides, and targets anywhere.
        ends = np.cumsum(ours.read(np.arange(capacity)))
        targets = np.concatenate([ends - 1, ends, rng.integers(0, ours.total, 300), [0]])
        targets = targets[(targets >= 0) & (targets < ours.total)]
        samples = ours.sample_at(targets)
        np.testing.assert_array_equal(samples.indices, theirs.find(targets + 0.5))
        assert (samples.priorities > 0).all()


@pytest.mark.parametrize("peer", [TorchRL, Tianshou])
def test_at_a_tie_the_peers_answer_one_slot_too_early(peer, backend):
    """Their draws are continuous, so a tie is rare there; with target 0 it returns a slot that has priority 0."""
    theirs = peer(4)
    ours = SumTree(4, backend=backend, seed=0)
    for tree in (theirs, ours):
        tree.update(np.arange(4), np.array([0, 3, 2, 5]))
    targets = np.array([0, 3, 5])
    assert theirs.find(targets.astype(np.float64)).tolist() == [0, 1, 2]
    assert ours.sample_at(targets).indices.tolist() == [1, 2, 3]
