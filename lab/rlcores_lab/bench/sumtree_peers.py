"""Sum trees on a CPU, peers of the core: our own in C++ and in NumPy, tianshou's and torchrl's where installed.

All hold the same priorities as floats, take the same random slots and draws in batches, and run on one core.
"""

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rlcores.errors import RunFailed
from rlcores_lab.bench import peer


class Tree(Protocol):
    """A sum tree. Batches are arrays (n,): slots uint32, priorities float32, draws float32 in [0, 1)."""

    name: str
    title: str

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        """Set priorities; of equal slots the last one counts."""

    def sample(self, u: np.ndarray) -> np.ndarray:
        """The slots at u * total."""


class Native:
    """sumtree_peer.cpp. It cuts a long array into batches itself."""

    name, title = "cpp", "C++, 16-ary"

    def __init__(self, leaves: int, batch: int) -> None:
        """Raises RunFailed when it does not compile."""
        self._library = peer.compiled("sumtree_peer.cpp")
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        self._library.tree_new.restype = pointer
        self._library.tree_new.argtypes = [size]
        self._library.tree_delete.argtypes = [pointer]
        self._library.tree_update.argtypes = [pointer, pointer, pointer, size, size]
        self._library.tree_sample.argtypes = [pointer, pointer, pointer, pointer, size, size]
        self._tree = self._library.tree_new(leaves)
        self._batch = batch

    def __del__(self) -> None:
        if getattr(self, "_tree", None):
            self._library.tree_delete(self._tree)

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        self._library.tree_update(self._tree, index.ctypes.data, priority.ctypes.data, len(index), self._batch)

    def sample(self, u: np.ndarray) -> np.ndarray:
        index, priority = np.empty(len(u), np.uint32), np.empty(len(u), np.float32)
        arguments = (u.ctypes.data, index.ctypes.data, priority.ctypes.data)
        self._library.tree_sample(self._tree, *arguments, len(u), self._batch)
        return index


