"""Datagrams at the UDP port of a server: given beat by beat, and taken whole, each as `share` says."""

import random

from bench_handshake import Sink, Source, port

BEAT = ("tdata", "tkeep", "tlast")
FIELDS = (*BEAT, "length", "addr", "port")


def beats(data: bytes, width: int) -> list[tuple[int, int, int]]:
    """Data, keep and last of a datagram; one of 0 bytes is a beat without any."""
    cut = [data[at : at + width] for at in range(0, max(len(data), 1), width)]
    last = len(cut) - 1
    return [(int.from_bytes(x, "little"), (1 << len(x)) - 1, int(n == last)) for n, x in enumerate(cut)]


def ports(source: int) -> tuple[int, int]:
    """Address and port of a source."""
    return source & 0xFFFFFFFF, source >> 32


class Requests(Source):
    """What comes to the server."""

    def __init__(self, dut, share: float = 1.0, rng=random) -> None:
        super().__init__(dut, *port("s_udp", (*BEAT, "addr", "port"), "t"), share, rng)
        self._width = len(dut.s_udp_tkeep)

    def give(self, data: bytes, address: int = 0, number: int = 0) -> None:
        """A datagram from an address and a port."""
        for beat in beats(data, self._width):
            self.queue.append({**dict(zip(BEAT, beat, strict=True)), "addr": address, "port": number})


class Answers(Sink):
    """What the server says: whole datagrams, none in another, each beat with the same destination and length."""

    def __init__(self, dut, share: float = 1.0, rng=random, names=port("m_udp", FIELDS, "t")) -> None:
        super().__init__(dut, *names, share, rng)
        self._width = len(self.fields["tdata"]) // 8
        self._got, self._about = bytearray(), None

    @property
    def inside(self) -> bool:
        """A datagram has begun and not ended."""
        return bool(self._got)

    def datagram(self) -> tuple[bytes, tuple[int, int]] | None:
        """A datagram, and the address and port it is for, when its last beat is taken in this clock."""
        beat = self.sample()
        if beat is None:
            return None
        kept = beat["tkeep"].bit_length()
        assert beat["tkeep"] == (1 << kept) - 1 and kept and (kept == self._width or beat["tlast"]), "tkeep has holes"
        self._got += beat["tdata"].to_bytes(self._width, "little")[:kept]
        about = beat["length"], beat["addr"], beat["port"]
        assert self._about in (None, about), "length or destination changed in an answer"
        self._about = about
        if not beat["tlast"]:
            return None
        answer, self._about = bytes(self._got), None
        self._got.clear()
        assert about[0] == len(answer), f"an answer of {len(answer)} bytes says {about[0]}"
        return answer, about[1:]

    def clear(self) -> None:
        """As Sink.clear."""
        super().clear()
        self._got.clear()
        self._about = None
