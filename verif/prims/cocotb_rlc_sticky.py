"""rlc_sticky: every bit is set by its event and cleared by software, and the event wins."""

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge
from prims_bench import words


@cocotb.test()
async def an_event_is_kept_until_software_clears_it(dut):
    width = len(dut.sets)
    await start(dut, sets=0, clears=0)
    expected, both = 0, 0
    for event, clear, rare in zip(words(400, width), words(400, width), words(400, width), strict=True):
        assert int(dut.q.value) == expected
        event &= rare  # so that a bit is often not set again at once
        both |= event & clear
        dut.sets.value, dut.clears.value = event, clear
        expected = (expected & ~clear) | event
        await FallingEdge(dut.clk)
    assert both == 2**width - 1
    dut.sets.value, dut.clears.value, dut.rst.value = 2**width - 1, 0, 1
    await FallingEdge(dut.clk)
    assert int(dut.q.value) == 0
