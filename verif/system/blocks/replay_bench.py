"""Shared by the benches of the replay learner's parts: valid/ready ports with random stalls, one clock at a time.

A bench writes inputs after the falling edge and samples outputs when they have settled, before the rising edge.
"""

import json
import os
import random
from collections import Counter, deque
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

Word = dict[str, int]


class Source:
    """Offers words at a port, each with its fields; without valid the fields are anything."""

    def __init__(self, dut, valid: str, ready: str, fields: dict[str, str], p: float) -> None:
        self.dut, self.valid, self.ready, self.fields, self.p = dut, valid, ready, fields, p
        self.queue: deque[Word] = deque()
        self.offering = False

    def drive(self) -> None:
        self.offering = bool(self.queue) and (self.offering or random.random() < self.p)
        getattr(self.dut, self.valid).value = int(self.offering)
        for name, signal in self.fields.items():
            handle = getattr(self.dut, signal)
            handle.value = self.queue[0][name] if self.offering else random.getrandbits(len(handle))

    def sample(self) -> Word | None:
        """The word that is taken in this clock."""
        if self.offering and (not self.ready or int(getattr(self.dut, self.ready).value)):
            self.offering = False
            return self.queue.popleft()
        return None


class Sink:
    """Takes words from a port; fails when one moves or goes away while it stalls, a clock after: the rules bound to the
    port name what was broken first."""

    def __init__(self, dut, valid: str, ready: str, fields: dict[str, str], p: float) -> None:
        self.dut, self.valid, self.ready, self.fields, self.p = dut, valid, ready, fields, p
        self.stalled: Word | None = None
        self.moved = ""
        self.hold = False  # take nothing for now
        self.shy = False  # ready only where something is offered, as AXI allows

    def drive(self) -> None:
        if self.ready:
            takes = not self.hold and random.random() < self.p
            if self.shy:
                takes = takes and int(getattr(self.dut, self.valid).value)
            getattr(self.dut, self.ready).value = int(takes)

    def sample(self) -> Word | None:
        """The word that is taken in this clock."""
        valid = int(getattr(self.dut, self.valid).value)
        ready = int(getattr(self.dut, self.ready).value) if self.ready else 1
        word = {name: int(getattr(self.dut, s).value) for name, s in self.fields.items()} if valid else None
        assert not self.moved, self.moved
        if self.stalled is not None and word != self.stalled:
            self.moved = f"{self.valid}: {self.stalled} became {word} while it stalled"
        self.stalled = word if valid and not ready else None
        return word if valid and ready else None


class Bench:
    """Clock, reset and counts of one bench."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.clock = 0
        self.hits: Counter[str] = Counter()

    async def start(self, ports: list[Source | Sink], rest: int = 1, **inputs: int) -> None:
        """Three clocks of reset with these inputs and `rest` behind it, nothing offered and nothing taken.

        AXI lets nobody offer anything at the first edge after a reset.
        """
        self.ports = ports
        for port in ports:
            quiet = port.valid if isinstance(port, Source) else port.ready
            if quiet:
                getattr(self.dut, quiet).value = 0
        for name, value in inputs.items():
            getattr(self.dut, name).value = value
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0
        for _ in range(rest):
            await FallingEdge(self.dut.clk)

    async def settle(self) -> None:
        """Drive all ports and wait until this clock's outputs stand."""
        for port in self.ports:
            port.drive()
        await ReadOnly()

    async def next(self) -> None:
        """On to the next clock."""
        self.clock += 1
        assert self.clock < 20_000, "stuck"
        await FallingEdge(self.dut.clk)

    def report(self) -> None:
        """Leave the hits where the test that started the simulation finds them."""
        path = Path(os.environ["RLCORES_RUN_DIR"], "coverage.json")
        before = Counter(json.loads(path.read_text())) if path.exists() else Counter()
        path.write_text(json.dumps(before + self.hits))


def packed(words: list[int], word_bits: int, data_bits: int) -> list[int]:
    """The beats of a record: several words a beat, or several beats a word, low bits first."""
    if data_bits >= word_bits:
        ratio = data_bits // word_bits
        groups = [words[i : i + ratio] for i in range(0, len(words), ratio)]
        return [sum(word << word_bits * i for i, word in enumerate(group)) for group in groups]
    split = -(-word_bits // data_bits)
    return [word >> data_bits * i & (1 << data_bits) - 1 for word in words for i in range(split)]
