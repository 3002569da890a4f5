"""A stand-in of the package pynq: the calls that the back end makes, on simulated hardware.

What a caller may get wrong is as on the board. Buffers are cached: the CPU's copy and the memory's differ until
flush() and invalidate(). An AXI DMA (PG021, simple mode) ends a receive with TLAST, fails when a packet is longer than
its buffer, fails for a length of 0, is idle only after its first transfer, and stands still after an error until it is
reset; its reset is in the registers of a channel that it has. A channel that is asked to start while it works raises
RuntimeError, and memory under a DMA that still moves cannot be given back. An interrupt is heard in the event loop in
which its object was made, and in no other.
"""

import asyncio
import types

import numpy as np
from hardware import Hardware, Move

_INTERNAL = 0x10  # DMASR.DMAIntErr
_MAX = (1 << 26) - 1


class Buffer(np.ndarray):
    """What pynq.allocate gives: the CPU's view, with the memory behind it."""

    def flush(self) -> None:
        self.memory[:] = np.asarray(self)

    def invalidate(self) -> None:
        np.asarray(self)[:] = self.memory

    def freebuffer(self) -> None:
        assert not self.freed, "a buffer was freed twice"
        assert self.mover is None or not self.mover.moving, "a DMA still moves data of a freed buffer"
        self.freed.append(True)


class Channel:
    """sendchannel or recvchannel of a pynq.lib.dma.DMA."""

    def __init__(self, hardware: Hardware, port: str, sends: bool, most: int) -> None:
        self._hardware, self._port, self._sends, self._most = hardware, port, sends, most
        self.transferred = 0
        self.start()

    def start(self) -> None:
        self.running, self._fresh, self._status = True, True, 0
        self._move: Move | None = None
        self._buffer: Buffer | None = None

    def reset(self) -> None:
        moves = self._hardware.gives if self._sends else self._hardware.takes
        moves.pop(self._port, None)
        self.running, self._move, self._status = False, None, 0

    @property
    def moving(self) -> bool:
        return self._move is not None and not self._over()

    def _over(self) -> bool:
        self._hardware.step()
        move = self._move
        if move is not None and not self._status and not self._sends and move.full and not move.last:
            self._status = _INTERNAL  # the packet goes on beyond the buffer
        return move is not None and (move.full or move.last)

    @property
    def idle(self) -> bool:
        return self._over() and not self._status

    @property
    def error(self) -> bool:
        self._over()
        return bool(self._status)

    def transfer(self, array: Buffer, start: int = 0, nbytes: int = 0) -> None:
        if not self.running:
            raise RuntimeError("DMA channel not started")
        if not self._fresh and not self.idle:
            raise RuntimeError("DMA channel not idle")
        nbytes = nbytes or array.nbytes - start
        if nbytes > self._most:
            raise ValueError(f"Transfer size is {nbytes} bytes, which exceeds the maximum DMA buffer size")
        assert start + nbytes <= array.nbytes and not array.freed
        self._fresh = False
        self._buffer, array.mover = array, self
        if self._sends:
            array.flush()
            self._move = self._hardware.give(self._port, array.memory[start : start + nbytes])
        else:
            self._move = self._hardware.take(self._port, array.memory[start : start + nbytes])

    def wait(self) -> None:
        while True:
            if self.error:
                self.running = False
                raise RuntimeError("DMA Internal Error (transfer length 0?)")
            if self.idle:
                break
        if not self._sends:
            self._buffer.invalidate()
        self.transferred = self._move.done


class Dma:
    """One AXI DMA; either channel may be absent."""

    def __init__(self, hardware: Hardware, source: str | None, sink: str | None, most: int = _MAX) -> None:
        self.buffer_max_size = most
        self.resets = 0
        self.sendchannel = Channel(hardware, source, True, most) if source else None
        self.recvchannel = Channel(hardware, sink, False, most) if sink else None
        self._channels = {0x00: self.sendchannel, 0x30: self.recvchannel}

    def read(self, offset: int) -> int:
        assert offset in self._channels
        return 0

    def write(self, offset: int, value: int) -> None:
        assert value == 4, "only a reset is written"
        if self._channels[offset] is None:
            return  # no register is there
        self.resets += 1
        for channel in self._channels.values():
            if channel is not None:
                channel.reset()


class Registers:
    """The core's register port in the overlay."""

    def __init__(self, hardware: Hardware) -> None:
        self.read, self.write = hardware.read, self._write
        self._hardware = hardware

    def _write(self, offset: int, value: int) -> None:
        assert type(value) is int and 0 <= value < 1 << 32, "pynq takes plain ints, none negative"
        self._hardware.write(offset, value)


class Interrupt:
    """pynq.Interrupt on the core's line, which is a level."""

    def __init__(self, hardware: Hardware, pin: str) -> None:
        if pin != "core/irq":
            raise ValueError(f"No Pin of name {pin} found")
        self._hardware = hardware
        self._loop = asyncio.get_running_loop()
        self.heard = 0

    async def wait(self) -> None:
        while asyncio.get_running_loop() is not self._loop or not self._hardware.irq():
            await asyncio.sleep(0.001)
        self.heard += 1


def package(hardware: Hardware, *, most: int = _MAX) -> types.ModuleType:
    """A module to stand for pynq. Its overlay has a core `core` and, for the i-th source and sink, the DMA `dma_i`."""
    bus = hardware.bus
    pynq = types.ModuleType("pynq")
    pynq.buffers = []
    pynq.lines = []

    def overlay(path: str):
        assert path == "core.bit"
        loaded = types.SimpleNamespace(core=Registers(hardware), streams=types.SimpleNamespace())
        sources, sinks = list(bus._sources), list(bus._sinks)
        for i in range(max(len(sources), len(sinks))):
            ends = (names[i] if i < len(names) else None for names in (sources, sinks))
            setattr(loaded.streams, f"dma_{i}", Dma(hardware, *ends, most))
        loaded.ip_dict = {"core": {}} | {f"streams/{name}": {} for name in vars(loaded.streams)}
        return loaded

    def allocate(shape, dtype) -> Buffer:
        # Neither copy starts as zeros, so that nobody relies on it.
        buffer = np.full(shape, 0xA5, dtype).view(Buffer)
        buffer.memory = np.full(shape, 0x5A, dtype)
        buffer.freed = []
        buffer.mover = None
        pynq.buffers.append(buffer)
        return buffer

    def interrupt(pin: str) -> Interrupt:
        pynq.lines.append(Interrupt(hardware, pin))
        return pynq.lines[-1]

    pynq.Overlay, pynq.allocate, pynq.Interrupt = overlay, allocate, interrupt
    return pynq
