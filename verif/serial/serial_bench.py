"""Shared by the benches of the serial bridge: a terminal on the line, and frames written down without the driver."""

import random
import zlib
from collections import Counter, deque

from bench_hits import report
from bench_pins import start_clock
from cocotb.triggers import FallingEdge

HELLO, READ, WRITE, PUT, GET, RESET, ECHO = range(7)
OK, LINE, GAP, CRC, LENGTH, COMMAND, STREAM, REFUSED, LONG, SEQUENCE = range(10)
LAST, OVERRUN = 0x80, 0x40


def request(sequence: int, command: int, argument: int = 0, where: int = 0, words: list[int] | tuple = ()) -> bytes:
    """A good frame."""
    head = bytes((0x5A, sequence, command, argument))
    head += where.to_bytes(2, "little") + len(words).to_bytes(2, "little")
    data = head + b"".join(word.to_bytes(4, "little") for word in words)
    return data + zlib.crc32(data).to_bytes(4, "little")


class Pin:
    """A signal that is written when it changes only: an access of the simulator costs more than a clock."""

    def __init__(self, handle) -> None:
        self._handle, self._value = handle, None

    def set(self, value: int) -> None:
        if value != self._value:
            self._value = value
            self._handle.value = value

    def get(self) -> int:
        return int(self._handle.value)


class Answer:
    """A frame of the bridge, checked."""

    def __init__(self, data: bytes) -> None:
        assert data[0] == 0xA5, data.hex()
        self.sequence, self.status, self.flags = data[1:4]
        self.moved = int.from_bytes(data[4:6], "little")
        count = int.from_bytes(data[6:8], "little")
        assert len(data) == 12 + 4 * count, f"{len(data)} bytes for {count} words"
        assert zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "little"), "the CRC of an answer is wrong"
        self.words = [int.from_bytes(data[i : i + 4], "little") for i in range(8, 8 + 4 * count, 4)]


class Terminal:
    """The other end of the line, one clock at a time."""

    def __init__(self, dut) -> None:
        self.rxd, self.txd, self.clocks = Pin(dut.rxd), Pin(dut.txd), int(dut.CLOCKS_PER_BIT.value)
        self.levels: deque[tuple[int, int]] = deque()  # level and clocks of it
        self.came: list[int] = []
        self.sequence = 0
        self._samples: list[int] = []
        self._idle = 0

    def drive(self) -> None:
        level = 1
        if self.levels:
            level, left = self.levels.popleft()
            if left > 1:
                self.levels.appendleft((level, left - 1))
        self.rxd.set(level)

    def sample(self) -> None:
        level = self.txd.get()
        if self._samples or not level:
            self._samples.append(level)
        self._idle = 0 if self._samples or self.levels else self._idle + 1
        if len(self._samples) == 10 * self.clocks:
            bits = self._samples[self.clocks // 2 :: self.clocks]
            assert bits[0] == 0 and bits[9] == 1, "no byte of 8N1"
            self.came.append(sum(bit << i for i, bit in enumerate(bits[1:9])))
            self._samples = []

    def byte(self, value: int, stop: int = 1) -> None:
        """Put a byte on the line; stop 0 is a framing error."""
        for bit in (0, *(value >> i & 1 for i in range(8)), stop):
            self.levels.append((bit, self.clocks))
        if not stop:
            self.levels.append((1, 2 * self.clocks))

    def send(self, data: bytes, gaps: float = 0.0) -> None:
        """Put bytes on the line, with a pause before some."""
        for value in data:
            if random.random() < gaps:
                self.levels.append((1, random.randint(1, 5 * self.clocks)))
            self.byte(value)

    def silent(self, clocks: int) -> bool:
        """Whether nothing was sent or received for some clocks."""
        return not self.levels and self._idle >= clocks

    def quiet(self) -> None:
        self._idle = 0


class World:
    """Clock, reset, terminal and whatever else takes part."""

    def __init__(self, dut, *others) -> None:
        self.dut, self.terminal = dut, Terminal(dut)
        self.parts = (self.terminal, *others)
        self.hits: Counter[str] = Counter()
        self.sequence = 0
        self.clock = 0

    async def start(self) -> None:
        self.dut.rst.value = 1
        for part in self.parts:
            part.drive()
        start_clock(self.dut.clk)
        for _ in range(4):
            await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0
        await self.run(10)

    async def run(self, clocks: int) -> None:
        """Clocks in which each part drives its inputs and samples what the rising edge will act on.

        No output depends on an input of the same clock, so nothing has to settle in between.
        """
        for _ in range(clocks):
            for part in self.parts:
                part.drive()
            for part in self.parts:
                part.sample()
            self.clock += 1
            await FallingEdge(self.dut.clk)

    async def hear(self, limit: int = 20_000) -> Answer:
        """The next answer; fails when none comes."""
        end = self.clock + limit
        came = self.terminal.came
        while len(came) < 8 or len(came) < 12 + 4 * int.from_bytes(bytes(came[6:8]), "little"):
            assert self.clock < end, f"no answer; {bytes(came).hex()} came"
            await self.run(1)
        answer = Answer(bytes(came))
        came.clear()
        return answer

    async def ask(self, command: int, argument: int = 0, where: int = 0, words=(), *, status: int = OK) -> Answer:
        """A good request and its answer, which must have this status."""
        self.terminal.send(request(self.next(), command, argument, where, words), random.choice((0.0, 0.3)))
        answer = await self.hear()
        assert answer.sequence == self.sequence and answer.status == status, (answer.status, status)
        return answer

    def next(self) -> int:
        """The number of the next good frame."""
        self.sequence = self.sequence + 1 & 0xFF
        return self.sequence

    async def rest(self, clocks: int) -> None:
        """Until nothing moves on the line for some clocks."""
        self.terminal.quiet()
        end = self.clock + 50_000
        while not self.terminal.silent(clocks):
            assert self.clock < end, "the line does not come to rest"
            await self.run(1)

    def report(self) -> None:
        """Leave the hits where the test that started the simulation finds them."""
        report(self.hits)
