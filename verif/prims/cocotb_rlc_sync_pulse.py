"""rlc_sync_pulse: as many pulses out as were taken, for fast to slow and slow to fast clocks."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

PULSES = 41  # odd: each is a change of a level, which a reset has to take back


@cocotb.test()
@cocotb.parametrize(periods=[(10000, 10000), (3000, 17000), (17000, 3000), (10000, 9902)], careless=[False, True])
async def no_pulse_is_lost_or_invented(dut, periods, careless):
    """careless also pulses while busy: such a pulse is ignored as a whole, never half taken."""
    s_period, m_period = periods
    dut.s_pulse.value, dut.s_rst.value, dut.m_rst.value = 0, 1, 1
    cocotb.start_soon(Clock(dut.s_clk, s_period, "ps").start())
    cocotb.start_soon(Clock(dut.m_clk, m_period, "ps").start())
    delivered = []

    async def watch():
        while True:
            await ReadOnly()
            delivered.append(int(dut.m_pulse.value))
            await FallingEdge(dut.m_clk)

    for _ in range(4):
        await FallingEdge(dut.s_clk)
        await FallingEdge(dut.m_clk)
    dut.m_rst.value = 0
    watcher = cocotb.start_soon(watch())
    await FallingEdge(dut.s_clk)
    dut.s_rst.value = 0
    await FallingEdge(dut.m_clk)
    await FallingEdge(dut.s_clk)
    taken = ignored = clocks = 0
    longest_busy = busy_for = 0
    while taken < PULSES:
        busy = int(dut.s_busy.value)
        pulse = random.random() < 0.5 and (careless or not busy)
        dut.s_pulse.value = int(pulse)
        await ReadOnly()
        taken += pulse and not busy
        ignored += pulse and busy
        busy_for = busy_for + 1 if busy else 0
        longest_busy = max(longest_busy, busy_for)
        clocks += 1
        assert clocks < 10000, "s_busy never falls"
        await FallingEdge(dut.s_clk)
    dut.s_pulse.value = 0
    for _ in range(20):
        await FallingEdge(dut.s_clk)
        await FallingEdge(dut.m_clk)
    watcher.cancel()
    assert sum(delivered) == taken == PULSES
    # A reset forgets them all: no pulse behind it, and the next one is taken at once.
    stages = int(dut.STAGES.value)
    dut.s_rst.value = dut.m_rst.value = 1
    for _ in range(stages + 1):
        await FallingEdge(dut.m_clk)
        await FallingEdge(dut.s_clk)
    delivered.clear()
    dut.s_rst.value = dut.m_rst.value = 0
    watcher = cocotb.start_soon(watch())
    for _ in range(2 * stages):
        await ReadOnly()
        assert int(dut.s_busy.value) == 0
        await FallingEdge(dut.s_clk)
        await FallingEdge(dut.m_clk)
    assert not any(delivered)
    assert int(dut.s_busy.value) == 0
    assert (ignored > 0) == careless
    # The promise of the header, rounded up to whole clocks of either side.
    assert longest_busy <= (stages + 2) * -(-m_period // s_period) + stages + 2
