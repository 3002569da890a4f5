"""Which transitions an array of indices meant when it was handed out: other libraries give back indices alone.

Between a sample and its priorities a transition may be overwritten. The tag that tells is kept here beside the indices,
and found again by the array that comes back: the same memory, the same numbers, or a part of them in their order.
"""

from collections import deque
from typing import Any, NamedTuple

import numpy as np

KEPT = 64  # batches whose arrays are known again


class _Batch(NamedTuple):
    handed: Any  # kept, so that nothing else comes to lie where it lies
    place: tuple[int, int] | None
    slots: np.ndarray
    tags: np.ndarray


class Handed:
    """The tags of the last batches that were handed out."""

    def __init__(self) -> None:
        """Nothing was handed out."""
        self._drawn: deque[_Batch] = deque(maxlen=KEPT)
        self._written: deque[_Batch] = deque(maxlen=KEPT)

    def drew(self, handed: Any, slots: np.ndarray, tags: np.ndarray) -> None:
        """`handed` (array or tensor) stands for slots int64 (n,) that were sampled with tags (n,)."""
        self._drawn.appendleft(_Batch(handed, _place(handed), slots.copy(), np.array(tags, np.int64)))

    def wrote(self, handed: Any, slots: np.ndarray, tags: np.ndarray) -> None:
        """The same of slots that a writer took."""
        self._written.appendleft(_Batch(handed, _place(handed), slots.copy(), np.array(tags, np.int64)))

    def tags(self, handed: Any, slots: np.ndarray) -> np.ndarray | None:
        """Tags int64 (n,) that the slots had when they were handed out; None: they are of none of the batches."""
        place = _place(handed)
        for batch in (*self._drawn, *self._written):
            if place and batch.place == place and len(batch.slots) == len(slots):
                return batch.tags
        for batch in (*self._drawn, *self._written):
            if len(batch.slots) == len(slots) and (batch.slots == slots).all():
                return batch.tags
        for batch in self._drawn:
            if len(slots) < len(batch.slots) and (part := _part(batch.slots, slots)) is not None:
                return np.asarray(batch.tags[part])
        return None

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: the numbers, since arrays lie elsewhere then."""
        apart = {name: [batch._replace(handed=None, place=None) for batch in held] for name, held in vars(self).items()}
        return {name: deque(batches, maxlen=KEPT) for name, batches in apart.items()}


class Overwritten:
    """Which of the slots that come back were overwritten since, where the tree behind them does not tell."""

    def __init__(self, capacity: int) -> None:
        """No slot was written."""
        self._writes = np.zeros(capacity, np.uint32)
        self._handed = Handed()

    def wrote(self, handed: Any, slots: np.ndarray) -> None:
        """`handed` stands for slots int64 (n,) that have new transitions."""
        self._writes[slots] += 1
        self._handed.wrote(handed, slots, self._writes[slots])

    def drew(self, handed: Any, slots: np.ndarray) -> None:
        """`handed` stands for slots int64 (n,) that were sampled."""
        self._handed.drew(handed, slots, self._writes[slots])

    def there(self, handed: Any, slots: np.ndarray) -> np.ndarray:
        """Which slots, bool (n,), have the transitions that `handed` stood for."""
        tags = self._handed.tags(handed, slots)
        return np.ones(len(slots), bool) if tags is None else tags == self._writes[slots]

    def clear(self) -> None:
        """The transitions are gone: what was handed out stands for none of those to come."""
        self._writes += 1


def _part(whole: np.ndarray, some: np.ndarray) -> np.ndarray | None:
    """Where the numbers of `some` stand in `whole`, in the same order; None: they do not."""
    if not np.isin(some, whole).all():
        return None
    places, at = np.empty(len(some), np.int64), -1
    for k, slot in enumerate(some):
        behind = np.flatnonzero(whole[at + 1 :] == slot)
        if not len(behind):
            return None
        at = places[k] = at + 1 + behind[0]
    return places


def _place(handed: Any) -> tuple[int, int] | None:
    """Where an array or tensor lies, and its bytes."""
    if isinstance(handed, np.ndarray):
        return handed.__array_interface__["data"][0], handed.nbytes
    if hasattr(handed, "data_ptr"):
        return handed.data_ptr(), handed.numel() * handed.element_size()
    return None
