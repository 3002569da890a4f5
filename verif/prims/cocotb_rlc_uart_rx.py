"""rlc_uart_rx: every byte of a good line arrives, and what is not a byte is said to be none."""

import random

import cocotb
from bench_handshake import Standing
from bench_pins import PERIOD_NS, start
from cocotb.triggers import FallingEdge, Timer


class Line:
    """A sender whose bits are `drift` longer than ours, at any phase, with a spike in some bits."""

    def __init__(self, dut, drift: float = 0.0, spikes: float = 0.0) -> None:
        self.dut, self.spikes, self.spiked = dut, spikes, 0
        self.bit_ps = round(int(dut.CLOCKS_PER_BIT.value) * PERIOD_NS * 1000 * (1 + drift))

    async def level(self, value: int, bits: float = 1.0) -> None:
        self.dut.rxd.value = value
        await Timer(round(bits * self.bit_ps), "ps")

    async def noisy(self, value: int) -> None:
        """A bit with one clock of the other level somewhere in its middle half."""
        self.spiked += 1
        before = round(random.uniform(0.25, 0.75) * self.bit_ps)
        spike = PERIOD_NS * 1000 - 100
        self.dut.rxd.value = value
        await Timer(before, "ps")
        self.dut.rxd.value = 1 - value
        await Timer(spike, "ps")
        self.dut.rxd.value = value
        await Timer(self.bit_ps - before - spike, "ps")

    async def byte(self, value: int, stop: int = 1) -> None:
        await self.level(0)
        for i in range(8):
            bit = value >> i & 1
            await (self.noisy(bit) if random.random() < self.spikes else self.level(bit))
        await self.level(stop)


class Seen:
    """What the receiver says, clock by clock."""

    def __init__(self, dut) -> None:
        self.dut, self.taken, self.bad, self.overruns, self.breaks = dut, [], 0, 0, 0
        self.take = 1.0
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        standing, before = Standing("m"), 0
        while True:
            await FallingEdge(self.dut.clk)
            valid = int(self.dut.m_valid.value)
            data = int(self.dut.m_data.value) if valid else None
            self.bad += int(self.dut.bad.value)
            self.overruns += int(self.dut.overrun.value)
            brk = int(self.dut.brk.value)
            self.breaks += brk and not before
            before = brk
            ready = random.random() < self.take
            self.dut.m_ready.value = int(ready)
            if standing.look(valid, ready, data):
                self.taken.append(data)


async def begin(dut) -> Seen:
    await start(dut, rxd=1, m_ready=0)
    await Timer(random.randrange(1, PERIOD_NS * 1000), "ps")
    return Seen(dut)


@cocotb.test()
async def bytes_of_a_slow_a_fast_and_a_noisy_line_arrive(dut):
    seen = await begin(dut)
    sent, spiked = [], 0
    wide = int(dut.CLOCKS_PER_BIT.value) >= 16
    for drift in (0.04, 0.0, -0.04) if wide else (0.0,):
        line = Line(dut, drift, spikes=0.5 if wide and not drift else 0.0)
        for _ in range(40):
            sent.append(random.getrandbits(8))
            await line.byte(sent[-1])
            if random.random() < 0.5:
                await line.level(1, random.uniform(0, 3))
        await line.level(1, 2)
        spiked += line.spiked
    assert seen.taken == sent and len(sent) >= 40
    assert (seen.bad, seen.overruns, seen.breaks) == (0, 0, 0)
    assert spiked > 50 or not wide


@cocotb.test()
async def a_start_bit_that_is_none_gives_no_byte(dut):
    seen = await begin(dut)
    line, clocks = Line(dut), int(dut.CLOCKS_PER_BIT.value)
    for _ in range(30):
        await line.level(0, max(1, clocks // 2 - 2) / clocks * 0.99)
        await line.level(1, random.uniform(1, 3))
    assert not seen.taken and not seen.bad
    await line.byte(0x5A)
    await line.level(1, 1)
    assert seen.taken == [0x5A]


@cocotb.test()
async def a_low_stop_bit_is_a_framing_error_and_the_next_byte_is_good(dut):
    seen = await begin(dut)
    line, sent = Line(dut), []
    for turn in range(20):
        await line.byte(random.getrandbits(8), stop=0)
        # While the line stays low there is no start bit.
        await line.level(0, random.uniform(0, 4))
        await line.level(1, random.uniform(1, 3))
        sent.append(random.getrandbits(8))
        await line.byte(sent[-1])
        await line.level(1, 1)
        assert seen.bad == turn + 1
    assert seen.taken == sent and seen.breaks == 0


@cocotb.test()
async def a_break_is_seen_after_sixteen_bits_and_not_before(dut):
    seen = await begin(dut)
    line = Line(dut)
    await line.level(0, 15.5)
    await line.level(1, 2)
    assert (seen.breaks, seen.bad) == (0, 1)
    await line.level(0, 17)
    assert int(dut.brk.value) == 1
    await line.level(0, 40)
    await line.level(1, 2)
    assert int(dut.brk.value) == 0
    await line.byte(0xC3)
    await line.level(1, 1)
    assert (seen.breaks, seen.bad, seen.taken) == (1, 2, [0xC3])


@cocotb.test()
async def a_byte_that_nobody_took_stays_and_the_new_one_is_reported(dut):
    seen = await begin(dut)
    line = Line(dut)
    seen.take = 0.0
    await line.byte(0x11)
    await line.level(1, 1)
    assert seen.overruns == 0
    for value in (0x22, 0x33):
        await line.byte(value)
    await line.level(1, 1)
    seen.take = 0.3
    await line.level(1, 20)
    assert seen.overruns == 2 and seen.taken == [0x11]


@cocotb.test()
async def reset_waits_for_a_quiet_line(dut):
    seen = await begin(dut)
    line = Line(dut)
    dut.rst.value = 1
    await line.level(0, 1)
    dut.rst.value = 0
    await line.level(0, 3)
    await line.level(1, 12)
    assert not seen.taken and not seen.bad
    await line.byte(0x99)
    await line.level(1, 1)
    assert seen.taken == [0x99]
