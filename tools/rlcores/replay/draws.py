"""Uniform draws from a store: independent ones, or each transition once before any comes again."""

from collections.abc import Callable

import _rlcores_native as engine
import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.errors import UserError
from rlcores.replay.store import Store

EMPTY = "there is nothing to sample: the buffer holds no transition"
_ROUNDS = 6  # of the permutation
_SPIN = np.uint64(0x9E3779B97F4A7C15)

Accepts = Callable[[np.ndarray], np.ndarray]


class Words(Xoshiro128pp):
    """The generator xoshiro128++, the same words by the native engine."""

    def take(self, count: int) -> np.ndarray:
        """The next `count` words, uint64 (count,)."""
        state, words = np.array(self.state, np.uint64), np.empty(count, np.uint64)
        engine.words(state, words)
        s0, s1, s2, s3 = state.tolist()
        self.state = s0, s1, s2, s3
        return words

    def below(self, limits: np.ndarray | int, count: int) -> np.ndarray:
        """int64 (count,), uniform in 0 to limit - 1; limits up to 2**32, one or one each."""
        limits = np.asarray(limits, np.uint64)
        return np.asarray(self.take(count) * limits >> np.uint64(32), np.int64)


class Uniform:
    """Independent draws, floor(u * n / 2**32) each; slots that are not wanted are drawn again."""

    def __init__(self, store: Store, words: Words) -> None:
        """words: where draws come from; a buffer keeps their state."""
        self._store, self._words = store, words

    def draw(self, count: int) -> np.ndarray:
        """Slots that hold a transition, int64 (count,). Raises UserError when none does."""
        size, held = len(self._store), int(self._store.counts[2])
        if not held:
            raise UserError(EMPTY)
        if 8 * held < size and held < 8 * count:  # a pass over all slots takes no longer
            return np.asarray(self._store.whole()[self._words.below(held, count)])
        return self._again(count, size, lambda slots: ~self._store.void(slots))

    def draw_of(self, count: int, accepts: Accepts, what: str) -> np.ndarray:
        """The same of accepts(slots), bool (n,). Raises UserError when no slot is `what`."""
        if not len(self._store):
            raise UserError(EMPTY)
        slots = self._again(count, len(self._store), accepts, 8)
        if len(slots) == count:
            return slots
        every = np.arange(len(self._store))  # few are wanted: a pass over all slots
        every = every[accepts(every)]
        if not len(every):
            raise UserError(f"there is nothing to sample: the buffer holds no {what}")
        return np.asarray(every[self._words.below(len(every), count)])

    def _again(self, count: int, size: int, accepts: Accepts, most: int = 1 << 30) -> np.ndarray:
        """Draws until there are `count`, or `most` times."""
        slots = self._words.below(size, count)
        chosen = slots[accepts(slots)]
        while len(chosen) < count and (most := most - 1):
            slots = self._words.below(size, count - len(chosen))
            chosen = np.concatenate([chosen, slots[accepts(slots)]])
        return chosen


class WithoutReplacement:
    """Each transition once, in a new random order, before any of them comes again: an epoch.

    A batch lies in one epoch, so no transition is in it twice: where fewer are left than it takes, a new epoch begins,
    as with torchrl's SamplerWithoutReplacement(drop_last=True). Transitions that come during an epoch belong to the
    next one; those that are overwritten give their place to their successors.

    The order is a permutation that is computed, not stored: a Feistel network of keys from the generator, on the least
    even number of bits that covers the slots, applied again to what lies beyond them (Black and Rogaway, 2002).
    """

    NUMBERS = 3 + _ROUNDS  # of state()

    def __init__(self, store: Store, words: Words) -> None:
        """words: where the keys come from."""
        self._store, self._words = store, words
        self._size = self._at = 0
        self._half, self._keys = 1, np.zeros(_ROUNDS, np.uint64)

    def draw(self, count: int) -> np.ndarray:
        """Slots that hold a transition, int64 (count,), all different. Raises UserError when there are fewer."""
        held = int(self._store.counts[2])
        if held < count:
            raise UserError(f"batch_size is {count}; without replacement it is at most {held}, the transitions held")
        begun = self._at
        for _ in range(2):
            begun, drawn = self._at, np.empty(0, np.int64)
            while len(drawn) < count and self._at < self._size:
                slots = self._order(np.arange(self._at, min(self._at + count - len(drawn), self._size)))
                self._at += len(slots)
                drawn = np.concatenate([drawn, slots[~self._store.void(slots)]])
            if len(drawn) == count:
                return drawn
            self._begin()
        raise AssertionError(f"an epoch of {self._size} slots from {begun} on has too few transitions")

    def state(self) -> np.ndarray:
        """What load() needs, int64 (3 + rounds,)."""
        return np.array([self._size, self._at, self._half, *self._keys.astype(np.int64)])

    def load(self, state: np.ndarray) -> None:
        """Go on as the draws that gave the state."""
        self._size, self._at, self._half = (int(number) for number in state[:3])
        self._keys = state[3:].astype(np.uint64)

    def _begin(self) -> None:
        self._size, self._at = len(self._store), 0
        self._half = max((max(self._size - 1, 1).bit_length() + 1) // 2, 1)
        self._keys = self._words.take(_ROUNDS)

    def _order(self, places: np.ndarray) -> np.ndarray:
        """Slots at places of the epoch's order."""
        slots = self._permuted(places.astype(np.uint64))
        while (beyond := slots >= self._size).any():
            slots[beyond] = self._permuted(slots[beyond])
        return slots.astype(np.int64)

    def _permuted(self, numbers: np.ndarray) -> np.ndarray:
        half, mask = np.uint64(self._half), np.uint64((1 << self._half) - 1)
        left, right = numbers >> half, numbers & mask
        for key in self._keys:
            mixed = (right + key) * _SPIN
            left, right = right, left ^ ((mixed ^ mixed >> np.uint64(29)) * _SPIN >> np.uint64(64 - self._half))
        return right << half | left
