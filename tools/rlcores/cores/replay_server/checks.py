"""The checks at the end of a frame: CRC32C, and SipHash-2-4 with a key; as plain Python, to be read.

CRC32C: RFC 3720, appendix B.4. SipHash: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF",
INDOCRYPT 2012.
"""

from collections.abc import Callable
from dataclasses import dataclass

_64 = 2**64 - 1


def _table() -> tuple[int, ...]:
    rows = []
    for row in range(256):
        for _ in range(8):
            row = row >> 1 ^ (0x82F63B78 if row & 1 else 0)
        rows.append(row)
    return tuple(rows)


_TABLE = _table()


def crc32c(data: bytes) -> int:
    """CRC32C of bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def siphash(key: bytes, data: bytes) -> int:
    """SipHash-2-4 of bytes with a key of 16 bytes: 64 bits.

    >>> hex(siphash(bytes(range(16)), bytes(range(15))))
    '0xa129ca6149be45e5'
    """
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]
    end = len(data) // 8 * 8
    words = [int.from_bytes(data[i : i + 8], "little") for i in range(0, end, 8)]
    words.append(int.from_bytes(data[end:], "little") | (len(data) & 255) << 56)
    for word in words:
        v[3] ^= word
        _rounds(v, 2)
        v[0] ^= word
    v[2] ^= 255
    _rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _rounds(v: list[int], count: int) -> None:
    a, b, c, d = v
    for _ in range(count):
        a = a + b & _64
        c = c + d & _64
        b = _rotated(b, 13) ^ a
        d = _rotated(d, 16) ^ c
        a = _rotated(a, 32)
        c = c + b & _64
        a = a + d & _64
        b = _rotated(b, 17) ^ c
        d = _rotated(d, 21) ^ a
        c = _rotated(c, 32)
    v[:] = a, b, c, d


def _rotated(x: int, by: int) -> int:
    return (x << by | x >> (64 - by)) & _64


@dataclass(frozen=True)
class Checks:
    """How frames are checked: with which key, if any, and by which functions."""

    key: bytes | None = None
    crc32c: Callable[[bytes], int] = crc32c
    siphash: Callable[[bytes, bytes], int] = siphash

    def __post_init__(self) -> None:
        """Raises ValueError when the key has another length."""
        if self.key is not None and len(self.key) != 16:
            raise ValueError(f"the key has {len(self.key)} bytes; it must have 16")

    @property
    def length(self) -> int:
        """Bytes behind the payload."""
        return 8 if self.key is None else 16

    def seal(self, body: bytes) -> bytes:
        """Header and payload with what follows them."""
        if self.key is not None:
            body += self.siphash(self.key, body).to_bytes(8, "little")
        return body + self.crc32c(body).to_bytes(8, "little")
