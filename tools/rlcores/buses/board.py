"""What the back ends of boards share: passes and beats over DMA engines, an interrupt, and time limits.

A DMA engine moves bytes between memory and one stream, and tells that it is done; nothing tells it how the beats of a
core belong together. Here is what a driver expects of bus.StreamsBus on top of that: several engines at work at once,
beats counted whatever their TLAST, what came too early kept for the next call, and a BusError instead of a wait
without end.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rlcores.buses.bus import Beats, BusError, Memory
from rlcores.errors import UserError

_SPIN = 200  # looks at the engines before the process sleeps between them
_NAP = 50e-6  # seconds


@dataclass(frozen=True)
class Interrupt:
    """Byte addresses of the core's registers that say whether its interrupt is high."""

    status: int
    enable: int


class Source(ABC):
    """The engine of a stream into the core. Errors of the engine are BusErrors."""

    limit: int | None = None  # bytes of the longest pass, where there is a limit
    limit_hint = ""  # what else to say where a pass is too long
    went = 0  # grows while a pass goes, where the engine tells

    @abstractmethod
    def busy(self) -> bool:
        """Whether a pass is still on its way."""

    @abstractmethod
    def start(self, data: np.ndarray) -> None:
        """Begin to send uint8 (bytes,), at least one, as one pass: TLAST goes with the last beat."""


class Sink(ABC):
    """The engine of a stream out of the core. Errors of the engine are BusErrors.

    Whatever comes ends up in `pieces`: uint8 (bytes,) in order, each with whether it ends a pass; None where the engine
    cannot tell.
    """

    def __init__(self) -> None:
        self.pieces: list[tuple[np.ndarray, bool | None]] = []

    @property
    def held(self) -> int:
        """Bytes that came and were not taken."""
        return sum(len(data) for data, _ in self.pieces)

    @abstractmethod
    def arm(self, wanted: int, one_pass: bool) -> None:
        """Wait for bytes, unless it does already: for `wanted` of them in any passes, or for one of at most as many."""

    @abstractmethod
    def poll(self) -> bool:
        """Whether something came since the last call; it is in `pieces` then."""

    def take(self, count: int) -> np.ndarray:
        """The first `count` bytes; the others stay."""
        taken, missing = [], count
        while missing:
            data, ends = self.pieces.pop(0)
            if len(data) > missing:
                self.pieces.insert(0, (data[missing:], ends))
                data = data[:missing]
            taken.append(data)
            missing -= len(data)
        return np.concatenate(taken) if taken else np.empty(0, np.uint8)

    def forget(self) -> None:
        """Drop what came."""
        self.pieces.clear()


