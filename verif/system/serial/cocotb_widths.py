"""rlc_serial_widen and rlc_serial_narrow: words to beats and back, and nothing of before a reset."""

import random
from collections import deque

import cocotb
from bench_pins import start_clock
from cocotb.triggers import FallingEdge, ReadOnly


def widened(items: list[tuple[int, int]], words: int) -> tuple[list[tuple[int, int]], int]:
    """The beats of words and their last, and the words of a beat that has not ended."""
    beats, begun = [], []
    for word, last in items:
        begun.append(word)
        if last or len(begun) == words:
            beats.append((sum(w << 32 * i for i, w in enumerate(begun)), last))
            begun = []
    return beats, len(begun)


def narrowed(items: list[tuple[int, int]], words: int) -> tuple[list[tuple[int, int]], int]:
    """The words of beats, with last at the last of its beat's."""
    return [
        (beat >> 32 * i & 0xFFFFFFFF, int(last and i == words - 1)) for beat, last in items for i in range(words)
    ], 0


@cocotb.test()
async def everything_comes_out_as_it_should_and_nothing_of_before_a_reset(dut) -> None:
    words, s_bits, m_bits = int(dut.WORDS.value), len(dut.s_data), len(dut.m_data)
    want = widened if m_bits > s_bits else narrowed
    dut.rst.value, dut.s_valid.value, dut.m_ready.value, dut.s_data.value, dut.s_last.value = 1, 0, 0, 0, 0
    start_clock(dut.clk)
    moved = left = 0
    for turn in range(60):
        for _ in range(random.choice((1, 1, 3))):
            dut.rst.value, dut.s_valid.value = 1, 0
            await FallingEdge(dut.clk)
        dut.rst.value = 0
        p = random.choice((1.0, 0.5))
        offered, taken, came = None, [], deque()
        for clock in range(random.randint(1, 60)):
            if offered is None and clock and random.random() < p:
                offered = (random.getrandbits(s_bits), int(random.random() < 0.2))
            dut.s_valid.value = int(offered is not None)
            if offered:
                dut.s_data.value, dut.s_last.value = offered
            dut.m_ready.value = int(random.random() < p)
            await ReadOnly()
            if int(dut.m_valid.value) and int(dut.m_ready.value):
                came.append((int(dut.m_data.value), int(dut.m_last.value)))
            if offered and int(dut.s_ready.value):
                taken.append(offered)
                offered = None
            await FallingEdge(dut.clk)
        expected, begun = want(taken, words)
        assert list(came) == expected[: len(came)], turn
        assert len(expected) - len(came) <= words
        moved, left = moved + len(came), left + (begun > 0 or len(came) < len(expected))
    assert moved > 100 and left > 10
