"""rlc_replay_server_crc32c: published vectors, and the bytewise CRC32C over random bytes."""

import random

import cocotb
from cocotb.triggers import Timer

from rlcores.cores.replay_server.checks import crc32c

# RFC 3720, appendix B.4.
PUBLISHED = {
    bytes(32): 0x8A9136AA,
    b"\xff" * 32: 0x62A8AB43,
    bytes(range(32)): 0x46DD794E,
    bytes(range(31, -1, -1)): 0x113FDB5C,
}


@cocotb.test()
async def crc_is_the_published_one(dut):
    width = len(dut.data) // 8
    known = [(data, crc) for data, crc in PUBLISHED.items() if len(data) % width == 0]
    assert len(known) == len(PUBLISHED) or width > 32
    texts = [random.randbytes(width * random.randrange(1, 9)) for _ in range(200)]
    for data, wanted in [*known, *((data, crc32c(data)) for data in texts)]:
        crc = 0xFFFFFFFF
        for at in range(0, len(data), width):
            dut.crc_in.value, dut.data.value = crc, int.from_bytes(data[at : at + width], "little")
            await Timer(1, "ns")
            crc = int(dut.crc_out.value)
        assert crc ^ 0xFFFFFFFF == wanted, data.hex()
