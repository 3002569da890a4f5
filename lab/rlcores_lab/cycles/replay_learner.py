"""Clocks of a gradient step of the replay learner when sampling is ahead of the updates (D >= 1).

Then the loop's pieces overlap, and a step takes the learner's clocks, if its records come in time. They come from the
DRAM, `READS` of them on their way at once; in the clocks in which the learner takes none, only as many are fetched as
find room. So every record is followed from the question to the learner, beside the learner's own model: through
rlc_replay_reader and rlc_replay_feeder by the clocks that they promise, and through the banks as
rlcores.buses.dram says.
"""

import random
from collections import deque
from collections.abc import Mapping

from rlcores.buses.dram import Dram
from rlcores.cores.learner.shape import LearnerShape, ceil_div
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores_lab.cycles import learner as learner_cycles

# Clocks of rlc_replay_reader and rlc_replay_feeder.
_ASK = 1  # from a free place to the address
_HERE = 5  # from a record's last beat to its way out of the reorder buffer
_BEAT = 3  # a beat's way out
_WORD = 1  # from there to a word
_SLICE = 1  # and to the learner
_RECORDS, _BEATS, _SLICES = 2, 8, 2  # places for them on the way

_WARM = 8  # steps that are not counted
_REFRESHES = 24  # that the others last, and at least
_STEPS = 8


def beats(p: Mapping[str, int | str]) -> int:
    """Beats of an experience in memory."""
    return RecordLayout(LearnerShape.of(p), int(p["DATA_WIDTH"])).beats


def period(
    p: Mapping[str, int | str],
    batch: int,
    dram: Dram | None = None,
    filled: int | None = None,
    *,
    block: int = 1,
    pause: int = 0,
) -> float:
    """Clocks of a step of `batch` records, anywhere in memory, or among its first `filled` slots.

    block, pause: after every `block` steps no record is asked for until `pause` clocks behind the last one's last beat.
    """
    dram = dram or Dram()
    alone = learner_cycles.cycles(p, batch).period
    steps = max(_STEPS, ceil_div(_REFRESHES * dram.refresh_every, alone))
    warm, steps = (ceil_div(count, block) * block for count in (_WARM, steps))
    records = _Reads(p, dram, filled, block * batch, pause).take
    _, done = learner_cycles.times(p, [batch] * (warm + steps), records=records)
    return (done[-1] - done[warm - 1]) / steps


class _Banks:
    """Clocks of the DRAM's reads: rlc_memory.h, without writes."""

    def __init__(self, dram: Dram) -> None:
        self._dram = dram
        self._rows: dict[int, tuple[int, int]] = {}  # by bank: the open row, and since which refresh
        self._opened = dict.fromkeys(range(dram.banks), 0)
        self._bus = 0  # the clock from which the data bus is free

    def _awake(self, clock: int) -> int:
        every, refresh = self._dram.refresh_every, self._dram.refresh
        return max(clock, clock - clock % every + refresh) if every else clock

    def read(self, clock: int, address: int, size: int) -> int:
        """A burst's address comes at this clock; returns the one in which its data have crossed the data bus."""
        dram = self._dram
        place = address // dram.row_bytes
        bank, row = place % dram.banks, place // dram.banks
        start = self._awake(clock + dram.latency)
        epoch = start // dram.refresh_every if dram.refresh_every else 0
        if self._rows.get(bank) != (row, epoch):
            if self._rows.get(bank, (0, -1))[1] == epoch:
                start = max(start + dram.precharge, self._opened[bank] + dram.row_cycle)
            self._opened[bank] = start
            start += dram.rcd
        self._rows[bank] = row, epoch
        pieces = (address + size - 1) // dram.bus_bytes - address // dram.bus_bytes + 1
        self._bus = max(self._awake(start + dram.cas), self._bus) + pieces
        return self._bus


class _Reads:
    """Records out of memory, as learner_cycles.Records: rlc_replay_reader and rlc_replay_feeder."""

    def __init__(self, p: Mapping[str, int | str], dram: Dram, filled: int | None, block: int, pause: int) -> None:
        self._block, self._pause, self._left = block, pause, block  # records of a block, and those before its end
        data, word = int(p["DATA_WIDTH"]), 32 * LearnerShape.of(p).value.lanes[0]
        self._beats, self._size = beats(p), beats(p) * data // 8
        self._per_beat, self._per_word = max(data // word, 1), ceil_div(word, data)
        self._filled = min(int(p["CAPACITY"]), filled or int(p["CAPACITY"]))
        self._slots = random.Random(1)
        self._banks = _Banks(dram)
        self._asked = self._bus = self._read = self._popped = self._given = self._taken = -1
        # The clocks in which the last ones left their places, the oldest first.
        self._reads = _places(int(p["READS"]))
        self._records, self._beats_out, self._slices = _places(_RECORDS), _places(_BEATS), _places(_SLICES)

    def take(self, room: int, words: int) -> list[int]:
        here = max(self._here(), self._records[0] + 2)
        taken = []
        for n in range(words):
            if n % self._per_beat == 0:
                for _ in range(self._per_word):
                    self._beat(here)
            self._given = max(self._popped + _WORD, self._given + 1, self._slices[0] + 1)
            self._taken = max(self._given + _SLICE, self._taken + 1, room)
            self._slices.append(self._taken)
            taken.append(self._taken)
        self._records.append(self._given)
        self._reads.append(self._read)
        return taken

    def _here(self) -> int:
        """The next record is asked for; the clock from which it may leave the reorder buffer."""
        if self._pause and self._left == 0:
            self._asked = max(self._asked, self._bus + self._pause)
            self._left = self._block
        self._left -= 1
        self._asked = max(self._asked, self._reads[0]) + 1
        address = self._slots.randrange(self._filled) * (1 << (self._size - 1).bit_length())
        ready = self._banks.read(self._asked + _ASK, address, self._size)
        self._bus = max(ready, self._bus + 1) + self._beats - 1
        return self._bus + _HERE

    def _beat(self, here: int) -> None:
        """The next beat leaves it, and is taken behind."""
        self._read = max(here, self._read + 1, self._beats_out[0] + 1)
        self._popped = max(self._read + _BEAT, self._popped + 1, self._given)
        self._beats_out.append(self._popped)


def _places(count: int) -> deque[int]:
    return deque([-1] * count, count)
