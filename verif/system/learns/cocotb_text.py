"""rlc_learns_text against Python's own text of the same numbers, byte for byte on the line."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import integers, start_clock
from cocotb.triggers import FallingEdge

NUMBERS = 60


async def listen(dut, bits: int, heard: bytearray) -> None:
    """Bytes of the line, taken in the middle of each bit."""
    while True:
        await FallingEdge(dut.clk)
        if int(dut.txd.value):
            continue
        for _ in range(bits // 2):
            await FallingEdge(dut.clk)
        byte = 0
        for place in range(9):
            for _ in range(bits):
                await FallingEdge(dut.clk)
            byte |= int(dut.txd.value) << place
        assert byte & 256, "no stop bit"
        heard.append(byte & 255)


@cocotb.test()
async def numbers_are_told_as_python_writes_them(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    (bits,) = integers(dut, "CLOCKS_PER_BIT")
    for name in ("title", "s_valid", "s_data", "s_digits", "s_last"):
        getattr(dut, name).value = 0
    dut.rst.value = 1
    start_clock(dut.clk)
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    heard, wanted = bytearray(), ""
    cocotb.start_soon(listen(dut, bits, heard))
    for _ in range(NUMBERS):
        while not int(dut.ready.value):
            await FallingEdge(dut.clk)
        if rng.random() < 0.1:
            dut.title.value = 1
            await FallingEdge(dut.clk)
            dut.title.value = 0
            wanted += "title\r\n"
            HITS["titles"] += 1
            continue
        digits = rng.randint(1, 13)
        number = rng.choice((0, 9, 10, 10**digits - 1, 2**40 - 1, rng.randrange(1 << rng.randint(1, 40))))
        last = rng.random() < 0.3
        dut.s_valid.value, dut.s_data.value, dut.s_digits.value, dut.s_last.value = 1, number % 2**40, digits, int(last)
        await FallingEdge(dut.clk)
        dut.s_valid.value = 0
        dut.s_data.value = rng.randrange(1 << 40)
        said = f"{number % 2**40:{digits}d}"
        HITS["cut"] += len(said) > digits
        text = said[-digits:]
        if len(said) > digits:
            text = f"{int(text):{digits}d}"
        wanted += text + ("\r\n" if last else " ")
        HITS["numbers"] += 1
        for _ in range(rng.choice((0, 0, 50))):
            await FallingEdge(dut.clk)
    while not int(dut.ready.value):
        await FallingEdge(dut.clk)
    for _ in range(12 * bits):
        await FallingEdge(dut.clk)
    assert heard.decode() == wanted, f"{heard.decode()!r} instead of {wanted!r}"
    report()
