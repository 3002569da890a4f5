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


@dataclass(frozen=True)
class Shape:
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
    def of(cls, parameters: Mapping[str, int]) -> "Shape":
        """The shape of a core with these Verilog parameters (others are ignored, missing ones have their default)."""
        leaves_log2 = parameters.get("LEAVES_LOG2", 12)
        given = {name.lower(): value for name, value in parameters.items()}
        given.setdefault("capacity", min(4096, 1 << leaves_log2))
        return cls(**{name: given[name] for name in cls.__dataclass_fields__ if name in given})

    @property
    def total_width(self) -> int:
        """Bits of the total."""
        return self.priority_width + self.leaves_log2


class SumTreeModel:
    """One bank of the sum tree core, as it is after reset.

    The cfg_* attributes are the core's configuration inputs: cfg_capacity and cfg_initial are taken by CLEAR, and
    cfg_strata by restart(). `operation` and `sample` take one each and are what a scoreboard needs; `operations` and
    `samples` take arrays and are quicker for many.
    """

    def __init__(
        self,
        shape: Shape | None = None,
        *,
        capacity: int = 0,
        initial: int = 1,
        strata: int = 0,
        seed: int | None = None,
    ) -> None:
        """capacity, initial, strata: cfg_capacity (0: all), cfg_initial and cfg_strata.

        seed: 64-bit seed of the internal draws (default: the state after reset). Raises ValueError.
        """
        self.shape = shape or Shape()
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
            old = self._node[self.leaves + index]
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
        old = self._node[self.leaves + index]
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

    def _set(self, index: int, delta: int) -> None:
        node, at = self._node, self.leaves + index
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
        return at - leaves, node[at]

    def _clear(self) -> None:
        capacity = self.cfg_capacity
        self.capacity = capacity if 1 <= capacity <= self.shape.capacity else self.shape.capacity
        self.largest = self.cfg_initial
        self.next, self.full = 0, False
        # Slots before `next` are a lap ahead of the others; two laps make the tags of all of them stale.
        self._lap += 2
        self._nodes[:] = 0

    # --- many at a time ---

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
        given = np.broadcast_arrays(*(np.atleast_1d(x) for x in (kind, index, priority, generation, check, use_max)))
        kind, index, priority, generation = (x.astype(np.int64) for x in given[:4])
        check, use_max = (x.astype(bool) for x in given[4:])
        wide = priority >> self.shape.priority_width != 0
        if wide.any():
            raise ValueError(f"priority is {priority[wide][0]}; this tree stores {self.shape.priority_width} bits")
        answers = np.zeros(len(kind), OPERATION)
        answers["kind"] = kind
        first = 0
        for last in (*np.flatnonzero(kind == CLEAR), len(kind)):
            part = slice(first, last)
            if last > first:
                self._between_clears(
                    answers[part], *(x[part] for x in (kind, index, priority, generation, check, use_max))
                )
            if last < len(kind):
                self._clear()
            first = last + 1
        return answers

    def _between_clears(self, answers, kind, index, priority, generation, check, use_max) -> None:
        inserts = (kind == INSERT) | (kind == RESERVE)
        # Inserts since the last clear, before and after each operation: all tags and slots follow from it.
        after = self.next + np.cumsum(inserts)
        before = after - inserts
        index = np.where(inserts, before % self.capacity, index)
        unknown = (kind > CLEAR) | (kind < 0)
        outside = ~unknown & (index >= self.capacity)
        checked = (kind == UPDATE) & check | (kind == COMMIT)
        stale = checked & ~outside & (generation != self._tags(index, before)) & (self._generation_mask > 0)
        done = ~(unknown | outside | stale)
        writes = done & (kind != READ)
        named = writes & (kind != RESERVE) & ~use_max
        largest = np.maximum.accumulate(np.concatenate(([self.largest], np.where(named, priority, 0))))
        value = np.where(kind == RESERVE, 0, np.where(use_max, largest[:-1], priority))
        answers["status"] = np.select([unknown, outside, stale], [KIND, RANGE, STALE], OK)
        answers["index"] = index
        answers["generation"] = np.where(unknown | outside, 0, self._tags(index, after))
        answers["priority"][done] = self._before(index[done], writes[done], value[done])
        self._write(index[writes], value[writes])
        self.largest = int(largest[-1])
        rounds, self.next = divmod(int(after[-1]), self.capacity)
        self._lap += rounds
        self.full |= rounds > 0

    def _tags(self, index: np.ndarray, inserts: np.ndarray) -> np.ndarray:
        laps = self._lap + inserts // self.capacity
        return (laps + (index < inserts % self.capacity)) & self._generation_mask

    def _before(self, index: np.ndarray, writes: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Each operation's slot as the operations before it left it."""
        order = np.argsort(index, kind="stable")
        slots = index[order]
        place = np.arange(len(order))
        start = np.maximum.accumulate(np.where(np.diff(slots, prepend=-1) != 0, place, 0))
        written = np.maximum.accumulate(np.where(writes[order], place, -1))
        last = np.concatenate(([-1], written[:-1]))[: len(order)]
        found = np.empty(len(order), np.int64)
        found[order] = np.where(last >= start, value[order][last], self._nodes[self.leaves + slots])
        return found

    def _write(self, index: np.ndarray, value: np.ndarray) -> None:
        nodes = self._nodes
        nodes[self.leaves + index] = value  # of equal indices numpy keeps the last
        at = np.unique(self.leaves + index) >> 1
        while len(at) and at[0]:
            if len(at) > 1:
                at = at[np.concatenate(([True], at[1:] != at[:-1]))]
            nodes[at] = nodes[2 * at] + nodes[2 * at + 1]
            at = at >> 1

    def samples(self, kind: ArrayLike = DRAW, value: ArrayLike = 0) -> np.ndarray:
        """The same for arrays that broadcast to one dimension: answers (n,) of dtype SAMPLE, weights 0."""
        kind, value = np.broadcast_arrays(*(np.atleast_1d(x) for x in (kind, value)))
        kind, value = kind.astype(np.uint8), value.astype(np.uint64)
        answers = np.zeros(len(kind), SAMPLE)
        u = value & np.uint64((1 << self.shape.draw_width) - 1)
        internal = (kind == DRAW) | (kind == SOFT)
        u[internal] = self.draws.take(int(internal.sum()))
        total = self.total
        answers["total"] = total
        if not total:
            answers["status"] = EMPTY
            return answers
        target = value & np.uint64((1 << self.shape.total_width) - 1)
        inside = target < np.uint64(total)
        drawn = ~((kind == TARGET) | (kind == SOFT) & inside)
        target = np.where(drawn, _scale(u, total, self.shape.draw_width), target)
        found = drawn | inside
        index, priority = self._find_all(target[found].astype(np.int64))
        answers["status"] = np.where(found, OK, MISS)
        answers["index"][found] = index
        answers["priority"][found] = priority
        answers["generation"][found] = self._tags(index, np.int64(self.next))
        return answers

    def _find_all(self, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = np.ones(len(target), np.int64)
        for _ in range(self.shape.leaves_log2):
            at *= 2
            left = self._nodes[at]
            right = target >= left
            target = target - left * right
            at += right
        return at - self.leaves, self._nodes[at]


def _scale(u: np.ndarray, total: int, bits: int) -> np.ndarray:
    """floor(u * total / 2**bits) of uint64 u < 2**bits, bits <= 32: the product may need 94 bits, so in two halves."""
    high, low = np.uint64(total >> 32), np.uint64(total & 0xFFFFFFFF)
    return (u * high << np.uint64(32 - bits)) + (u * low >> np.uint64(bits))
