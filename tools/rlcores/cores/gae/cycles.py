"""GAE core, how many clocks a run takes: the array's state machine and its dispatcher, counted exactly.

The same number as the CYCLES register: every clock from the first of arming to the last of rearming.
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
