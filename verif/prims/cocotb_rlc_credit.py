"""rlc_credit: as many places as it has, given back at any time, and room exactly while one is free."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def every_place_is_given_once(dut):
    places = int(dut.PLACES.value)
    await start(dut, take=0, give=0)
    free, takes, emptied, filled = places, 0, 0, 0
    for clock in range(2000):
        # Now mostly taking, now mostly giving back, so that both ends are reached.
        p_take = 0.9 if clock // 100 % 2 else 0.3
        await ReadOnly()
        assert int(dut.room.value) == (free > 0), f"clock {clock}: {free} of {places} places are free"
        await FallingEdge(dut.clk)
        take = free > 0 and random.random() < p_take
        give = free < places and random.random() < 1.1 - p_take
        dut.take.value, dut.give.value = int(take), int(give)
        takes += take
        # The rising edge between two falling ones acts on what was set at the first.
        await FallingEdge(dut.clk)
        dut.take.value, dut.give.value = 0, 0
        free += give - take
        emptied += free == 0 and take
        filled += free == places and give
    assert takes > 200 and emptied > 5 and filled > 5


@cocotb.test()
async def a_reset_frees_every_place(dut):
    places = int(dut.PLACES.value)
    await start(dut, take=0, give=0)
    for _ in range(2):
        for number in range(places):
            await ReadOnly()
            assert int(dut.room.value), f"only {number} of {places} places were given"
            await FallingEdge(dut.clk)
            dut.take.value = 1
            await FallingEdge(dut.clk)
            dut.take.value = 0
        await ReadOnly()
        assert not int(dut.room.value)
        await FallingEdge(dut.clk)
        dut.rst.value = 1
        await FallingEdge(dut.clk)
        dut.rst.value = 0
