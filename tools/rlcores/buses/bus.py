"""How a driver reaches a core: registers, streams and an interrupt, whatever is underneath."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from rlcores.errors import RunFailed, UserError


class BusError(RunFailed):
    """The core did not answer, answered with an error, or broke the bus protocol; the message says which."""


class Bus(Protocol):
    """Registers by byte address, one stream each way, one interrupt. Every driver is written against this.

    timeout, where there is one, is how many seconds a core may stand still before a driver gives up.

    Beats are uint64 arrays (beats, words a beat), the first word of a row in the low bits of TDATA; uint32 where TDATA
    is not a multiple of 64 bits. Methods raise BusError when the core does not answer.
    """

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word."""

    def send(self, beats: np.ndarray) -> None:
        """Send one pass: TLAST goes with the last beat. Returns when the core has taken it."""

    def receive(self, capacity: int) -> np.ndarray:
        """Take beats up to and with TLAST. BusError when more than `capacity` come."""

    def exchange(self, beats: np.ndarray, count: int) -> np.ndarray:
        """Send one pass, and at the same time take one of `count` beats, up to and with TLAST."""

    def wait_irq(self) -> None:
        """Return when the interrupt is high. Where there is no interrupt line, poll the core's IRQ_STATUS."""


class StreamsBus(Bus, Protocol):
    """A bus to a core with several streams, by the names of their ports."""

    def transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Serve several streams at the same time.

        give: one pass for each source; TLAST goes with its last beat. take: how many beats to take from each sink,
        whatever their TLAST. Returns what was taken, by the sink's name.
        """


class Beats:
    """The beats of one stream as arrays: uint64 (beats, words), or uint32 where a beat is no multiple of 64 bits."""

    def __init__(self, bits: int) -> None:
        """bits: of a beat, a multiple of 32."""
        self.type, word = (np.uint32, 32) if bits % 64 else (np.uint64, 64)
        self.words, self.bytes = bits // word, bits // 8

    def checked(self, beats: np.ndarray) -> np.ndarray:
        """What a user gives, in one piece of memory. Raises UserError for another shape."""
        beats = np.ascontiguousarray(beats, self.type)
        if beats.ndim != 2 or beats.shape[1] != self.words:
            raise UserError(f"beats have shape {beats.shape}; this stream takes (beats, {self.words}) words")
        return beats

    def of(self, data: np.ndarray) -> np.ndarray:
        """Beats of what a stream gave, an array of bytes or words of 32 bits."""
        return data.view(self.type).reshape(-1, self.words)


class Memory(Protocol):
    """The memory behind a core's AXI4 master as the host sees it, by its address in bytes."""

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on, uint8 (count,)."""

    def poke(self, address: int, data: np.ndarray) -> None:
        """Set bytes from an address on, uint8 (count,)."""


class MemoryBus(StreamsBus, Protocol):
    """A bus to a core with several streams and a memory of its own."""

    memory: Memory


class MemoriesBus(StreamsBus, Protocol):
    """A bus to a core with several streams and a memory for each of its AXI4 masters."""

    memories: Sequence[Memory]


class Window:
    """A part of a bus: the registers from a byte address on, and all else as it is. Implements StreamsBus.

    For a core inside another one, whose driver knows its own addresses.
    """

    def __init__(self, bus: StreamsBus, offset: int) -> None:
        """offset: the byte address that becomes 0."""
        self.bus, self.offset = bus, offset
        self.send, self.receive, self.wait_irq, self.transfer = bus.send, bus.receive, bus.wait_irq, bus.transfer
        self.timeout = getattr(bus, "timeout", math.inf)

    def read(self, address: int) -> int:
        return self.bus.read(self.offset + address)

    def write(self, address: int, value: int) -> None:
        self.bus.write(self.offset + address, value)

    def exchange(self, beats: np.ndarray, count: int) -> np.ndarray:
        return self.bus.exchange(beats, count)
