"""Shared by the benches of the replay learner's parts: valid/ready ports with random stalls, one clock at a time."""

from collections import Counter

from bench_handshake import Sink, Source
from bench_hits import report
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


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
            port.rest()
        await start(self.dut, rest=rest, **inputs)

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
        report(self.hits)


def packed(words: list[int], word_bits: int, data_bits: int) -> list[int]:
    """The beats of a record: several words a beat, or several beats a word, low bits first."""
    if data_bits >= word_bits:
        ratio = data_bits // word_bits
        groups = [words[i : i + ratio] for i in range(0, len(words), ratio)]
        return [sum(word << word_bits * i for i, word in enumerate(group)) for group in groups]
    split = -(-word_bits // data_bits)
    return [word >> data_bits * i & (1 << data_bits) - 1 for word in words for i in range(split)]
