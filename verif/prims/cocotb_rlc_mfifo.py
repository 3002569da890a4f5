"""rlc_mfifo: every item of every clock comes out once and in order, and nothing slows down."""

import random
from collections import deque

import cocotb
from bench_handshake import Standing
from bench_pins import integers, pack, start, write
from cocotb.triggers import FallingEdge, ReadOnly


class Traffic:
    """Offers items at every input with some probability, takes them with another, and checks each clock."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.pushes, self.depth, self.width = integers(dut, "PUSHES", "DEPTH", "WIDTH")
        self.inside: deque[int] = deque()
        self.taken = self.read = self.waiting = 0
        self.full = self.shut = False
        self.standing = Standing("m")

    async def clock(self, p_valid: float, p_ready: float) -> None:
        dut = self.dut
        valid = [random.random() < p_valid for _ in range(self.pushes)]
        items = [random.getrandbits(self.width) for _ in range(self.pushes)]
        write(dut, s_valid=pack(valid, 1), s_data=pack(items, self.width), m_ready=int(random.random() < p_ready))
        await ReadOnly()
        assert int(dut.empty.value) == (not self.inside)
        m_valid = int(dut.m_valid.value)
        data = int(dut.m_data.value) if m_valid else None
        assert m_valid or not self.waiting, "an item waits, and nothing is offered"
        if self.standing.look(m_valid, dut.m_ready.value, data):
            assert self.inside, "an item came out that nobody put in"
            assert data == self.inside.popleft(), f"item {self.read} is wrong"
            self.read += 1
        # Two clocks from input to output, so what comes now may be missing at the next one.
        self.waiting = len(self.inside)
        if int(dut.s_ready.value):
            new = [x for x, v in zip(items, valid, strict=True) if v]
            self.inside.extend(new)
            self.taken += len(new)
        elif any(valid):
            # What it promises to hold in any case.
            assert len(self.inside) >= self.depth
            self.shut = True
        self.full |= len(self.inside) > self.pushes * self.depth
        await FallingEdge(dut.clk)

    async def drain(self) -> None:
        """Nothing new, and one item in every clock until it is empty."""
        left = len(self.inside)
        for _ in range(left + 2):
            await self.clock(0, 1)
        assert not self.inside, "it keeps items back"


@cocotb.test()
async def items_survive_random_stalls_in_the_order_of_the_inputs(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    traffic = Traffic(dut)
    share = 1 / traffic.pushes
    for p_valid, p_ready in [(share, 1), (share, 0.8), (1, 0.5), (0.5, 1), (0.9, 0.1), (0.05, 0.9), (0.6 * share, 0.7)]:
        for _ in range(250):
            await traffic.clock(p_valid, p_ready)
        await traffic.drain()
    assert traffic.taken == traffic.read > 700
    assert traffic.shut, "it was never full"


@cocotb.test()
async def full_rows_fill_it_to_the_last_word(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    traffic = Traffic(dut)
    for _ in range(3 * traffic.depth + 5):
        await traffic.clock(1, 0)
    # The item at the output has left its row, which stays as long as it has others.
    assert len(traffic.inside) == traffic.pushes * (traffic.depth + (traffic.pushes == 1))
    await traffic.drain()


@cocotb.test()
async def one_item_a_clock_comes_out(dut):
    await start(dut, s_valid=0, s_data=0, m_ready=0)
    await FallingEdge(dut.clk)
    traffic = Traffic(dut)
    for _ in range(10):
        await traffic.clock(1, 1)
    before = traffic.read
    for _ in range(100):
        await traffic.clock(1, 1)
    assert traffic.read == before + 100
    await traffic.drain()


@cocotb.test()
async def reset_empties_and_closes_it(dut):
    await start(dut, s_valid=1, s_data=1, m_ready=0)
    for _ in range(5):
        await FallingEdge(dut.clk)
    assert int(dut.empty.value) == 0
    dut.rst.value = 1
    await FallingEdge(dut.clk)
    assert [int(s.value) for s in (dut.m_valid, dut.s_ready, dut.empty)] == [0, 0, 1]
    dut.rst.value = 0
    dut.s_valid.value = 0
    await FallingEdge(dut.clk)
    traffic = Traffic(dut)
    for _ in range(100):
        await traffic.clock(0.5, 0.7)
    await traffic.drain()
