"""A memory behind an AXI4 master of 64 bits, as unkind as AXI4 allows to a master that mistakes its order.

A write is seen when its answer is taken and not before; a read finds what is there when it is asked for. All channels
stall.
"""

import random
from collections import deque

from bench_handshake import Standing

QUIET = ("awready", "wready", "bvalid", "arready", "rvalid", "bresp", "rresp", "bid", "rid", "rdata", "rlast")
CHANNELS = {"aw": ("addr", "len", "size", "burst", "id"), "ar": ("addr", "len", "size", "burst", "id")}


class AxiMemory:
    """The memory at m_axi_* of `dut`. `drive` before and `take` after the values have settled, once a clock."""

    def __init__(self, dut, rng: random.Random, base: int, size: int, likely: float, latency: int = 0) -> None:
        """base, size: bytes that the master may touch. likely: chance of each channel to go on in a clock.

        latency: clocks from a request to its first beat, or to its answer.
        """
        self.dut, self.rng, self.base, self.size = dut, rng, base, size
        self.likely, self.latency = likely, latency
        self.words: dict[int, int] = {}
        self.clock = 0
        self.asked: deque = deque()  # write bursts: address, beats
        self.came: deque = deque()  # words
        self.written: deque = deque()  # bursts that are whole: when, their words
        self.reads: deque = deque()  # read beats: when, address, last
        self.r = self.b = False
        self._standing = {name: Standing(f"m_axi_{name}") for name in (*CHANNELS, "w")}
        self.bursts = {"aw": 0, "ar": 0}
        for name in (
            "awready",
            "wready",
            "bvalid",
            "arready",
            "rvalid",
            "bresp",
            "rresp",
            "bid",
            "rid",
            "rdata",
            "rlast",
        ):
            getattr(dut, f"m_axi_{name}").value = 0

    def drive(self) -> None:
        """What the memory says in this clock."""
        dut, rng = self.dut, self.rng
        for name in ("awready", "wready", "arready"):
            getattr(dut, f"m_axi_{name}").value = int(rng.random() < self.likely)
        due = bool(self.written) and self.written[0][0] <= self.clock
        self.b = due and (self.b or rng.random() < self.likely)
        dut.m_axi_bvalid.value = int(self.b)
        due = bool(self.reads) and self.reads[0][0] <= self.clock
        self.r = due and (self.r or rng.random() < self.likely)
        dut.m_axi_rvalid.value = int(self.r)
        if self.r:
            dut.m_axi_rdata.value, dut.m_axi_rlast.value = self.reads[0][1:]

    def take(self) -> None:
        """What went by in this clock."""
        dut = self.dut
        for name in CHANNELS:
            beat = self._beat(name, CHANNELS[name])
            if beat is None:
                continue
            address, length, size, burst, number = beat
            assert (size, burst, number) == (3, 1, 0) and address % 8 == 0
            end = address + 8 * (length + 1)
            assert self.base <= address and end <= self.base + self.size, f"{name} {address:#x} is beyond the memory"
            assert address // 4096 == (end - 1) // 4096, f"{name} {address:#x} crosses 4096 bytes"
            self.bursts[name] += 1
            beats = range(address, end, 8)
            if name == "aw":
                self.asked.append(list(beats))
            else:
                for at in beats:  # what was never written is anything
                    word = self.words.get(at, self.rng.getrandbits(64))
                    self.reads.append((self.clock + self.latency, word, int(at == beats[-1])))
        beat = self._beat("w", ("data", "strb", "last"))
        if beat is not None:
            assert beat[1] == 0xFF
            self.came.append(beat)
        while self.asked and len(self.came) >= len(self.asked[0]):
            beats = self.asked.popleft()
            words = [self.came.popleft() for _ in beats]
            assert [last for _, _, last in words] == [0] * (len(beats) - 1) + [1], "WLAST is not with the last beat"
            self.written.append((self.clock + self.latency, list(zip(beats, [w for w, _, _ in words], strict=True))))
        if self.b and dut.m_axi_bready.value:
            self.words.update(self.written.popleft()[1])
            self.b = False
        if self.r and dut.m_axi_rready.value:
            self.reads.popleft()
            self.r = False
        self.clock += 1

    def _beat(self, name: str, fields: tuple[str, ...]) -> tuple | None:
        def pin(field: str) -> int:
            return int(getattr(self.dut, f"m_axi_{name}{field}").value)

        valid = pin("valid")
        beat = tuple(map(pin, fields)) if valid else None
        return beat if self._standing[name].look(valid, pin("ready"), beat) else None
