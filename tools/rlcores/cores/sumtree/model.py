"""The sum tree core without its clock: exact integers, operations one at a time in the order they are accepted.

State: a leaf for each of 2**LEAVES_LOG2 slots, the slot of the next insert, how often inserts went round (the lap), and
the largest priority seen. A sample with target t, 0 <= t < total, is the least i with leaf[0] + ... + leaf[i] > t, so a
slot of priority 0 is never the answer. No answer depends on the tree's radix; the sums here are binary.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.common.draws import Draws

# Kinds and statuses of operations.
UPDATE, INSERT, RESERVE, COMMIT, READ, CLEAR = range(6)
OK, STALE, RANGE, KIND = range(4)
# Kinds and statuses of samples.
DRAW, GIVEN, TARGET, SOFT = range(4)
EMPTY, MISS = 1, 2

# Answers as arrays: one record each, in order.
OPERATION = np.dtype(
    [("kind", np.uint8), ("status", np.uint8), ("index", np.uint32), ("generation", np.uint32), ("priority", np.uint64)]
)
SAMPLE = np.dtype(
    [
        ("status", np.uint8),
        ("index", np.uint32),
        ("priority", np.uint64),
        ("total", np.uint64),
        ("generation", np.uint32),
        ("weight", np.uint32),
    ]
)


class OperationAnswer(NamedTuple):
    """One operation's answer; priority is the slot's before the operation, generation its after it."""

    kind: int
    status: int
    index: int
    generation: int
    priority: int


class SampleAnswer(NamedTuple):
    """One sample's answer; all but total are 0 unless status is OK."""

    status: int
    index: int
    priority: int
    total: int
    generation: int


def together(*numbers: ArrayLike) -> tuple[np.ndarray, ...]:
    """Numbers and arrays as arrays of one length (n,)."""
    arrays = [np.asarray(x) for x in numbers]
    count = max({len(x) for x in arrays if x.ndim} - {1}, default=1)
    return tuple(x if x.shape == (count,) else np.full(count, x) for x in arrays)


@dataclass(frozen=True)
class SumTreeShape:
    """The parameters that answers depend on, named as in the Verilog."""

    leaves_log2: int = 12
    capacity: int = 4096
    priority_width: int = 18
    draw_width: int = 32
    generation_width: int = 8

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("LEAVES_LOG2", self.leaves_log2, 1, 24),
            ("CAPACITY", self.capacity, 1, 1 << self.leaves_log2),
            ("PRIORITY_WIDTH", self.priority_width, 1, 62 - self.leaves_log2),
            ("DRAW_WIDTH", self.draw_width, 1, 32),
            ("GENERATION_WIDTH", self.generation_width, 0, 16),
        ):
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}; it must be {low} to {high}")

    @classmethod
    def of(cls, parameters: Mapping[str, int]) -> "SumTreeShape":
        """The shape of a core with these Verilog parameters (others are ignored, missing ones have their default)."""
        leaves_log2 = parameters.get("LEAVES_LOG2", 12)
        values = {name.lower(): value for name, value in parameters.items()}
        values.setdefault("capacity", min(4096, 1 << leaves_log2))
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})

    @property
    def total_width(self) -> int:
        """Bits of the total."""
        return self.priority_width + self.leaves_log2


