"""rlc_rl_prio: the priorities of a batch slice's columns in a row, a clock each when nobody stalls."""

import random

import cocotb
from bench_handshake import Sink, Source, port
from bench_pins import clock_number, integers, pack, start
from cocotb.triggers import FallingEdge, ReadOnly

BATCH_SLICES = 300


async def traffic(dut, p: float) -> int:
    """Batch slices of random columns; the clocks from the first taken to the last priority."""
    columns, width = integers(dut, "DP", "WIDTH")
    source, sink = Source(dut, *port("s", ["data", "record", "last"]), p), Sink(dut, *port("m", ["data", "last"]), p)
    wanted = []
    for _ in range(BATCH_SLICES):
        batch_slice = [
            (random.getrandbits(width), p == 1 or random.random() < 0.7, random.random() < 0.2) for _ in range(columns)
        ]
        wanted += [
            {"data": number * record, "last": int(last)} for number, record, last in batch_slice if record or last
        ]
        data, record, last = zip(*batch_slice, strict=True)
        source.queue.append({"data": pack(data, width), "record": pack(record, 1), "last": pack(last, 1)})
    await start(dut, "s_valid", "m_ready")
    begun = clock_number()
    while wanted:
        source.drive()
        sink.drive()
        await ReadOnly()
        source.sample()
        if word := sink.sample():
            assert word == wanted.pop(0)
        await FallingEdge(dut.clk)
        assert clock_number() - begun < 20 * BATCH_SLICES * columns, "stuck"
    return clock_number() - begun


@cocotb.test()
async def every_priority_comes_once_and_in_order(dut) -> None:
    await traffic(dut, 0.6)


@cocotb.test()
async def a_batch_slice_takes_a_clock_a_column(dut) -> None:
    columns = int(dut.DP.value)
    assert await traffic(dut, 1.0) <= BATCH_SLICES * columns + 2
