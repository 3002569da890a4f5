"""Shared by the benches of the primitives: words through s_* and m_*, with random stalls on both sides."""

import random
from collections import deque
from collections.abc import Callable

from bench_handshake import Sink, Source, port
from cocotb.triggers import FallingEdge, ReadOnly


async def stream(
    dut,
    items: list[int],
    p_valid: float,
    p_ready: float,
    each_clock: Callable[[int, deque], None] | None = None,
) -> int:
    """Send items through s_* and take them from m_*, each side ready to move with the given probability.

    Checks that the items come out in order, and that m_valid and m_data stand still while stalled. each_clock is
    called once a clock with the clock's number and what is inside. Returns the number of clocks it took.
    """
    source, sink = Source(dut, *port("s", ["data"]), p_valid), Sink(dut, *port("m", ["data"]), p_ready)
    source.queue.extend({"data": item} for item in items)
    inside: deque[int] = deque()
    received = 0
    for clock in range(100 * len(items) + 1000):
        source.drive()
        sink.drive()
        await ReadOnly()
        if each_clock:
            each_clock(clock, inside)
        if word := sink.sample():
            assert inside, "an item came out that nobody put in"
            assert word["data"] == inside.popleft(), f"item {received} is wrong"
            received += 1
        if word := source.sample():
            inside.append(word["data"])
        await FallingEdge(dut.clk)
        if received == len(items):
            source.rest()
            sink.rest()
            return clock + 1
    raise AssertionError(f"only {received} of {len(items)} items came out")


def words(count: int, width: int) -> list[int]:
    """Random words of a width in bits."""
    return [random.getrandbits(width) for _ in range(count)]
