"""rlc_serial_widen and rlc_serial_narrow: words to beats and back, and nothing of before a reset."""

import random

import cocotb
from bench_handshake import Sink, Source, port
from bench_pins import clocks, start, write
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
    source, sink = Source(dut, *port("s", ["data", "last"])), Sink(dut, *port("m", ["data", "last"]))
    await start(dut, "s_valid", "m_ready", "s_data", "s_last")
    moved = left = 0
    for turn in range(60):
        source.clear()
        sink.clear()
        write(dut, "s_valid", rst=1)
        await clocks(dut, random.choice((1, 1, 3)))
        dut.rst.value = 0
        await clocks(dut, 1)
        source.share = sink.share = random.choice((1.0, 0.5))
        taken, came = [], []
        for _ in range(random.randint(0, 60)):
            source.queue.append({"data": random.getrandbits(s_bits), "last": int(random.random() < 0.2)})
            source.drive()
            sink.drive()
            await ReadOnly()
            for one, words_of in ((sink, came), (source, taken)):
                if word := one.sample():
                    words_of.append((word["data"], word["last"]))
            await FallingEdge(dut.clk)
        expected, begun = want(taken, words)
        assert came == expected[: len(came)], turn
        assert len(expected) - len(came) <= words
        moved, left = moved + len(came), left + (begun > 0 or len(came) < len(expected))
    assert moved > 100 and left > 10
