"""The generator of draws in the native engine: the model's words, thousands a call."""

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.native import engine


class NativeXoshiro128pp(Xoshiro128pp):
    """xoshiro128++ in C++."""

    def take(self, count: int) -> np.ndarray:
        """The next `count` words, uint64 (count,)."""
        state, words = np.array(self.state, np.uint32), np.empty(count, np.uint64)
        engine.draws_words(state, words)
        self.state = tuple(int(word) for word in state)
        return words
