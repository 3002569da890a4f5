"""rlc_learns_text against Python's own text of the same numbers, byte for byte on the line."""

import random

import cocotb
from bench_hits import HITS, report
from bench_pins import clocks, integers, pulse, start, write
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
    await start(dut, "title", "s_valid", "s_data", "s_digits", "s_last")
    heard, wanted = bytearray(), ""
    cocotb.start_soon(listen(dut, bits, heard))
    for _ in range(NUMBERS):
        while not int(dut.ready.value):
            await FallingEdge(dut.clk)
        if rng.random() < 0.1:
            await pulse(dut, dut.title)
            wanted += "title\r\n"
            HITS["titles"] += 1
            continue
        digits = rng.randint(1, 13)
        number = rng.choice((0, 9, 10, 10**digits - 1, 2**40 - 1, rng.randrange(1 << rng.randint(1, 40))))
        last = rng.random() < 0.3
        write(dut, s_data=number % 2**40, s_digits=digits, s_last=int(last))
        await pulse(dut, dut.s_valid)
        dut.s_data.value = rng.randrange(1 << 40)
        said = f"{number % 2**40:{digits}d}"
        HITS["cut"] += len(said) > digits
        text = said[-digits:]
        if len(said) > digits:
            text = f"{int(text):{digits}d}"
        wanted += text + ("\r\n" if last else " ")
        HITS["numbers"] += 1
        await clocks(dut, rng.choice((0, 0, 50)))
    while not int(dut.ready.value):
        await FallingEdge(dut.clk)
    await clocks(dut, 12 * bits)
    assert heard.decode() == wanted, f"{heard.decode()!r} instead of {wanted!r}"
    report()
