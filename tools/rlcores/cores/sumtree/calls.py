"""How a tree carries out its operations: by one call of the engine each, or by operations of a driver.

Both have the same methods, which take arguments as users have them. Values are priorities, or TD errors where `offset`
says what is added to their sizes; None stands for the largest priority. The engine judges arrays itself; what it does
not take is converted here, or refused in one sentence. A driver gets only what was converted.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import forks
from rlcores.base.threads import alone
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.model import INSERT, OK, READ, STALE, UPDATE
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.cores.sumtree.results import Slots
from rlcores.errors import UserError, warn

NONE_ABOVE_0 = "there is nothing to sample: no slot has a priority above 0"
EMPTY = "there is nothing to sample: the buffer is empty"
PRIORITIES = -1.0  # the offset of values that are priorities
_ACCEPTED = np.dtype(np.bool_)
_SATURATED = 1 << 32  # the engine's answer to a write: some priorities were clipped

Recode = Callable[[np.ndarray], np.ndarray]


class Calls:
    """What both kinds have: the arguments, and what the tree of a driver says.

    saturated: called with the size of a call in which the engine clipped priorities.
    """

    stale: int  # writes that were dropped, as their slot was overwritten

    def __init__(self, driver: Driver, capacity: int) -> None:
        self.driver, self.capacity = driver, capacity
        self.stale = 0
        self.saturated: Callable[[int], None] = lambda count: None
        self._batch = 1, False

    def indices(self, indices: ArrayLike) -> np.ndarray:
        """Slots, int64 (n,)."""
        return arguments.wholes("indices", indices, 0, self.capacity - 1)

    def tags(self, generations: ArrayLike | None, count: int) -> np.ndarray | None:
        """Generations, int64 (count,), if any."""
        if generations is None:
            return None
        most = (1 << self.driver.shape.generation_width) - 1
        return arguments.wholes("generations", generations, 0, most, count)

    def values(self, values: ArrayLike | None, offset: float, count: int | None) -> np.ndarray:
        """Priorities, int64 (n,), or TD errors, float64 (n,)."""
        if offset >= 0:
            return arguments.td_errors("td_errors", values, count)
        return arguments.wholes("priorities", values, 0, (1 << self.driver.shape.priority_width) - 1, count)

    def require_total(self) -> int:
        """The sum of all priorities. Raises UserError when it is 0."""
        total = self.driver.total
        if not total:
            raise self._nothing()
        return total

    def _nothing(self) -> UserError:
        return UserError(NONE_ABOVE_0 if self.driver.size else EMPTY)

    def read(self, indices: ArrayLike) -> np.ndarray:
        """Slots as they are, (n,) of dtype sumtree.OPERATION."""
        return self._read(self.indices(indices))

    def require_taken(self, indices: np.ndarray, tags: np.ndarray | None) -> None:
        """Raises UserError for slots (n,) that hold nothing: no insert took them, and nobody gave them a priority.

        A slot whose tag is not that of `tags` is stale, which is no mistake.
        """
        slots = indices[indices >= self._size()]
        if not slots.size:
            return
        found = self._read(slots)
        empty = found["priority"] == 0
        if tags is not None and self.driver.shape.generation_width:
            empty &= found["generation"] == tags[indices >= self._size()]
        if empty.any():
            raise UserError(
                f"slot {slots[empty][0]} holds no transition, so it has no priority to update; add() takes slots, and "
                "place() those that somebody else chose"
            )

    def _size(self) -> int:
        """Slots that inserts took, which are the first ones."""
        return int(self.driver.size)

    def answers(self, kind: int, values: np.ndarray, batch: int) -> np.ndarray:
        """Samples at targets or from draws, with the weights of such batches: (n,) of dtype sumtree.SAMPLE."""
        self.require_total()
        self._set_batch(batch, False)  # with weights on, a batch that is not full would wait
        return self.driver.samples(np.full(len(values), kind, np.uint8), values.astype(np.uint64))

    def _read(self, indices: np.ndarray) -> np.ndarray:
        return self.driver.operations(READ, indices)

    def _set_batch(self, batch: int, stratified: bool) -> None:
        if (batch, stratified) != self._batch:
            self.driver.configure(batch=batch, stratified=stratified)
            self.driver.restart()
            self._batch = batch, stratified


class EngineCalls(Calls):
    """By the native engine, which many threads may call at once."""

    def __init__(self, driver: SumTreeNativeDriver, capacity: int) -> None:
        super().__init__(driver, capacity)
        self.engine: Any = driver.tree
        self._writer: Any = self.engine

    def leave(self) -> None:
        """In a process that was forked from the tree's, whose tree this one's writes do not reach."""
        self._writer = None

    def _own(self) -> Any:
        """The engine, to write; the first write in a forked process is warned of."""
        if self._writer is None:
            self._writer = self.engine
            warn(forks.COPY)
        return self._writer

    def insert(self, kind: int, values: Any, count: int | None, offset: float = PRIORITIES) -> Slots:
        """Take the next slots: one for each value, or `count` of them."""
        engine = self._writer or self._own()
        if count is None and getattr(values, "ndim", 0) != 1:
            values = self.values(values, offset, None)
        slots = self._inserted(engine, kind, values, len(values) if count is None else count, offset)
        if slots is None:
            checked = self.values(values, offset, count)
            slots = self._inserted(engine, kind, checked, len(checked), offset)
            assert slots is not None
        return slots

    def _inserted(self, engine: Any, kind: int, values: Any, count: int, offset: float) -> Slots | None:
        slots = Slots(np.empty(count, np.int64), np.empty(count, np.int64))
        done = engine.insert(kind, values, offset, *slots)
        if done > 0:
            self.saturated(count)
        return slots if done >= 0 else None

    def write(
        self,
        kind: int,
        indices: Any,
        values: Any,
        generations: Any,
        offset: float = PRIORITIES,
        only_taken: bool = False,
    ) -> np.ndarray:
        """Set priorities of slots: bool (n,), False where a generation was another.

        only_taken: with what require_taken() raises.
        """
        engine = self._writer or self._own()
        if type(indices) is np.ndarray and indices.ndim == 1:
            accepted = np.empty(len(indices), _ACCEPTED)
            done = engine.write(kind, indices, values, generations, offset, accepted, only_taken)
            if done >= 0:
                return self._wrote(done, accepted)
        indices = self.indices(indices)
        generations = self.tags(generations, len(indices))
        values = None if values is None and offset < 0 else self.values(values, offset, len(indices))
        accepted = np.empty(len(indices), _ACCEPTED)
        if only_taken:
            self.require_taken(indices, generations)
        return self._wrote(engine.write(kind, indices, values, generations, offset, accepted, False), accepted)

    def _wrote(self, done: int, accepted: np.ndarray) -> np.ndarray:
        assert done >= 0, "the engine takes all that was checked"
        if done:
            self.stale += done & (_SATURATED - 1)
            if done >= _SATURATED:
                self.saturated(len(accepted))
        return accepted

    def draw(
        self,
        batch: int,
        stratified: bool,
        indices: np.ndarray,
        priorities: np.ndarray,
        generations: np.ndarray,
        totals: np.ndarray | None,
        weights: np.ndarray | None,
        probabilities: np.ndarray | None,
    ) -> None:
        """Draw one for each place of the arrays."""
        if not self.engine.draw(batch, stratified, indices, priorities, generations, totals, weights, probabilities):
            raise self._nothing()
        self._batch = batch, stratified

    def drew(self, done: bool, batch: int, stratified: bool) -> None:
        """The engine drew for somebody, or there was nothing to draw. Raises UserError then."""
        if not done:
            raise self._nothing()
        self._batch = batch, stratified

    def recode(self, to: Recode) -> tuple[np.ndarray, np.ndarray]:
        """Change every priority held, and the largest one seen; tags and draws stay. Returns those before and after."""
        slots = np.arange(self.capacity)
        before = self.read(slots)["priority"].astype(np.int64)
        *_, largest = after = to(np.append(before, self.largest))
        self.engine.write(UPDATE, slots, after[:-1], None, PRIORITIES, np.empty(len(slots), _ACCEPTED), False)
        self.engine.configure(largest=largest)
        return before, after[:-1]

    @property
    def seen(self) -> int:
        """The largest priority seen since the last clear."""
        return int(self.driver.largest)

    largest = seen

    @property
    def next(self) -> int:
        """The slot that the next insert takes."""
        return int(self.engine.next)

    def draws(self) -> tuple[int, ...]:
        """The state of the generator of draws."""
        return tuple(self.engine.draws())

    def seed(self, seed: int) -> None:
        """Restart the draws."""
        self.driver.seed(seed)

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """Continue the draws."""
        self._batch = 1, False
        self.driver.configure(batch=1, stratified=False)
        self.driver.load_draws(state)

    def clear(self) -> None:
        """Empty the tree."""
        self.driver.clear()

    def recover(self) -> None:
        """Find out again what is kept here of the slots, after a call that was interrupted: nothing."""


class DriverCalls(Calls):
    """By operations of a driver. Threads take turns.

    initial: the largest priority before there is one. within: the largest one is that of the slots as they are.
    priorities: of TD errors (n,), of slots with tags or of new ones; the sampler's.
    """

    def __init__(self, driver: Driver, capacity: int, initial: int, within: bool) -> None:
        super().__init__(driver, capacity)
        self.initial, self._within = initial, within
        self.priorities: Callable[..., np.ndarray] | None = None
        self._copied = False
        self._mirror, self._drawn = Xoshiro128pp(state_of(0)), 0  # of the core's generator; what was drawn since
        self._forget()

    def leave(self) -> None:
        """As EngineCalls.leave."""
        self._copied = True

    def _forget(self) -> None:
        self._inserted = 0
        self._held, self._peak = np.zeros(self.capacity if self._within else 0, np.int64), 0
        self._largest: int | None = None  # in a core that was recoded, whose own is in the units of before

    @alone
    def insert(self, kind: int, values: Any, count: int | None, offset: float = PRIORITIES) -> Slots:
        """As EngineCalls.insert."""
        if values is not None:
            values = self.values(values, offset, count)
            count = len(values)
            values = self._of(values, offset)
        assert count is not None
        largest = kind == INSERT and values is None
        if largest and (own := self._own_largest()) is not None:
            values, largest = np.full(count, own), False
        answers = self._operations(kind, np.zeros(count, np.int64), 0 if values is None else values, use_max=largest)
        self._inserted += count
        return Slots(answers["index"].astype(np.int64), answers["generation"].astype(np.int64))

    @alone
    def write(
        self,
        kind: int,
        indices: Any,
        values: Any,
        generations: Any,
        offset: float = PRIORITIES,
        only_taken: bool = False,
    ) -> np.ndarray:
        """As EngineCalls.write."""
        indices = self.indices(indices)
        tags = self.tags(generations, len(indices))
        values = None if values is None and offset < 0 else self.values(values, offset, len(indices))
        if only_taken:
            self.require_taken(indices, tags)
        values = self._own_largest() if values is None else self._of(values, offset, indices, tags)
        answers = self._operations(
            kind,
            indices,
            0 if values is None else values,
            0 if tags is None else tags,
            check=tags is not None,
            use_max=values is None,
        )
        return np.asarray(answers["status"] == OK)

    def _of(self, values: np.ndarray, offset: float, *slots: np.ndarray | None) -> np.ndarray:
        """Priorities of values."""
        return values if offset < 0 or self.priorities is None else self.priorities(values, *slots)

    @alone
    def draw(self, batch: int, stratified: bool, indices: np.ndarray, *to: np.ndarray | None) -> None:
        """As EngineCalls.draw."""
        self.require_total()
        self._set_batch(batch, stratified)
        self._drawn += len(indices)
        fill(self.driver.draw(len(indices)), indices, *to)

    @alone
    def read(self, indices: ArrayLike) -> np.ndarray:
        return super().read(indices)

    @alone
    def answers(self, kind: int, values: np.ndarray, batch: int) -> np.ndarray:
        return super().answers(kind, values, batch)

    @alone
    def recode(self, to: Recode) -> tuple[np.ndarray, np.ndarray]:
        """As EngineCalls.recode."""
        slots, seen = np.arange(self.capacity), self.seen
        before = self._read(slots)["priority"].astype(np.int64)
        *_, largest = after = to(np.append(before, seen))
        self._operations(UPDATE, slots, after[:-1])
        self._largest = int(largest)
        return before, after[:-1]

    @property
    def seen(self) -> int:
        """The largest priority seen since the last clear."""
        return int(self.driver.largest) if self._largest is None else self._largest

    @property
    def largest(self) -> int:
        """The priority of a new slot."""
        return (self._peak or self.initial) if self._within else self.seen

    def _size(self) -> int:
        return min(self._inserted, self.capacity)  # a core would have to be asked

    @property
    def next(self) -> int:
        """The slot that the next insert takes; a core does not tell it."""
        told = getattr(self.driver, "next", None)
        return self._inserted % self.capacity if told is None else int(told)

    def draws(self) -> tuple[int, ...]:
        """The state of the generator of draws, which a core does not tell."""
        self._mirror.skip(self._drawn)
        self._drawn = 0
        return self._mirror.state

    def seed(self, seed: int) -> None:
        """As EngineCalls.seed."""
        self.driver.seed(seed)
        self._mirror, self._drawn = Xoshiro128pp(state_of(seed)), 0

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """As EngineCalls.load_draws."""
        self._batch = 1, False
        self.driver.configure(batch=1, stratified=False)
        self.driver.load_draws(state)
        self._mirror, self._drawn = Xoshiro128pp(state), 0

    def clear(self) -> None:
        """Empty the tree."""
        self.driver.clear()
        self._forget()

    def recover(self) -> None:
        """Find out again what is kept here of the slots, after a call that was interrupted."""
        if self._within:
            self._held = self._read(np.arange(self.capacity))["priority"].astype(np.int64)
            self._peak = int(self._held.max())

    def _own_largest(self) -> int | None:
        """What a slot without a priority gets where that is not what the core would give it."""
        return self.largest if self._within or self._largest is not None else None

    def _operations(
        self,
        kind: int,
        index: ArrayLike,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: bool = False,
        use_max: bool = False,
    ) -> np.ndarray:
        if self._copied:
            self._copied = False
            warn(forks.COPY)
        answers = self.driver.operations(kind, index, priority, generation, check, use_max)
        accepted = answers["status"] == OK
        self.stale += int((answers["status"] == STALE).sum())
        if self._within:
            self._follow(answers["index"][accepted].astype(np.int64))
        if self._largest is not None:
            self._largest = max(self._largest, int(np.broadcast_to(priority, len(answers))[accepted].max(initial=0)))
        return answers

    def _follow(self, indices: np.ndarray) -> None:
        """The largest priority held, after writes to slots."""
        indices = np.unique(indices)
        before, now = self._held[indices], self._read(indices)["priority"].astype(np.int64)
        self._held[indices] = now
        if now.max(initial=0) >= self._peak:
            self._peak = int(now.max(initial=0))
        elif (before == self._peak).any():
            self._peak = int(self._held.max())


def fill(
    answers: np.ndarray,
    indices: np.ndarray,
    priorities: np.ndarray | None,
    generations: np.ndarray | None,
    totals: np.ndarray | None = None,
    weights: np.ndarray | None = None,
    probabilities: np.ndarray | None = None,
) -> None:
    """The fields of a driver's answers into arrays of these."""
    for name, to in (("index", indices), ("priority", priorities), ("generation", generations), ("total", totals)):
        if to is not None:
            to[:] = answers[name].astype(np.int64)
    if weights is not None:
        weights[:] = answers["weight"] / np.float64(1 << 31)
    if probabilities is not None:
        probabilities[:] = answers["priority"].astype(np.int64) / answers["total"].astype(np.int64)
