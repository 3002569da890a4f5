"""A core on a PCIe card behind XDMA and its Linux driver: registers and streams by the driver's character devices."""

import errno
import mmap
import os
import select
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from rlcores.buses.board import BoardBus, Interrupt, Sink, Source, within
from rlcores.buses.bus import BusError, Memory
from rlcores.errors import RunFailed

_PAGE = mmap.PAGESIZE  # what one descriptor of the driver covers at most


class Device:
    """An open character device of the driver. Errors are OSErrors."""

    def __init__(self, path: str, flags: int) -> None:
        self._fd = os.open(path, flags)

    def pread(self, count: int, offset: int) -> bytes:
        """Bytes at an address."""
        return os.pread(self._fd, count, offset)

    def pwrite(self, data: bytes, offset: int) -> int:
        """Write bytes at an address; how many were written."""
        return os.pwrite(self._fd, data, offset)

    def readinto(self, view: memoryview) -> int:
        """Take bytes from a stream until the view is full or a packet ends; how many came."""
        return os.readv(self._fd, [view])

    def write(self, view: memoryview) -> int:
        """Give one packet to a stream; how many bytes went."""
        return os.write(self._fd, view)

    def wait(self, seconds: float) -> bool:
        """Whether an event came within these seconds; it is consumed."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        if not os.read(self._fd, 4):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return True

    def close(self) -> None:
        """Close it."""
        os.close(self._fd)


class _Worker:
    """One call at a time in a thread of its own: a call of the driver blocks until its transfer is over."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._result: int = 0
        self._error: Exception | None = None

    def start(self, call: Callable[[], int]) -> None:
        def run() -> None:
            try:
                self._result, self._error = call(), None
            except Exception as error:
                self._error = error

        # A daemon, so that a call which never returns does not keep the program alive.
        self._thread = threading.Thread(target=run, name=f"rlcores-{self._name}", daemon=True)
        self._thread.start()

    @property
    def started(self) -> bool:
        return self._thread is not None

    def finished(self) -> bool:
        """Whether a call was started and has returned; its result stands then."""
        return self._thread is not None and not self._thread.is_alive()

    def result(self) -> int:
        """What the call returned. Raises BusError where it failed."""
        self._thread = None
        error = self._error
        if isinstance(error, OSError):
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise BusError(f"the driver ended a transfer of stream '{self._name}': {reason}") from error
        if error is not None:
            raise error
        return self._result


