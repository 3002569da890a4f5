"""rlc_ram_1r1w: what was written is read, with the promised latency, and the old word on a collision."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def reads_what_was_written_and_the_old_word_on_a_collision(dut):
    depth, width, latency = (int(p.value) for p in (dut.DEPTH, dut.WIDTH, dut.READ_LATENCY))
    await start(dut, wr_en=0, wr_addr=0, wr_data=0, rd_en=0, rd_addr=0)
    memory = {}
    pipe: list[int | None] = [None] * latency  # rd_data as it will be, the nearest clock last
    last: int | None = None  # the address of a write one clock ago
    reads = collisions = after = 0
    for clock in range(depth + 3000):
        filling = clock < depth
        write = filling or random.random() < 0.5
        wr_addr = clock if filling else random.randrange(depth)
        read = not filling and random.random() < 0.7
        rd_addr = random.choice([wr_addr, wr_addr if last is None else last, *random.choices(range(depth), k=2)])
        data = random.getrandbits(width)
        dut.wr_en.value, dut.wr_addr.value, dut.wr_data.value = int(write), wr_addr, data
        dut.rd_en.value, dut.rd_addr.value = int(read), rd_addr
        await ReadOnly()
        if pipe[-1] is not None:
            assert int(dut.rd_data.value) == pipe[-1], f"clock {clock}"
            reads += 1
        pipe = [memory[rd_addr] if read else pipe[0], *pipe[:-1]]
        after += read and rd_addr == last
        collisions += read and write and rd_addr == wr_addr
        if write:
            memory[wr_addr] = data
        last = wr_addr if write else None
        await FallingEdge(dut.clk)
    assert reads > 2000 and min(collisions, after) > 100
