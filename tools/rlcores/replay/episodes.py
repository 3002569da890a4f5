"""Which steps of a store are of one episode: its first step held, its last one so far, and whether it has ended.

An index, made at the first use and brought up to date at each later one: an entry of a table for each
episode that has a step left, and of each step the number of its entry. An entry is given back when the last step of its
episode is overwritten.
"""

from collections.abc import Callable
from typing import NamedTuple

import _rlcores_native as engine
import numpy as np

from rlcores.replay.draws import Words
from rlcores.replay.store import ENDED, VOID, NativeStore, Store

_NativeEpisodes = tuple[engine.ReplayRows, engine.ReplayEpisodes]


class Bounds(NamedTuple):
    """Of slots, an entry each: int64 steps of the run, bool closed. Void slots are not closed."""

    step: np.ndarray  # the slot's own
    begin: np.ndarray  # the first step of the episode that is held
    last: np.ndarray  # the last one so far
    closed: np.ndarray  # the episode goes no further


class Table(NamedTuple):
    """All episodes that are held, in no order: int64 each. begin, last: as of Bounds; column: the environment."""

    begin: np.ndarray
    last: np.ndarray
    column: np.ndarray
    closed: np.ndarray  # bool

    def at(self, places: np.ndarray) -> "Table":
        """Some of them."""
        return Table(*(array[places] for array in self))


class Episodes:
    """The index of one store."""

    def __init__(self, store: Store) -> None:
        """Nothing is looked at yet."""
        self._store = store
        slots, entries = store.rows * store.columns, (store.rows + 1) * store.columns
        self._id = np.zeros(slots, np.int32)  # 1 + the entry, 0 where there is no transition
        self._begin, self._last = (
            np.zeros(entries, np.int64),
            np.zeros(entries, np.int64),
        )
        # _begin: 1 + the first step, 0 where the entry is free.
        self._column, self._free = np.zeros(entries, np.int32), np.zeros(entries, np.int32)
        self._open = np.zeros(store.columns, np.int32)
        self._numbers = np.zeros(3, np.int64)  # steps seen; entries in use or given back; given back
        self._restored = store.restored
        self._native: _NativeEpisodes | None = None
        if isinstance(store, NativeStore):
            own = self._id, self._begin, self._last, self._column, self._free, self._open, self._numbers
            self._native = store.engine, engine.ReplayEpisodes(store.engine, *own)

    def bounds(self, slots: np.ndarray) -> Bounds:
        """Of slots int64 (n,) in use."""
        self._follow()
        store, n = self._store, len(slots)
        if self._native:
            rows, native = self._native
            bounds = Bounds(np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, bool))
            native.bounds(rows, store.time, slots, *bounds)
            return bounds
        row, column = np.divmod(slots, store.columns)
        step = store.time - 1 - (store.time - 1 - row) % store.rows
        entry = self._id[slots]
        some, oldest = entry > 0, max(store.time - store.rows, 0)
        begin = np.where(some, np.maximum(self._begin[entry - 1] - 1, oldest), step)
        last = np.where(some, self._last[entry - 1], step)
        closed = some & (store.data["flags"][last % store.rows, column] & ENDED != 0)
        return Bounds(step, begin, last, closed)

    def closed(self, slots: np.ndarray) -> np.ndarray:
        """Which slots (n,) are transitions of an episode that goes no further: bool (n,)."""
        return self.bounds(slots).closed

    def table(self) -> Table:
        """Every episode of which a step is held."""
        self._follow()
        return self._at(np.flatnonzero(self._begin[: self._numbers[1]]))

    def draw(self, count: int, words: Words, wanted: Callable[[Table], np.ndarray], tries: int) -> Table | None:
        """This many episodes, each that is wanted(table) as likely as any other; None where tries find too few."""
        self._follow()
        used, chosen = int(self._numbers[1]), np.empty(0, np.int64)
        for _ in range(tries if used else 0):
            entries = words.below(used, count - len(chosen))
            entries = entries[self._begin[entries] > 0]
            chosen = np.concatenate([chosen, entries[wanted(self._at(entries))]])
            if len(chosen) == count:
                return self._at(chosen)
        return None

    def _at(self, entries: np.ndarray) -> Table:
        """What is known of entries in use."""
        store, last, column = self._store, self._last[entries], self._column[entries].astype(np.int64)
        begin = np.maximum(self._begin[entries] - 1, store.time - store.rows)
        return Table(begin, last, column, store.data["flags"][last % store.rows, column] & ENDED != 0)

    def _follow(self) -> None:
        """Look at the steps that came since the last call; at all of them where too many did."""
        store = self._store
        seen = int(self._numbers[0])
        if store.restored != self._restored or store.time - seen > store.rows or store.time < seen:
            self._restored = store.restored
            for array in (self._id, self._begin, self._open, self._numbers):
                array[:] = 0
            self._numbers[0] = max(store.time - store.rows, 0)
        if self._numbers[0] == store.time:
            return
        if self._native:
            rows, native = self._native
            native.follow(rows, store.time)
            return
        for step in range(int(self._numbers[0]), store.time):
            self._look(step)
        self._numbers[0] = store.time

    def _look(self, step: int) -> None:
        """One step of every environment."""
        store = self._store
        for column in range(store.columns):
            slot = step % store.rows * store.columns + column
            old = int(self._id[slot])
            if store.data["flags"][step % store.rows, column] & VOID:
                self._open[column] = 0
            else:
                if not self._open[column] or store.first[step % store.ring, column]:
                    self._open[column] = entry = self._entry()
                    self._begin[entry - 1], self._column[entry - 1] = step + 1, column
                self._last[self._open[column] - 1] = step
            self._id[slot] = self._open[column]
            if old and old != self._open[column] and self._last[old - 1] + store.rows <= step:
                self._begin[old - 1] = 0
                self._free[self._numbers[2]] = old
                self._numbers[2] += 1

    def _entry(self) -> int:
        """1 + an entry that is free."""
        if self._numbers[2]:
            self._numbers[2] -= 1
            return int(self._free[self._numbers[2]])
        self._numbers[1] += 1
        return int(self._numbers[1])
