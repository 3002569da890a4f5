"""Experiences of the replay learner: the words of its stream, and the same words in memory.

A record is the learner's (learner_records) with one difference: INFO word 2 is the initial priority, |TD error| as an
unsigned number with the fraction of Q, or LARGEST: the largest priority so far. In memory each record begins at a
multiple of `stride` bytes and has its words in beats of the memory's bus, low bits first: as many whole words as fit in
a beat, or as many beats a word as it needs.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from rlcores.cores.learner.records import NO_ACTION, Lost, Records, batch_of, pack_records, to_records
from rlcores.cores.learner.shape import LearnerShape, ceil_div
from rlcores.errors import UserError, user_errors

LARGEST = 0xFFFFFFFF  # as initial priority
DELTA_MAX = 2**31 - 1  # largest |TD error| that the tree gets, ufix(31, 20)
STRIDE_MAX = 4096
BEATS_MAX = 256


def initial(td: np.ndarray, td_frac: int) -> np.ndarray:
    """INFO word 2 of real |TD errors| (n,): rounded half up, clipped below LARGEST."""
    return np.minimum(np.floor(np.minimum(np.abs(td), DELTA_MAX) * 2.0**td_frac + 0.5), DELTA_MAX).astype(np.int64)


@dataclass(frozen=True)
class RecordLayout:
    """Records of a core with this learner and a memory of data_width bits a beat. Raises ValueError."""

    shape: LearnerShape
    data_width: int = 128

    def __post_init__(self) -> None:
        width = self.data_width
        if width not in (32, 64, 128, 256, 512, 1024):
            raise ValueError(f"DATA_WIDTH is {width}; it must be a power of two, 32 to 1024")
        if self.beats > BEATS_MAX or self.stride > STRIDE_MAX:
            raise ValueError(
                f"a record takes {self.beats} beats and {self.stride} bytes; it may take {BEATS_MAX} and {STRIDE_MAX}"
            )

    @property
    def lanes(self) -> int:
        """Elements of 32 bits in a word of the stream."""
        return self.shape.value.lanes[0]

    @property
    def words(self) -> int:
        """Words of the stream in a record."""
        return self.shape.record_beats

    @property
    def elements(self) -> int:
        """Elements of 32 bits in a record."""
        return self.words * self.lanes

    @property
    def _ratio(self) -> int:
        return self.data_width // (32 * self.lanes)  # whole words in a beat; 0: a word needs several

    @property
    def beats(self) -> int:
        """Beats of a record in memory."""
        if self._ratio:
            return ceil_div(self.words, self._ratio)
        return self.words * ceil_div(32 * self.lanes, self.data_width)

    @cached_property
    def stride(self) -> int:
        """Bytes from one record to the next."""
        return 1 << (self.beats * self.data_width // 8 - 1).bit_length()

    def check_base(self, base: int, leaves_log2: int, addr_width: int) -> int:
        """base, where the records of 2^leaves_log2 slots may begin. Raises UserError when they may not, in words."""
        reach = self.stride << leaves_log2
        if base % self.stride:
            raise UserError(f"base is 0x{base:X}; it must be a multiple of {self.stride} bytes, those of a record")
        if not 0 <= base <= (1 << addr_width) - reach:
            raise UserError(
                f"base is {'-' * (base < 0)}0x{abs(base):X}; {1 << leaves_log2} records of {self.stride} bytes from "
                f"there must end within addresses of {addr_width} bits: it may be 0 to 0x{(1 << addr_width) - reach:X}"
            )
        return base

    @cached_property
    def _places(self) -> np.ndarray:
        # Where each element of a record lies in memory, in units of 32 bits.
        element = np.arange(self.elements)
        word, lane = element // self.lanes, element % self.lanes
        beat = self.data_width // 32
        if self._ratio:
            return word // self._ratio * beat + word % self._ratio * self.lanes + lane
        return word * ceil_div(self.lanes, beat) * beat + lane

    def to_memory(self, rows: np.ndarray) -> np.ndarray:
        """Bytes of records, uint8 (n, beats * bytes a beat), from their elements, uint32 (n, elements)."""
        words = np.zeros((len(rows), self.beats * self.data_width // 32), np.uint32)
        words[:, self._places] = rows
        return words.view(np.uint8)

    def from_memory(self, data: np.ndarray) -> np.ndarray:
        """Elements of records, uint32 (n, elements), from the bytes of their slots, uint8 (n, stride or less)."""
        return np.ascontiguousarray(data).view(np.uint32)[:, self._places]

    def pack(self, records: Records, first: np.ndarray) -> np.ndarray:
        """Elements of experiences, uint32 (n, elements); first (n,): their initial priorities, as INFO has them."""
        complete = Records(
            records.states, records.actions, records.rewards, records.next_states, records.terminated, first
        )
        return pack_records(complete, self.lanes).reshape(-1, self.elements)

    def rows(
        self,
        states: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_states: ArrayLike,
        terminated: ArrayLike,
        fraction: int,
        first: np.ndarray | None = None,
        lost: Lost | None = None,
    ) -> np.ndarray:
        """Experiences as the core takes them, uint32 (n, elements), from arrays as ReplayLearner.add has them.

        fraction: bits of it that the states have. first (n,): as in pack(); None: the largest. lost: counts what
        becomes 0. Raises UserError.
        """
        batch = batch_of(states, actions, rewards, next_states, terminated, None)
        with user_errors():
            records = to_records(batch, fraction, self.shape)
        if lost:
            lost.see(batch, records)
        return self.pack(records, np.full(len(batch), LARGEST) if first is None else first)

    def first(self, rows: np.ndarray) -> np.ndarray:
        """Initial priorities of experiences, int64 (n,)."""
        return rows[:, 2].astype(np.int64)

    @cached_property
    def states_at(self) -> int:
        """The element that begins the state."""
        return ceil_div(3, self.lanes) * self.lanes

    @cached_property
    def next_states_at(self) -> int:
        """The element that begins the next state."""
        return (
            self.states_at
            + (self.shape.state_words + (self.shape.action_words if self.shape.actor else 0)) * self.lanes
        )

    def unpack(self, rows: np.ndarray, weights: np.ndarray) -> Records:
        """Records for the learner: experiences uint32 (n, elements), importance weights int64 (n,), ufix(18, 17)."""
        shape = self.shape
        signed = rows.astype(np.uint32).view(np.int32).astype(np.int64)
        states, next_states = (signed[:, at : at + shape.state_size] for at in (self.states_at, self.next_states_at))
        actions, valid = rows[:, 0].astype(np.int64) & NO_ACTION, None
        if shape.actor:
            valid = actions < 1
            at = self.states_at + shape.state_words * self.lanes
            actions = signed[:, at : at + shape.action_size]
        return Records(states, actions, signed[:, 1], next_states, signed[:, 0] < 0, weights, valid)

    def valid(self, records: Records) -> np.ndarray:
        """Which records train and have a priority, bool (n,)."""
        if records.valid is not None:
            return records.valid
        return (records.actions >= 0) & (records.actions < self.shape.value.sizes[-1])

    def void(self) -> np.ndarray:
        """Elements of the record that stands for one which could not be read: it trains nothing. uint32 (elements,)."""
        row = np.zeros(self.elements, np.uint32)
        row[0] = NO_ACTION
        return row
