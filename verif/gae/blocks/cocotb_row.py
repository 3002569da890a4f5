"""rlc_gae_row: every step comes back once and with its tag, but those that a reset meets, and no other kind does."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import start, write
from cocotb.triggers import FallingEdge

ROUNDS = 40


@cocotb.test()
async def a_reset_leaves_nothing_on_its_way(dut) -> None:
    rng = random.Random(random.getrandbits(32))
    settings = ["shift", "value_scale", "value_offset", "next_scale", "add_cut", "add_keep", "b_step", "b_loop", "drop"]
    record = ("valid", "kind", "q_r", "q_v", "tag")
    await start(dut, *(f"cfg_{name}" for name in settings), *(f"s_{name}" for name in record), rest=50)
    tag = 0
    waiting: list[int] = []

    async def clock(busy: bool, rst: bool = False) -> None:
        """One clock, with a record or none; what comes back was waited for, and first."""
        nonlocal tag
        kind = rng.randrange(4)  # STEP and TERMINATED are steps
        write(dut, rst=rst, s_valid=busy, s_kind=kind, s_tag=tag)
        if busy and kind & 1 and not rst:
            waiting.append(tag)
        tag = (tag + 1) % 1024
        await FallingEdge(dut.clk)
        if dut.m_write.value and not rst:
            assert waiting and int(dut.m_tag.value) == waiting.pop(0), "a record that was not waited for"
            HITS["written"] += 1

    for _ in range(ROUNDS):
        for _ in range(rng.randrange(80)):
            await clock(rng.random() < 0.8)
        HITS["lost in a reset"] += len(waiting)
        waiting.clear()
        for _ in range(rng.choice([1, 1, 2, 5])):
            await clock(rng.random() < 0.8, rst=True)
        for _ in range(rng.choice([0, 3, 50])):
            await clock(False)
    for _ in range(50):
        await clock(False)
    assert not waiting
    report()