class SumTreeModel:
    """One bank of the sum tree core, as it is after reset.

    The cfg_* attributes are the core's configuration inputs: cfg_capacity and cfg_initial are taken by CLEAR, and
    cfg_strata by restart(). `operation` and `sample` take one each and are what a scoreboard needs; `operations` and
    `samples` take arrays.
    """

    def __init__(
        self,
        shape: SumTreeShape | None = None,
        *,
        capacity: int = 0,
        initial: int = 1,
        strata: int = 0,
        seed: int | None = None,
    ) -> None:
        """capacity, initial, strata: cfg_capacity (0: all), cfg_initial and cfg_strata.

        seed: 64-bit seed of the internal draws (default: the state after reset). Raises ValueError.
        """
        self.shape = shape or SumTreeShape()
        if not 0 <= initial < 1 << self.shape.priority_width:
            raise ValueError(f"initial is {initial}; a priority has {self.shape.priority_width} bits")
        self.cfg_capacity, self.cfg_initial, self.cfg_strata = capacity, initial, strata
        self.draws = Draws(self.shape.draw_width)
        if seed is not None:
            self.draws.seed(seed)
        self.restart()
        # A binary heap: node 1 is the root, node i the sum of 2i and 2i + 1, slot s is node leaves + s.
        self.leaves = 1 << self.shape.leaves_log2
        self._nodes = np.zeros(2 * self.leaves, np.int64)
        self._node = memoryview(self._nodes)  # the same memory; single items are quicker through it
        self._generation_mask = (1 << self.shape.generation_width) - 1
        self._lap = -2
        self._clear()

    def __getstate__(self) -> dict:
        """Without the second view of the nodes, which no copy can have."""
        return {name: value for name, value in self.__dict__.items() if name != "_node"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._node = memoryview(self._nodes)

    # --- state ---

    @property
    def total(self) -> int:
        """Sum of all priorities."""
        return self._node[1]

    @property
    def size(self) -> int:
        """Slots that were inserted since the last clear, at most the capacity."""
        return self.capacity if self.full else self.next

    @property
    def priorities(self) -> np.ndarray:
        """A copy of all leaves, int64 (2**LEAVES_LOG2,)."""
        return self._nodes[self.leaves :].copy()

    def generation(self, index: int) -> int:
        """The tag of a slot: how often it was overwritten, and how often the tree was cleared."""
        return (self._lap + (index < self.next)) & self._generation_mask

    def seed(self, seed: int) -> None:
        """Seed the internal draws with 64 bits, as software does; the first stratum is next."""
        self.draws.seed(seed)
        self.restart()

    def restart(self) -> None:
        """The next draw is in the first of cfg_strata strata."""
        self.draws.restart(self.cfg_strata)

    # --- one at a time ---

    def operation(
        self,
        kind: int,
        index: int = 0,
        priority: int = 0,
        generation: int = 0,
        check: bool = False,
        use_max: bool = False,
    ) -> OperationAnswer:
        """Carry out one operation. Raises ValueError when the priority is wider than the core's."""
        if priority >> self.shape.priority_width:
            raise ValueError(f"priority is {priority}; this tree stores {self.shape.priority_width} bits")
        if kind in (INSERT, RESERVE):
            index = self.next
            old = self._node[self.leaves + self._place(index)]
            value = 0 if kind == RESERVE else self.largest if use_max else priority
            self._set(index, value - old)
            if kind == INSERT and value > self.largest:
                self.largest = value
            self.next += 1
            if self.next == self.capacity:
                self.next, self.full = 0, True
                self._lap += 1
            return OperationAnswer(kind, OK, index, self.generation(index), old)
        if kind == CLEAR:
            self._clear()
            return OperationAnswer(kind, OK, 0, 0, 0)
        if kind > CLEAR or kind < 0:
            return OperationAnswer(kind, KIND, index, 0, 0)
        if index >= self.capacity:
            return OperationAnswer(kind, RANGE, index, 0, 0)
        tag = (self._lap + (index < self.next)) & self._generation_mask
        checked = self._generation_mask and (check or kind == COMMIT) and kind != READ
        if checked and generation != tag:
            return OperationAnswer(kind, STALE, index, tag, 0)
        old = self._node[self.leaves + self._place(index)]
        if kind != READ:
            value = self.largest if use_max else priority
            self._set(index, value - old)
            if value > self.largest:
                self.largest = value
        return OperationAnswer(kind, OK, index, tag, old)

    def sample(self, kind: int = DRAW, value: int = 0) -> SampleAnswer:
        """Answer one sample: DRAW, GIVEN a draw, at a TARGET, or SOFT: the target if it is in range, else as DRAW.

        SOFT takes an internal draw, and its stratum, whether it needs it or not.
        """
        u = self.draws.next() if kind in (DRAW, SOFT) else value
        total = self._node[1]
        if not total:
            return SampleAnswer(EMPTY, 0, 0, 0, 0)
        target = value & ((1 << self.shape.total_width) - 1)
        if kind != TARGET and not (kind == SOFT and target < total):
            target = (u & ((1 << self.shape.draw_width) - 1)) * total >> self.shape.draw_width
        elif target >= total:
            return SampleAnswer(MISS, 0, 0, total, 0)
        index, priority = self._find(target)
        return SampleAnswer(OK, index, priority, total, self.generation(index))

    def _place(self, index: int) -> int:
        """The leaf of a slot."""
        return index

    def _slot(self, place: int) -> int:
        """The slot of a leaf."""
        return place

    def _set(self, index: int, delta: int) -> None:
        node, at = self._node, self.leaves + self._place(index)
        while delta and at:
            node[at] += delta
            at >>= 1

    def _find(self, target: int) -> tuple[int, int]:
        node, leaves, at = self._node, self.leaves, 1
        while at < leaves:
            at *= 2
            left = node[at]
            if target >= left:
                target -= left
                at += 1
        return self._slot(at - leaves), node[at]

    def _clear(self) -> None:
        capacity = self.cfg_capacity
        self.capacity = capacity if 1 <= capacity <= self.shape.capacity else self.shape.capacity
        self.largest = self.cfg_initial
        self.next, self.full = 0, False
        # Slots before `next` are a lap ahead of the others; two laps make the tags of all of them stale.
        self._lap += 2
        self._nodes[:] = 0

    # --- many, one after another ---

    def operations(
        self,
        kind: ArrayLike,
        index: ArrayLike = 0,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: ArrayLike = False,
        use_max: ArrayLike = False,
    ) -> np.ndarray:
        """The same for arrays that broadcast to one dimension: answers (n,) of dtype OPERATION."""
        columns = together(kind, index, priority, generation, check, use_max)
        each = zip(*(x.astype(np.int64).tolist() for x in columns), strict=True)
        return np.array([self.operation(*one) for one in each], OPERATION)

    def samples(self, kind: ArrayLike = DRAW, value: ArrayLike = 0) -> np.ndarray:
        """The same for arrays that broadcast to one dimension: answers (n,) of dtype SAMPLE, weights 0."""
        each = zip(*(x.astype(np.uint64).tolist() for x in together(kind, value)), strict=True)
        return np.array([(*self.sample(*one), 0) for one in each], SAMPLE)
