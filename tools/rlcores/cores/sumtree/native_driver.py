"""Driver of the native engine's sum tree: the integers of the model, at the speed of the processor's caches.

Many threads may call it at once. Every call takes effect alone, in one order; order() tells a thread the place of its
last call in it, and the model that carries out the calls in that order gives the same answers. With banks that is so
inside each bank, and calls on different banks run at the same time.
"""

from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import compact
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.model import SumTreeShape, together
from rlcores.cores.sumtree.model_driver import COUNTERS, FLAGS
from rlcores.native import engine


class SumTreeNativeDriver:
    """Driver over the native engine. A method without a docstring is that of SumTreeModelDriver."""

    def __init__(self, shape: SumTreeShape, batch_max: int = 1024, banks: int = 1) -> None:
        """The core as it is after reset. Raises ValueError when priorities are wider than 32 bits.

        banks: above 1 each has a lock, and prefix sums run as in rlcores.cores.sumtree.interleaved.
        """
        self.shape, self.batch_max = shape, batch_max
        fields = vars(shape).values()
        self.tree = engine.SumTree(*fields) if banks == 1 else engine.BankedTree(banks, *fields)

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
        kinds, indices, *others = together(kind, index, priority, generation, check, use_max, td)
        answers = np.empty(len(kinds), sumtree.OPERATION)
        numbers = (compact(x, np.int64) for x in (indices, *others[:2]))
        self.tree.operations(compact(kinds, np.uint8), *numbers, *(compact(x, np.bool_) for x in others[2:]), answers)
        return answers

    def samples(self, kind: np.ndarray, value: np.ndarray) -> np.ndarray:
        kinds = compact(kind, np.uint8)
        answers = np.empty(len(kinds), sumtree.SAMPLE)
        self.tree.samples(kinds, compact(value, np.uint64), answers)
        return answers

    def draw(self, count: int) -> np.ndarray:
        return self.samples(np.zeros(count, np.uint8), np.zeros(count, np.uint64))

    def configure(self, **registers: Any) -> None:
        self.tree.configure(**{name: value for name, value in registers.items() if value is not None})

    def seed(self, seed: int) -> None:
        self.tree.seed(seed)

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        self.tree.load_draws(*state)

    def restart(self) -> None:
        self.tree.restart()

    def abort(self) -> None:
        self.restart()  # nothing is ever under way here

    def clear(self) -> None:
        self.tree.clear()

    size, total = property(attrgetter("tree.size")), property(attrgetter("tree.total"))
    largest, capacity = property(attrgetter("tree.largest")), property(attrgetter("tree.capacity"))
    next = property(attrgetter("tree.next"))

    def order(self) -> int:
        """How many calls of this process were accepted before this thread's last one."""
        return self.tree.order()

    def counters(self) -> dict[str, int]:
        return dict(zip(COUNTERS, self.tree.events()[0], strict=True))

    def flags(self) -> frozenset[str]:
        return frozenset(name for name, raised in zip(FLAGS, self.tree.events()[1], strict=True) if raised)

    def clear_flags(self) -> None:
        self.tree.clear_flags()