class _Pages:
    """Memory that begins with a page, grows when needed and is used again otherwise."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, _PAGE)

    def of(self, size: int) -> memoryview:
        """A view of `size` bytes."""
        if len(self._map) < size:
            # The old one goes when the last view of it does.
            self._map = mmap.mmap(-1, 1 << max(size - 1, _PAGE - 1).bit_length())
        return memoryview(self._map)[:size]


class _Write(Source):
    """Passes of a stream; `whole`: none may be cut."""

    limit_hint = "; the driver may cut a longer one, see `whole_passes` in docs/backends.md"

    def __init__(self, name: str, device: Device, whole: bool) -> None:
        self._name, self._device = name, device
        self.limit = _PAGE if whole else None
        self._worker, self._pages = _Worker(name), _Pages()
        self._size = 0

    def busy(self) -> bool:
        if self._worker.finished():
            went = self._worker.result()
            if went != self._size:
                raise BusError(f"stream '{self._name}' took {went} of {self._size} bytes of a pass")
        return self._worker.started

    def start(self, data: np.ndarray) -> None:
        # One write is one packet; TLAST goes with its last beat.
        view = self._pages.of(len(data))
        view[:] = data.data
        self._size = len(data)
        self._worker.start(lambda: self._device.write(view))


class _Read(Sink):
    """Receives of a stream.

    A packet ends a descriptor, and a descriptor covers one page, so a read of several pages could have holes when
    packets follow each other closely. Beats of any passes are therefore read page by page. One pass alone, of unknown
    length, is one read: a read ends with a packet because the device is open with O_TRUNC.
    """

    def __init__(self, name: str, device: Device) -> None:
        super().__init__()
        self._device = device
        self._worker, self._pages = _Worker(name), _Pages()
        self._view: memoryview = memoryview(b"")

    def arm(self, wanted: int, one_pass: bool) -> None:
        if self._worker.started:
            return
        view = self._view = self._pages.of(wanted if one_pass else min(wanted, _PAGE))
        self._worker.start(lambda: self._device.readinto(view))

    def poll(self) -> bool:
        if not self._worker.finished():
            return False
        came = self._worker.result()
        # A read that is full may end with its packet or not.
        self.pieces.append((np.array(self._view[:came], np.uint8), True if came < len(self._view) else None))
        return True


def _opened(opener: Callable[[str, int], Any], path: str, flags: int) -> Any:
    """What opens, or RunFailed with the reason in one sentence."""
    try:
        return opener(path, flags)
    except OSError as error:
        hints = {
            errno.ENOENT: "there is no such device: is the card programmed, and the driver xdma loaded?",
            errno.EACCES: "this user may not open it",
            errno.EBUSY: "another program has it open",
        }
        reason = hints.get(error.errno, os.strerror(error.errno) if error.errno else str(error))
        raise RunFailed(f"{path} cannot be opened: {reason}") from error


class XdmaBus(BoardBus):
    """A core behind XDMA with AXI4-Stream channels and an AXI4-Lite master; implements rlcores.buses.bus.StreamsBus.

    Every source has a host-to-card channel and every sink a card-to-host channel. The driver's own limits,
    h2c_timeout_ms and c2h_timeout_ms (10 s), end a transfer too. docs/backends.md says what the design and the driver
    need.
    """

    def __init__(
        self,
        device: str = "/dev/xdma0",
        *,
        sources: Mapping[str, int],
        sinks: Mapping[str, int],
        beat_bits: Mapping[str, int],
        base: int = 0,
        framed: Collection[str] = (),
        whole_passes: bool = False,
        interrupt: Interrupt | None = None,
        event: int | None = None,
        memory: Memory | None = None,
        timeout: float = 10.0,
        opener: Callable[[str, int], Device] = Device,
    ) -> None:
        """Open the driver's devices; nothing is written to the core.

        device: what the names of the card's devices begin with. sources, sinks: name of the stream's port to number of
        its channel. beat_bits: bits of a beat of each stream. base: byte address of the core's registers behind the
        AXI4-Lite master. framed: sources whose TLAST the core uses; the published driver may put a TLAST into a pass
        of more than a page, so longer ones are refused there unless whole_passes says that this driver does not.
        interrupt: the core's interrupt registers. event: number of the user interrupt that irq drives; without it the
        registers are polled. memory: what is behind the core's AXI4 master, an XdmaMemory for example. opener: opens a
        device, from its path and flags. Raises RunFailed when a device cannot be opened.
        """
        self._opener, self._open, self._base = opener, [], base
        try:
            self._user = self._device(f"{device}_user", os.O_RDWR | os.O_SYNC)
            gives = {
                p: _Write(p, self._device(f"{device}_h2c_{n}", os.O_WRONLY), p in framed and not whole_passes)
                for p, n in sources.items()
            }
            takes = {p: _Read(p, self._device(f"{device}_c2h_{n}", os.O_RDONLY | os.O_TRUNC)) for p, n in sinks.items()}
            self._event = None if event is None else self._device(f"{device}_events_{event}", os.O_RDONLY)
            super().__init__(gives, takes, beat_bits, interrupt, timeout, memory)
        except BaseException:
            self.close()
            raise

    def _device(self, path: str, flags: int) -> Device:
        self._open.append(_opened(self._opener, path, flags))
        return self._open[-1]

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        try:
            data = self._user.pread(4, self._base + address)
        except OSError as error:
            raise BusError(f"the read of 0x{address:X} failed: {error.strerror or error}") from error
        if len(data) != 4:
            raise BusError(f"the read of 0x{address:X} gave {len(data)} bytes instead of 4")
        return int.from_bytes(data, "little")

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word; a negative value is its two's complement."""
        try:
            count = self._user.pwrite((int(value) & 0xFFFFFFFF).to_bytes(4, "little"), self._base + address)
        except OSError as error:
            raise BusError(f"the write of 0x{address:X} failed: {error.strerror or error}") from error
        if count != 4:
            raise BusError(f"the write of 0x{address:X} took {count} bytes instead of 4")

    def close(self) -> None:
        """Close the devices; no other call may follow."""
        while self._open:
            self._open.pop().close()

    def _wait_event(self, seconds: float) -> None:
        if self._event is None:
            super()._wait_event(seconds)
        else:
            try:
                self._event.wait(seconds)
            except OSError as error:
                raise BusError(f"the wait for an interrupt failed: {error.strerror or error}") from error


class XdmaMemory:
    """Memory of the card that lies behind one of XDMA's BARs; implements rlcores.buses.bus.Memory.

    An XDMA whose channels are streams reaches memory by its bypass port, or by its AXI4-Lite master, only: slow, and
    meant for checkpoints.
    """

    def __init__(self, path: str = "/dev/xdma0_bypass", *, size: int, offset: int = 0, base: int = 0) -> None:
        """Map `size` bytes of a device from `offset` on; `base` is the address that the core has for the first of them.

        Raises RunFailed when the device cannot be opened or mapped.
        """
        device = _opened(os.open, path, os.O_RDWR | os.O_SYNC)
        try:
            self._map = mmap.mmap(device, size, offset=offset)
        except (OSError, ValueError) as error:
            raise RunFailed(f"{size} bytes of {path} from {offset} on cannot be mapped: {error}") from error
        finally:
            os.close(device)
        self._size, self.base = size, base

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on, uint8 (count,). Raises UserError beyond what is mapped."""
        return np.frombuffer(self._map[within(address, count, self.base, self._size)], np.uint8).copy()

    def poke(self, address: int, data: np.ndarray) -> None:
        """Set bytes from an address on, uint8 (count,). Raises UserError beyond what is mapped."""
        flat = np.ascontiguousarray(data, np.uint8).reshape(-1)
        self._map[within(address, len(flat), self.base, self._size)] = flat.tobytes()

    def close(self) -> None:
        """Give the mapping back; no other call may follow."""
        self._map.close()
