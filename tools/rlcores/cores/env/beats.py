"""A beat of the stream between environment and agent, as rlc_env.sv packs it; docs/env.md is the contract.

From the highest bit: first, truncated, terminated, reward (27 bits), the true next observation and the observation to
act on next (18 bits each element, element 0 lowest).
"""

import numpy as np

from rlcores.cores.env.physics import OBS_WIDTH, REWARD_WIDTH

AXIS_BITS = 256  # of a beat of m_axis; bits above those of the beat are 0


def dtype(observations: int) -> np.dtype:
    """A record for each beat, of a physics with so many observations.

    first: nothing was done before it, the reset observation is in obs and in final. obs: what to act on next; another
    one than final where the episode ended. reward: sfix(27,19).
    """
    shape = (observations,)
    return np.dtype([
        ("first", "?"), ("truncated", "?"), ("terminated", "?"), ("reward", "i8"),
        ("final", "i8", shape), ("obs", "i8", shape),
    ])  # fmt: skip


def width(observations: int) -> int:
    """Bits of a beat at the native port."""
    return 3 + REWARD_WIDTH + 2 * OBS_WIDTH * observations


def pack(records: np.ndarray) -> np.ndarray:
    """Beats uint64 (n, 4) of records (n,), the first word lowest."""
    found = np.zeros((len(records), AXIS_BITS // 64), np.uint64)
    for place, bits, values in _fields(records):
        _put(found, place, np.asarray(values).astype(np.int64).astype(np.uint64) & np.uint64((1 << bits) - 1))
    return found


def unpack(beats: np.ndarray, observations: int) -> np.ndarray:
    """Records (n,) of beats uint64 (n, 4)."""
    beats = np.ascontiguousarray(beats, np.uint64)
    records = np.zeros(len(beats), dtype(observations))
    for place, bits, values in _fields(records):
        raw = _get(beats, place, bits).astype(np.int64)
        values[...] = raw if bits == 1 else raw - (raw >> bits - 1 << bits)
    return records


def _fields(records: np.ndarray):
    place = 0
    for name in ("obs", "final"):
        for i in range(records[name].shape[-1]):
            yield place, OBS_WIDTH, records[name][:, i]
            place += OBS_WIDTH
    yield place, REWARD_WIDTH, records["reward"]
    for i, name in enumerate(("terminated", "truncated", "first")):
        yield place + REWARD_WIDTH + i, 1, records[name]


def _put(words: np.ndarray, place: int, values: np.ndarray) -> None:
    word, shift = divmod(place, 64)
    words[:, word] |= values << np.uint64(shift)
    if shift and word + 1 < words.shape[1]:
        words[:, word + 1] |= values >> np.uint64(64 - shift)


def _get(words: np.ndarray, place: int, bits: int) -> np.ndarray:
    word, shift = divmod(place, 64)
    found = words[:, word] >> np.uint64(shift)
    if shift and word + 1 < words.shape[1]:
        found = found | words[:, word + 1] << np.uint64(64 - shift)
    return found & np.uint64((1 << bits) - 1)
