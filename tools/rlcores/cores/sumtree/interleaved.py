"""A sum tree in banks with a lock each, as one thread sees it: one tree whose prefix sums run bank after bank.

Slot s is slot s // S of bank s % S. Slots, tags and priorities are those of a tree without banks; a target falls into
the slots of bank 0 first, then into those of bank 1, and so on. docs/native.md says what threads see.
"""

import numpy as np

from rlcores.cores.sumtree.model import SumTreeModel, SumTreeShape


class InterleavedSumTreeModel(SumTreeModel):
    """The model with slots in the order of their banks.

    >>> tree = InterleavedSumTreeModel(SumTreeShape(3, 6, 8), 2)
    >>> for priority in (1, 2, 3):
    ...     _ = tree.operation(1, priority=priority)
    >>> [tree.sample(2, target).index for target in range(6)]
    [0, 2, 2, 2, 1, 1]
    """

    def __init__(self, shape: SumTreeShape, banks: int) -> None:
        """banks: 1, 2, 4, 8 or 16. Raises ValueError when a bank would have no slot."""
        if banks not in (1, 2, 4, 8, 16):
            raise ValueError(f"banks is {banks}; it must be 1, 2, 4, 8 or 16")
        if shape.capacity < banks:
            raise ValueError(f"capacity is {shape.capacity}; {banks} banks need as many slots at least")
        self.banks, self._share = banks, (1 << shape.leaves_log2) // banks
        super().__init__(shape)

    @property
    def priorities(self) -> np.ndarray:
        """A copy of all leaves in the order of slots, int64 (2**LEAVES_LOG2,)."""
        return super().priorities.reshape(self.banks, -1).T.ravel()

    def _place(self, index: int) -> int:
        return index % self.banks * self._share + index // self.banks

    def _slot(self, place: int) -> int:
        return place % self._share * self.banks + place // self._share

    def _clear(self) -> None:
        super()._clear()
        self.capacity = max(self.capacity, self.banks)
