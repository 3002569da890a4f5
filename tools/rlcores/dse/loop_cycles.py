"""Clocks of a gradient step of the replay learner when sampling is ahead of the updates (D >= 1).

Then the loop's pieces overlap: the slowest says how long a step takes. It is the learner, unless its batches are so
short that reads of the DRAM, `READS` of them at a time, do not come fast enough.
"""

from collections.abc import Mapping

from rlcores.dram import Dram
from rlcores.model import learner_cycles
from rlcores.model.learner_shape import Shape, ceil_div

_CORE = 7  # registers of rlc_replay_reader between asking for a record and giving its place back


def beats(p: Mapping[str, int | str]) -> int:
    """Beats of an experience in memory."""
    shape = Shape.of(p)
    lanes, data = shape.value.lanes[0], int(p["DATA_WIDTH"])
    words = ceil_div(3, lanes) + 2 * ceil_div(shape.state_size, lanes)
    words += ceil_div(shape.action_size, lanes) if shape.actor is not None else 0
    word = 32 * lanes
    return ceil_div(words, data // word) if data >= word else words * ceil_div(word, data)


def period(p: Mapping[str, int | str], batch: int, dram: Dram | None = None) -> float:
    """Clocks of a step of `batch` records."""
    dram = dram or Dram()
    ready = dram.refresh_every or 1
    refreshing = 1 + (dram.refresh / ready if dram.refresh_every else 0)
    # Memory that one row holds is always open; else every experience lies in another row.
    stride = 1 << (beats(p) * int(p["DATA_WIDTH"]) // 8 - 1).bit_length()
    opened = 0 if int(p["CAPACITY"]) * stride <= dram.row_bytes else dram.precharge + dram.rcd
    pieces = max(beats(p) * int(p["DATA_WIDTH"]) // 8 // dram.bus_bytes, 1)
    # A record comes whole into its place, and leaves it whole.
    trip = dram.latency + dram.cas + opened + max(pieces, beats(p)) + beats(p) + _CORE
    fetch = batch * max(trip / int(p["READS"]), beats(p)) * refreshing
    return max(learner_cycles.cycles(p, batch).period, fetch)
