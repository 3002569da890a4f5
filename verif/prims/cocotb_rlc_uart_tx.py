"""rlc_uart_tx: each byte is a start bit, eight data bits and a stop bit of the right length."""

import random
from itertools import pairwise

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge


@cocotb.test()
async def bytes_are_sent_bit_by_bit(dut):
    await start(dut, s_valid=0, s_data=0)
    clocks = int(dut.CLOCKS_PER_BIT.value)
    sent, lengths, waits = [], [], 0
    samples: list[int] = []
    offering = False
    value = 0
    while len(lengths) < 60:
        if len(sent) < 60 and not offering and (len(sent) < 30 or random.random() < 0.05):
            offering, value = True, random.getrandbits(8)
        dut.s_valid.value = int(offering)
        dut.s_data.value = value if offering else random.getrandbits(8)
        ready, level = int(dut.s_ready.value), int(dut.txd.value)
        if samples or level == 0:
            samples.append(level)
        else:
            waits += 1
        if len(samples) == 10 * clocks:
            bits = [samples[i * clocks : (i + 1) * clocks] for i in range(10)]
            assert all(len(set(bit)) == 1 for bit in bits), f"a bit is not {clocks} clocks long"
            assert bits[0][0] == 0 and bits[9][0] == 1
            assert sum(bit[0] << i for i, bit in enumerate(bits[1:9])) == sent[len(lengths)]
            lengths.append(len(samples))
            samples = []
        if offering and ready:
            sent.append(value)
            offering = False
        await FallingEdge(dut.clk)
    assert len(sent) == len(lengths) == 60 and waits > 20


@cocotb.test()
async def a_byte_takes_ten_bits_and_a_clock(dut):
    await start(dut, s_valid=1, s_data=0x55)
    taken = []
    for clock in range(int(dut.CLOCKS_PER_BIT.value) * 10 * 5):
        if int(dut.s_ready.value):
            taken.append(clock)
        await FallingEdge(dut.clk)
    assert len(taken) >= 4
    assert {b - a for a, b in pairwise(taken)} == {10 * int(dut.CLOCKS_PER_BIT.value) + 1}


@cocotb.test()
async def reset_leaves_the_line_high(dut):
    await start(dut, s_valid=1, s_data=0)
    for _ in range(2 * int(dut.CLOCKS_PER_BIT.value)):
        await FallingEdge(dut.clk)
    assert int(dut.txd.value) == 0
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    assert (int(dut.txd.value), int(dut.s_ready.value)) == (1, 0)
    # What was left of the bit does not hold the next byte up.
    dut.rst.value = 0
    await FallingEdge(dut.clk)
    assert (int(dut.txd.value), int(dut.s_ready.value)) == (1, 1)
