"""The board's side of the stand-ins: a Verilated core, and DMA engines that move its beats as real ones do.

Nothing here knows a core or a driver. Time passes in small steps, whenever somebody looks at an engine.
"""

import ctypes
import errno
import os
import threading
from dataclasses import dataclass, field

import numpy as np

from rlcores.buses.verilated import VerilatedBus, _Give, _Take

_CLOCKS = 40  # without a beat, until a step ends


@dataclass
class Move:
    """Bytes on their way through one stream."""

    data: np.ndarray  # uint8: what is given, or where it goes
    done: int = 0  # bytes
    last: bool = False  # TLAST came with the last beat

    @property
    def full(self) -> bool:
        return self.done == len(self.data)


@dataclass
class Hardware:
    """A core, with at most one move at a time in each stream."""

    bus: VerilatedBus
    gives: dict[str, Move] = field(default_factory=dict)
    takes: dict[str, Move] = field(default_factory=dict)
    moves: int = 0  # begun
    closed: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)

    def close(self) -> None:
        """Switch it off; calls still under way in other threads fail."""
        with self.lock:
            self.closed = True
            self.bus.close()

    def _alive(self) -> None:
        if self.closed:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

    def give(self, name: str, data: np.ndarray) -> Move:
        """Begin to give one packet."""
        with self.lock:
            self._alive()
            assert name not in self.gives, f"{name} is already moving"
            self.moves += 1
            self.gives[name] = Move(np.array(data, np.uint8))
            return self.gives[name]

    def take(self, name: str, data: np.ndarray) -> Move:
        """Begin to take bytes until `data` is full or a packet ends."""
        with self.lock:
            self._alive()
            assert name not in self.takes, f"{name} is already moving"
            self.moves += 1
            self.takes[name] = Move(data)
            return self.takes[name]

    def read(self, address: int) -> int:
        with self.lock:
            self._alive()
            return self.bus.read(address)

    def write(self, address: int, value: int) -> None:
        with self.lock:
            self._alive()
            self.bus.write(address, value)

    def irq(self, clocks: int = 100) -> bool:
        """Whether the interrupt rises within some clocks."""
        with self.lock:
            self._alive()
            return self.bus._library.rlc_wait_irq(self.bus._handle, clocks) == 0

    def step(self) -> None:
        """Let beats move; a move that is over leaves its stream."""
        with self.lock:
            self._alive()
            bus, library = self.bus, self.bus._library
            if not self.gives and not self.takes:
                bus.run(_CLOCKS)
                return
            give_bytes = {n: library.rlc_source_bytes(bus._handle, bus._sources[n]) for n in self.gives}
            take_bytes = {n: library.rlc_sink_bytes(bus._handle, bus._sinks[n]) for n in self.takes}
            for sizes, moves in ((give_bytes, self.gives), (take_bytes, self.takes)):
                for name, move in moves.items():
                    assert (len(move.data) - move.done) % sizes[name] == 0, f"{name}: not a whole number of beats"
            gives = (_Give * len(self.gives))(
                *(
                    (bus._sources[n], m.data[m.done :].ctypes.data, (len(m.data) - m.done) // give_bytes[n], 0)
                    for n, m in self.gives.items()
                )
            )
            # The destination is a copy: a cell that no beat reached keeps what it had.
            rooms = {n: np.empty(len(m.data) - m.done, np.uint8) for n, m in self.takes.items()}
            takes = (_Take * len(self.takes))(
                *((bus._sinks[n], 1, r.ctypes.data, len(r) // take_bytes[n], 0, 0) for n, r in rooms.items())
            )
            result = library.rlc_transfer(bus._handle, gives, len(gives), takes, len(takes), _CLOCKS)
            assert result in (0, -1), ctypes.string_at(library.rlc_error(bus._handle))
            for (name, move), moved in zip(list(self.gives.items()), gives, strict=True):
                move.done += moved.given * give_bytes[name]
                if move.full:
                    del self.gives[name]
            for (name, move), moved in zip(list(self.takes.items()), takes, strict=True):
                count = moved.taken * take_bytes[name]
                move.data[move.done : move.done + count] = rooms[name][:count]
                move.done += count
                move.last = bool(count and moved.last)
                if move.full or move.last:
                    del self.takes[name]
