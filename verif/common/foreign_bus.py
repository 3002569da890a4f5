"""Somebody else's bus models around a core: cocotbext-axi masters, streams and memory, as a bus that our drivers take.

A driver runs in a thread (cocotb's bridge) and calls this as it calls any bus, while the wires carry what cocotbext-axi
makes of it, with random pauses on every channel.
"""

import random
from collections import Counter
from collections.abc import Mapping

import cocotb
import numpy as np
from bench_handshake import Standing
from cocotb.task import resume
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import (
    AxiBus,
    AxiLiteBus,
    AxiLiteMaster,
    AxiLiteRam,
    AxiRam,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

from rlcores.buses.bus import BusError

REACH = 1 << 62  # bytes of a memory, after which AxiRam begins again: it has no larger ones


def pauses(share: float):
    """Whether a channel pauses, clock by clock."""
    while True:
        yield random.random() < share


def slow(model, share: float) -> None:
    """Pauses on every channel of a master or memory, and on a stream; only errors are told."""
    for side in (model.write_if, model.read_if) if hasattr(model, "write_if") else (model,):
        channels = [getattr(side, name) for name in vars(side) if name.endswith("_channel")]
        for channel in channels or [side]:
            channel.set_pause_generator(pauses(share))
            channel.log.setLevel("ERROR")
        side.log.setLevel("ERROR")


# A channel's signals beside valid and ready, as far as a port has them.
_ADDRESS = ("addr", "prot", "id", "len", "size", "burst", "cache")
_WORD = {
    **{"aw": _ADDRESS, "w": ("data", "strb", "last"), "b": ("id", "resp")},
    **{"ar": _ADDRESS, "r": ("id", "data", "resp", "last"), "t": ("data", "last")},
}


async def watch(dut, hits: Counter, *ports: str, rst=None) -> None:
    """Count, for each channel of these ports, the words that moved and the clocks in which one waited, and the resets.

    A word that waits must stand still. "resets in traffic" are those that found a word waiting.
    """
    rst = dut.rst if rst is None else rst
    channels = []
    for port in ports:
        for channel, word in _WORD.items():
            name = f"{port}_{channel}"
            if hasattr(dut, f"{name}valid"):
                signals = [getattr(dut, name + part) for part in word if hasattr(dut, name + part)]
                channels.append((Standing(name), getattr(dut, f"{name}valid"), getattr(dut, f"{name}ready"), signals))
    assert channels, f"no channel at {ports}"
    was = 1
    edge = RisingEdge(dut.clk)
    while True:
        await edge
        now = int(rst.value)
        if now:
            hits["resets"] += not was
            hits["resets in traffic"] += any(standing.offered is not None for standing, *_ in channels)
            was = 1
            for standing, *_ in channels:
                standing.forget()
            continue
        was = 0
        for standing, valid, ready, signals in channels:
            offered = int(valid.value)
            word = tuple(str(signal.value) for signal in signals) if offered else None
            if standing.look(offered, ready.value, word):
                hits[f"{standing.name} moved"] += 1
            elif offered:
                hits[f"{standing.name} waited"] += 1


class LiteRam:
    """cocotbext-axi's AxiLiteRam behind a core's AXI4-Lite master. Addresses in `bad` are answered with SLVERR."""

    def __init__(self, dut, prefix: str, share: float, size: int, rst=None) -> None:
        reset = dut.rst if rst is None else rst
        self.ram = AxiLiteRam(AxiLiteBus.from_prefix(dut, prefix), dut.clk, reset, size=size)
        slow(self.ram, share)
        self.bad: set[int] = set()
        self.writes = self.reads = 0  # words, those refused included
        read, write = self.ram.read_if._read, self.ram.write_if._write

        async def picky_read(address: int, length: int) -> bytes:
            self.reads += 1
            if address in self.bad:
                raise ValueError(address)
            return await read(address, length)

        async def picky_write(address: int, data: bytes) -> None:
            self.writes += 1
            if address & ~3 in self.bad:
                raise ValueError(address)
            await write(address, data)

        self.ram.read_if._read, self.ram.write_if._write = picky_read, picky_write


class Ram:
    """cocotbext-axi's AxiRam behind the core's master; implements rlcores.buses.bus.Memory.

    AxiRam answers reads one after the other. Here several of its readers work side by side and take their time: beats
    of different IDs mix and overtake each other. Addresses in `bad` are answered with SLVERR.
    """

    def __init__(self, dut, prefix: str, share: float, readers: int) -> None:
        self.ram = AxiRam(AxiBus.from_prefix(dut, prefix), dut.clk, dut.rst, size=REACH)
        self.bad: set[int] = set()
        self.reads: list[int] = []  # the IDs of beats as they leave
        self._clk, self._late = dut.clk, share > 0
        slow(self.ram, share)
        read, write = self.ram.read_if._read, self.ram.write_if._write

        async def slow_read(address: int, length: int) -> bytes:
            if self._late:
                await ClockCycles(self._clk, random.choice((1, 1, 2, 5, 40)))
            if address in self.bad:
                raise ValueError(address)
            return await read(address, length)

        async def picky_write(address: int, data: bytes) -> None:
            if address in self.bad:
                raise ValueError(address)
            await write(address, data)

        self.ram.read_if._read, self.ram.write_if._write = slow_read, picky_write
        self._others, self._readers = [], readers

    def restart(self) -> None:
        """After a reset, which AxiRam sees by itself: its other readers are gone, new ones begin."""
        for task in self._others:
            task.cancel()
        reader = self.ram.read_if._process_read
        self._others = [cocotb.start_soon(reader()) for _ in range(self._readers - 1)]

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on."""
        return np.frombuffer(self.ram.read(address % REACH, count), np.uint8).copy()

    def poke(self, address: int, data: np.ndarray) -> None:
        """Set bytes from an address on."""
        self.ram.write(address % REACH, np.ascontiguousarray(data, np.uint8).tobytes())


class ForeignBus:
    """A core with AXI4-Lite at s_axil, streams, an interrupt and perhaps a memory; implements MemoryBus."""

    def __init__(
        self, dut, sources: tuple[str, ...], sinks: tuple[str, ...], *, share: float, memory: str | None = None
    ) -> None:
        """share: of the clocks in which a channel pauses, 0 to below 1. memory: prefix of the core's AXI4 master."""
        self.dut = dut
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.sources = {n: AxiStreamSource(AxiStreamBus.from_prefix(dut, n), dut.clk, dut.rst) for n in sources}
        self.sinks = {n: AxiStreamSink(AxiStreamBus.from_prefix(dut, n), dut.clk, dut.rst) for n in sinks}
        self.words = {n: len(getattr(dut, f"{n}_tdata")) for n in (*sources, *sinks)}  # bits of a beat
        for model in (self.master, *self.sources.values(), *self.sinks.values()):
            slow(model, share)
        self.memory = Ram(dut, memory, share, readers=4) if memory else None
        self._rest: dict[str, bytes] = {}  # of a sink, taken and not asked for yet
        self.read, self.write = resume(self._read), resume(self._write)
        self.transfer, self.wait_irq, self.reset, self.run = (
            resume(self._transfer), resume(self._wait_irq), resume(self._reset), resume(self._run),
        )  # fmt: skip

    def send(self, beats: np.ndarray) -> None:
        """One packet to the first source."""
        self.transfer({next(iter(self.sources)): beats}, {})

    def receive(self, capacity: int) -> np.ndarray:
        """Beats from the first sink."""
        name = next(iter(self.sinks))
        return self.transfer({}, {name: capacity})[name]

    async def _reset(self) -> None:
        """A reset of one to four clocks; whatever was on its way is forgotten on both sides."""
        for stream in (*self.sources.values(), *self.sinks.values()):
            stream.clear()
        self._rest = {}
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, random.randint(1, 4))
        self.dut.rst.value = 0
        if self.memory:
            self.memory.restart()
        await ClockCycles(self.dut.clk, 2)

    async def _run(self, clocks: int) -> None:
        await ClockCycles(self.dut.clk, clocks)

    def _okay(self, answer, what: str) -> None:
        if int(answer.resp):
            raise BusError(f"the {what} was answered with response {int(answer.resp)}")

    async def _read(self, address: int) -> int:
        answer = await with_timeout(self.master.read(address, 4), 1, "ms")
        self._okay(answer, f"read of 0x{address:X}")
        return int.from_bytes(answer.data, "little")

    async def _write(self, address: int, value: int) -> None:
        data = (value & 0xFFFFFFFF).to_bytes(4, "little")
        self._okay(await with_timeout(self.master.write(address, data), 1, "ms"), f"write of 0x{address:X}")

    async def _transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        for name, beats in give.items():
            await self.sources[name].send(AxiStreamFrame(np.ascontiguousarray(beats).tobytes()))
        taken = {}
        for name, count in take.items():
            size = self.words[name] // 8
            data = self._rest.pop(name, b"")
            while len(data) < count * size:
                data += bytes((await with_timeout(self.sinks[name].recv(), 20, "ms")).tdata)
            self._rest[name] = data[count * size :]
            kind = np.uint32 if size % 8 else np.uint64
            taken[name] = np.frombuffer(data[: count * size], kind).reshape(count, -1)
        for name in give:
            await with_timeout(self.sources[name].wait(), 20, "ms")
        return taken

    async def _wait_irq(self) -> None:
        for _ in range(200_000):
            await RisingEdge(self.dut.clk)
            if int(self.dut.irq.value):
                return
        raise BusError("no interrupt came")
