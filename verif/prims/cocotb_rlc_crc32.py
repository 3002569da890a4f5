"""rlc_crc32: the CRC of zlib, and its residue behind data with their CRC."""

import random
import zlib

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def crc_is_that_of_zlib(dut):
    async def run(data: bytes) -> int:
        crc = 0xFFFFFFFF
        for byte in data:
            dut.crc_in.value, dut.data.value = crc, byte
            await Timer(1, "ns")
            crc = int(dut.crc_out.value)
        return crc

    for length in (1, 2, 9, 60):
        data = random.randbytes(length)
        assert await run(data) ^ 0xFFFFFFFF == zlib.crc32(data)
        assert await run(data + zlib.crc32(data).to_bytes(4, "little")) == 0xDEBB20E3
    assert await run(b"123456789") ^ 0xFFFFFFFF == 0xCBF43926
