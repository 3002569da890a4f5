"""Elements of the streams of the GAE core. `rlcores generate` writes the positions for Verilog."""

import numpy as np

from rlcores.base.words import Word

# What comes, and what leaves: codes of 16 bits, or with OUT_BITS above 16 of 24 bits and without the index.
ELEMENT = Word("element", lane=14, kind=2, value=24, reward=24)
RESULT = Word("result", lane=14, kind=2, index=16, returned=16, advantage=16)
WIDE = Word("wide", lane=14, kind=2, returned=24, advantage=24)

# What goes by rlc_gae_quant unchanged: the upper end of an element.
TAG = Word("tag", lane=14, kind=2)

WORDS = [ELEMENT, RESULT, WIDE, TAG]


def packed(word: Word, **values: np.ndarray) -> np.ndarray:
    """Words, uint64, of integers (…,) of each field."""
    fields = word.positions()
    return sum((values[name] & (1 << bits) - 1) << at for name, at, bits in fields).astype(np.uint64)


def field(words: np.ndarray, word: Word, name: str) -> np.ndarray:
    """A field of words uint64, int64 without a sign."""
    return (words >> np.uint64(word.at(name)) & np.uint64((1 << word.fields[name]) - 1)).astype(np.int64)


def signed(words: np.ndarray, word: Word, name: str) -> np.ndarray:
    """The same of a field with a sign."""
    x, bits = field(words, word, name), word.fields[name]
    return x - (x >> bits - 1 << bits)


def lanes_of(words: np.ndarray) -> np.ndarray:
    """Lanes of input or output elements, int64."""
    return field(np.asarray(words, np.uint64), ELEMENT, "lane")


def kinds_of(words: np.ndarray) -> np.ndarray:
    """Kinds of input or output elements, int64."""
    return field(np.asarray(words, np.uint64), ELEMENT, "kind")
