"""GAE core, how many clocks a run takes: the array's state machine and its dispatcher, counted exactly.

The same number as the CYCLES register: every clock from the first of arming to the last of rearming. And how many the
passes take, and rollouts that go through the core one behind the other.
"""

import heapq
from collections.abc import Mapping

import numpy as np

from rlcores.cores.gae.scale import QBITS_NARROW, clog2


def fill(parameters: Mapping[str, int]) -> int:
    """Clocks from the last pop to the clock in which all results are written and counted.

    parameters: Verilog parameters by name.
    """
    lookahead, rows = parameters["LOOKAHEAD"], parameters["ROWS"]
    # Rewards and values loader, processing element, output quantiser; fewer stages where the loop has no room for them.
    wide = parameters["QBITS"] > QBITS_NARROW
    step = 2 + wide
    row = 8 + 3 * wide + step * lookahead + min(lookahead * parameters["INTERLEAVE"], step)
    counters = 2 + (clog2((rows + 5) // 6) if rows > 6 else 0)
    # Stack, crossbar there and back, and the write itself.
    return 4 + row + counters


def cycles(parameters: Mapping[str, int], records: np.ndarray) -> int:
    """Clocks of a run over lanes of these many records (steps and BOOTs), shape (LANES,).

    parameters: Verilog parameters by name. Raises ValueError when the shape is wrong.
    """
    records = np.asarray(records)
    lanes, turns = parameters["LANES"], parameters["INTERLEAVE"]
    if records.shape != (lanes,):
        raise ValueError(f"records has shape {records.shape}; this core has {lanes} lanes")
    groups = parameters["ROWS"] // parameters["SPAN"]
    by_turn = records.reshape(turns, groups, -1)
    # A turn comes back every INTERLEAVE clocks; the run ends when a whole ring of them found nothing to do.
    busy = max(
        (_turns(by_turn[turn, group].tolist(), parameters["SPAN"]) - 1) * turns + turn + 1
        for turn in range(turns)
        for group in range(groups)
    )
    arm = rearm = turns
    run = max(busy, 0) + turns + 1
    # Rearming begins at the ring's first slot.
    before = arm + run + fill(parameters) + 1
    return -(-before // turns) * turns + rearm


def _turns(records: list[int], rows: int) -> int:
    """Turns until a group is idle: the next lane goes to the first free row, one lane a turn; empty ones take one."""
    free = [0] * rows
    now = 0
    for length in records:
        if length:
            now = max(now, heapq.heappop(free))
            heapq.heappush(free, now + length)
        now += 1
    return max(now, *free)


def load(beats: int) -> int:
    """Clocks from the first beat of a LOAD to its end, when the source never pauses."""
    return beats + 15


def read(parameters: Mapping[str, int], records: np.ndarray) -> int:
    """Clocks of a READ of lanes of these many records, shape (LANES,), when the sink never pauses.

    parameters: Verilog parameters by name.
    """
    # A group of neighbouring banks is read until a beat is empty; what is on its way comes back before the next one.
    groups = np.asarray(records).reshape(-1, parameters["BEAT"])
    return int((groups.max(axis=1) + 8).sum()) + 3


def stream(parameters: Mapping[str, int], beats: int, records: np.ndarray, host: int = 0) -> float:
    """Clocks from rollout to rollout of a core with two stacks, when every rollout has these beats and records.

    parameters, records: as cycles(). host: clocks between the end of a pass, with the results of the rollout before,
    and the first beat of the next one, in which no beat moves. A stack is loaded, run and read; the two take turns.
    It may take up to 16 clocks less, where the reader fills its queue while the host is at work.
    """
    run, out = cycles(parameters, records) + 4, read(parameters, records)
    return max(host + beats, host + out, (host + load(beats) + 1 + run + out) / 2)