class ArrayTree:
    """A 16-ary tree in arrays of any library: a batch goes through all levels at once."""

    def __init__(self, leaves: int, zeros: Callable[[tuple[int, int]], Any]) -> None:
        """zeros: makes an array of 64-bit floats of a shape."""
        sizes = [leaves]
        while sizes[0] > 1:
            sizes.insert(0, -(-sizes[0] // 16))
        # Levels in lines of 16 children, root's children first.
        self._levels = [zeros((-(-n // 16), 16)) for n in sizes[1:]]
        self._last = leaves - 1

    def update(self, index: Any, priority: Any) -> None:
        """index: 64-bit integers."""
        self._levels[-1].reshape(-1)[index] = priority
        for upper, lower in zip(self._levels[-2::-1], self._levels[:0:-1], strict=True):
            index = index >> 4
            upper.reshape(-1)[index] = lower[index].sum(1)

    def sample(self, u: Any, rows: Any) -> Any:
        """u: 64-bit floats. rows: 0, 1, … of as many, 64-bit integers."""
        target, node = u * self._levels[0].sum(), rows * 0
        for level in self._levels:
            sums = level[node].cumsum(1)
            child = (sums[:, :-1] <= target[:, None]).sum(1)
            target = target - sums[rows, child - 1] * (child > 0)
            node = node * 16 + child
        return node.clip(max=self._last)


class NumpyTree(ArrayTree):
    """The same in NumPy."""

    name, title = "numpy", "NumPy, 16-ary"

    def __init__(self, leaves: int, batch: int) -> None:
        super().__init__(leaves, np.zeros)

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        super().update(index.astype(np.int64), priority)

    def sample(self, u: np.ndarray) -> np.ndarray:
        return super().sample(u.astype(np.float64), np.arange(len(u)))


class NumpySums:
    """No tree: running sums of all priorities again for every batch, then a binary search."""

    name, title = "numpy_cumsum", "NumPy, searchsorted"

    def __init__(self, leaves: int, batch: int) -> None:
        self._priority = np.zeros(leaves, np.float32)

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        self._priority[index] = priority

    def sample(self, u: np.ndarray) -> np.ndarray:
        sums = np.cumsum(self._priority, dtype=np.float64)
        return np.minimum(np.searchsorted(sums, u * sums[-1], side="right"), len(sums) - 1)


class Tianshou:
    """tianshou's SegmentTree: NumPy arrays under Numba, batches."""

    name, title, module = "tianshou", "tianshou", "tianshou.data"

    def __init__(self, leaves: int, batch: int) -> None:
        from tianshou.data import SegmentTree

        self._tree = SegmentTree(leaves)

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        self._tree[index.astype(np.int64)] = priority.astype(np.float64)

    def sample(self, u: np.ndarray) -> np.ndarray:
        return self._tree.get_prefix_sum_idx(u.astype(np.float64) * self._tree.reduce())


class Torchrl:
    """torchrl's SumSegmentTreeFp32: C++ behind pybind11, batches of NumPy arrays."""

    name, title, module = "torchrl", "torchrl", "torchrl._torchrl"

    def __init__(self, leaves: int, batch: int) -> None:
        from torchrl._torchrl import SumSegmentTreeFp32

        self._tree = SumSegmentTreeFp32(leaves)
        self._leaves = leaves

    def update(self, index: np.ndarray, priority: np.ndarray) -> None:
        self._tree[index.astype(np.int64)] = priority

    def sample(self, u: np.ndarray) -> np.ndarray:
        return self._tree.scan_lower_bound(u * np.float32(self._tree.query(0, self._leaves)))


@dataclass(frozen=True)
class Timing:
    """Nanoseconds a sample and an update of one tree, the least of all runs."""

    name: str
    title: str
    sample_ns: float
    update_ns: float


PEERS = Native, NumpyTree, NumpySums, Tianshou, Torchrl


def check(tree: Tree, leaves: int, seed: int) -> None:
    """Raises RunFailed when samples of an empty tree that is filled here are not those of the running sums."""
    rng = np.random.default_rng(seed)
    # Small integers, whose sums a float holds exactly.
    exact = np.zeros(leaves, np.int64)
    for _ in range(4):
        index = rng.permutation(leaves)[: leaves // 2 + 1].astype(np.uint32)
        priority = rng.integers(0, 8, len(index))
        exact[index] = priority
        tree.update(index, priority.astype(np.float32))
    total = int(exact.sum())
    target = rng.integers(0, total, 1000)
    # In the middle of a unit, so that the rounding of u * total crosses no edge.
    slots = np.asarray(tree.sample(((target + 0.5) / total).astype(np.float32)))
    wrong = int((slots != np.searchsorted(exact.cumsum(), target, side="right")).sum())
    if wrong:
        raise RunFailed(f"the {tree.name} peer is wrong in {wrong} of 1000 samples")


def measure(
    make: type,
    leaves: int,
    batch: int,
    seed: int,
    seconds: float = 0.5,
    clock: Callable[[], float] = time.perf_counter,
) -> Timing:
    """Time one tree of `leaves` slots on uniformly random slots, in batches, after filling it; clock: as of least()."""
    check(make(4096, batch), 4096, seed)
    rng = np.random.default_rng(seed)
    tree: Tree = make(leaves, batch)
    every = np.arange(leaves, dtype=np.uint32)
    tree.update(every, rng.integers(1, 1 << 18, leaves).astype(np.float32))
    # A tree that cuts batches itself gets many of them in one call.
    size = 64 * batch if make is Native else batch
    count = 64
    slots = [rng.integers(0, leaves, size).astype(np.uint32) for _ in range(count)]
    priorities = [rng.integers(1, 1 << 18, size).astype(np.float32) for _ in range(count)]
    draws = [rng.random(size, dtype=np.float32) for _ in range(count)]
    sample = peer.least(lambda i: tree.sample(draws[i % count]), seconds, clock) / size
    update = peer.least(lambda i: tree.update(slots[i % count], priorities[i % count]), seconds, clock) / size
    return Timing(make.name, make.title, sample * 1e9, update * 1e9)
