"""A sum tree of integer priorities: what the core does, from Python.

Slots are used first in, first out. Every slot has a generation, a tag that changes when the slot is overwritten: a
priority that comes back with the tag of a transition which is gone is dropped instead of landing on its successor.
Tags have generation_width bits, so a tag is mistaken for a new one after 2**generation_width overwrites.

Arrays may be lists, NumPy arrays, or tensors on any device. Wrong input is a UserError (a ValueError) with one
sentence, raised before anything changes.

A tree can be pickled and copied: a copy has the same slots, priorities and tags, and draws what the original would.

Backends: "native" is the engine in C++, which many threads may call at once (docs/native.md). "model" is NumPy, to be
read. "rtl" is the Verilated core behind its AXI ports. Threads that share one of these two take turns, a call each.
The answers of all three are the same. The RTL is built once for each power of two of the capacity (at least 16 leaves),
each width and each batch_max; the capacity is a register.

Each operation has a short way, one call of the engine that checks the arguments and carries them out, and a long way
through the driver, for what the engine leaves alone and for the other backends.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import forks
from rlcores.base.arguments import check_bool, check_int, choice
from rlcores.base.threads import alone, turn
from rlcores.cores.common.draws import Xoshiro128pp, seed_of, state_of
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.banks import BANKS
from rlcores.cores.sumtree.driver import Driver, SumTreeDriver
from rlcores.cores.sumtree.model import COMMIT, GIVEN, INSERT, OK, READ, RESERVE, STALE, TARGET, UPDATE, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.cores.sumtree.results import Samples, Slots, samples_of
from rlcores.cores.sumtree.settings import MOST_BATCH, MOST_SLOTS
from rlcores.cores.sumtree.state import TreeState, tree_state
from rlcores.errors import UserError, warn

BACKENDS = ("native", "model", "rtl")

_ACCEPTED = np.dtype(np.bool_)
_EMPTY = "there is nothing to sample: the buffer is empty"
_NOTHING = "there is nothing to sample: no slot has a priority above 0"
DRAW_WIDTH = 32
_LEAST_LEAVES_LOG2 = 4
_TOTAL_WIDTH_MAX = 52
_NEWS = 1 << 32  # the engine's answer to a write: limited() has something to say


class SumTree:
    """A sum tree of integer priorities.

    capacity          slots, 1 to 2**24, any number
    backend           "native", "model", "rtl", or a driver
    priority_width    bits of a priority, 1 to 32; above 2**20 slots at most 52 less log2 of them
    generation_width  bits of a slot's tag, 0 (no tags) to 16
    initial           the priority that counts as the largest one before any was seen
    seed              64-bit seed of the internal draws; None: from the system's entropy. initial_seed says it
    batch_max         largest stratified batch, 1 to 32768
    max_priority_within_buffer
                      the largest priority is that of the slots as they are, not the largest one ever seen. Every call
                      then goes through the driver, which takes about a hundred times as long with the native engine
    banks             1, 2, 4, 8 or 16 parts with a lock each, for many threads; above 1 other slots are drawn from the
                      same seed, and there is no backend "rtl" (docs/native.md, threads)

    The priorities of a call are written in order, so of a slot that is named twice the last one stays.

    >>> tree = SumTree(4)
    >>> tree.insert([1, 2, 3]).indices
    array([0, 1, 2])
    >>> tree.sample_at([0, 1, 2, 3, 4, 5]).indices
    array([0, 1, 1, 2, 2, 2])
    """

    def __init__(
        self,
        capacity: int,
        *,
        backend: str | Driver = "native",
        priority_width: int = 18,
        generation_width: int = 16,
        initial: int = 1,
        seed: int | None = None,
        batch_max: int = 1024,
        max_priority_within_buffer: bool = False,
        banks: int = 1,
    ) -> None:
        """Raises UserError when an argument is out of its range, RunFailed when the core does not build."""
        self._arguments = {name: given for name, given in locals().items() if name not in ("self", "seed")}
        self._capacity = capacity = check_int("capacity", capacity, 1, MOST_SLOTS)
        leaves_log2 = max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length())
        priority_width = check_int("priority_width", priority_width, 1, widest(capacity))
        generation_width = check_int("generation_width", generation_width, 0, 16)
        batch_max = check_int("batch_max", batch_max, 1, MOST_BATCH)
        shape = SumTreeShape(leaves_log2, 1 << leaves_log2, priority_width, DRAW_WIDTH, generation_width)
        self._priority_max = (1 << priority_width) - 1
        self._initial = check_int("initial", initial, 0, self._priority_max)
        seed = seed_of(seed)
        self._within = check_bool("max_priority_within_buffer", max_priority_within_buffer)
        self._banks = _checked_banks(banks, capacity)
        self.driver = _driver(backend, shape, batch_max, self._banks)
        # The short way: one call that checks and does it. What it leaves alone goes the long way, which has the words.
        self._engine: Any = None if self._within else getattr(self.driver, "tree", None)
        self._writer, self._copied = self._engine, False
        if isinstance(backend, str):
            forks.leave_in_child(self, SumTree._leave)
        self.stale = 0
        self.limited: Callable[[int], None] = lambda count: None  # the sampler's, when the engine limited priorities
        self._batch = 1, False
        self.driver.configure(capacity=capacity, initial=self._initial, batch=1, stratified=False, weights=False)
        self.clear()
        self.seed(seed)

    # --- state ---

    def __len__(self) -> int:
        """Slots in use: inserted since the last clear, at most the capacity."""
        return int(self.driver.size)

    def __repr__(self) -> str:
        banks = f", {self._banks} banks" if self._banks > 1 else ""
        return f"SumTree({len(self):,} of {self.capacity:,} slots, {self.backend}{banks})"

    @property
    def backend(self) -> str:
        """The name of the backend, or the kind of the driver that was given."""
        backend = self._arguments["backend"]
        return backend if isinstance(backend, str) else type(backend).__name__

    @property
    def capacity(self) -> int:
        """Slots."""
        return self._capacity

    @property
    def total(self) -> int:
        """Sum of all priorities."""
        return self.driver.total

    @property
    def largest(self) -> int:
        """The priority of a new slot: the largest one seen since the last clear, or that the tree holds."""
        return (self._peak or self._initial) if self._within else self._seen()

    def clear(self) -> None:
        """Empty the tree. Every tag given before is stale. The generator of draws is not reset."""
        self.driver.clear()
        self._inserted = 0
        self._held, self._peak = np.zeros(self._capacity if self._within else 0, np.int64), 0
        self._largest: int | None = None  # in a core that was recoded, whose own is in the units of before

    # --- operations ---

    def insert(self, priorities: ArrayLike | None = None, *, count: int | None = None) -> Slots:
        """Take the next slots and give them priorities: one for each of (n,), or the largest one seen for `count`.

        A full tree overwrites its oldest slots.
        """
        if priorities is None:
            count = check_int("count", 1 if count is None else count, 0, MOST_SLOTS)
            own = self._own_largest()
            return self._slots(INSERT, count, None if own is None else np.full(count, own))
        if count is None and (slots := self._quick_insert(priorities)):
            return slots
        given = self._priorities(priorities, None if count is None else check_int("count", count, 0, MOST_SLOTS))
        return self._slots(INSERT, len(given), given)

    def reserve(self, count: int = 1) -> Slots:
        """Take the next slots with priority 0: they cannot be sampled until commit() gives them a priority."""
        return self._slots(RESERVE, check_int("count", count, 0, MOST_SLOTS))

    def commit(self, indices: ArrayLike, generations: ArrayLike, priorities: ArrayLike | None = None) -> np.ndarray:
        """Give reserved slots their priorities, by default the largest one seen.

        Returns bool (n,): False where the slot was overwritten since, and nothing was changed.
        """
        if generations is None:
            raise UserError("generations is None; give the tags that reserve() gave")
        return self._write(COMMIT, indices, generations, priorities)

    def update(self, indices: ArrayLike, priorities: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities; with generations only where the slot was not overwritten since.

        Returns bool (n,): False where the slot was overwritten, and nothing was changed.
        """
        if priorities is None:
            raise UserError("priorities is None; give a priority for each index")
        return self._write(UPDATE, indices, generations, priorities)

    def place(self, indices: ArrayLike) -> None:
        """Give slots the largest priority, as insert() does, where somebody else chose the slots. Their tags stay."""
        self._carry_out(UPDATE, self._indices(indices), None, None)

    def read(self, indices: ArrayLike) -> np.ndarray:
        """Priorities of slots, int64 (n,)."""
        answers = self._operations(READ, self._indices(indices))
        return np.asarray(answers["priority"], np.int64)

    def generations(self, indices: ArrayLike) -> np.ndarray:
        """Present tags of slots, int64 (n,)."""
        answers = self._operations(READ, self._indices(indices))
        return np.asarray(answers["generation"], np.int64)

    # --- samples ---

    def sample(self, count: int, *, stratified: bool = False) -> Samples:
        """Draw slots in proportion to their priorities, with the core's own generator.

        stratified: the total is cut into `count` equal parts, and each gives one sample. Raises UserError when no
        slot has a priority above 0.
        """
        count = check_int("count", count, 1, self.driver.batch_max if stratified else MOST_SLOTS)
        if self._engine:
            samples = Samples(*(np.empty(count, np.int64) for _ in range(4)))
            batch = count if stratified else 1
            self._engine_drew(self._engine.draw(batch, stratified, *samples, None, None), batch, stratified)
            return samples
        with turn(self):
            self._need_total()
            self._set_batch(count if stratified else 1, stratified)
            return samples_of(self._draw(count))

    def sample_at(self, targets: ArrayLike) -> Samples:
        """The least slots whose prefix sums are above targets (n,), each 0 to total - 1."""
        total = self._need_total()
        targets = arguments.wholes("targets", targets, 0, total - 1)
        return self._ask(TARGET, targets)

    def sample_with(self, draws: ArrayLike) -> Samples:
        """The same at targets floor(u * total / 2**32) from the caller's draws u (n,), whole numbers below 2**32."""
        draws = arguments.wholes("draws", draws, 0, (1 << DRAW_WIDTH) - 1)
        self._need_total()
        return self._ask(GIVEN, draws)

    def seed(self, seed: int | None = None) -> None:
        """Restart the internal draws from a 64-bit seed, or from the system's entropy."""
        self.initial_seed = seed = seed_of(seed)
        self.driver.seed(seed)
        self._mirror = Xoshiro128pp(state_of(seed))
        self._drawn = 0

    # --- checkpoints ---

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: numbers and numpy arrays."""
        return {
            "capacity": self.capacity,
            "priority_width": self.driver.shape.priority_width,
            "size": len(self),
            "next": self._next(),
            "largest": self._seen(),
            "priorities": self.read(np.arange(self.capacity)),
            "draws": self._draws(),
            "seed": self.initial_seed,
            **({"banks": self._banks} if self._banks > 1 else {}),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue as the tree that gave the state would: same slots, priorities and draws.

        Tags are new: those given before, by either tree, are not valid. Raises UserError when the state is not that
        of a tree with this capacity and priority_width, or is damaged.
        """
        self._restore(self._state_of(state))

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: all of it, tags included. Raises UserError when it runs on a driver that was given."""
        if not isinstance(self._arguments["backend"], str):
            raise UserError("a tree on a driver of its own cannot be pickled or copied; state_dict() has what it holds")
        state = self.state_dict()
        return {"arguments": self._arguments, "state": state, "lap": self._lap(), "stale": self.stale}

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state["arguments"])
        self._restore(self._state_of(state["state"]), state["lap"])
        self.stale = state["stale"]

    # --- inside ---

    def _next(self) -> int:
        """The slot that the next insert takes."""
        found = getattr(self.driver, "next", None)  # the core does not tell it
        return self._inserted % self.capacity if found is None else found

    def _draws(self) -> tuple[int, ...]:
        """The state of the generator of draws."""
        if self._engine:
            return tuple(self._engine.draws())
        self._mirror.skip(self._drawn)
        self._drawn = 0
        return self._mirror.state

    def _lap(self) -> int:
        """How often inserts went round: the tag of the slot that the next insert takes."""
        return int(self.generations(self._next())[0])

    def _restore(self, state: TreeState, lap: int | None = None) -> None:
        """Make the tree what the state says; with a lap its tags too."""
        full = state.size == self.capacity
        if lap is not None and self.driver.shape.generation_width:
            # A tree of one slot in each bank goes round with as many inserts. The clear below adds two laps, filling a
            # tree one.
            self.driver.configure(capacity=self._banks)
            self.driver.clear()
            now = int(self.generations(0)[0])
            laps = (lap - full - 2 - now) % (1 << self.driver.shape.generation_width)
            self._operations(RESERVE, np.zeros(laps * self._banks))
        self.driver.configure(capacity=self.capacity, initial=state.largest)
        self.clear()
        self.driver.configure(initial=self._initial)
        self.insert(np.resize(state.priorities, (self.capacity if full else 0) + state.following))
        # A priority may also stand in a slot that no insert has reached yet.
        self.update(np.arange(self.capacity), state.priorities)
        self._batch = 1, False
        self.driver.configure(batch=1, stratified=False)
        self.driver.load_draws(state.draws)
        self.initial_seed = self.initial_seed if state.seed is None else state.seed
        self._mirror = Xoshiro128pp(state.draws)
        self._drawn = 0

    def _seen(self) -> int:
        """The largest priority seen since the last clear."""
        return self.driver.largest if self._largest is None else self._largest

    def _own_largest(self) -> int | None:
        """What a slot without a priority gets where that is not what the core would give it."""
        return self.largest if self._within or self._largest is not None else None

    def _recode(self, to: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Change every priority held, and the largest one seen; tags and draws stay. Returns those before and after."""
        slots, seen = np.arange(self.capacity), self._seen()
        before = self.read(slots)
        *_, largest = after = to(np.append(before, seen))
        if self._engine:
            self._engine.write(UPDATE, slots, after[:-1], None, -1.0, np.empty(len(slots), _ACCEPTED))
            self._engine.configure(largest=largest)
        else:
            self._operations(UPDATE, slots, after[:-1])
            self._largest = int(largest)
        return before, after[:-1]

    def recover(self) -> None:
        """Find out again what is kept here of the slots, after a call that was interrupted."""
        if self._within:
            self._held = self.read(np.arange(self.capacity))
            self._peak = int(self._held.max())

    def _follow(self, indices: np.ndarray) -> None:
        """The largest priority held, after writes to slots."""
        indices = np.unique(indices)
        before, now = self._held[indices], self.read(indices)
        self._held[indices] = now
        if now.max(initial=0) >= self._peak:
            self._peak = int(now.max(initial=0))
        elif (before == self._peak).any():
            self._peak = int(self._held.max())

    def _leave(self) -> None:
        """In a process that was forked from the tree's, whose tree this one's writes do not reach."""
        self._copied, self._writer = True, None

    @alone
    def _operations(
        self,
        kind: int,
        index: ArrayLike,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: bool = False,
        use_max: bool = False,
    ) -> np.ndarray:
        if self._copied and kind != READ:
            self._copied, self._writer = False, self._engine
            warn(forks.COPY)
        answers = self.driver.operations(kind, index, priority, generation, check, use_max)
        self.stale += int((answers["status"] == STALE).sum())
        if self._within and kind != READ:
            self._follow(answers["index"][answers["status"] == OK].astype(np.int64))
        if self._largest is not None and kind != READ:
            written = np.broadcast_to(priority, len(answers))[answers["status"] == OK]
            self._largest = max(self._largest, int(written.max(initial=0)))
        return answers

    def _quick_insert(
        self, values: Any, offset: float = -1.0, kind: int = INSERT, count: int | None = None
    ) -> Slots | None:
        """Inserts by the engine alone: int64 priorities, with an offset float TD errors. None: nothing was done."""
        if not self._writer or (count is None and getattr(values, "ndim", 0) != 1):
            return None
        count = len(values) if count is None else count
        slots = Slots(np.empty(count, np.int64), np.empty(count, np.int64))
        done = self._writer.insert(kind, values, offset, *slots)
        if done > 0:
            self.limited(count)
        return slots if done >= 0 else None

    def _quick_write(
        self, kind: int, indices: Any, values: Any, generations: Any, offset: float = -1.0
    ) -> np.ndarray | None:
        """Writes by the engine alone, as _quick_insert."""
        if not self._writer or type(indices) is not np.ndarray or indices.ndim != 1:
            return None
        accepted = np.empty(len(indices), _ACCEPTED)
        done = self._writer.write(kind, indices, values, generations, offset, accepted)
        if done < 0:
            return None
        if done:
            self.stale += done & (_NEWS - 1)
            if done >= _NEWS:
                self.limited(len(indices))
        return accepted

    def _engine_drew(self, done: bool, batch: int, stratified: bool) -> None:
        """The engine drew, or there was nothing to draw."""
        if not done:
            raise UserError(_NOTHING if len(self) else _EMPTY)
        self._batch = batch, stratified

    def _slots(self, kind: int, count: int, priorities: np.ndarray | None = None) -> Slots:
        if priorities is None and (slots := self._quick_insert(None, kind=kind, count=count)):
            return slots
        use_max = kind == INSERT and priorities is None
        given = 0 if priorities is None else priorities
        with turn(self):
            answers = self._operations(kind, np.zeros(count, np.int64), given, use_max=use_max)
            self._inserted += count
        return Slots(answers["index"].astype(np.int64), answers["generation"].astype(np.int64))

    def _write(
        self, kind: int, indices: ArrayLike, generations: ArrayLike | None, priorities: ArrayLike | None
    ) -> np.ndarray:
        """Writes of priorities, None for the largest one."""
        accepted = self._quick_write(kind, indices, priorities, generations)
        if accepted is not None:
            return accepted
        slots = self._indices(indices)
        tags = self._tags(generations, len(slots))
        given = None if priorities is None else self._priorities(priorities, len(slots))
        return self._carry_out(kind, slots, tags, given)

    @alone
    def _carry_out(
        self, kind: int, indices: np.ndarray, tags: np.ndarray | None, priorities: np.ndarray | int | None
    ) -> np.ndarray:
        if priorities is None:
            priorities = self._own_largest()
        answers = self._operations(
            kind,
            indices,
            0 if priorities is None else priorities,
            0 if tags is None else tags,
            check=tags is not None,
            use_max=priorities is None,
        )
        return np.asarray(answers["status"] == OK)

    def _indices(self, indices: ArrayLike) -> np.ndarray:
        return arguments.wholes("indices", indices, 0, self.capacity - 1)

    def _priorities(self, priorities: ArrayLike, count: int | None = None) -> np.ndarray:
        return arguments.wholes("priorities", priorities, 0, self._priority_max, count)

    def _tags(self, generations: ArrayLike | None, count: int) -> np.ndarray | None:
        if generations is None:
            return None
        most = (1 << self.driver.shape.generation_width) - 1
        return arguments.wholes("generations", generations, 0, most, count)

    def _need_total(self) -> int:
        total = self.driver.total
        if not total:
            raise UserError(_NOTHING if len(self) else _EMPTY)
        return total

    @alone
    def _ask(self, kind: int, values: np.ndarray) -> Samples:
        self._set_batch(1, False)  # with weights on, a batch that is not full would wait
        return samples_of(self.driver.samples(np.full(len(values), kind, np.uint8), values.astype(np.uint64)))

    def _set_batch(self, batch: int, stratified: bool) -> None:
        if (batch, stratified) != self._batch:
            self.driver.configure(batch=batch, stratified=stratified)
            self.driver.restart()
            self._batch = batch, stratified

    def _draw(self, count: int) -> np.ndarray:
        self._drawn += count
        return self.driver.draw(count)

    def _state_of(self, state: Mapping[str, Any]) -> TreeState:
        """The state, checked; nothing is changed."""
        return tree_state(state, self.capacity, self.driver.shape.priority_width, self._banks)


