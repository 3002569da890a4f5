"""A core in the programmable logic of a Zynq board, through the PYNQ package: registers by MMIO, streams by AXI DMA."""

import asyncio
import contextlib
import functools
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.buses.board import BoardBus, Interrupt, Sink, Source, within
from rlcores.buses.bus import BusError, Memory
from rlcores.errors import RunFailed, UserError

_LEAST = 1 << 16  # bytes of the smallest buffer
_MMIO_ERRORS = (OSError, RuntimeError, ValueError, LookupError, MemoryError)  # what pynq.MMIO raises


class _Buffer:
    """A contiguous buffer that grows when needed and is used again otherwise."""

    def __init__(self, allocate) -> None:
        self._allocate = allocate
        self.array: Any = None

    def of(self, size: int, most: int):
        """The buffer, with at least `size` bytes, and no more than `most` when it has to grow."""
        if self.array is None or self.array.nbytes < size:
            self.free()
            room = min(max(_LEAST, 1 << (size - 1).bit_length()), max(most, size))
            try:
                self.array = self._allocate(shape=(room,), dtype=np.uint8)
            except (MemoryError, RuntimeError) as error:
                raise RunFailed(f"there is no contiguous memory for a buffer of {room} bytes: {error}") from error
        return self.array

    def free(self) -> None:
        if self.array is not None:
            self.array.freebuffer()
            self.array = None


def _begin(channel, buffer, count: int, what: str) -> None:
    try:
        channel.transfer(buffer, nbytes=count)
    except _MMIO_ERRORS as error:
        raise BusError(f"the DMA of {what} does not start: {error}; call reset_streams()") from error


def _over(channel, what: str) -> bool:
    """Whether a transfer has ended, well or not."""
    try:
        return bool(channel.error or channel.idle)
    except _MMIO_ERRORS as error:
        raise BusError(f"the DMA of {what} cannot be looked at: {error}") from error


def _finish(channel, what: str) -> None:
    """The channel's own end of a transfer: it looks for errors and brings the buffer up to date."""
    try:
        channel.wait()
    except _MMIO_ERRORS as error:
        raise BusError(f"the DMA of {what} stopped: {error}; call reset_streams()") from error


class _Send(Source):
    def __init__(self, name: str, dma, allocate) -> None:
        self._name, self._channel = f"stream '{name}'", dma.sendchannel
        self.limit = dma.buffer_max_size
        self._buffer = _Buffer(allocate)
        self.active = False

    def busy(self) -> bool:
        if self.active and _over(self._channel, self._name):
            self.active = False
            _finish(self._channel, self._name)
        return self.active

    def start(self, data: np.ndarray) -> None:
        buffer = self._buffer.of(len(data), self.limit)
        buffer[: len(data)] = data
        _begin(self._channel, buffer, len(data), self._name)
        self.active = True

    def reset(self) -> None:
        self.active = False
        self._channel.start()

    def free(self) -> None:
        self._buffer.free()


class _Receive(Sink):
    """A receive ends with TLAST, so what comes is always a whole pass; the buffer must hold it (PG021, S2MM_LENGTH)."""

    def __init__(self, name: str, dma, allocate, least: int) -> None:
        super().__init__()
        self._name, self._channel = f"stream '{name}'", dma.recvchannel
        self._most, self._least = dma.buffer_max_size, least
        self._buffer = _Buffer(allocate)
        self.active = False

    def arm(self, wanted: int, one_pass: bool) -> None:
        if self.active:
            return
        buffer = self._buffer.of(min(max(wanted, self._least), self._most), self._most)
        _begin(self._channel, buffer, min(buffer.nbytes, self._most), self._name)
        self.active = True

    def poll(self) -> bool:
        channel = self._channel
        if not self.active or not _over(channel, self._name):
            return False
        self.active = False
        _finish(channel, self._name)
        came, room = int(channel.transferred), self._buffer.array.nbytes
        if not 0 <= came <= room:
            raise BusError(
                f"the DMA of {self._name} says that {came} bytes came into {room}; is the overlay still there?"
            )
        # A copy: the buffer is used again.
        self.pieces.append((np.array(self._buffer.array[:came]), True))
        return True

    def reset(self) -> None:
        self.active = False
        self.forget()
        self._channel.start()

    def free(self) -> None:
        self._buffer.free()


