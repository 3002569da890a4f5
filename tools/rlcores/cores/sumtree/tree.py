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
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import forks
from rlcores.base.arguments import check_backend, check_bool, check_int
from rlcores.base.attributes import Guarded
from rlcores.cores.common.draws import seed_of
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree.banks import BANKS
from rlcores.cores.sumtree.calls import DriverCalls, EngineCalls
from rlcores.cores.sumtree.driver import Driver, SumTreeDriver
from rlcores.cores.sumtree.model import COMMIT, GIVEN, INSERT, RESERVE, TARGET, UPDATE, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.native_driver import SumTreeNativeDriver
from rlcores.cores.sumtree.results import Samples, Slots, samples_of
from rlcores.cores.sumtree.settings import MOST_BATCH, MOST_SLOTS
from rlcores.cores.sumtree.state import TreeState, tree_state
from rlcores.errors import UserError

BACKENDS = ("native", "model", "rtl")

DRAW_WIDTH = 32
_LEAST_LEAVES_LOG2 = 4
_TOTAL_WIDTH_MAX = 52


class SumTree(Guarded):
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
        self._arguments = {name: value for name, value in locals().items() if name not in ("self", "seed")}
        self._capacity = capacity = check_int("capacity", capacity, 1, MOST_SLOTS)
        leaves_log2 = max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length())
        priority_width = check_int("priority_width", priority_width, 1, widest(capacity))
        generation_width = check_int("generation_width", generation_width, 0, 16)
        batch_max = check_int("batch_max", batch_max, 1, MOST_BATCH)
        shape = SumTreeShape(leaves_log2, 1 << leaves_log2, priority_width, DRAW_WIDTH, generation_width)
        self._priority_max = (1 << priority_width) - 1
        self._initial = check_int("initial", initial, 0, self._priority_max)
        seed = seed_of(seed)
        within = check_bool("max_priority_within_buffer", max_priority_within_buffer)
        self._banks = _checked_banks(banks, capacity)
        self.driver = _driver(backend, shape, batch_max, self._banks)
        if isinstance(self.driver, SumTreeNativeDriver) and not within:
            self._calls: EngineCalls | DriverCalls = EngineCalls(self.driver, capacity)
        else:
            self._calls = DriverCalls(self.driver, capacity, self._initial, within)
        if isinstance(backend, str):
            forks.leave_in_child(self._calls, lambda calls: calls.leave())
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
        return self._calls.largest

    @property
    def stale(self) -> int:
        """Priorities that were dropped, because their slot was overwritten since."""
        return self._calls.stale

    def clear(self) -> None:
        """Empty the tree. Every tag given before is stale. The generator of draws is not reset."""
        self._calls.clear()

    # --- operations ---

    def insert(self, priorities: ArrayLike | None = None, *, count: int | None = None) -> Slots:
        """Take the next slots and give them priorities: one for each of (n,), or the largest one seen for `count`.

        A full tree overwrites its oldest slots.
        """
        if priorities is None:
            count = 1 if count is None else count
        return self._calls.insert(
            INSERT, priorities, None if count is None else check_int("count", count, 0, MOST_SLOTS)
        )

    def reserve(self, count: int = 1) -> Slots:
        """Take the next slots with priority 0: they cannot be sampled until commit() gives them a priority."""
        return self._calls.insert(RESERVE, None, check_int("count", count, 0, MOST_SLOTS))

    def commit(self, indices: ArrayLike, generations: ArrayLike, priorities: ArrayLike | None = None) -> np.ndarray:
        """Give reserved slots their priorities, by default the largest one seen.

        Returns bool (n,): False where the slot was overwritten since, and nothing was changed. Raises UserError for a
        slot that nobody took.
        """
        if generations is None:
            raise UserError("generations is None; give the tags that reserve() gave")
        return self._calls.write(COMMIT, indices, priorities, generations, only_taken=True)

    def update(self, indices: ArrayLike, priorities: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities; with generations only where the slot was not overwritten since.

        Returns bool (n,): False where the slot was overwritten, and nothing was changed.
        """
        if priorities is None:
            raise UserError("priorities is None; give a priority for each index")
        return self._calls.write(UPDATE, indices, priorities, generations)

    def place(self, indices: ArrayLike) -> None:
        """Give slots the largest priority, as insert() does, where the caller chose the slots. Their tags stay."""
        self._calls.write(UPDATE, indices, None, None)

    def read(self, indices: ArrayLike) -> np.ndarray:
        """Priorities of slots, int64 (n,)."""
        return np.asarray(self._calls.read(indices)["priority"], np.int64)

    def generations(self, indices: ArrayLike) -> np.ndarray:
        """Present tags of slots, int64 (n,)."""
        return np.asarray(self._calls.read(indices)["generation"], np.int64)

    # --- samples ---

    def sample(self, count: int, *, stratified: bool = False) -> Samples:
        """Draw slots in proportion to their priorities, with the core's own generator.

        stratified: the total is cut into `count` equal parts, and each gives one sample. Raises UserError when no
        slot has a priority above 0.
        """
        count = check_int("count", count, 1, self.driver.batch_max if stratified else MOST_SLOTS)
        samples = Samples(*(np.empty(count, np.int64) for _ in range(4)))
        self._calls.draw(count if stratified else 1, stratified, *samples, None, None)
        return samples

    def sample_at(self, targets: ArrayLike) -> Samples:
        """The least slots whose prefix sums are above targets (n,), each 0 to total - 1."""
        targets = arguments.wholes("targets", targets, 0, self._calls.require_total() - 1)
        return samples_of(self._calls.answers(TARGET, targets, 1))

    def sample_with(self, draws: ArrayLike) -> Samples:
        """The same at targets floor(u * total / 2**32) from the caller's draws u (n,), whole numbers below 2**32."""
        draws = arguments.wholes("draws", draws, 0, (1 << DRAW_WIDTH) - 1)
        return samples_of(self._calls.answers(GIVEN, draws, 1))

    def seed(self, seed: int | None = None) -> None:
        """Restart the internal draws from a 64-bit seed, or from the system's entropy."""
        self.initial_seed = seed = seed_of(seed)
        self._calls.seed(seed)

    # --- checkpoints ---

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: numbers and numpy arrays."""
        return {
            "capacity": self.capacity,
            "priority_width": self.driver.shape.priority_width,
            "size": len(self),
            "next": self._calls.next,
            "largest": self._calls.seen,
            "priorities": self.read(np.arange(self.capacity)),
            "draws": self._calls.draws(),
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
        self._calls.stale = state["stale"]

    # --- inside ---

    def _lap(self) -> int:
        """How often inserts went round: the tag of the slot that the next insert takes."""
        return int(self.generations(self._calls.next)[0])

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
            self._calls.insert(RESERVE, None, laps * self._banks)
        self.driver.configure(capacity=self.capacity, initial=state.largest)
        self.clear()
        self.driver.configure(initial=self._initial)
        self.insert(np.resize(state.priorities, (self.capacity if full else 0) + state.following))
        # A priority may also stand in a slot that no insert has reached yet.
        self.update(np.arange(self.capacity), state.priorities)
        self._calls.load_draws(state.draws)
        self.initial_seed = self.initial_seed if state.seed is None else state.seed

    def recover(self) -> None:
        """Find out again what is kept here of the slots, after a call that was interrupted."""
        self._calls.recover()

    def _state_of(self, state: Mapping[str, Any]) -> TreeState:
        """The state, checked; nothing is changed."""
        return tree_state(state, self.capacity, self.driver.shape.priority_width, self._banks)


def widest(capacity: int) -> int:
    """Bits of a priority that every backend has for `capacity` slots."""
    return min(32, _TOTAL_WIDTH_MAX - max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length()))


def _checked_banks(banks: int, capacity: int) -> int:
    if type(banks) is not int or banks not in BANKS:
        raise UserError(f"banks is {banks}; it must be {', '.join(map(str, BANKS[:-1]))} or {BANKS[-1]}")
    if banks > capacity:
        raise UserError(f"banks is {banks}; with {capacity} slots it must be no more than that")
    return banks


def _driver(backend: str | Driver, shape: SumTreeShape, batch_max: int, banks: int) -> Driver:
    check_backend(backend, BACKENDS, "shape", "a driver")
    known = backend if isinstance(backend, str) else None
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
