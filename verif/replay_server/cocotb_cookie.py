"""rlc_replay_server_cookie against the model's cookie."""

import random

import cocotb
from bench_pins import pulse, start, write
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks


@cocotb.test()
async def every_cookie_is_the_models(dut):
    await start(dut, "begins")
    for turn in range(200):
        key, source = random.randbytes(16), random.getrandbits(48)
        client, instance = random.getrandbits(16), random.getrandbits(32)
        write(dut, key=int.from_bytes(key, "little"), source=source, client=client, server_instance=instance)
        await pulse(dut, dut.begins)
        # Another one may begin in the middle of one.
        clocks = random.randrange(20) if turn % 3 == 0 else 20
        for clock in range(clocks):
            await ReadOnly()
            assert not dut.done.value, clock
            await FallingEdge(dut.clk)
        if clocks == 20:
            await ReadOnly()
            assert dut.done.value
            assert int(dut.cookie.value) == net.cookie(Checks(), key, source, client, instance)
            await FallingEdge(dut.clk)