class PynqBus(BoardBus):
    """A core of a PYNQ overlay; implements rlcores.buses.bus.StreamsBus.

    Every stream has an AXI DMA (simple mode) of its own direction in the overlay; one DMA may serve a source and a
    sink. A receive ends with TLAST, so the beats that a transfer asks for must be followed by a TLAST sooner or later,
    and a pass must fit the receive buffer. docs/backends.md says what the block design needs.
    """

    def __init__(
        self,
        overlay: Any,
        ip: str,
        *,
        sources: Mapping[str, str],
        sinks: Mapping[str, str],
        beat_bits: Mapping[str, int],
        interrupt: Interrupt | None = None,
        irq_pin: str | None = None,
        receive_bytes: int = 1 << 20,
        memory: Memory | None = None,
        timeout: float = 10.0,
    ) -> None:
        """Find the core and its DMAs; the overlay is loaded when `overlay` is the path of a bitstream.

        overlay: a pynq.Overlay, or a path. ip: the core's name in the overlay, as in overlay.ip_dict. sources, sinks:
        name of the stream's port to name of its AXI DMA in the overlay. beat_bits: bits of a beat of each stream.
        interrupt: the core's interrupt registers. irq_pin: the pin in the block design, "cell/irq", for
        pynq.Interrupt; without it the registers are polled. receive_bytes: the least size of a receive buffer, which
        must hold the longest pass that the core gives. memory: what is behind the core's AXI4 master, a PynqMemory for
        example. Raises RunFailed where there is no PYNQ, and UserError when the
        overlay has no such core or DMA.
        """
        try:
            import pynq
        except ImportError as error:
            raise RunFailed(
                f"the package 'pynq' cannot be imported; it is part of the board's own image: {error}"
            ) from error
        self._overlay = pynq.Overlay(overlay) if isinstance(overlay, str) else overlay
        self._core = self._find(ip, "core", "read")
        gives = {port: self._find(dma, "AXI DMA", "sendchannel") for port, dma in sources.items()}
        takes = {port: self._find(dma, "AXI DMA", "recvchannel") for port, dma in sinks.items()}
        self._engines = list({id(dma): dma for dma in (*gives.values(), *takes.values())}.values())
        super().__init__(
            {port: _Send(port, dma, pynq.allocate) for port, dma in gives.items()},
            {port: _Receive(port, dma, pynq.allocate, receive_bytes) for port, dma in takes.items()},
            beat_bits,
            interrupt,
            timeout,
            memory,
        )
        self._line = self._loop = None
        if irq_pin is not None:
            self._open_line(pynq.Interrupt, irq_pin)

    def _open_line(self, interrupt: Any, pin: str) -> None:
        """PYNQ delivers an interrupt to the event loop in which its object is made: our own, which always runs."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="rlcores-irq", daemon=True).start()

        async def make() -> Any:
            return interrupt(pin)

        try:
            self._line = asyncio.run_coroutine_threadsafe(make(), self._loop).result()
        except ValueError as error:
            self._end_loop()
            raise UserError(f"the overlay has no interrupt pin '{pin}': {error}") from error

    def _find(self, name: str, what: str, attribute: str):
        """The object of a name like "axi_dma_0" or "hierarchy/axi_dma_0" in the overlay."""
        try:
            part = functools.reduce(getattr, name.replace("/", ".").split("."), self._overlay)
        except AttributeError:
            part = None
        if getattr(part, attribute, None) is None:
            known = ", ".join(getattr(self._overlay, "ip_dict", {})) or "none"
            raise UserError(f"the overlay has no {what} '{name}' with {attribute}; its blocks: {known}")
        return part

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        try:
            return int(self._core.read(address))
        except _MMIO_ERRORS as error:
            raise BusError(f"the read of 0x{address:X} failed: {error}") from error

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word; a negative value is its two's complement."""
        try:
            self._core.write(address, int(value) & 0xFFFFFFFF)
        except _MMIO_ERRORS as error:
            raise BusError(f"the write of 0x{address:X} failed: {error}") from error

    def reset_streams(self) -> None:
        """Reset the DMAs and forget what they had; after a BusError, together with a reset of the core."""
        self._reset_engines()
        for stream in (*self._sources.values(), *self._sinks.values()):
            stream.reset()

    def _reset_engines(self) -> None:
        for dma in self._engines:
            # DMACR.Reset of either channel resets the whole DMA, but a channel that was left out has no register.
            control = 0x30 if getattr(dma, "sendchannel", None) is None else 0x00
            dma.write(control, 4)
            for _ in range(1_000_000):
                if not dma.read(control) & 4:
                    break
            else:
                raise BusError("a DMA does not come out of reset")

    def close(self) -> None:
        """Give the contiguous buffers back; no other call may follow."""
        streams = (*self._sources.values(), *self._sinks.values())
        try:
            if any(stream.active for stream in streams):
                # A DMA that still waits would write into memory that is somebody else's by then.
                self._reset_engines()
            for stream in streams:
                stream.active = False
                stream.free()
        finally:
            self._end_loop()

    def _end_loop(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    def _wait_event(self, seconds: float) -> None:
        if self._line is None:
            super()._wait_event(seconds)
            return

        async def wait() -> None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._line.wait(), seconds)

        asyncio.run_coroutine_threadsafe(wait(), self._loop).result()


class PynqMemory:
    """A contiguous buffer of pynq.allocate as the memory behind a core; implements rlcores.buses.bus.Memory.

    Addresses are physical, as the core's AXI4 master gives them: give `.base` to the core's driver.
    """

    def __init__(self, buffer: Any) -> None:
        """buffer: of uint8 (bytes,), from pynq.allocate; it stays the caller's."""
        self._buffer = buffer
        self.base = int(buffer.physical_address)

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on, uint8 (count,). Raises UserError beyond the buffer."""
        place = within(address, count, self.base, self._buffer.nbytes)
        self._buffer.invalidate()
        return np.array(self._buffer[place], np.uint8)

    def poke(self, address: int, data: np.ndarray) -> None:
        """Set bytes from an address on, uint8 (count,). Raises UserError beyond the buffer."""
        data = np.asarray(data, np.uint8).reshape(-1)
        place = within(address, len(data), self.base, self._buffer.nbytes)
        self._buffer.invalidate()
        self._buffer[place] = data
        self._buffer.flush()
