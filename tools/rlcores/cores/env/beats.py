"""A beat of the stream between environment and agent, as rlc_env.sv packs it; docs/env.md is the contract.

From the highest bit: first, truncated, terminated, reward (27 bits), the true next observation and the observation to
act on next (18 bits each element, element 0 lowest).
"""

import numpy as np

from rlcores.cores.env.physics import ACTION_WIDTH, OBS_WIDTH
from rlcores.cores.env.words import ANSWER, answer_bits


def axis_words(observations: int) -> int:
    """Words of 64 bits in a beat of m_axis; bits above those of the answer are 0."""
    return max(256, 1 << (width(observations) - 1).bit_length()) // 64


def dtype(observations: int) -> np.dtype:
    """A record for each beat, of a physics with `observations` numbers.

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
    return answer_bits(observations)


def pack(records: np.ndarray) -> np.ndarray:
    """Beats uint64 (n, words) of records (n,), the first word lowest."""
    words = np.zeros((len(records), axis_words(records["obs"].shape[-1])), np.uint64)
    for place, bits, values in _fields(records):
        _put(words, place, np.asarray(values).astype(np.int64).astype(np.uint64) & np.uint64((1 << bits) - 1))
    return words


def unpack(beats: np.ndarray, observations: int) -> np.ndarray:
    """Records (n,) of beats uint64 (n, words)."""
    beats = np.ascontiguousarray(beats, np.uint64)
    records = np.zeros(len(beats), dtype(observations))
    for place, bits, values in _fields(records):
        raw = _get(beats, place, bits).astype(np.int64)
        values[...] = raw if bits == 1 else raw - (raw >> bits - 1 << bits)
    return records


def pack_actions(actions: np.ndarray) -> np.ndarray:
    """Beats of s_axis of actions (n,), uint32 (n, 1), or of vectors (n, components), 18 bits a number.

    A beat has 32 bits, or as many more as the vector needs: a power of two, uint64 (n, words) then.
    """
    actions = np.asarray(actions, np.int64)
    if actions.ndim == 1:
        return actions.astype(np.uint32).reshape(-1, 1)
    components = actions.shape[1]
    words = np.zeros((len(actions), max(1, (1 << (ACTION_WIDTH * components - 1).bit_length()) // 64)), np.uint64)
    for k in range(components):
        _put(words, ACTION_WIDTH * k, (actions[:, k] & (1 << ACTION_WIDTH) - 1).astype(np.uint64))
    return words


def unpack_actions(beats: np.ndarray, components: int) -> np.ndarray:
    """Vectors int64 (n, components), sfix(18,15), of beats uint64 (n, words)."""
    raw = [_get(np.ascontiguousarray(beats, np.uint64), ACTION_WIDTH * k, ACTION_WIDTH) for k in range(components)]
    codes = np.stack(raw, axis=-1).astype(np.int64)
    return codes - (codes >> ACTION_WIDTH - 1 << ACTION_WIDTH)


def _fields(records: np.ndarray):
    place = 0
    for name in ("obs", "final"):
        for i in range(records[name].shape[-1]):
            yield place, OBS_WIDTH, records[name][:, i]
            place += OBS_WIDTH
    for name, at, bits in ANSWER.positions():
        yield place + at, bits, records[name]


def _put(words: np.ndarray, place: int, values: np.ndarray) -> None:
    word, shift = divmod(place, 64)
    words[:, word] |= values << np.uint64(shift)
    if shift and word + 1 < words.shape[1]:
        words[:, word + 1] |= values >> np.uint64(64 - shift)


def _get(words: np.ndarray, place: int, bits: int) -> np.ndarray:
    word, shift = divmod(place, 64)
    field = words[:, word] >> np.uint64(shift)
    if shift and word + 1 < words.shape[1]:
        field = field | words[:, word + 1] << np.uint64(64 - shift)
    return field & np.uint64((1 << bits) - 1)
