"""rlc_ram_1r1w_lane: only enabled lanes change, and a collision reads the old word."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def only_enabled_lanes_change(dut):
    depth, lanes, lane_width, latency = (int(p.value) for p in (dut.DEPTH, dut.LANES, dut.LANE_WIDTH, dut.READ_LATENCY))
    mask = 2**lane_width - 1
    await start(dut, wr_en=0, wr_addr=0, wr_data=0, rd_en=0, rd_addr=0)
    memory = {}
    pipe: list[int | None] = [None] * latency  # rd_data as it will be, the nearest clock last
    last: int | None = None  # the address of a write one clock ago
    reads = collisions = after = partial = 0
    for clock in range(depth + 3000):
        filling = clock < depth
        enables = 2**lanes - 1 if filling else random.getrandbits(lanes)
        wr_addr = clock if filling else random.randrange(depth)
        read = not filling and random.random() < 0.7
        rd_addr = random.choice([wr_addr, wr_addr if last is None else last, *random.choices(range(depth), k=2)])
        data = random.getrandbits(lanes * lane_width)
        dut.wr_en.value, dut.wr_addr.value, dut.wr_data.value = enables, wr_addr, data
        dut.rd_en.value, dut.rd_addr.value = int(read), rd_addr
        await ReadOnly()
        if pipe[-1] is not None:
            assert int(dut.rd_data.value) == pipe[-1], f"clock {clock}"
            reads += 1
        pipe = [memory[rd_addr] if read else pipe[0], *pipe[:-1]]
        after += read and rd_addr == last
        collisions += read and enables != 0 and rd_addr == wr_addr
        partial += 0 < enables < 2**lanes - 1
        change = sum(mask << lane * lane_width for lane in range(lanes) if enables >> lane & 1)
        memory[wr_addr] = memory.get(wr_addr, 0) & ~change | data & change
        last = wr_addr if enables else None
        await FallingEdge(dut.clk)
    assert reads > 2000 and min(collisions, after) > 100
    assert partial > 1000 or lanes == 1
