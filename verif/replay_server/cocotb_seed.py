"""rlc_replay_server_seed against splitmix64: where the draws of a SAMPLE begin, and how many clocks it takes."""

import random

import cocotb
from bench_pins import clocks, pulse, start, write
from cocotb.triggers import FallingEdge

from rlcores.cores.common.draws import splitmix64

CLOCKS = 16  # from begins to done
MOST = (1 << 64) - 1


@cocotb.test()
async def state_is_that_of_splitmix64_after_its_clocks(dut):
    await start(dut, "begins")
    for turn in range(300):
        seed, sequence = (random.choice([0, MOST, random.getrandbits(64)]) for _ in range(2))
        client, epoch = random.getrandbits(16), random.getrandbits(32)
        write(dut, seed=seed, seq_number=sequence, client=client, epoch=epoch)
        await pulse(dut, dut.begins)
        if turn % 3 == 1:  # another one begins in its middle, or behind its end
            await clocks(dut, random.randrange(CLOCKS + 2))
            if turn % 30 == 1:  # a reset forgets it
                await pulse(dut, dut.rst)
                for _ in range(CLOCKS + 2):
                    assert not dut.done.value
                    await FallingEdge(dut.clk)
            continue
        for _ in range(CLOCKS - 1):
            assert not dut.done.value
            await FallingEdge(dut.clk)
        first = splitmix64(splitmix64(seed ^ client ^ epoch << 32, 1)[0] ^ sequence, 1)[0]
        low, high = splitmix64(first, 2)
        for _ in range(random.randrange(3)):
            assert dut.done.value and int(dut.state.value) == high << 64 | low
            await FallingEdge(dut.clk)
        assert dut.done.value and int(dut.state.value) == high << 64 | low
