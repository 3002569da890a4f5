"""rlc_fifo: nothing is lost, the level is exact, and nothing slows down."""

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly
from prims_bench import stream, words


def depth(dut) -> int:
    return int(dut.DEPTH.value)


def latency(dut) -> int:
    style = dut.STYLE.value
    # Icarus gives a string parameter as bytes, Verilator as a vector.
    style = style if isinstance(style, bytes) else int(style).to_bytes(len(style) // 8, "big")
    return 2 if style == b"block" and depth(dut) > 2 else 1


def level_is_exact(dut, seen: set[int]):
    def check(clock: int, inside) -> None:
        assert int(dut.count.value) == len(inside), f"clock {clock}: count is wrong"
        assert int(dut.s_ready.value) == (len(inside) < depth(dut)), f"clock {clock}: s_ready is wrong"
        seen.add(len(inside))

    return check


@cocotb.test()
async def items_survive_random_stalls_and_the_level_is_exact(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    levels: set[int] = set()
    count = max(300, 4 * depth(dut))
    for p_valid, p_ready in [(1.0, 0.5), (0.5, 1.0), (0.5, 0.5), (0.9, 0.9), (0.1, 0.9), (0.9, 0.1)]:
        await stream(dut, words(count, len(dut.s_data)), p_valid, p_ready, level_is_exact(dut, levels))
    assert levels == set(range(depth(dut) + 1)), "some fill level never occurred"


@cocotb.test()
async def one_item_a_clock(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    count = 3 * depth(dut) + 50
    assert await stream(dut, words(count, len(dut.s_data)), 1.0, 1.0) == count + latency(dut)


@cocotb.test()
async def holds_exactly_depth_items_and_gives_them_back_in_a_row(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    items = words(depth(dut), len(dut.s_data))
    sent = 0
    for _ in range(depth(dut) + 5):
        dut.s_valid.value = 1
        dut.s_data.value = items[sent] if sent < len(items) else 0
        await ReadOnly()
        sent += int(dut.s_ready.value)
        await FallingEdge(dut.clk)
    assert sent == depth(dut) == int(dut.count.value)
    dut.s_valid.value = 0
    dut.m_ready.value = 1
    for item in items:
        await ReadOnly()
        assert int(dut.m_valid.value) and int(dut.m_data.value) == item
        await FallingEdge(dut.clk)
    assert int(dut.m_valid.value) == 0 and int(dut.count.value) == 0


@cocotb.test()
async def reset_empties_and_closes_it(dut):
    await start(dut, s_valid=1, s_data=1, m_ready=0)
    for _ in range(depth(dut) + 2):
        await FallingEdge(dut.clk)
    assert int(dut.count.value) == depth(dut)
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    assert [int(s.value) for s in (dut.m_valid, dut.s_ready, dut.count)] == [0, 0, 0]
    dut.rst.value = 0
    dut.s_valid.value = 0
    await FallingEdge(dut.clk)
    await stream(dut, words(50, len(dut.s_data)), 0.7, 0.7)
