"""Sum tree core, integer model of its random draws. Equals rlc_sumtree_draw bit for bit.

Generator: xoshiro128++ 1.0 and its seeding by splitmix64, from D. Blackman, S. Vigna, "Scrambled linear pseudorandom
number generators", ACM Transactions on Mathematical Software 47 (2021). Strata: proportional prioritisation of
Schaul et al., "Prioritized experience replay", ICLR 2016, appendix B.2.1: a batch takes one draw from each of B
equal parts of the range.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from rlcores.base.arguments import check_int

STRATA_MAX = 2**16 - 1
_32 = 2**32 - 1
_64 = 2**64 - 1


def splitmix64(seed: int, count: int) -> list[int]:
    """The first `count` words, 64 bits each, of splitmix64 from a 64-bit seed. Raises ValueError."""
    if not 0 <= seed <= _64:
        raise ValueError(f"seed is {seed}; it has 64 bits, unsigned")
    words = []
    for i in range(1, count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & _64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _64
        words.append(z ^ z >> 31)
    return words


def seed_of(seed: int | None) -> int:
    """A 64-bit seed as given; without one, from the system's entropy, as NumPy's generators. Raises UserError."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return check_int("seed", seed, 0, _64)


def state_of(seed: int) -> tuple[int, int, int, int]:
    """State words s0 … s3 that a 64-bit seed stands for: two words of splitmix64, low halves first.

    Raises ValueError.
    """
    first, second = splitmix64(seed, 2)
    return first & _32, first >> 32, second & _32, second >> 32


def stream_state(state: Sequence[int], stream: int) -> tuple[int, ...]:
    """The state that one of several generators takes from the one that software gives, as rlc_seed makes it."""
    return tuple(word ^ 0x9E3779B9 * (4 * stream + w + 1) & 0xFFFFFFFF for w, word in enumerate(state))


class Xoshiro128pp:
    """The generator xoshiro128++: words of 32 bits, uniform."""

    def __init__(self, state: Sequence[int]) -> None:
        """state: the words s0 … s3, of 32 bits; all zeros become s0 = 1. Raises ValueError."""
        if len(state) != 4 or not all(0 <= int(word) <= _32 for word in state):
            raise ValueError(f"state is {tuple(state)}; it is four words of 32 bits, unsigned")
        s0, s1, s2, s3 = (int(word) for word in state)
        self.state: tuple[int, int, int, int] = (s0 if s0 | s1 | s2 | s3 else 1, s1, s2, s3)

    def next(self) -> int:
        """The next word."""
        return int(self.take(1)[0])

    def skip(self, count: int) -> None:
        """Go on as after the next `count` words, at once: one step is linear over GF(2), and its powers are kept."""
        if count < 256:
            self.take(count)
            return
        state = sum(word << 32 * i for i, word in enumerate(self.state))
        for power in range(count.bit_length()):
            if count >> power & 1:
                state = _apply(_power(power), state)
        self.state = state & _32, state >> 32 & _32, state >> 64 & _32, state >> 96 & _32

    def take(self, count: int) -> np.ndarray:
        """The next `count` words, uint64 (count,)."""
        words = []
        s0, s1, s2, s3 = self.state
        for _ in range(count):
            x = s0 + s3 & _32
            words.append((x << 7 | x >> 25) + s0 & _32)
            x = s1 << 9 & _32
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= x
            s3 = (s3 << 11 | s3 >> 21) & _32
        self.state = s0, s1, s2, s3
        return np.array(words, np.uint64)


@cache
def _power(number: int) -> tuple[int, ...]:
    # The step of xoshiro128++ done 2**number times: what becomes of each bit of the state, s0 lowest.
    if number:
        half = _power(number - 1)
        return tuple(_apply(half, column) for column in half)
    columns = []
    for bit in range(128):
        one = Xoshiro128pp([(1 << bit) >> 32 * i & _32 for i in range(4)])
        one.take(1)
        columns.append(sum(word << 32 * i for i, word in enumerate(one.state)))
    return tuple(columns)


def _apply(columns: Sequence[int], state: int) -> int:
    product = 0
    while state:
        low = state & -state
        product ^= columns[low.bit_length() - 1]
        state ^= low
    return product


class Draws:
    """Draws u of `width` bits, one for each word of the generator: u / 2**width lies in [0, 1).

    Stratum j of B is the j-th of B equal parts of that interval; a draw is in the present stratum, and the next one
    `step` strata further (mod B). With strata 0 or 1 a draw is anywhere.
    """

    def __init__(
        self,
        width: int = 32,
        *,
        seed: int = 0,
        state: Sequence[int] | None = None,
        strata: int = 1,
        first: int = 0,
        step: int = 1,
    ) -> None:
        """width: bits of a draw, 1 … 32. seed: 64 bits, or state: the generator's words s0 … s3 instead.

        strata: B, at most 65535. first, step: the stratum of the first draw and the distance to the next (mod B).
        Raises ValueError.
        """
        if not 1 <= width <= 32:
            raise ValueError(f"width is {width}; a draw has 1 to 32 bits")
        if not (0 <= first <= STRATA_MAX and 0 <= step <= STRATA_MAX):
            raise ValueError(f"first is {first} and step is {step}; both are 0 to {STRATA_MAX}")
        self.width, self.first, self.step = width, first, step
        self.generator = Xoshiro128pp(state_of(seed) if state is None else state)
        self.restart(strata)

    def seed(self, seed: int, strata: int | None = None) -> None:
        """Seed the generator with 64 bits, and restart. Raises ValueError."""
        self.load(state_of(seed), strata)

    def load(self, state: Sequence[int], strata: int | None = None) -> None:
        """Set the generator's words s0 … s3, and restart. Raises ValueError."""
        self.generator = Xoshiro128pp(state)
        self.restart(strata)

    def restart(self, strata: int | None = None) -> None:
        """The next draw is in the first stratum, of `strata` (default: of as many as before). Raises ValueError."""
        if strata is not None:
            if not 0 <= strata <= STRATA_MAX:
                raise ValueError(f"strata is {strata}; it is 0 to {STRATA_MAX}")
            self.strata = max(strata, 1)
        self.stratum = self.first % self.strata

    def next(self) -> int:
        """The next draw: floor((j * 2**width + r) / B), j the stratum, r the top bits of the generator's next word."""
        return int(self.take(1)[0])

    def take(self, count: int) -> np.ndarray:
        """The next `count` draws, uint64 (count,)."""
        r = self.generator.take(count) >> np.uint64(32 - self.width)
        if self.strata == 1:
            return r
        j = (self.stratum + np.arange(count, dtype=np.uint64) * np.uint64(self.step)) % np.uint64(self.strata)
        self.stratum = (self.stratum + count * self.step) % self.strata
        return ((j << np.uint64(self.width)) + r) // np.uint64(self.strata)