def widest(capacity: int) -> int:
    """Bits of a priority that every backend has for so many slots."""
    return min(32, _TOTAL_WIDTH_MAX - max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length()))


def _checked_banks(banks: int, capacity: int) -> int:
    if type(banks) is not int or banks not in BANKS:
        raise UserError(f"banks is {banks}; it must be {', '.join(map(str, BANKS[:-1]))} or {BANKS[-1]}")
    if banks > capacity:
        raise UserError(f"banks is {banks}; with {capacity} slots it must be no more than that")
    return banks


def _driver(backend: str | Driver, shape: SumTreeShape, batch_max: int, banks: int) -> Driver:
    known = choice("backend", backend, BACKENDS, ", or a driver") if isinstance(backend, str) else None
    if banks > 1 and known not in ("native", "model"):
        raise UserError(f"banks is {banks}; only the backends native and model have banks with locks of their own")
    if not isinstance(backend, str):
        return backend
    if known == "native":
        return SumTreeNativeDriver(shape, batch_max, banks)
    if known == "model":
        return SumTreeModelDriver(shape, batch_max, banks)
    parameters = {name.upper(): value for name, value in vars(shape).items()}
    return SumTreeDriver.verilated({**parameters, "PRIORITY_MATHS": 1, "BATCH_MAX": batch_max})
