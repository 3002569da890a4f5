"""What a call is about to change, written down before it does: a call that ends in the middle is taken back.

The arrays that processes share are blocks of rows. An entry of the journal is a block's number and rows of it as they
were. Entries are taken back in the reverse order, so of rows that are noted twice in a call the first ones stay. Taking
back is done again from the beginning where it is interrupted itself.
"""

import os
import struct
from collections.abc import Iterable, Sequence

import numpy as np

Change = tuple[int, "slice | np.ndarray"]  # a block's number, and rows of it: in a row, or int64 (n,)

_HEAD = struct.Struct("3q")  # before an entry: block, rows, and the first one, or -1 where each is named


class Journal:
    """A file of entries about `blocks`."""

    def __init__(self, file: int, blocks: Sequence[np.ndarray]) -> None:
        """file: open to be read and written."""
        self._file = file
        self._blocks = [_rows(block) for block in blocks]
        self._sizes = [block.nbytes // max(len(block), 1) for block in blocks]

    def note(self, at: int, changes: Iterable[Change]) -> int:
        """Write entries behind the first `at` bytes; where they end. Raises OSError when there is no room for them."""
        parts: list[bytes | np.ndarray] = []
        for block, rows in changes:
            held = self._blocks[block]
            if isinstance(rows, slice):
                parts += [_HEAD.pack(block, rows.stop - rows.start, rows.start), held[rows]]
            else:
                parts += [_HEAD.pack(block, len(rows), -1), rows, held[rows]]
        pieces = [memoryview(part) if isinstance(part, bytes) else part.data for part in parts]
        size = sum(piece.nbytes for piece in pieces)
        if os.pwritev(self._file, pieces, at) != size:  # more than two gigabytes, or no room
            rest = memoryview(b"".join(pieces))
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
            block, count, start = (int(number) for number in _HEAD.unpack_from(held.data, at))
            at += _HEAD.size
            rows: slice | np.ndarray = slice(start, start + count)
            if start < 0:
                rows = held[at : at + 8 * count].copy().view(np.int64)
                at += 8 * count
            size = count * self._sizes[block]
            entries.append((block, rows, held[at : at + size].reshape(count, self._sizes[block])))
            at += size
        for block, rows, before in reversed(entries):
            self._blocks[block][rows] = before


def _rows(block: np.ndarray) -> np.ndarray:
    """The bytes of an array, uint8 (rows, bytes of a row)."""
    return np.asarray(block).reshape(-1).view(np.uint8).reshape(len(block), block.nbytes // max(len(block), 1))
