"""rlc_replay_server_siphash: published vectors, and plain Python over random keys, messages and pauses; its clocks."""

import random

import cocotb
from bench_pins import pulse, start_clock, write
from cocotb.triggers import FallingEdge

from rlcores.cores.replay_server.checks import siphash

LATENCY = 3  # clocks from the end of a message to its hash
# The authors' vectors, vectors_sip64 of their reference code: 0, 8, 16, ... 56 bytes 00 01 02 ..., key 00 01 ... 0f.
PUBLISHED = (
    "310e0edd47db6f72", "6224939a79f5f593", "db9bc2577fcc2a3f", "94af49f6c650adb8",
    "ce7cf2722f512771", "d0a704536ba93e0e", "51a9cb9ecba312e6", "bd838d3aafbf8db7",
)  # fmt: skip


@cocotb.test()
async def hash_is_the_published_one(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    start_clock(dut.clk)
    known = [(bytes(range(16)), bytes(range(8 * n)), bytes.fromhex(mac)) for n, mac in enumerate(PUBLISHED)]
    for words in [*range(40), 255, 256, 257]:  # the length counts modulo 32 words
        key, data = rng.randbytes(16), rng.choice([rng.randbytes(8 * words), b"\xff" * 8 * words])
        known.append((key, data, siphash(key, data).to_bytes(8, "little")))
    rng.shuffle(known)
    quiet = rng.choice([0.0, 0.5])
    dut.restart.value = dut.s_valid.value = dut.s_end.value = 0
    for number, (key, data, wanted) in enumerate(known):
        dut.key.value = int.from_bytes(key, "little")
        # A restart goes before all else, also in the middle of a message or of its last rounds.
        write(dut, s_valid=number % 2, s_end=number // 2 % 2, s_data=rng.getrandbits(64))
        await pulse(dut, dut.restart)
        write(dut, "s_valid", "s_end")
        for at in range(0, len(data), 8):
            dut.s_data.value = int.from_bytes(data[at : at + 8], "little")
            await pulse(dut, dut.s_valid)
            dut.s_data.value = rng.getrandbits(64)
            assert not dut.done.value
            while rng.random() < quiet:
                await FallingEdge(dut.clk)
        dut.s_end.value = 1
        for clock in range(1, LATENCY + 1):
            assert not dut.done.value, f"{clock - 1} clocks behind the end"
            await FallingEdge(dut.clk)
            dut.s_end.value = 0
        for _ in range(rng.choice([1, 1, 5])):
            mac = int(dut.mac.value).to_bytes(8, "little")
            assert dut.done.value and mac == wanted, f"{len(data)} bytes, {key.hex()}"
            await FallingEdge(dut.clk)
        if number % 5 == 4:  # a message that is left in its middle, or in its last rounds
            dut.restart.value = 1
            await FallingEdge(dut.clk)
            dut.restart.value, dut.s_valid.value = 0, 1
            await FallingEdge(dut.clk)
            dut.s_valid.value, dut.s_end.value = 0, number // 5 % 2
            for _ in range(rng.randrange(1, 3)):
                await FallingEdge(dut.clk)
                dut.s_end.value = 0
