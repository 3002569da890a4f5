"""Permutations of any length without a table, bit for bit: in which order an epoch goes through a rollout.

A Feistel network permutes the numbers of b bits; a counter runs through all of them, and what lies beyond the length is
left out. At least half of the numbers are in it. (Luby, Rackoff, "How to construct pseudorandom permutations from
pseudorandom functions", SIAM Journal on Computing 17, 1988.)
"""

from collections.abc import Sequence

import numpy as np

ROUNDS = 6  # with four, minibatches of a power of two hold parts of the rollout unevenly
KEYS = 2 * ROUNDS  # words of the generator that an epoch takes
WORD = 24  # bits of a round's arithmetic
BITS_MAX = 32


def mixed(x: np.ndarray, bits: int, keys: Sequence[int]) -> np.ndarray:
    """The Feistel network on numbers of `bits` bits, 1 … 32: a permutation of them.

    The high half has ceil(bits / 2) bits. Even rounds change it by the low half, odd ones the low half by it:
    half ^= top bits of (k1 * other + k2) mod 2**24. keys: k1, k2 of round 0, then of round 1 …, words of 32 bits of
    which the top 24 count; k1 becomes odd. Raises ValueError.
    """
    if not 1 <= bits <= BITS_MAX or len(keys) != KEYS:
        raise ValueError(f"a permutation has 1 to {BITS_MAX} bits and {KEYS} keys; these are {bits} and {len(keys)}")
    low_bits = bits // 2
    high, low = np.asarray(x, np.int64) >> low_bits, np.asarray(x, np.int64) & ((1 << low_bits) - 1)
    for i in range(ROUNDS):
        k1, k2 = (int(k) >> (32 - WORD) for k in keys[2 * i : 2 * i + 2])
        if i % 2 == 0:
            high = high ^ _hash(low, k1 | 1, k2, bits - low_bits)
        else:
            low = low ^ _hash(high, k1 | 1, k2, low_bits)
    return high << low_bits | low


def permutation(length: int, keys: Sequence[int]) -> np.ndarray:
    """0 … length - 1 in an order that the keys choose, int64 (length,). Raises ValueError."""
    if not 1 <= length <= 1 << BITS_MAX:
        raise ValueError(f"a permutation has 1 to 2**{BITS_MAX} elements; this one has {length}")
    bits = max(1, (length - 1).bit_length())
    order = mixed(np.arange(1 << bits), bits, keys)
    return order[order < length]


def _hash(x: np.ndarray, k1: int, k2: int, bits: int) -> np.ndarray:
    return ((k1 * x + k2) & ((1 << WORD) - 1)) >> (WORD - bits)
