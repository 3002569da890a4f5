"""rlc_gae_row: every step comes back once and with its tag, but those that a reset meets, and no other kind does."""

import random
from collections import Counter

import cocotb
from bench_hits import leave
from bench_pins import start_clock
from cocotb.triggers import FallingEdge

ROUNDS = 40


@cocotb.test()
async def a_reset_leaves_nothing_on_its_way(dut) -> None:
    rng = random.Random(random.getrandbits(32))
    hits = Counter()
    inputs = "shift value_scale value_offset next_scale add_cut add_keep b_step b_loop drop"
    for name in inputs.split():
        getattr(dut, f"cfg_{name}").value = 0
    for name in ("kind", "q_r", "q_v", "tag"):
        getattr(dut, f"s_{name}").value = 0
    dut.s_valid.value = 0
    dut.rst.value = 1
    start_clock(dut.clk)
    for _ in range(50):
        await FallingEdge(dut.clk)
    tag = 0
    waiting: list[int] = []

    async def clock(busy: bool, rst: bool = False) -> None:
        """One clock, with a record or none; what comes back was waited for, and first."""
        nonlocal tag
        kind = rng.randrange(4)  # STEP and TERMINATED are steps
        dut.rst.value, dut.s_valid.value, dut.s_kind.value, dut.s_tag.value = rst, busy, kind, tag
        if busy and kind & 1 and not rst:
            waiting.append(tag)
        tag = (tag + 1) % 1024
        await FallingEdge(dut.clk)
        if dut.m_write.value and not rst:
            assert waiting and int(dut.m_tag.value) == waiting.pop(0), "a record that was not waited for"
            hits["written"] += 1

    for _ in range(ROUNDS):
        for _ in range(rng.randrange(80)):
            await clock(rng.random() < 0.8)
        hits["lost in a reset"] += len(waiting)
        waiting.clear()
        for _ in range(rng.choice([1, 1, 2, 5])):
            await clock(rng.random() < 0.8, rst=True)
        for _ in range(rng.choice([0, 3, 50])):
            await clock(False)
    for _ in range(50):
        await clock(False)
    assert not waiting
    leave(hits)
