"""What a call is about to change, written down before it does: a call that ends in the middle is taken back.

The arrays that processes share are blocks of rows. An entry of the journal is a block's number and rows of it as they
were. Entries are taken back in the reverse order, so of rows that are noted twice in a call the first ones stay. Taking
back is done again from the beginning where it is interrupted itself.
"""

import os
from collections.abc import Iterable, Sequence

import numpy as np

Change = tuple[int, "slice | np.ndarray"]  # a block's number, and rows of it: in a row, or int64 (n,)

_HEAD = 3  # numbers before an entry: block, rows, and the first one, or -1 where each is named


class Journal:
    """A file of entries about `blocks`."""

    def __init__(self, file: int, blocks: Sequence[np.ndarray]) -> None:
        """file: open to be read and written."""
        self._file = file
        self._blocks = [_rows(block) for block in blocks]
        self._sizes = [block.nbytes // max(len(block), 1) for block in blocks]

    def note(self, at: int, changes: Iterable[Change]) -> int:
        """Write entries behind the first `at` bytes; where they end. Raises OSError when there is no room for them."""
        parts: list[np.ndarray] = []
        for block, rows in changes:
            held = self._blocks[block]
            if isinstance(rows, slice):
                parts += [np.array([block, rows.stop - rows.start, rows.start]), held[rows]]
            else:
                parts += [np.array([block, len(rows), -1]), rows, held[rows]]
        size = sum(part.nbytes for part in parts)
        if (
            os.pwritev(self._file, [part.data for part in parts], at) != size
        ):  # a part of more than two gigabytes, or no room
            rest = memoryview(b"".join(part.tobytes() for part in parts))
            end = at + size
            while rest:
                rest = rest[os.pwrite(self._file, rest, end - len(rest)) :]
        return at + size

    def undo(self, end: int) -> None:
        """Take back the entries before `end`."""
        held = np.empty(end, np.uint8)
        place = held.data
        while place:
            place = place[os.preadv(self._file, [place], end - len(place)) or len(place) :]
        entries: list[tuple[int, slice | np.ndarray, np.ndarray]] = []
        at = 0
        while at < end:
            head: list[int] = held[at : at + 8 * _HEAD].view(np.int64).tolist()
            block, count, start = head
            at += 8 * _HEAD
            rows: slice | np.ndarray = slice(start, start + count)
            if start < 0:
                rows = held[at : at + 8 * count].copy().view(np.int64)
                at += 8 * count
            size = count * self._sizes[block]
            entries.append((block, rows, held[at : at + size].reshape(count, -1)))
            at += size
        for block, rows, before in reversed(entries):
            self._blocks[block][rows] = before


def _rows(block: np.ndarray) -> np.ndarray:
    """The bytes of an array, uint8 (rows, bytes of a row)."""
    return np.asarray(block).reshape(-1).view(np.uint8).reshape(len(block), block.nbytes // max(len(block), 1))
