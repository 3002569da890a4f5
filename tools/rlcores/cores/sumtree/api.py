"""Prioritised replay on the sum tree core: its integer model, or the core itself simulated bit for bit.

`SumTree` has raw integer priorities. `PrioritizedSampler` has TD errors and importance weights, and takes the place of
the sampler in a replay buffer; the transitions themselves stay in the user's own arrays, at the slots given here.

Slots are used first in, first out. Every slot has a generation, a tag that changes when the slot is overwritten: a
priority that comes back with the tag of a transition which is gone is dropped instead of landing on its successor.
Tags have generation_width bits, so a tag is mistaken for a new one after 2**generation_width overwrites.

Arrays may be lists, NumPy arrays, or tensors on any device. Wrong input is a UserError (a ValueError) with one
sentence, raised before anything changes. What the core limits is limited, counted, and said by a CoreWarning.

Both can be pickled and copied: a copy has the same slots, priorities and tags, and draws what the original would.

Backends: "native" is the engine in C++, which many threads may call at once (docs/native.md). "model" is NumPy, to be
read. "rtl" is the Verilated core behind its AXI ports. The answers of all three are the same. The RTL is built once for
each power of two of the capacity (at least 16 leaves), each width and each batch_max; the capacity is a register.
"""

import copy
import math
from collections.abc import Callable, Mapping
from sys import float_info
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import forks
from rlcores.base.arguments import choice, fraction, truth, whole
from rlcores.base.arrays import is_array
from rlcores.base.states import need
from rlcores.cores.common.draws import Xoshiro128pp, seed_of, state_of
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree import maths as sumtree_maths
from rlcores.cores.sumtree.banks import BANKS
from rlcores.cores.sumtree.driver import Driver, SumTreeDriver
from rlcores.cores.sumtree.maths import LEAST_FINE, POWER_ONE
from rlcores.cores.sumtree.model import COMMIT, GIVEN, INSERT, OK, READ, RESERVE, STALE, TARGET, UPDATE, Shape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.errors import Tally, UserError, warn

BACKENDS = ("native", "model", "rtl")

_MOST_SLOTS = 1 << 24
_ACCEPTED = np.dtype(np.bool_)
_INT64, _FLOAT32, _FLOAT64 = map(np.dtype, (np.int64, np.float32, np.float64))
_BATCH = (_INT64, _FLOAT32, _INT64, _INT64, _FLOAT64)  # types of a Batch's arrays
_EMPTY = "there is nothing to sample: the buffer is empty"
_NOTHING = "there is nothing to sample: no slot has a priority above 0"
_DRAW_WIDTH = 32
_new, _tuple = np.empty, tuple.__new__  # looked up once
_MOST_BATCH = 32768
_LEAST_LEAVES_LOG2 = 4
_TOTAL_WIDTH_MAX = 52
_NEWS = 1 << 32  # the engine's answer to a write: limited() has something to say
_SCALE_MOST = 2048 * 256  # beyond the power of any float


class Slots(NamedTuple):
    """Slots that were written, in order: int64 (n,) each. Keep the generations with the transitions' batch."""

    indices: np.ndarray
    generations: np.ndarray


