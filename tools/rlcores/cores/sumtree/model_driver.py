"""The driver of the integer model of a sum tree core; what it offers is what every driver of the core offers.

All numbers are raw, as in the core's registers and streams; the public classes have units and checks.
"""

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.sumtree import maths as sumtree_maths
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.interleaved import InterleavedSumTreeModel
from rlcores.cores.sumtree.model import SumTreeModel, SumTreeShape

# Events that stay on until clear_flags().
FLAGS = ("SATURATED", "STALE", "RANGE", "KIND", "EMPTY", "MISS")
COUNTERS = ("updates", "inserts", "samples", "stale", "range", "empty", "miss")


@dataclass(frozen=True)
class Registers:
    """What configure() writes, as after reset."""

    batch: int = 1
    stratified: bool = False
    alpha: int = 19661
    epsilon: int = 1
    scale: int = 0
    beta: int = 13107
    weights: bool = False


class SumTreeModelDriver:
    """Driver over the integer model. Kinds and statuses are numbered as in rlcores.cores.sumtree.model.

    registers: what configure() wrote.
    """

    def __init__(self, shape: SumTreeShape, batch_max: int = 1024, banks: int = 1) -> None:
        """The core as it is after reset. batch_max: most answers that get their weights together.

        banks: above 1 the order of prefix sums is that of rlcores.cores.sumtree.interleaved.
        """
        self.shape, self.batch_max = shape, batch_max
        self.model = SumTreeModel(shape) if banks == 1 else InterleavedSumTreeModel(shape, banks)
        self.registers = Registers()
        self._flags: frozenset[str] = frozenset()
        self._counts = dict.fromkeys(COUNTERS, 0)

    def operations(
        self,
        kind: ArrayLike,
        index: ArrayLike = 0,
        priority: ArrayLike = 0,
        generation: ArrayLike = 0,
        check: ArrayLike = False,
        use_max: ArrayLike = False,
        td: ArrayLike = False,
    ) -> np.ndarray:
        """Carry out operations in order: answers (n,) of dtype sumtree.OPERATION.

        The arguments, unsigned or bool, broadcast to (n,). Where td, priority holds a TD error sfix(32,20) as its 32
        bits.
        """
        kind, index, priority, generation, check, use_max, td = sumtree.together(
            kind, index, priority, generation, check, use_max, td
        )
        priority = priority.astype(np.int64)
        r, width = self.registers, self.shape.priority_width
        clipped, saturated = sumtree_maths.direct(priority, width)
        if td.any():
            delta = (priority[td] & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
            clipped[td], saturated[td] = sumtree_maths.priorities(delta, r.alpha, r.epsilon, r.scale, width)
        answers = self.model.operations(kind, index, clipped, generation, check, use_max)
        status = answers["status"]
        updates = (kind == sumtree.UPDATE) | (kind == sumtree.COMMIT)
        inserts = (kind == sumtree.INSERT) | (kind == sumtree.RESERVE)
        self._count("updates", updates & (status == sumtree.OK))
        self._count("inserts", inserts)
        self._count("stale", status == sumtree.STALE)
        self._count("range", status == sumtree.RANGE)
        self._raise("SATURATED", saturated & (updates | (kind == sumtree.INSERT)) & ~use_max.astype(bool))
        self._raise("KIND", status == sumtree.KIND)
        return answers

    def samples(self, kind: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Answer sample requests in order: (n,) of dtype sumtree.SAMPLE.

        weight is ufix(32,31). With weights on, n must be a multiple of the batch.
        """
        # A target that is wider than a total is above it, and so is one of all ones.
        kind, value = np.asarray(kind), np.asarray(value).astype(np.uint64)
        top = np.uint64((1 << self.shape.total_width) - 1)
        targets = (kind == sumtree.TARGET) | (kind == sumtree.SOFT)
        answers = self.model.samples(kind, np.where(targets, np.minimum(value, top), value))
        ok = answers["status"] == sumtree.OK
        answers["weight"] = np.where(ok | (not self.registers.weights), 1 << 31, 0)
        if self.registers.weights and self.registers.batch > 1:
            for first in range(0, len(answers), self.registers.batch):
                batch = answers[first : first + self.registers.batch]
                batch["weight"] = sumtree_maths.weights(
                    batch["status"], batch["priority"], batch["total"], self.registers.beta
                )
        self._count("samples", ok)
        self._count("empty", answers["status"] == sumtree.EMPTY)
        self._count("miss", answers["status"] == sumtree.MISS)
        return answers

    def draw(self, count: int) -> np.ndarray:
        """`count` samples with internal draws, as samples() gives them."""
        return self.samples(np.zeros(count, np.uint8), np.zeros(count, np.uint64))

    def configure(self, *, capacity: int | None = None, initial: int | None = None, **registers: Any) -> None:
        """Write what is given; registers: of Registers.

        capacity and initial wait for clear(), batch and stratified for restart(). alpha and beta are
        ufix(16,15) up to 1.0 = 32768, epsilon is ufix(32,20), scale sfix(16,8).
        """
        if capacity is not None:
            self.model.cfg_capacity = capacity
        if initial is not None:
            self.model.cfg_initial = initial
        self.registers = replace(self.registers, **{n: x for n, x in registers.items() if x is not None})

    def seed(self, seed: int) -> None:
        """Seed the internal draws with 64 bits (splitmix64 makes the state), and restart."""
        self.model.draws.seed(seed)
        self.restart()

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        """Set the generator's state words s0 … s3, and restart."""
        self.model.draws.load(state)
        self.restart()

    def restart(self) -> None:
        """The next internal draw is the first of a batch."""
        self.model.cfg_strata = self.registers.batch if self.registers.stratified else 0
        self.model.restart()

    def abort(self) -> None:
        """Back to idle from wherever a core is, as after a call that failed.

        What was taken is carried out, its answers are dropped; the next draw is the first of a batch.
        """
        self.restart()  # nothing is ever under way here

    def clear(self) -> None:
        """Empty the tree and make every tag stale."""
        self.model.operation(sumtree.CLEAR)

    size = property(attrgetter("model.size"), doc="Slots inserted since the last clear.")
    next = property(attrgetter("model.next"), doc="The slot that the next insert takes.")
    total = property(attrgetter("model.total"), doc="Sum of all priorities.")
    largest = property(attrgetter("model.largest"), doc="The largest priority seen since the last clear.")
    capacity = property(attrgetter("model.capacity"), doc="The capacity in force.")

    def counters(self) -> dict[str, int]:
        """COUNTERS by name, since reset; 32 bits each."""
        return dict(self._counts)

    def flags(self) -> frozenset[str]:
        """FLAGS that were raised since clear_flags()."""
        return self._flags

    def clear_flags(self) -> None:
        """Forget all flags."""
        self._flags = frozenset()

    def _count(self, name: str, events: np.ndarray) -> None:
        self._counts[name] = (self._counts[name] + int(events.sum())) & 0xFFFFFFFF
        if name.upper() in FLAGS:
            self._raise(name.upper(), events)

    def _raise(self, name: str, events: np.ndarray) -> None:
        if events.any():
            self._flags |= {name}
