"""The part of a shared buffer that one process adds to: a ring of its own, whose changes are noted beforehand.

Steps of different processes never follow each other in a part, so returns, stacks and episodes need no more than those
of any other buffer.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.replay.buffer import ReplayBuffer
from rlcores.replay.folder import BufferFolder, FileLock
from rlcores.replay.journal import Change
from rlcores.replay.store import KEPT, NativeStore


class PartStore(NativeStore):
    """A store in files that several processes map, one of which is in a call at a time.

    blocks  the arrays in these files
    note    called with what a call will change, before it does
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._mapped: list[np.ndarray] = []
        super().__init__(*args, **kwargs)
        self.note: Callable[[Iterator[Change]], None] = lambda changes: None
        frames = {id(self._block_of[name]) for name in (".first", *self.frames)}
        every = [*self._block_of.values(), *self.apart.values(), self.free, self._numbers, self._writing]
        self.blocks = list({id(block): block for block in every if block.size}.values())
        self._number = {id(block): number for number, block in enumerate(self.blocks)}
        self._frame_blocks = [n for n, block in enumerate(self.blocks) if id(block) in frames]
        self._row_blocks = [
            n
            for n, block in enumerate(self.blocks)
            if id(block) in map(id, self._block_of.values()) and id(block) not in frames
        ]

    def _array(self, front: tuple[int, ...], shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        array = super()._array(front, shape, dtype)
        self._mapped.append(array)
        return np.asarray(array)  # its parts are quicker to take than a mapped one's

    def flush(self) -> None:
        """See Store.flush."""
        for array in self._mapped:
            if isinstance(array, np.memmap):
                array.flush()

    def put(self, arrays: Mapping[str, np.ndarray], following: Mapping[str, np.ndarray], flags: np.ndarray) -> bool:
        """See Store.put."""
        self.note(self._changes(len(flags)))
        return super().put(arrays, following, flags)

    def end_episode(self, columns: np.ndarray) -> None:
        """See Store.end_episode."""
        if self.time:
            flags = self._number[id(self._block_of["flags"])]
            self.note((flags, rows) for rows in self._ring(self.time - 1, 1, self.rows))
        super().end_episode(columns)

    def _changes(self, steps: int) -> Iterator[Change]:
        """What put() of so many steps may change."""
        time, columns = self.time, self.columns
        for block in self._row_blocks:  # the step before gets flags, and the place of its next observation
            for rows in self._ring(time - 1, steps + 1, self.rows):
                yield block, rows
        for block in self._frame_blocks:
            for rows in self._ring(time, steps + 1, self.ring):
                yield block, rows
        if steps > 1:  # a later step may take the place that an earlier one gave back
            overwritten = np.arange(time, time + steps) % self.rows
            places = self.place_apart[overwritten][self.data["flags"][overwritten] & KEPT != 0]
            for array in self.apart.values():
                if array.size and len(places):
                    yield self._number[id(array)], places
        given_back = int(self.counts[1])
        yield self._number[id(self.free)], slice(max(given_back - steps * columns, 0), given_back)
        for array in (self._numbers, self._writing):
            yield self._number[id(array)], slice(0, len(array))

    @staticmethod
    def _ring(first: int, count: int, size: int) -> list[slice]:
        """Places of a ring from step `first` on."""
        if count >= size:
            return [slice(0, size)]
        at = first % size
        rest = at + count - size
        return [slice(at, at + count)] if rest <= 0 else [slice(at, size), slice(0, rest)]


class PartFolder(BufferFolder):
    """Where a part lies: its calls take the turns of the whole buffer."""

    def __init__(self, folder: Path, new: bool, turn: FileLock) -> None:  # no files of its own
        self.folder, self.mode, self.turn = folder, "new" if new else "open", turn

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """The whole buffer has them."""


class Part(ReplayBuffer):
    """The part of one process, with what a ReplayBuffer does about the steps that come."""

    rows: PartStore

    def _made_store(self, backend: Any, folder: Path | None, keep: str | None) -> PartStore:
        layout = self._layout
        shape = layout.rows, layout.num_envs, layout.seen, layout.others, layout.stacks
        self.rows = PartStore(*shape, folder, keep, threads=self._threads)
        return self.rows
