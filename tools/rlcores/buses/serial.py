"""Cores behind a serial line: rlc_serial_bridge, over a serial port or over the simulated pins of the same top.

Frames are those of docs/serial.md. Every request gets one answer, and each carries a CRC-32 and a number, so that a
request whose answer did not arrive whole is sent again and carried out once. A byte that was lost or changed is a
repetition or a BusError, and never a result.
"""

import struct
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.buses.board import BoardBus, Sink, Source
from rlcores.buses.bus import BusError
from rlcores.eda import declared
from rlcores.errors import RunFailed, UserError

SYNC, ANSWER = 0x5A, 0xA5
ID, VERSION = 0x524C4353, 2
HELLO, READ, WRITE, PUT, GET, RESET, ECHO = range(7)
OK, REFUSED = 0, 7
WINDOW = 0x1000  # bytes of addresses that each core has
LAST = 0x80  # of PUT's and GET's argument, and of an answer's flags
OVERRUN = 0x40

_HEAD = struct.Struct("<BBBBHH")
_BYTE = 1.1e-3  # seconds: a byte at 9600 baud
_SILENCE = 0.05  # seconds after which nothing more of a failed exchange comes
_WHY = {
    1: "the line was disturbed while it came",
    2: "it stopped in the middle",
    3: "its CRC is wrong",
    4: "its length is not allowed",
    5: "there is no such command",
    6: "there is no such stream",
    8: "it is longer than a frame may be",
    9: "its number is not the next one",
}
# Of a request that did not arrive as it was sent: nothing was done, and it may be sent again.
_DAMAGED = (1, 2, 3, 8)


class SerialPort:
    """A line that carries bytes both ways: a serial port of this machine by pyserial."""

    def __init__(self, port: str, baud: int = 3_000_000) -> None:
        """Open a port, such as /dev/ttyUSB0. Raises RunFailed when it cannot be opened or pyserial is missing."""
        try:
            import serial
        except ImportError as error:
            raise RunFailed("the Python package 'pyserial' is not installed") from error
        self._failure = serial.SerialException
        try:
            self._port = serial.Serial(port, baud, timeout=0.1)
        except (self._failure, ValueError) as error:
            raise RunFailed(f"serial port {port} cannot be opened at {baud} baud: {error}") from error

    def write(self, data: bytes) -> None:
        """Send bytes, all of them."""
        while data:
            went = self._call(self._port.write, data)
            if went == 0:
                raise BusError("the serial port failed: it takes no more bytes")
            data = data[went:] if went is not None else b""

    def read(self, count: int, timeout: float) -> bytes:
        """At most `count` bytes, fewer when no more come within `timeout` seconds."""
        self._port.timeout = timeout
        return self._call(self._port.read, count)

    def send_break(self) -> None:
        """Hold the line low for more than 16 bits, then high."""
        self._call(self._port.send_break, 0.02)

    def discard(self) -> None:
        """Forget what came and was not read."""
        self._call(self._port.reset_input_buffer)

    def close(self) -> None:
        """Give the line back; no other call may follow."""
        self._port.close()

    def _call(self, what: Any, *arguments: Any) -> Any:
        try:
            return what(*arguments)
        except (self._failure, OSError) as error:
            raise BusError(f"the serial port failed: {error}") from error


@dataclass(frozen=True)
class Info:
    """What HELLO says of the bridge."""

    puts: int  # streams into the cores
    gets: int  # streams out of them
    words: int  # that a frame may carry
    clock_hz: int  # 0 where nobody said
    clocks_per_bit: int


@dataclass(frozen=True)
class Answer:
    """A good answer."""

    moved: int  # words that PUT and GET moved
    last: bool  # the last word that GET took had TLAST
    irq: int  # interrupt levels, a bit a core
    words: np.ndarray  # uint32


