"""Beats of rlc_tensor_axi: what goes in, one thing after the other, and what comes out. docs/tensor.md has the table.

>>> [hex(beat) for beat in start(5)]
['0xa000000000000005']
>>> numbers(np.array(start(5), np.uint64))
(array([10]), array([0]), array([5]))
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rlcores.cores.learner.optimisers.slot import packed
from rlcores.cores.tensor.words import (
    ASK,
    BEAT,
    BEGIN,
    FRACTION,
    GROUP,
    PARAMETERS,
    PART,
    PLACED,
    PUT_STEP,
    RATES,
    RECORD_NUMBER,
    SEED,
    START,
    STEP,
    TAKEN,
    UPDATE,
)

NUMBER_BITS = BEAT.fields["number"]
_AT = {name: at for name, at, _ in BEAT.positions()}
_ADDRESS = {name: at for name, at, _ in PLACED.positions()}["address"]


def beats(kind: int, lane: np.ndarray | int, number: np.ndarray | int) -> np.ndarray:
    """Beats of a kind, uint64, from lanes and numbers (int64, cut to the bits that a beat has)."""
    low = np.asarray(number, np.int64) & (1 << NUMBER_BITS) - 1
    high = np.asarray(lane, np.int64) << _AT["lane"]
    return np.atleast_1d((low | high).astype(np.uint64) | np.uint64(kind << _AT["kind"]))


def numbers(taken: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds, lanes and numbers with their sign, int64, of beats."""
    words = np.asarray(taken, np.uint64).view(np.int64).reshape(-1)
    kinds = (words.view(np.uint64) >> np.uint64(_AT["kind"])).astype(np.int64)
    spare = 64 - NUMBER_BITS
    return kinds, words >> _AT["lane"] & (1 << BEAT.fields["lane"]) - 1, words << spare >> spare


def _whole(kind: int, lane: int, number: int) -> list[int]:
    return [BEAT.pack_whole(kind=kind, lane=lane, number=number)]


def parts(word: int, bits: int) -> list[int]:
    """A word of `bits` bits, for the beat behind them."""
    count = -(-bits // NUMBER_BITS)
    mask = (1 << NUMBER_BITS) - 1
    return [beat for n in range(count) for beat in _whole(PART, n, word >> n * NUMBER_BITS & mask)]


def begin() -> list[int]:
    """Behind an abort: from here on beats count again."""
    return _whole(BEGIN, 0, 0)


def step(address: int, word: int) -> list[int]:
    """A step of a program."""
    return parts(word, STEP.bits) + _whole(PUT_STEP, 0, address)


def fraction(number: int, setting: int, told: int = 0) -> list[int]:
    """A fraction: words.SETTING, and what its tensor has told, words.TOLD."""
    return parts(told, NUMBER_BITS) + _whole(FRACTION, number, setting)


def ask(number: int) -> list[int]:
    """What the tensor of a fraction has told comes back, in a DONE."""
    return _whole(ASK, number, 0)


def rates(slot: int, registers: Mapping[str, int]) -> list[int]:
    """The optimiser's settings, and tau, of a slot."""
    return parts(packed(registers), TAKEN.fields["settings"]) + _whole(RATES, slot, registers["tau"])


def seed(state: Sequence[int]) -> list[int]:
    """The generator's state, four words of 32 bits."""
    return parts(sum(int(word) << 32 * n for n, word in enumerate(state)), 128) + _whole(SEED, 0, 0)


def parameters(update: int) -> list[int]:
    """A load or a read of a layer's plane: a command of the update unit."""
    return parts(update, UPDATE.bits) + _whole(PARAMETERS, 0, 0)


def groups(values: np.ndarray) -> np.ndarray:
    """Groups of a plane (groups, side) that is loaded."""
    return beats(GROUP, np.arange(values.shape[1])[None, :], values & (1 << 48) - 1).reshape(-1)


def vector(address: int, values: np.ndarray, side: int) -> np.ndarray:
    """A vector (batch, features) at an address."""
    batch, features = values.shape
    words = -(-batch // side)
    sample = np.arange(batch)
    at = address + np.arange(features)[None, :] * words + (sample // side)[:, None]
    number = at << _ADDRESS | values & (1 << _ADDRESS) - 1
    return beats(RECORD_NUMBER, (sample % side)[:, None], number).reshape(-1)


def start(entry: int) -> list[int]:
    """The program at a step begins."""
    return _whole(START, 0, entry)


def joined(all_of: Iterable[Sequence[int] | np.ndarray]) -> np.ndarray:
    """Beats one after the other, (beats, 1) as a bus takes them."""
    every = [np.asarray(some, np.uint64).reshape(-1) for some in all_of]
    return np.concatenate([np.zeros(0, np.uint64), *every]).reshape(-1, 1)
