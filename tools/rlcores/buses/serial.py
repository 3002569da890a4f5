"""Cores behind a serial line: rlc_serial_bridge, over a serial port or over the simulated pins of the same top.

Frames are those of docs/serial.md. Every request gets one answer, and each carries a CRC-32 and a number, so that a
request whose answer did not arrive whole is sent again and carried out once. A byte that was lost or changed is a
repetition or a BusError, and never a result.
"""

import struct
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rlcores.buses.bus import Beats, BusError
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


class Transport(Protocol):
    """A line that carries bytes both ways."""

    def write(self, data: bytes) -> None:
        """Send bytes, all of them."""

    def read(self, count: int, timeout: float) -> bytes:
        """At most `count` bytes, fewer when no more come within `timeout` seconds."""

    def send_break(self) -> None:
        """Hold the line low for more than 16 bits, then high."""

    def discard(self) -> None:
        """Forget what came and was not read."""

    def close(self) -> None:
        """Give the line back; no other call may follow."""


class SerialPort:
    """A serial port of this machine by pyserial; implements Transport."""

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
        while data:
            went = self._call(self._port.write, data)
            if went == 0:
                raise BusError("the serial port failed: it takes no more bytes")
            data = data[went:] if went is not None else b""

    def read(self, count: int, timeout: float) -> bytes:
        self._port.timeout = timeout
        return self._call(self._port.read, count)

    def send_break(self) -> None:
        self._call(self._port.send_break, 0.02)

    def discard(self) -> None:
        self._call(self._port.reset_input_buffer)

    def close(self) -> None:
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

    def __init__(self, transport: Transport, *, timeout: float = 2.0, repeats: int = 3) -> None:
        """Reset bridge and cores, and ask what there is.

        timeout: seconds to wait for an answer, beside the time that its bytes take. repeats: how many times a request
        is sent again. Raises BusError when no bridge answers, UserError for a timeout that is not above 0 or repeats
        below 0.
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
        """Reset bridge and cores by a break on the line, and begin anew. Raises BusError when no bridge answers."""
        self._transport.send_break()
        self._transport.discard()
        self._lost = None
        self.info = Info(0, 0, 0, 0, 0)
        found = self.command(HELLO)
        if len(found.words) != 5 or found.words[0] != ID:
            raise self._broken("what answers on the line is no bridge of rlcores")
        counts = int(found.words[1])
        if counts & 0xFFFF != VERSION:
            raise self._broken(f"the bridge speaks version {counts & 0xFFFF}; this back end speaks {VERSION}")
        self.info = Info(counts >> 16 & 0xFF, counts >> 24, *(int(x) for x in found.words[2:]))

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
                status, flags, moved, found = self._exchange(request, sequence)
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
        return Answer(moved, bool(flags & LAST), flags & 3, found)

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
        deadline = time.monotonic() + self._timeout
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
        """The bus to "gae" or "sumtree" of rlc_serial. beat_bits: bits of a beat of each of its streams.

        Raises UserError for another core, and for streams that the core does not have.
        """
        if name not in PLACES:
            raise UserError(_unknown(name))
        return SerialCore(self, PLACES[name], beat_bits, timeout=self._timeout)

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
        bit = self.info.clocks_per_bit / self.info.clock_hz if self.info.clock_hz else 0.0
        deadline = time.monotonic() + self._timeout + count * max(_BYTE, 20 * bit)
        while len(data) < count:
            came = self._transport.read(count - len(data), max(deadline - time.monotonic(), 0.0))
            data += came
            if len(data) < count and time.monotonic() >= deadline:
                raise _Damaged(f"an answer stopped after {len(before) + len(data)} bytes")
        return data

    def _broken(self, why: str) -> BusError:
        self._lost = why
        return BusError(f"the serial link failed: {why}")


@dataclass(frozen=True)
class Place:
    """Where rlc_serial has a core."""

    base: int  # byte address of its registers
    sources: Mapping[str, int]  # stream numbers by port
    sinks: Mapping[str, int]
    irq: int


PLACES = {
    "gae": Place(0, {"s_axis": 0}, {"m_axis": 0}, 0),
    "sumtree": Place(
        WINDOW, {"s_axis_op": 1, "s_axis_sample": 2}, {"m_axis_op": 1, "m_axis_sample": 2}, 1
    ),
}  # fmt: skip


class SerialCore:
    """One core behind a SerialLink; implements rlcores.buses.bus.StreamsBus.

    No word moved in either direction for `timeout` seconds is a BusError; the core may stand in the middle of a pass
    then: reset() it, and the other core with it.
    """

    def __init__(self, link: SerialLink, place: Place, beat_bits: Mapping[str, int], *, timeout: float) -> None:
        """See SerialLink.core. Raises UserError when a stream has no number, or a width that is no multiple of 32."""
        self.link, self._place, self._timeout = link, place, timeout
        self._of: dict[str, Beats] = {}
        for name in (*place.sources, *place.sinks):
            bits = beat_bits.get(name, 0)
            if bits < 64 or bits % 32:
                raise UserError(f"stream '{name}' has beats of {bits} bits; a multiple of 32 above 32 is needed")
            self._of[name] = Beats(bits)

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        return int(self.link.command(READ, where=self._address(address)).words[0])

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word; a negative value is its two's complement."""
        self.link.command(WRITE, where=self._address(address), words=[int(value) & 0xFFFFFFFF])

    def reset(self) -> None:
        """Reset all cores behind the link."""
        self.link.reset()

    def send(self, beats: np.ndarray) -> None:
        """Send one pass to the first source; TLAST goes with the last beat."""
        self.transfer({next(iter(self._place.sources)): beats}, {})

    def receive(self, capacity: int) -> np.ndarray:
        """One pass of the first sink, up to and with TLAST. Raises BusError when it has more than `capacity` beats."""
        name = next(iter(self._place.sinks))
        taken: list[np.ndarray] = []
        most = (capacity + 1) * self._words(name)
        count, progress = 0, _Progress(self._timeout)
        while True:
            found = self._get(name, most - count, LAST)
            taken.append(found.words)
            count += found.moved
            if found.moved and found.last:
                break
            if count == most:
                raise BusError(f"stream '{name}' gave a pass of more than {capacity} beats")
            progress.saw(found.moved, lambda: f"the end of a pass of stream '{name}'")
        if count > most - self._words(name):
            raise BusError(f"stream '{name}' gave a pass of more than {capacity} beats")
        return self._beats(name, taken)

    def transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Serve several streams at the same time: see rlcores.buses.bus.StreamsBus. Beats beyond stay in the core."""
        given = {name: self._raw(name, beats) for name, beats in give.items() if len(beats)}
        sent = dict.fromkeys(given, 0)
        wanted = {name: count * self._words(self._known(name, self._place.sinks)) for name, count in take.items()}
        taken: dict[str, list[np.ndarray]] = {name: [] for name in take}
        held = dict.fromkeys(take, 0)
        progress = _Progress(self._timeout)

        def stuck() -> str:
            for name, words in given.items():
                if sent[name] < len(words):
                    return f"beat {sent[name] // self._words(name)} of stream '{name}'"
            name = next(name for name in take if held[name] < wanted[name])
            return f"beat {held[name] // self._words(name)} of stream '{name}'"

        while any(sent[n] < len(w) for n, w in given.items()) or any(held[n] < w for n, w in wanted.items()):
            moved = 0
            for name, words in given.items():
                if sent[name] < len(words):
                    part = words[sent[name] : sent[name] + self.link.info.words]
                    flags = LAST if sent[name] + len(part) == len(words) else 0
                    went = self.link.command(PUT, self._place.sources[name] | flags, words=part).moved
                    sent[name] += went
                    moved += went
            for name, count in wanted.items():
                if held[name] < count:
                    found = self._get(name, count - held[name], 0)
                    taken[name].append(found.words)
                    held[name] += found.moved
                    moved += found.moved
            progress.saw(moved, stuck)
        return {name: self._beats(name, words) for name, words in taken.items()}

    def wait_irq(self) -> None:
        """Return when the core's interrupt is high. Raises BusError after `timeout` seconds."""
        progress = _Progress(self._timeout)
        while not self.link.command(ECHO).irq >> self._place.irq & 1:
            progress.saw(0, lambda: "an interrupt")

    def _words(self, name: str) -> int:
        """Words of 32 bits in a beat, as frames carry them."""
        return self._of[name].bytes // 4

    def _address(self, address: int) -> int:
        # Beyond its window stands the other core.
        if not 0 <= address < WINDOW:
            raise UserError(f"address 0x{address:X} is not in the {WINDOW} bytes of a core's registers")
        return self._place.base + address

    def _get(self, name: str, words: int, flags: int) -> Answer:
        return self.link.command(GET, self._place.sinks[name] | flags, where=min(words, self.link.info.words))

    def _raw(self, name: str, beats: np.ndarray) -> np.ndarray:
        self._known(name, self._place.sources)
        return self._of[name].checked(beats).reshape(-1).view(np.uint32)

    def _beats(self, name: str, words: Sequence[np.ndarray]) -> np.ndarray:
        data = np.concatenate([np.empty(0, np.uint32), *words]).astype(np.uint32)
        if len(data) % self._words(name):
            raise BusError(f"stream '{name}' gave {len(data)} words, which is no number of whole beats")
        return self._of[name].of(data)

    @staticmethod
    def _known(name: str, streams: Mapping[str, int]) -> str:
        if name not in streams:
            raise UserError(f"this core has no such stream '{name}'; it has {', '.join(streams)}")
        return name


class _Progress:
    """Ends a wait in which nothing moves."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout

    def saw(self, moved: int, what: Any) -> None:
        """Raises BusError, naming what(), when nothing has moved for too long."""
        if moved:
            self._deadline = time.monotonic() + self._timeout
        elif time.monotonic() > self._deadline:
            raise BusError(f"{what()} did not happen within {self._timeout:g} s")


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
    if core not in PLACES:
        raise UserError(_unknown(core))
    link = link or SerialLink(SerialPort(port, baud), timeout=timeout)
    return link.core(core, beat_bits)


def _unknown(core: str) -> str:
    return f"there is no core '{core}' behind the serial line; cores: {', '.join(PLACES)}"
