"""A stand-in of the device files of the driver xdma: the calls that the back end makes, on simulated hardware.

What a caller may get wrong is as with the driver. A read is cut into descriptors of at most a page; a packet ends its
descriptor, so what follows it goes on at the next page of the buffer; a read ends with a packet only when the device
was opened with O_TRUNC, and even then the engine may have filled further descriptors. Descriptors lie in a ring of
2048, and a write that comes to its end goes on as a packet of its own. A call blocks until it is over; one that is not
over in time fails with ETIMEDOUT. A card-to-host device can be opened once.
"""

import errno
import mmap
import os
import time

import numpy as np
from hardware import Hardware

_RING = 2048


class Stream:
    """An h2c or c2h device."""

    def __init__(self, hardware: Hardware, port: str, flushes: bool, timeout: float, left: int) -> None:
        self._hardware, self._port, self._flushes, self._timeout = hardware, port, flushes, timeout
        self._left = left  # descriptors before the ring begins anew
        self.calls: list[int] = []  # bytes asked for

    def write(self, view: memoryview) -> int:
        self.calls.append(len(view))
        data, done = np.frombuffer(view, np.uint8), 0
        while done < len(data):
            pages = min(-(-(len(data) - done) // mmap.PAGESIZE), self._left)
            self._left = self._left - pages or _RING
            move = self._hardware.give(self._port, data[done : done + pages * mmap.PAGESIZE])
            self._wait(self._hardware.gives)
            done += move.done
        return done

    def readinto(self, view: memoryview) -> int:
        data = np.frombuffer(view, np.uint8)
        assert data.ctypes.data % mmap.PAGESIZE == 0, "the driver's descriptors begin at pages"
        self.calls.append(len(data))
        done, ended = 0, False
        for first in range(0, len(data), mmap.PAGESIZE):
            move = self._hardware.take(self._port, data[first : first + mmap.PAGESIZE])
            if done and ended:
                # The engine took the next descriptor before the driver could stop it.
                self._hardware.step()
                if not move.done:
                    self._hardware.takes.pop(self._port, None)
                    break
            self._wait(self._hardware.takes)
            done += move.done
            ended = move.last and self._flushes
        return done

    def _wait(self, moves: dict) -> None:
        until = time.monotonic() + self._timeout
        while self._port in moves:
            self._hardware.step()
            if time.monotonic() > until:
                moves.pop(self._port, None)
                raise OSError(errno.ETIMEDOUT, "timed out")

    def close(self) -> None:
        pass


class User:
    """The user device: registers."""

    def __init__(self, hardware: Hardware, base: int) -> None:
        self._hardware, self._base = hardware, base

    def pread(self, count: int, offset: int) -> bytes:
        assert count == 4 and offset % 4 == 0
        return self._hardware.read(offset - self._base).to_bytes(4, "little")

    def pwrite(self, data: bytes, offset: int) -> int:
        assert len(data) == 4 and offset % 4 == 0
        self._hardware.write(offset - self._base, int.from_bytes(data, "little"))
        return 4

    def close(self) -> None:
        pass


class Event:
    """The device of a user interrupt: the driver counts rising edges, so a wait may end for an old one."""

    def __init__(self, hardware: Hardware) -> None:
        self._hardware = hardware
        self.waits = 0

    def wait(self, seconds: float) -> bool:
        self.waits += 1
        if self.waits == 1:
            return True
        until = time.monotonic() + seconds
        while not self._hardware.irq():
            if time.monotonic() > until:
                return False
        return True

    def close(self) -> None:
        pass


class Card:
    """Opens the devices of one card; call it as os.open is called."""

    def __init__(self, hardware: Hardware, *, base: int = 0, timeout: float = 5.0, left: int = _RING) -> None:
        self._hardware, self._base, self._timeout, self._left = hardware, base, timeout, left
        self.streams: dict[str, Stream] = {}
        self.event: Event | None = None

    def __call__(self, path: str, flags: int):
        name = path.removeprefix("/dev/xdma0_")
        sources, sinks = list(self._hardware.bus._sources), list(self._hardware.bus._sinks)
        if name == "user":
            return User(self._hardware, self._base)
        if name == "events_0":
            self.event = Event(self._hardware)
            return self.event
        kind, _, number = name.partition("_")
        ports = {"h2c": sources, "c2h": sinks}.get(kind, [])
        if not number.isdigit() or int(number) >= len(ports):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        port = ports[int(number)]
        if kind == "c2h" and port in self.streams:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), path)
        assert flags & os.O_ACCMODE == (os.O_WRONLY if kind == "h2c" else os.O_RDONLY)
        self.streams[port] = Stream(self._hardware, port, bool(flags & os.O_TRUNC), self._timeout, self._left)
        return self.streams[port]