def frame(sequence: int, command: int, argument: int = 0, where: int = 0, words: Sequence[int] = ()) -> bytes:
    """A request; words are 32 bits each."""
    body = np.asarray(words, "<u4").tobytes()
    data = _HEAD.pack(SYNC, sequence, command, argument, where, len(body) // 4) + body
    return data + zlib.crc32(data).to_bytes(4, "little")


class _Damaged(Exception):
    """One exchange failed on the line; the text says how. Whether the request was carried out is not known."""


class SerialLink:
    """The bridge at the other end of a line; cores behind it are reached by core().

    A request whose exchange fails (a frame damaged either way, silence) is sent again with the same number; the bridge
    answers that again and does nothing twice. Where it does not help, it is a BusError: nobody knows what was done, and
    every call fails until recover(), which resets the bridge and all cores.
    """

    def __init__(self, transport: SerialPort, *, timeout: float = 2.0, repeats: int = 3) -> None:
        """Reset bridge and cores, and ask what there is.

        transport: the line, or what has its methods. timeout: seconds to wait for an answer, beside the time that its
        bytes take. repeats: how many times a request is sent again. Raises BusError when no bridge answers, UserError
        for a timeout that is not above 0 or repeats below 0.
        """
        if not timeout > 0:
            raise UserError(f"timeout is {timeout}; it must be above 0 seconds")
        if repeats < 0:
            raise UserError(f"repeats is {repeats}; it must be 0 or more")
        self._transport, self._timeout, self._repeats = transport, timeout, repeats
        self._sequence = 0
        self._lost: str | None = None  # why the link is out of step
        self.irq = 0  # interrupt levels with the last answer
        self.repeated = 0  # requests that were sent again
        self.overruns = 0  # answers that told of bytes to which the bridge did not listen
        self.info = Info(0, 0, 0, 0, 0)
        self.recover()

    def recover(self) -> None:
        """Reset bridge and cores by a break on the line, and restart. Raises BusError when no bridge answers."""
        self._transport.send_break()
        self._transport.discard()
        self._lost = None
        self.info = Info(0, 0, 0, 0, 0)
        answer = self.command(HELLO)
        if len(answer.words) != 5 or answer.words[0] != ID:
            raise self._broken("what answers on the line is no bridge of rlcores")
        counts = int(answer.words[1])
        if counts & 0xFFFF != VERSION:
            raise self._broken(f"the bridge speaks version {counts & 0xFFFF}; this back end speaks {VERSION}")
        self.info = Info(counts >> 16 & 0xFF, counts >> 24, *(int(x) for x in answer.words[2:]))

    def command(self, command: int, argument: int = 0, where: int = 0, words: Sequence[int] = ()) -> Answer:
        """One request and its answer. Raises BusError when either does not arrive whole, or the bridge refuses it."""
        if self._lost:
            raise BusError(f"the serial link is out of step since {self._lost}; call recover(), which resets the cores")
        if self.info.words and len(words) > self.info.words:
            raise UserError(f"a request has {len(words)} words; a frame of this bridge carries {self.info.words}")
        sequence = self._sequence
        request = frame(sequence, command, argument, where, words)
        for left in range(self._repeats, -1, -1):
            try:
                status, flags, moved, payload = self._exchange(request, sequence)
                break
            except _Damaged as error:
                if not left:
                    raise self._broken(str(error)) from error
                self.repeated += 1
                self._settle()
            except BaseException:
                # Ctrl-C, or a port that failed: an answer may still be on its way.
                self._lost = "a request was interrupted"
                raise
        self._sequence = (sequence + 1) & 0xFF
        self.overruns += bool(flags & OVERRUN)
        if status == 9:
            raise self._broken(f"the bridge refused request {sequence} because {_WHY[9]}")
        if status not in (OK, REFUSED):
            raise BusError(f"the bridge refused a request because {_WHY.get(status, f'of status {status}')}")
        self.irq = flags & 3
        if status == REFUSED:
            what = f"{'read' if command == READ else 'write'} of 0x{where:X}"
            raise BusError(f"the {what} was answered with {'SLVERR' if moved == 2 else f'response {moved}'}")
        return Answer(moved, bool(flags & LAST), flags & 3, payload)

    def _exchange(self, request: bytes, sequence: int) -> tuple[int, int, int, np.ndarray]:
        """Send a request and take its answer: status, flags, words moved, words. Raises _Damaged."""
        self._transport.write(request)
        head = self._bytes(_HEAD.size, b"")
        start, number, status, flags, moved, count = _HEAD.unpack(head)
        if start != ANSWER:
            raise _Damaged(f"an answer began with 0x{start:02X} instead of 0x{ANSWER:02X}")
        if self.info.words and count > max(self.info.words, 5):
            raise _Damaged(f"an answer said that it has {count} words")
        body = self._bytes(4 * count + 4, head)
        if zlib.crc32(head + body[:-4]) != int.from_bytes(body[-4:], "little"):
            raise _Damaged("the CRC of an answer is wrong")
        if status in _DAMAGED:
            raise _Damaged(f"the bridge refused a request because {_WHY[status]}")
        if number != sequence:
            raise _Damaged(f"answer {number} came to request {sequence}")
        return status, flags, moved, np.frombuffer(body[:-4], "<u4")

    def _settle(self) -> None:
        """Wait until the line is silent: what comes belongs to an exchange that is over."""
        deadline = self._deadline(4 * max(self.info.words, 5) + _HEAD.size + 4)
        while self._transport.read(4096, min(self._timeout, _SILENCE)):
            if time.monotonic() > deadline:
                raise self._broken("the line does not come to rest")

    def reset(self) -> None:
        """Reset the cores and what waits in front of them; the link stays."""
        self.command(RESET)

    def echo(self, words: Sequence[int]) -> np.ndarray:
        """Words of 32 bits, there and back."""
        return self.command(ECHO, words=words).words

    def core(self, name: str, beat_bits: Mapping[str, int]) -> "SerialCore":
        """The bus to a core of rlc_serial. beat_bits: bits of a beat of each of its streams.

        Raises UserError for another core, and for streams that the core does not have.
        """
        return SerialCore(self, _place(name), beat_bits, timeout=self._timeout)

    def close(self) -> None:
        """Give the line back; no other call may follow."""
        self._transport.close()

    def __enter__(self) -> "SerialLink":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _bytes(self, count: int, before: bytes) -> bytes:
        """The next `count` bytes of an answer. One time limit holds for all of them, however they come."""
        data = b""
        deadline = self._deadline(count)
        while len(data) < count:
            came = self._transport.read(count - len(data), max(deadline - time.monotonic(), 0.0))
            data += came
            if len(data) < count and time.monotonic() >= deadline:
                raise _Damaged(f"an answer stopped after {len(before) + len(data)} bytes")
        return data

    def _deadline(self, count: int) -> float:
        """When `count` bytes of an answer must have come: the time limit, and what the line takes for them."""
        bit = self.info.clocks_per_bit / self.info.clock_hz if self.info.clock_hz else 0.0
        return time.monotonic() + self._timeout + count * max(_BYTE, 20 * bit)

    def _broken(self, why: str) -> BusError:
        self._lost = why
        return BusError(f"the serial link failed: {why}")


@dataclass(frozen=True)
class SerialWindow:
    """Where rlc_serial has a core."""

    base: int  # byte address of its registers
    sources: Mapping[str, int]  # stream numbers by port
    sinks: Mapping[str, int]
    irq: int


def _place(core: str) -> SerialWindow:
    known = declared.fact("serial", "behind")
    if core not in known:
        raise UserError(f"there is no core '{core}' behind the serial line; cores: {', '.join(known)}")
    return SerialWindow(**known[core])


class _Put(Source):
    """A pass on its way into the core, a frame a look."""

    def __init__(self, link: SerialLink, number: int) -> None:
        self._link, self._number = link, number
        self.rest = np.empty(0, np.uint32)

    def start(self, data: np.ndarray) -> None:
        self.rest = data.view(np.uint32)

    def busy(self) -> bool:
        if len(self.rest):
            part = self.rest[: self._link.info.words]
            last = LAST if len(part) == len(self.rest) else 0
            moved = self._link.command(PUT, self._number | last, words=part).moved
            self.rest, self.went = self.rest[moved:], self.went + moved
        return bool(len(self.rest))


class _Get(Sink):
    """What the core gives, asked for a frame at a time; what nobody asks for stays in the core."""

    def __init__(self, link: SerialLink, number: int) -> None:
        super().__init__()
        self._link, self._number, self._words, self._flags = link, number, 0, 0

    def arm(self, wanted: int, one_pass: bool) -> None:
        self._words, self._flags = wanted // 4, LAST * one_pass

    def poll(self) -> bool:
        words, self._words = min(self._words, self._link.info.words), 0
        if not words:
            return False
        answer = self._link.command(GET, self._number | self._flags, where=words)
        if answer.moved:
            self.pieces.append((answer.words.view(np.uint8), answer.last))
        return bool(answer.moved)


class SerialCore(BoardBus):
    """One core behind a SerialLink; implements rlcores.buses.bus.StreamsBus.

    No word moved in either direction for `timeout` seconds is a BusError; the core may stand in the middle of a pass
    then: reset() it, and the other core with it.
    """

    def __init__(self, link: SerialLink, place: SerialWindow, beat_bits: Mapping[str, int], *, timeout: float) -> None:
        """See SerialLink.core. Raises UserError when a stream has no width, or one that is no multiple of 32."""
        self.link, self._place = link, place
        gives = {name: _Put(link, number) for name, number in place.sources.items()}
        takes = {name: _Get(link, number) for name, number in place.sinks.items()}
        super().__init__(gives, takes, beat_bits, None, timeout)

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        return int(self.link.command(READ, where=self._address(address)).words[0])

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word; a negative value is its two's complement."""
        self.link.command(WRITE, where=self._address(address), words=[int(value) & 0xFFFFFFFF])

    def reset(self) -> None:
        """Reset all cores behind the link."""
        self.link.reset()

    def close(self) -> None:
        """Close the link, for all its cores."""
        self.link.close()

    def wait_irq(self) -> None:
        """Return when the core's interrupt is high. Raises BusError after `timeout` seconds."""
        irq = self._place.irq
        self._until(lambda: self.link.command(ECHO).irq >> irq & 1, lambda: False, lambda: "an interrupt")

    def _until(self, *callables: Callable) -> None:
        try:
            super()._until(*callables)
        except BusError:
            # Unlike an engine of a board, nothing here goes on by itself.
            for source in self._sources.values():
                source.rest = source.rest[:0]
            for sink in self._sinks.values():
                sink.forget()
            raise

    def _address(self, address: int) -> int:
        # Beyond its window stands the other core.
        if not 0 <= address < WINDOW:
            raise UserError(f"address 0x{address:X} is not in the {WINDOW} bytes of a core's registers")
        return self._place.base + address


def open_core(
    core: str,
    beat_bits: Mapping[str, int],
    *,
    port: str | None = None,
    baud: int = 3_000_000,
    timeout: float = 2.0,
    link: SerialLink | None = None,
) -> SerialCore:
    """The bus to a core behind a link, or a serial port that is opened for it. Raises UserError without either."""
    if (port is None) == (link is None):
        raise UserError("a core behind a serial line is opened with either `port` or `link`")
    _place(core)  # before anything is opened
    link = link or SerialLink(SerialPort(port, baud), timeout=timeout)
    return link.core(core, beat_bits)