class BoardBus(ABC):
    """A core on a board; implements rlcores.buses.bus.StreamsBus.

    timeout: seconds without progress before a call gives up with a BusError. After one, the core may stand in the
    middle of a pass: reset it before anything else.
    """

    def __init__(
        self,
        sources: Mapping[str, Source],
        sinks: Mapping[str, Sink],
        beat_bits: Mapping[str, int],
        interrupt: Interrupt | None,
        timeout: float,
        memory: Memory | None = None,
    ) -> None:
        if not timeout > 0:
            raise UserError(f"timeout is {timeout}; it must be above 0 seconds")
        self._sources, self._sinks = dict(sources), dict(sinks)
        self._of: dict[str, Beats] = {}
        for name in (*sources, *sinks):
            bits = beat_bits.get(name, 0)
            if bits < 32 or bits % 32:
                raise UserError(f"stream '{name}' has beats of {bits} bits; a multiple of 32 is needed")
            self._of[name] = Beats(bits)
        self._interrupt = interrupt
        self.timeout = timeout
        self._memory = memory

    @property
    def memory(self) -> Memory:
        """The memory behind the core's AXI4 master. Raises UserError when the bus was opened without one."""
        if self._memory is None:
            raise UserError("this bus was opened without the memory behind the core; give it as `memory`")
        return self._memory

    @abstractmethod
    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""

    @abstractmethod
    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word; a negative value is its two's complement."""

    @abstractmethod
    def close(self) -> None:
        """Give the board back; no other call may follow."""

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # --- streams ---

    def send(self, beats: np.ndarray) -> None:
        """Send one pass to the first source; TLAST goes with the last beat."""
        self.transfer({self._first(self._sources, "takes"): beats}, {})

    def receive(self, capacity: int) -> np.ndarray:
        """One pass of the first sink, up to and with TLAST. Raises BusError when it has more than `capacity` beats."""
        name = self._first(self._sinks, "gives")
        sink, most = self._sinks[name], capacity * self._of[name].bytes
        self._until(
            lambda: self._ended(sink) or sink.held > most,
            lambda: self._serve_sink(sink, most + self._of[name].bytes, one_pass=True),
            lambda: f"the end of a pass of stream '{name}'",
        )
        ends = [ends for _, ends in sink.pieces].index(True) + 1 if self._ended(sink) else len(sink.pieces)
        count = sum(len(data) for data, _ in sink.pieces[:ends])
        if count > most:
            sink.forget()
            raise BusError(f"stream '{name}' gave a pass of more than {capacity} beats")
        return self._beats(name, sink.take(count))

    def exchange(self, beats: np.ndarray, count: int) -> np.ndarray:
        """Send one pass to the first source, and at the same time take one of `count` beats from the first sink."""
        name = self._first(self._sinks, "gives")
        return self.transfer({self._first(self._sources, "takes"): beats}, {name: count})[name]

    def transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Serve several streams at the same time.

        give: one pass of (beats, words) for each source. take: how many beats to take from each sink, whatever their
        TLAST; what comes beyond is kept for the next call. Returns what was taken by the sink's name.
        """
        outgoing = {name: self._raw(name, beats) for name, beats in give.items() if len(beats)}
        for name, data in outgoing.items():
            most = self._sources[name].limit
            # A pass that is cut would get a TLAST at each cut.
            if most is not None and len(data) > most:
                hint = self._sources[name].limit_hint
                raise UserError(f"a pass for stream '{name}' has {len(data)} bytes; its DMA moves {most} at once{hint}")
            if self._sources[name].busy():
                raise BusError(f"stream '{name}' still holds a pass that the core did not take; reset both")
        expected = {self._sink(name): count * self._of[name].bytes for name, count in take.items()}
        for sink, count in expected.items():
            if sink.held < count:
                sink.arm(count - sink.held, one_pass=False)
        sending = {}
        for name, data in outgoing.items():
            self._sources[name].start(data)
            sending[name] = self._sources[name]

        def serve() -> bool:
            went = [source.went for source in self._sources.values()]
            gone = [name for name, source in sending.items() if not source.busy()]
            for name in gone:
                del sending[name]
            # Every sink in its turn, though one of them already had something.
            came = [self._serve_sink(sink, n, one_pass=False) for sink, n in expected.items() if sink.held < n]
            return bool(gone) or any(came) or went != [source.went for source in self._sources.values()]

        def stuck() -> str:
            if sending:
                return f"the end of the pass given to stream '{next(iter(sending))}'"
            name = next(name for name in take if self._sink(name).held < expected[self._sink(name)])
            return f"beat {self._sink(name).held // self._of[name].bytes} of stream '{name}'"

        self._until(lambda: not sending and all(s.held >= n for s, n in expected.items()), serve, stuck)
        return {name: self._beats(name, self._sink(name).take(expected[self._sink(name)])) for name in take}

    def _serve_sink(self, sink: Sink, wanted: int, one_pass: bool) -> bool:
        before = sink.held
        came = sink.poll()
        if came and sink.held == before:
            # A pass has a beat at least, so this is no progress: a device that is gone would give nothing for ever.
            name = next(name for name, s in self._sinks.items() if s is sink)
            sink.forget()
            raise BusError(f"the device of stream '{name}' ended a transfer with 0 bytes; is the card still there?")
        if sink.held < wanted and not (one_pass and self._ended(sink)):
            sink.arm(wanted - sink.held, one_pass)
        return came

    @staticmethod
    def _ended(sink: Sink) -> bool:
        return any(ends for _, ends in sink.pieces)

    def _until(self, done, serve, stuck) -> None:
        """Call serve() until done(); BusError when serve() sees no progress for too long."""
        deadline = time.monotonic() + self.timeout
        looks = 0
        while not done():
            if serve():
                deadline = time.monotonic() + self.timeout
                looks = 0
            elif time.monotonic() > deadline:
                raise BusError(f"{stuck()} did not happen within {self.timeout:g} s")
            elif (looks := looks + 1) > _SPIN:
                time.sleep(_NAP)

    def _sink(self, name: str) -> Sink:
        if name not in self._sinks:
            raise UserError(f"this bus gives no stream '{name}'; it has {', '.join(self._sinks) or 'none'}")
        return self._sinks[name]

    @staticmethod
    def _first(streams: Mapping, verb: str) -> str:
        if not streams:
            raise UserError(f"this bus {verb} no stream")
        return next(iter(streams))

    def _raw(self, name: str, beats: np.ndarray) -> np.ndarray:
        if name not in self._sources:
            raise UserError(f"this bus takes no stream '{name}'; it has {', '.join(self._sources) or 'none'}")
        return self._of[name].checked(beats).reshape(-1).view(np.uint8)

    def _beats(self, name: str, data: np.ndarray) -> np.ndarray:
        if len(data) % self._of[name].bytes:
            raise BusError(
                f"stream '{name}' gave {len(data)} bytes, which is no number of {self._of[name].bytes}-byte beats"
            )
        return self._of[name].of(data)

    # --- interrupt ---

    def wait_irq(self) -> None:
        """Return when an enabled interrupt of the core is pending. Raises BusError after `timeout` seconds."""
        if self._interrupt is None:
            raise UserError("this bus was opened without the addresses of the core's interrupt registers")
        deadline = time.monotonic() + self.timeout
        # The registers decide: an event may be an old one, and the line may have risen before anybody waited.
        while not self.read(self._interrupt.status) & self.read(self._interrupt.enable):
            left = deadline - time.monotonic()
            if left <= 0:
                raise BusError(f"an interrupt did not happen within {self.timeout:g} s")
            self._wait_event(min(left, 0.1))

    def _wait_event(self, seconds: float) -> None:
        """Sleep until the interrupt line rises, at most `seconds`; without a line, a short while."""
        time.sleep(min(seconds, _NAP))


def within(address: int, count: int, base: int, size: int) -> slice:
    """Where bytes at an address stand in a memory of `size` bytes from `base` on. Raises UserError beyond it."""
    first = address - base
    if first < 0 or first + count > size:
        raise UserError(f"{count} bytes at 0x{address:X} are not in the {size} bytes of memory at 0x{base:X}")
    return slice(first, first + count)