class Samples(NamedTuple):
    """Sampled slots, in order: int64 (n,) each. totals: the sum of all priorities that each was drawn from."""

    indices: np.ndarray
    priorities: np.ndarray
    generations: np.ndarray
    totals: np.ndarray


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
                      the largest priority is that of the slots as they are, and no more the largest one ever seen
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
        self._capacity = capacity = whole("capacity", capacity, 1, _MOST_SLOTS)
        leaves_log2 = max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length())
        priority_width = whole("priority_width", priority_width, 1, _widest(capacity))
        generation_width = whole("generation_width", generation_width, 0, 16)
        batch_max = whole("batch_max", batch_max, 1, _MOST_BATCH)
        shape = Shape(leaves_log2, 1 << leaves_log2, priority_width, _DRAW_WIDTH, generation_width)
        self._priority_max = (1 << priority_width) - 1
        self._initial = whole("initial", initial, 0, self._priority_max)
        seed = seed_of(seed)
        self._within = truth("max_priority_within_buffer", max_priority_within_buffer)
        self._banks = _checked_banks(banks, capacity)
        self.driver = _driver(backend, shape, batch_max, self._banks)
        # The short way: one call that checks and does it. What it leaves alone goes the long way, which has the words.
        self._engine = None if self._within else getattr(self.driver, "tree", None)
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
        return self.driver.size

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
        """Empty the tree. Every tag given before is stale; the draws go on."""
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
            count = whole("count", 1 if count is None else count, 0, _MOST_SLOTS)
            own = self._own_largest()
            return self._slots(INSERT, count, None if own is None else np.full(count, own))
        if count is None and (slots := self._quick_insert(priorities)):
            return slots
        given = self._priorities(priorities, None if count is None else whole("count", count, 0, _MOST_SLOTS))
        return self._slots(INSERT, len(given), given)

    def reserve(self, count: int = 1) -> Slots:
        """Take the next slots with priority 0: they cannot be sampled until commit() gives them a priority."""
        return self._slots(RESERVE, whole("count", count, 0, _MOST_SLOTS))

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
        return answers["priority"].astype(np.int64)

    def generations(self, indices: ArrayLike) -> np.ndarray:
        """Present tags of slots, int64 (n,)."""
        answers = self._operations(READ, self._indices(indices))
        return answers["generation"].astype(np.int64)

    # --- samples ---

    def sample(self, count: int, *, stratified: bool = False) -> Samples:
        """Draw slots in proportion to their priorities, with the core's own generator.

        stratified: the total is cut into `count` equal parts, and each gives one sample. Raises UserError when no
        slot has a priority above 0.
        """
        count = whole("count", count, 1, self.driver.batch_max if stratified else _MOST_SLOTS)
        if self._engine:
            samples = Samples(*(np.empty(count, np.int64) for _ in range(4)))
            batch = count if stratified else 1
            self._engine_drew(self._engine.draw(batch, stratified, *samples, None, None), batch, stratified)
            return samples
        self._need_total()
        self._set_batch(count if stratified else 1, stratified)
        return _samples(self._draw(count))

    def sample_at(self, targets: ArrayLike) -> Samples:
        """The least slots whose prefix sums are above targets (n,), each 0 to total - 1."""
        total = self._need_total()
        targets = replay_input.wholes("targets", targets, 0, total - 1)
        return self._ask(TARGET, targets)

    def sample_with(self, draws: ArrayLike) -> Samples:
        """The same at targets floor(u * total / 2**32) from the caller's draws u (n,), whole numbers below 2**32."""
        draws = replay_input.wholes("draws", draws, 0, (1 << _DRAW_WIDTH) - 1)
        self._need_total()
        return self._ask(GIVEN, draws)

    def seed(self, seed: int | None = None) -> None:
        """Start the internal draws anew from a 64-bit seed, or from the system's entropy."""
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
        self._restore(self._check_state(state))

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: all of it, tags included. Raises UserError when it runs on a driver that was given."""
        if not isinstance(self._arguments["backend"], str):
            raise UserError("a tree on a driver of its own cannot be pickled or copied; state_dict() has what it holds")
        state = self.state_dict()
        return {"arguments": self._arguments, "state": state, "lap": self._lap(), "stale": self.stale}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["arguments"])
        self._restore(self._check_state(state["state"]), state["lap"])
        self.stale = state["stale"]

    # --- inside ---

    def _next(self) -> int:
        """The slot that the next insert takes."""
        found = getattr(self.driver, "next", None)  # the core does not tell it
        return self._inserted % self.capacity if found is None else found

    def _draws(self) -> tuple[int, ...]:
        """The state of the generator of draws."""
        if self._engine:
            return self._engine.draws()
        self._mirror.skip(self._drawn)
        self._drawn = 0
        return self._mirror.state

    def _lap(self) -> int:
        """How often inserts went round: the tag of the slot that the next insert takes."""
        return int(self.generations(self._next())[0])

    def _restore(self, state: "_State", lap: int | None = None) -> None:
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

    def _operations(self, kind: int, index, priority=0, generation=0, check=False, use_max=False):
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
        self, values: ArrayLike | None, offset: float = -1.0, kind: int = INSERT, count: int | None = None
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

    def _quick_write(self, kind: int, indices, values, generations, offset: float = -1.0) -> np.ndarray | None:
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
        answers = self._operations(kind, np.zeros(count, np.int64), given, use_max=use_max)
        self._inserted += count
        return Slots(answers["index"].astype(np.int64), answers["generation"].astype(np.int64))

    def _write(self, kind: int, indices, generations, priorities) -> np.ndarray:
        """Writes of priorities, None for the largest one."""
        accepted = self._quick_write(kind, indices, priorities, generations)
        if accepted is not None:
            return accepted
        indices = self._indices(indices)
        tags = self._tags(generations, len(indices))
        given = None if priorities is None else self._priorities(priorities, len(indices))
        return self._carry_out(kind, indices, tags, given)

    def _carry_out(self, kind: int, indices, tags, priorities) -> np.ndarray:
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
        return answers["status"] == OK

    def _indices(self, indices: ArrayLike) -> np.ndarray:
        return replay_input.wholes("indices", indices, 0, self.capacity - 1)

    def _priorities(self, priorities: ArrayLike, count: int | None = None) -> np.ndarray:
        return replay_input.wholes("priorities", priorities, 0, self._priority_max, count)

    def _tags(self, generations: ArrayLike | None, count: int) -> np.ndarray | None:
        if generations is None:
            return None
        most = (1 << self.driver.shape.generation_width) - 1
        return replay_input.wholes("generations", generations, 0, most, count)

    def _need_total(self) -> int:
        total = self.driver.total
        if not total:
            raise UserError(_NOTHING if len(self) else _EMPTY)
        return total

    def _ask(self, kind: int, values: np.ndarray) -> Samples:
        self._set_batch(1, False)  # with weights on, a batch that is not full would wait
        return _samples(self.driver.samples(np.full(len(values), kind, np.uint8), values.astype(np.uint64)))

    def _set_batch(self, batch: int, stratified: bool) -> None:
        if (batch, stratified) != self._batch:
            self.driver.configure(batch=batch, stratified=stratified)
            self.driver.restart()
            self._batch = batch, stratified

    def _draw(self, count: int) -> np.ndarray:
        self._drawn += count
        return self.driver.draw(count)

    def _check_state(self, state: Mapping[str, Any]) -> "_State":
        need(state, ("capacity", "draws", "largest", "next", "priorities", "priority_width", "size"), "a sum tree")
        width = self.driver.shape.priority_width
        for name, own in (("capacity", self.capacity), ("priority_width", width), ("banks", self._banks)):
            if not np.array_equal(found := state.get(name, 1), own):
                raise UserError(f"the state is that of a tree with {name} {found}; this one has {own}")
        size = whole("size", state["size"], 0, self.capacity)
        following = whole("next", state["next"], 0, self.capacity - 1)
        if size < self.capacity and following != size:
            raise UserError(f"the state is damaged: {size} slots are in use, but the next one is {following}")
        largest = whole("largest", state["largest"], 0, self._priority_max)
        priorities = self._priorities(state["priorities"], self.capacity)
        draws = tuple(replay_input.wholes("draws", state["draws"], 0, (1 << 32) - 1, 4).tolist())
        seed = seed_of(state["seed"]) if "seed" in state else None  # older states have none
        return _State(size, following, largest, priorities, draws, seed)


class _State(NamedTuple):
    """What a state_dict says, checked."""

    size: int
    following: int
    largest: int
    priorities: np.ndarray
    draws: tuple[int, ...]
    seed: int | None


class Batch(NamedTuple):
    """What PrioritizedSampler.sample gives; arrays (batch_size,), in order."""

    indices: np.ndarray  # int64: slots of the transitions
    weights: np.ndarray  # float32: importance weights, the batch's largest is 1
    priorities: np.ndarray  # int64, as the tree holds them
    generations: np.ndarray  # int64: hand them back to update()
    probabilities: np.ndarray  # float64: priority / total


class PrioritizedSampler:
    """Prioritised experience replay (Schaul et al. 2016) with the priority maths of the core.

    The priority of a TD error d is (|d| + priority_epsilon)**alpha in units of 2**-scale, rounded, and at least 1.
    Where one is larger than priority_width bits, the scale moves by whole bits, and with it every priority held. A new
    transition gets the largest priority seen. A priority below 50 units is off by more than 1 %: saturations() counts
    these, and a CoreWarning says so. With 32 bits and alpha 0.6 that begins 13 decades below the largest TD error seen.
    The weight of a sample is (P / P_min)**-beta, P its probability and
    P_min the smallest one of the batch: (N*P)**-beta divided by the batch's largest. docs/sumtree_maths.md says how
    exact both are.

    capacity          transitions, 1 to 2**24, any number
    alpha, beta       0 to 1; both may be set between samples, to anneal them
    priority_epsilon  added to |TD error|, 0 or more
    batch_size        what sample() takes unless told otherwise, 1 to batch_max
    stratified        each sample of a batch from its own equal part of the total
    seed              64-bit seed of the draws; None: from the system's entropy. The attribute says it
    scale             log2 of the priority of |TD error| + priority_epsilon = 1, which is also the first largest one.
                      None: priority_width - 2, and it moves as above. A number stays, and priorities end there, counted
    priority_width    bits of a priority; None: the most that every backend has, 32, above 2**20 slots 52 less log2 of
                      them
    backend, generation_width, batch_max, max_priority_within_buffer, banks: as for SumTree

    >>> sampler = PrioritizedSampler(100, batch_size=4, seed=1)
    >>> slots = sampler.add(10)
    >>> batch = sampler.sample()
    >>> batch.indices.shape, float(batch.weights.max())
    ((4,), 1.0)
    >>> sampler.update(batch.indices, [0.5, 0.1, 2.0, 0.0], batch.generations).all()
    np.True_

    Slots are first in, first out: write transition k of add() to row indices[k] of your arrays. rlcores.integrations
    has it as the sampler of torchrl, tianshou and Stable-Baselines3.
    """

    def __init__(
        self,
        capacity: int,
        *,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        batch_size: int = 64,
        stratified: bool = True,
        seed: int | None = None,
        scale: float | None = None,
        backend: str | Driver = "native",
        priority_width: int | None = None,
        generation_width: int = 16,
        batch_max: int = 1024,
        max_priority_within_buffer: bool = False,
        banks: int = 1,
    ) -> None:
        """Raises UserError when an argument is out of its range, RunFailed when the core does not build."""
        self._alpha = _power("alpha", alpha)
        self._offset = fraction("priority_epsilon", priority_epsilon, 0, float_info.max)
        batch_max = whole("batch_max", batch_max, 1, _MOST_BATCH)
        self.batch_size = whole("batch_size", batch_size, 1, batch_max)
        if priority_width is None:
            capacity = whole("capacity", capacity, 1, _MOST_SLOTS)
            priority_width = _widest(capacity) if isinstance(backend, str) else backend.shape.priority_width
        priority_width = whole("priority_width", priority_width, 1, 32)
        self._follows = scale is None
        self._first_scale = max(priority_width - 2, 0) if scale is None else fraction("scale", scale, -127, 127)
        self._scale = round(self._first_scale * 256)
        self._beta = _power("beta", beta)
        self.stratified = truth("stratified", stratified)
        self.tree = SumTree(
            capacity,
            backend=backend,
            priority_width=priority_width,
            generation_width=generation_width,
            initial=_initial(self._scale, priority_width),
            seed=seed,
            batch_max=batch_max,
            max_priority_within_buffer=max_priority_within_buffer,
            banks=banks,
        )
        self._tally = Tally()
        self._configure()

    def __len__(self) -> int:
        """Transitions held."""
        return len(self.tree)

    @property
    def capacity(self) -> int:
        """Most transitions held."""
        return self.tree.capacity

    @property
    def alpha(self) -> float:
        """Exponent of the priorities, as the core holds it.

        Setting it gives every slot the priority of its TD error with the new exponent, p**(new / old) in units of
        2**-scale, and the scale moves where the largest one asks for it; tags stay. A priority p was rounded to whole
        units, so the new one is exact to new / (2 * old * p) of itself. From alpha 0 there is no way back: all
        priorities stay equal until they are updated, with a warning. All slots are read and then written: what another
        thread writes meanwhile is lost.
        """
        return self._alpha / POWER_ONE

    @alpha.setter
    def alpha(self, alpha: float) -> None:
        old, new = self._alpha, _power("alpha", alpha)
        if new == old:
            return
        if old:
            width, scale = self._driver.shape.priority_width, self._now()
            held = self.tree._seen()
            if self._follows and held:
                most = sumtree_maths.recoded_whole(held, old, new, scale)
                self._scale = min(round(self._first_scale * 256), (width - 2 - most) * 256)
            self.tree._recode(lambda p: sumtree_maths.recode(p, old, new, scale, self._scale, width))
        elif self.tree.total:
            warn("alpha moves away from 0, where all priorities are equal: those held stay so until they are updated")
        self._alpha = new
        self._configure()

    @property
    def priority_epsilon(self) -> float:
        """Added to |TD error|."""
        return self._offset

    @property
    def seed(self) -> int:
        """The seed that the draws began with, given or drawn."""
        return self.tree.initial_seed

    @property
    def unit(self) -> float:
        """The priority of |TD error| + priority_epsilon = 1, 2**scale: it changes when the scale moves."""
        return 2.0 ** (self._now() / 256)

    @property
    def beta(self) -> float:
        """Exponent of the weights, as the core holds it."""
        return self._beta / POWER_ONE

    @beta.setter
    def beta(self, beta: float) -> None:
        raw = _power("beta", beta)
        if raw != self._beta:
            self._driver.configure(beta=raw)
            self._beta = raw

    def add(self, count: int | None = None, *, td_errors: ArrayLike | None = None) -> Slots:
        """Take slots for new transitions: `count` (default 1) with the largest priority seen, or one a TD error (n,).

        A full buffer gives the slots of its oldest transitions.
        """
        if td_errors is None:
            return self.tree.insert(count=count)
        tree = self.tree
        if count is None and (slots := tree._quick_insert(td_errors, self._offset)):
            return slots
        given = replay_input.td_errors(
            "td_errors", td_errors, None if count is None else whole("count", count, 0, _MOST_SLOTS)
        )
        return tree._quick_insert(given, self._offset) or tree._slots(INSERT, len(given), self._priorities(given))

    def place(self, indices: ArrayLike) -> None:
        """Give transitions the largest priority, as add() does, where somebody else chose the slots. Tags stay."""
        self.tree.place(indices)

    def make_room(self, largest: float) -> None:
        """Move the scale where a priority of so many units would not fit: before priorities are written to .tree."""
        width = self._driver.shape.priority_width
        whole = math.frexp(largest * self.unit)[1] - 1
        if self._follows and whole >= width - 1:
            bits = whole - (width - 2)
            if lost := self._move(bits):
                self._say_limited(0, 0, 0, lost, bits)

    def reserve(self, count: int = 1) -> Slots:
        """Take slots that are not sampled until commit(): for transitions that are written by somebody else."""
        return self.tree.reserve(count)

    def commit(self, indices: ArrayLike, generations: ArrayLike, td_errors: ArrayLike | None = None) -> np.ndarray:
        """Let reserved slots be sampled, by default with the largest priority seen.

        Returns bool (n,): False where the slot was overwritten since, and nothing was changed.
        """
        if td_errors is None or generations is None:
            return self.tree.commit(indices, generations)
        return self._write(COMMIT, indices, td_errors, generations)

    def update(self, indices: ArrayLike, td_errors: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities from new TD errors; with generations only of transitions that are still there.

        Returns bool (n,): False where the transition was overwritten, and nothing was changed.
        """
        return self._write(UPDATE, indices, td_errors, generations)

    def sample(
        self,
        batch_size: int | None = None,
        *,
        beta: float | None = None,
        draws: ArrayLike | None = None,
        out: Batch | None = None,
    ) -> Batch:
        """A batch of transitions. beta: sets .beta. Raises UserError when there is nothing to sample.

        draws: one whole number below 2**32 a sample, uniform, from a generator of the caller's instead of the core's.
        out: an earlier batch of this size, whose arrays are filled instead of new ones.
        """
        tree = self.tree
        count = self.batch_size if batch_size is None else self._count(batch_size)
        given = None if draws is None else replay_input.wholes("draws", draws, 0, (1 << _DRAW_WIDTH) - 1, count)
        to = _new_batch(count) if out is None else _checked(out, count)
        if beta is not None:
            self._set_beta(beta)
        if given is None and (engine := tree._engine):
            indices, weights, priorities, generations, probabilities = to
            stratified = self.stratified
            if not engine.draw(count, stratified, indices, priorities, generations, None, weights, probabilities):
                tree._engine_drew(False, count, stratified)
            tree._batch = count, stratified
            return to
        tree._need_total()
        if given is None:
            tree._set_batch(count, self.stratified)
            answers = tree._draw(count)
        else:
            if self.stratified:  # as the core cuts its own draws into strata
                given = ((np.arange(count) << _DRAW_WIDTH) + given) // count
            tree._set_batch(count, False)
            answers = self._driver.samples(np.full(count, GIVEN, np.uint8), given.astype(np.uint64))
        to.indices[:], to.priorities[:], to.generations[:] = _samples(answers)[:3]
        to.weights[:] = answers["weight"] / np.float64(1 << 31)
        to.probabilities[:] = to.priorities / answers["total"].astype(np.int64)
        return to

    def fill(self, batch_size: int | None, beta: float | None, draw: Callable[[Any, int, bool], bool]) -> bool:
        """sample() by somebody else in the engine: draw(tree, count, stratified), False where the total is 0.

        Returns False, and nothing is done, when this sampler does not run on the engine. Raises as sample() does.
        """
        if not self.tree._engine:
            return False
        count = self.batch_size if batch_size is None else self._count(batch_size)
        if beta is not None:
            self._set_beta(beta)
        self.tree._engine_drew(draw(self.tree._engine, count, self.stratified), count, self.stratified)
        return True

    def _count(self, batch_size: int) -> int:
        count, most = whole("batch_size", batch_size, 1, _MOST_BATCH), self._driver.batch_max
        if count > most:
            raise UserError(
                f"batch_size is {count}, and this sampler draws at most {most}; make it with batch_max={count} (a "
                f"ReplayBuffer with sampler_options={{'batch_max': {count}}})"
            )
        return count

    def _set_beta(self, beta: float) -> None:
        beta = fraction("beta", beta, 0, 1)
        self.tree._need_total()
        self.beta = beta

    def saturations(self) -> dict[str, int]:
        """How many priorities were limited because the core's numbers end there, if any.

        "priorities": those that a fixed scale limits to priority_width bits. "coarse": those that were written below 50
        units, which are off by more than 1 %. "rescaled": those that came there when the scale moved.
        """
        return dict(self._tally.counts)

    def clear_saturations(self) -> None:
        """Count from 0 again."""
        self._tally = Tally()

    @property
    def stale(self) -> int:
        """Priorities that were dropped, because their transition was overwritten since it was sampled."""
        return self.tree.stale

    def clear(self) -> None:
        """Forget all transitions; the largest priority seen is the first one again."""
        self._scale = round(self._first_scale * 256)
        self._configure()
        self.tree.clear()

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: numbers and numpy arrays."""
        own = {"alpha": self._alpha, "beta": self._beta, "priority_epsilon": self._offset, "follows": self._follows}
        return {"tree": self.tree.state_dict(), "scale": self._now(), **own}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue as the sampler that gave the state would, with its alpha and beta; see SumTree.load_state_dict.

        Raises UserError when priority_epsilon, a fixed scale or the sizes differ.
        """
        need(state, ("alpha", "beta", "priority_epsilon", "follows", "scale", "tree"), "a prioritized sampler")
        fixed = () if self._follows else (("scale", self._scale),)
        for name, own in (("priority_epsilon", self._offset), ("follows", self._follows), *fixed):
            if not np.array_equal(state[name], own):
                raise UserError(f"the state is that of a sampler with {name} {state[name]}; this one has {own}")
        scale, follows = state["scale"], state["follows"]
        if type(scale) is not int or type(follows) is not bool or abs(scale) > _SCALE_MOST:
            raise UserError("the state is damaged: its scale is no whole number")
        powers = [whole(name, state[name], 0, POWER_ONE) for name in ("alpha", "beta")]
        restored = self.tree._check_state(state["tree"])  # before anything changes
        self._alpha, self._beta = powers
        self._scale = scale
        self._configure()
        self.tree._restore(restored)
        self._configure()

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy; see SumTree."""
        self._scale = self._now()
        return {name: value for name, value in vars(self).items() if name != "_driver"}

    def __copy__(self) -> "PrioritizedSampler":
        return copy.deepcopy(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._configure()

    def _configure(self) -> None:
        """Write the core's registers. Priorities of TD errors come from here or the engine, not the core's unit."""
        tree, self._driver = self.tree, self.tree.driver
        tree.limited = self._limited
        tree._initial = _initial(self._scale, self._driver.shape.priority_width)
        engine = {"scale": self._scale, "follow": self._follows} if tree._engine else {}
        self._driver.configure(alpha=self._alpha, beta=self._beta, initial=tree._initial, weights=True, **engine)

    def _now(self) -> int:
        """log2 of the unit, in steps of 1/256."""
        return self.tree._engine.scale if self.tree._engine else self._scale

    def _write(self, kind: int, indices: ArrayLike, td_errors: ArrayLike, generations: ArrayLike | None) -> np.ndarray:
        """Writes of TD errors."""
        tree = self.tree
        accepted = tree._quick_write(kind, indices, td_errors, generations, self._offset)
        if accepted is not None:
            return accepted
        indices = tree._indices(indices)
        tags = tree._tags(generations, len(indices))
        given = replay_input.td_errors("td_errors", td_errors, len(indices))
        accepted = tree._quick_write(kind, indices, given, tags, self._offset)
        if accepted is None:
            accepted = tree._carry_out(kind, indices, tags, self._priorities(given, indices, tags))
        return accepted

    def _priorities(
        self, errors: np.ndarray, indices: np.ndarray | None = None, tags: np.ndarray | None = None
    ) -> np.ndarray:
        """Priorities of finite TD errors (n,), after the scale moved where they ask for it; what is limited is said.

        tags: what is stale by them moves nothing.
        """
        if not len(errors):
            return np.empty(0, np.int64)
        width, bits, lost = self._driver.shape.priority_width, 0, 0
        made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if made.above and self._follows and tags is not None and self._driver.shape.generation_width:
            fresh = self.tree.generations(indices) == tags
            errors = np.where(fresh, errors, np.abs(errors[fresh]).max(initial=0))
            made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if made.above and self._follows:
            bits = made.whole - (width - 2)
            lost = self._move(bits)
            made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if made.above or made.coarse or lost:
            self._say_limited(len(errors), made.above, made.coarse, lost, bits)
        return made.priorities

    def _move(self, bits: int) -> int:
        """Take units 2**bits as large. Returns how many priorities became coarse."""
        before, after = self.tree._recode(lambda p: sumtree_maths.moved(p, bits))
        self._scale = self._now() - bits * 256
        self._configure()
        return int(((after > 0) & (after < LEAST_FINE) & (before >= LEAST_FINE)).sum())

    def _limited(self, count: int) -> None:
        """The engine limited some priorities of a call of so many."""
        self._say_limited(count, *self.tree._engine.limited())

    def _say_limited(self, count: int, above: int, coarse: int, lost: int, bits: int) -> None:
        width = self._driver.shape.priority_width
        if above:
            least = self._error_of((1 << width) - 0.5)
            self._tally.add(
                "priorities",
                above,
                f"{above} of {count} TD errors have the largest priority that fits: those from {least:g} on are told "
                "apart with a smaller scale, without one, or with a larger priority_width",
            )
        if coarse:
            self._tally.add(
                "coarse",
                coarse,
                f"{coarse} of {count} TD errors are so small beside the largest one seen that their priority is below "
                f"50 units and their share off by more than 1 %: the least that is not is {self._least_fine():.3g}; "
                "a smaller alpha, a larger priority_epsilon or max_priority_within_buffer tell smaller ones apart",
            )
        if lost:
            self._tally.add(
                "rescaled",
                lost,
                f"a TD error was so large that the scale moved by {bits} bits: {lost} smaller priorities are now below "
                "50 units, and their share is off by more than 1 %",
            )

    def _least_fine(self) -> float:
        """The least |TD error| whose priority is within 1 %."""
        return self._error_of(LEAST_FINE)

    def _error_of(self, priority: float) -> float:
        """The |TD error| of a priority."""
        return max(sumtree_maths.error_of(priority, self._alpha, self._now()) - self._offset, 0.0)


def _widest(capacity: int) -> int:
    """Bits of a priority that every backend has for so many slots."""
    return min(32, _TOTAL_WIDTH_MAX - max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length()))


def _initial(scale: int, width: int) -> int:
    """The priority of 1.0 in units of 2**-(scale/256), as a tree of so many bits holds it."""
    return min(max(round(2.0 ** min(scale / 256, 64)), 1), (1 << width) - 1)


def _new_batch(count: int) -> Batch:
    i64, empty = _INT64, _new
    return _tuple(
        Batch, (empty(count, i64), empty(count, _FLOAT32), empty(count, i64), empty(count, i64), empty(count, _FLOAT64))
    )


def _checked(out: Batch, count: int) -> Batch:
    """Arrays that a caller gave for a batch of this size."""
    if not isinstance(out, Batch):
        raise UserError(f"out is of type {type(out).__name__}; it must be a Batch that sample() gave")
    for name, given, dtype in zip(Batch._fields, out, _BATCH, strict=True):
        if not (is_array(given) and given.dtype == dtype and given.shape == (count,) and given.flags.carray):
            raise UserError(f"out.{name} must be an array of {count} {dtype} that can be written")
    return out


def _power(name: str, given: float) -> int:
    """alpha or beta as ufix(16,15)."""
    return round(fraction(name, given, 0, 1) * POWER_ONE)


def _samples(answers: np.ndarray) -> Samples:
    return Samples(*(answers[name].astype(np.int64) for name in ("index", "priority", "generation", "total")))


def _checked_banks(banks: int, capacity: int) -> int:
    if type(banks) is not int or banks not in BANKS:
        raise UserError(f"banks is {banks}; it must be {', '.join(map(str, BANKS[:-1]))} or {BANKS[-1]}")
    if banks > capacity:
        raise UserError(f"banks is {banks}; with {capacity} slots it must be no more than that")
    return banks


def _driver(backend: str | Driver, shape: Shape, batch_max: int, banks: int) -> Driver:
    known = isinstance(backend, str) and choice("backend", backend, BACKENDS, ", or a driver")
    if banks > 1 and known not in ("native", "model"):
        raise UserError(f"banks is {banks}; only the backends native and model have banks with locks of their own")
    if not known:
        return backend
    if known != "rtl":
        return {"native": SumTreeNativeDriver, "model": SumTreeModelDriver}[known](shape, batch_max, banks)
    parameters = {name.upper(): value for name, value in vars(shape).items()}
    return SumTreeDriver.verilated({**parameters, "PRIORITY_MATHS": 1, "BATCH_MAX": batch_max})
