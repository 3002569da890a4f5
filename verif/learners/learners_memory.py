"""Memories behind the AXI4 masters of several learners: a slice of each port a learner, random pauses and orders."""

import random
from collections import deque
from collections.abc import Mapping

import numpy as np
from cocotb.triggers import ReadOnly, RisingEdge


class Memories:
    """A memory for each learner, which answers when run() does."""

    def __init__(self, dut, core: Mapping[str, int | str], likely: float, latest: int) -> None:
        """core: parameters. likely: chance of a channel to go on in a clock; latest: clocks of the last read."""
        self.dut = dut
        self.widths = {"addr": int(core["ADDR_WIDTH"]), "data": int(core["DATA_WIDTH"])}
        self.widths["id"] = (int(core["READS"]) - 1).bit_length() + 2
        self.parts = [Part(self.widths["data"], likely, latest) for _ in range(int(core["LEARNERS"]))]

    def _slices(self, name: str, bits: int) -> list[int]:
        value, mask = int(getattr(self.dut, f"m_axi_{name}").value), (1 << bits) - 1
        return [value >> (n * bits) & mask for n in range(len(self.parts))]

    def _slice(self, name: str, bits: int, part: int) -> int:
        """Of one learner: a payload is defined only where its valid is, and Icarus shows it."""
        return int(getattr(self.dut, f"m_axi_{name}").value[(part + 1) * bits - 1 : part * bits])

    def _drive(self, name: str, values: list[int], bits: int = 1) -> None:
        getattr(self.dut, f"m_axi_{name}").value = sum(value << (n * bits) for n, value in enumerate(values))

    async def run(self) -> None:
        """Answer for ever."""
        w, dut = self.widths, self.dut
        edge, read_only = RisingEdge(dut.clk), ReadOnly()
        ready = {name: [0] * len(self.parts) for name in ("aw", "w", "ar")}
        while True:
            for name, value in ready.items():
                self._drive(f"{name}ready", value)
            answers = [part.answer for part in self.parts]
            self._drive("rvalid", [int(a is not None) for a in answers])
            for name, at, bits in (("rid", 0, w["id"]), ("rdata", 1, w["data"]), ("rlast", 2, 1)):
                self._drive(name, [a[at] if a else 0 for a in answers], bits)
            self._drive("rresp", [0] * len(self.parts))
            self._drive("bresp", [0] * len(self.parts))
            self._drive("bvalid", [int(part.wrote > 0) for part in self.parts])
            self._drive("bid", [part.write_id for part in self.parts], w["id"])
            await read_only
            if int(dut.rst.value):
                for part in self.parts:
                    part.forget()
            else:
                self._take(ready)
            await edge
            ready = {name: [int(random.random() < part.likely) for part in self.parts] for name in ready}

    def _take(self, ready: dict[str, list[int]]) -> None:
        w = self.widths
        asked = {"addr": w["addr"], "len": 8, "id": w["id"]}
        for name in ("aw", "ar"):
            valid = self._slices(f"{name}valid", 1)
            for n, part in enumerate(self.parts):
                if valid[n] and ready[name][n]:
                    part.asked(name, *(self._slice(name + field, bits, n) for field, bits in asked.items()))
        valid = self._slices("wvalid", 1)
        for n, part in enumerate(self.parts):
            if valid[n] and ready["w"][n]:
                part.beats.append((self._slice("wdata", w["data"], n), self._slice("wlast", 1, n)))
        b_ready, r_ready = self._slices("bready", 1), self._slices("rready", 1)
        for n, part in enumerate(self.parts):
            if part.wrote and b_ready[n]:
                part.wrote -= 1
            if part.answer and r_ready[n]:
                part.answer = None
            part.work()


class Part:
    """The memory of one learner; implements what rlcores.buses.bus.Memory needs of one.

    likely, latest: as of Memories; they may be changed at any time.
    """

    def __init__(self, width: int, likely: float, latest: int) -> None:
        self.likely, self.latest, self._bytes = likely, latest, width // 8
        self.words: dict[int, int] = {}
        self.forget()

    def forget(self) -> None:
        """After a reset: what was asked."""
        self.writes: deque = deque()
        self.beats: deque = deque()
        self.reads: list[list] = []  # clocks to wait, id, addresses
        self.answer: tuple[int, int, int] | None = None
        self.wrote = self.write_id = 0

    def asked(self, name: str, address: int, length: int, number: int) -> None:
        """A burst of reads or writes."""
        beats = [address + self._bytes * n for n in range(length + 1)]
        if name == "aw":
            self.write_id = number
            self.writes.append(beats)
        else:
            self.reads.append([random.randint(0, self.latest), number, beats])

    def work(self) -> None:
        """A clock."""
        while self.writes and len(self.beats) >= len(self.writes[0]):
            burst = self.writes.popleft()
            for at in burst:
                self.words[at], last = self.beats.popleft()
                assert last == (at == burst[-1]), "WLAST is not with the last beat"
            self.wrote += 1
        for one in self.reads:
            one[0] -= 1
        due = [one for one in self.reads if one[0] < 0]
        if self.answer is None and due and random.random() < self.likely:
            one = random.choice(due)
            at = one[2].pop(0)
            self.answer = one[1], self.words.get(at, 0), int(not one[2])
            if not one[2]:
                self.reads.remove(one)

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on."""
        beats = range(address, address + count, self._bytes)
        data = b"".join(self.words.get(at, 0).to_bytes(self._bytes, "little") for at in beats)
        return np.frombuffer(data[:count], np.uint8).copy()
