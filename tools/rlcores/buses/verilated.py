"""The simulated bus: a core with AXI ports as rlcores.eda.library builds it, behind rlcores.buses.bus."""

import ctypes
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from rlcores.buses.bus import Beats, BusError
from rlcores.buses.dram import STATISTICS, Dram
from rlcores.errors import RunFailed, UserError

SHIM = Path(__file__).resolve().parent / "shim"  # the C++ around a model
_REGISTER_LIMIT = 10_000  # clocks for one register access
_TIMEOUT = -1  # RLC_TIMEOUT of shim/rlc_bus.h


class _Give(ctypes.Structure):
    """rlc_give of shim/rlc_bus.h."""

    _fields_ = [
        ("source", ctypes.c_int32),
        ("data", ctypes.c_void_p),
        ("beats", ctypes.c_uint64),
        ("given", ctypes.c_uint64),
    ]


class _Take(ctypes.Structure):
    """rlc_take of shim/rlc_bus.h."""

    _fields_ = [
        ("sink", ctypes.c_int32),
        ("until_last", ctypes.c_int32),
        ("data", ctypes.c_void_p),
        ("capacity", ctypes.c_uint64),
        ("taken", ctypes.c_uint64),
        ("last", ctypes.c_int32),
    ]


@dataclass(frozen=True)
class Masters:
    """AXI4 masters that share the names of their ports: how many, and bits of an address and of an ID of each."""

    count: int
    addr: int
    id: int


class Simulation:
    """One instance of a Verilated top: ended once, and no call to C++ after that."""

    _pointer = None

    def _start(self, pointer: int, delete: Callable[[int], None]) -> None:
        self._pointer, self._delete, self._process = pointer, delete, os.getpid()

    @property
    def _handle(self) -> int:
        if self._pointer is None:
            raise UserError("this simulation was closed; start another one")
        return self._pointer

    def close(self) -> None:
        """End the simulation. Any other call raises UserError from then on."""
        if self._pointer is not None:
            if self._process == os.getpid():  # in a forked process its files and threads are the parent's
                self._delete(self._pointer)
            self._pointer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class VerilatedBus(Simulation):
    """One instance of a Verilated core with AXI ports; implements Bus and StreamsBus of rlcores.buses.bus.

    The core is out of reset when this returns, and its clock only moves during a call.
    """

    def __init__(
        self,
        vlnv: str,
        top: str,
        parameters: Mapping[str, int | str] | None = None,
        *,
        sources: Sequence[str] = ("s_axis",),
        sinks: Sequence[str] = ("m_axis",),
        beat_bits: int | Mapping[str, int] = 64,
        limit: int = 50_000_000,
        libraries: Sequence[Path] = (),
        shared: Sequence[str] = (),
        memory: str | None = None,
        masters: Masters | None = None,
        dram: Dram | None = None,
    ) -> None:
        """Build (when needed) and start the module `top` of a core.

        parameters: Verilog parameters of the top. sources and sinks: its AXI4-Stream ports, of beat_bits bits, or of
        beat_bits[port] each, a multiple of 64, or of 32: then its beats are uint32 arrays. limit: clocks without
        progress before a call gives up. libraries: further folders with .core files. shared: modules whose many
        instances share their code; without it, code grows with every instance. memory: prefix of the core's AXI4
        master, such as "m_axi", which gets a memory behind it: then .memory is a Memory, with the timing `dram`.
        masters: that the ports are those of several, the first one's slices lowest; .memories are all their memories.
        Raises UserError when the core does not exist or beat_bits are not its own, RunFailed when it does not build.
        """
        options = {"sources": sources, "sinks": sinks, "memory": memory, "masters": masters}
        options |= {"libraries": libraries, "shared": shared}
        self._library = _load(build(vlnv, top, parameters, **options))
        self._start(self._library.rlc_new(), self._library.rlc_delete)
        self._limit = limit
        self._sources = {name: i for i, name in enumerate(sources)}
        self._sinks = {name: i for i, name in enumerate(sinks)}
        self._of: dict[str, Beats] = {}
        widths = {name: self._library.rlc_source_bytes(self._handle, i) * 8 for name, i in self._sources.items()}
        widths |= {name: self._library.rlc_sink_bytes(self._handle, i) * 8 for name, i in self._sinks.items()}
        for name, width in widths.items():
            bits = beat_bits[name] if isinstance(beat_bits, Mapping) else beat_bits
            # A wrong width would write beyond the ends of arrays.
            if bits % 32 or bits != width:
                raise UserError(f"stream '{name}' has beats of {width} bits; beat_bits, a multiple of 32, is {bits}")
            self._of[name] = Beats(bits)
        count = (masters.count if masters else 1) if memory else 0
        self.memories = [Memory(self, dram or Dram(), number) for number in range(count)]
        self._library.rlc_reset(self._handle, 4)

    @property
    def memory(self) -> "Memory | None":
        """That of the core's one master, or of its first."""
        return self.memories[0] if self.memories else None

    @property
    def cycles(self) -> int:
        """Clocks since the start, reset included."""
        return self._library.rlc_cycles(self._handle)

    def reset(self, clocks: int = 4) -> None:
        """Reset the core for `clocks` clocks."""
        self._check(self._library.rlc_reset(self._handle, clocks))

    def run(self, clocks: int) -> None:
        """Let clocks pass."""
        self._check(self._library.rlc_run(self._handle, clocks))

    def stall(self, seed: int, *, source: float = 0.0, sink: float = 0.0, registers: float = 0.0) -> None:
        """From now on let beats and answers wait at random, each clock with these probabilities, 0 to below 1."""
        for name, p in (("source", source), ("sink", sink), ("registers", registers)):
            if not 0 <= p <= 0.99:
                raise UserError(f"the probability of a stall on '{name}' is {p}; it must be 0 to 0.99")
        parts = (round(p * 256) for p in (source, sink, registers))
        self._library.rlc_stalls(self._handle, seed, *parts)

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        data = ctypes.c_uint32()
        response = self._library.rlc_read(self._handle, address, ctypes.byref(data), _REGISTER_LIMIT)
        self._okay(response, f"read of 0x{address:X}")
        return data.value

    def write(self, address: int, value: int, strobes: int = 15) -> None:
        """Write a 32-bit register, the whole word or the bytes of these strobes; a negative value is its complement."""
        response = self._library.rlc_write(self._handle, address, value & 0xFFFFFFFF, strobes, _REGISTER_LIMIT)
        self._okay(response, f"write of 0x{address:X}")

    def begin_write(self, address: int, value: int, clocks: int) -> bool:
        """The first clocks of a write, which only a reset may follow unless it was over: then the result is true."""
        response = self._library.rlc_write(self._handle, address, value & 0xFFFFFFFF, 15, clocks)
        if response != _TIMEOUT:
            self._okay(response, f"write of 0x{address:X}")
        return response != _TIMEOUT

    def send(self, beats: np.ndarray, source: int = 0) -> None:
        """Send one pass of uint64 (beats, words); TLAST goes with the last beat."""
        self.transfer({list(self._sources)[source]: beats}, {})

    def receive(self, capacity: int, sink: int = 0) -> np.ndarray:
        """Take beats up to and with TLAST. Raises BusError when more than `capacity` come."""
        return self.exchange(None, capacity, source=-1, sink=sink)

    def exchange(self, beats: np.ndarray | None, count: int, *, source: int = 0, sink: int = 0) -> np.ndarray:
        """Send one pass and take one at the same time; returns what was taken, uint64 (beats, words)."""
        name = list(self._sinks)[sink]
        gives = {} if beats is None else {list(self._sources)[source]: beats}
        taken, ended = self._transfer(gives, {name: count}, until_last=True)
        if not ended:
            raise BusError(f"the core sent {len(taken[name])} beats without TLAST; at most {count} were expected")
        return taken[name]

    def transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Serve several streams at the same time.

        give: one pass of uint64 (beats, words) for each source; TLAST goes with its last beat. take: how many beats to
        take from each sink, whatever their TLAST. Returns what was taken, uint64 (beats, words) by the sink's name.
        """
        return self._transfer(give, take, until_last=False)[0]

    def _transfer(
        self, give: Mapping[str, np.ndarray], take: Mapping[str, int], *, until_last: bool
    ) -> tuple[dict[str, np.ndarray], bool]:
        arrays = {name: self._of[name].checked(beats) for name, beats in give.items()}
        taken = {name: np.empty((count, self._of[name].words), self._of[name].type) for name, count in take.items()}
        gives = (_Give * len(arrays))(*((self._sources[n], b.ctypes.data, len(b), 0) for n, b in arrays.items()))
        takes = (_Take * len(taken))(
            *((self._sinks[n], until_last, b.ctypes.data, len(b), 0, 0) for n, b in taken.items())
        )
        self._check(self._library.rlc_transfer(self._handle, gives, len(gives), takes, len(takes), self._limit))
        counts = zip(taken, takes, strict=True)
        return {name: taken[name][: t.taken] for name, t in counts}, all(t.last for t in takes)

    def wait_irq(self) -> None:
        """Let clocks pass until the interrupt is high."""
        self._check(self._library.rlc_wait_irq(self._handle, self._limit))

    def _check(self, result: int) -> None:
        if result < 0:
            raise BusError(self._library.rlc_error(self._handle).decode())

    def _okay(self, response: int, what: str) -> None:
        self._check(response)
        if response != 0:
            raise BusError(f"the {what} was answered with {'SLVERR' if response == 2 else f'response {response}'}")


class Memory:
    """The memory behind a core's AXI4 master, by its address in bytes; implements rlcores.buses.bus.Memory.

    The host sees its contents at once, whatever is on its way; a write of the core is there when it was answered.
    """

    def __init__(self, bus: VerilatedBus, dram: Dram, master: int = 0) -> None:
        """The memory of this bus, which makes it, behind the master of this number."""
        self._master = master
        self._bus = weakref.proxy(bus)  # the bus owns this memory, and ends when nobody holds it
        self.beat_bytes: int = bus._library.rlc_memory_bytes(bus._handle)
        self.configure(dram)

    def configure(self, dram: Dram) -> None:
        """Another timing; only while nothing is on its way."""
        self.dram = dram
        words = (ctypes.c_uint64 * len(dram.words))(*dram.words)
        self._bus._library.rlc_memory_configure(self._bus._handle, self._master, words)

    def peek(self, address: int, count: int) -> np.ndarray:
        """Bytes from an address on, uint8 (count,)."""
        data = np.empty(count, np.uint8)
        self._bus._library.rlc_memory_peek(self._bus._handle, self._master, address, count, data.ctypes.data)
        return data

    def poke(self, address: int, data: np.ndarray) -> None:
        """Set bytes from an address on, uint8 (count,)."""
        data = np.ascontiguousarray(data, np.uint8)
        self._bus._library.rlc_memory_poke(self._bus._handle, self._master, address, data.size, data.ctypes.data)

    def fail(self, kind: str, address: int, count: int = 1, *, times: int = 0) -> None:
        """Answer with SLVERR each "read" or "write" burst that touches these bytes; with `times` only the next ones.

        A burst that fails writes nothing, or reads 0xEE.
        """
        if kind not in ("read", "write"):
            raise UserError(f"kind is '{kind}'; it must be 'read' or 'write'")
        library, handle = self._bus._library, self._bus._handle
        library.rlc_memory_fail(handle, self._master, kind == "write", address, address + count, times)

    def heal(self) -> None:
        """Forget all of fail()."""
        self._bus._library.rlc_memory_heal(self._bus._handle, self._master)

    def statistics(self) -> dict[str, int]:
        """rlcores.buses.dram.STATISTICS since the start, by name."""
        counts = (ctypes.c_uint64 * len(STATISTICS))()
        self._bus._library.rlc_memory_statistics(self._bus._handle, self._master, counts)
        return dict(zip(STATISTICS, counts, strict=True))


def build(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str] | None = None,
    *,
    sources: Sequence[str] = ("s_axis",),
    sinks: Sequence[str] = ("m_axis",),
    memory: str | None = None,
    masters: Masters | None = None,
    libraries: Sequence[Path] = (),
    shared: Sequence[str] = (),
) -> Path:
    """The shared library of a core's module with its streams; see VerilatedBus for arguments and errors."""
    from rlcores.eda import library  # only who simulates needs its tools

    streams = "".join([f"RLC_SOURCE({s})\n" for s in sources] + [f"RLC_SINK({s})\n" for s in sinks])
    defines = [f"RLC_MEMORY={memory}"] if memory else []
    if masters:
        defines += [f"RLC_MASTERS={masters.count}", f"RLC_ADDR_BITS={masters.addr}", f"RLC_ID_BITS={masters.id}"]
    return library.build(
        vlnv,
        top,
        parameters,
        SHIM / "rlc_bus.cpp",
        [SHIM / "rlc_bus.h", SHIM / "rlc_memory.h"],
        written={"streams.h": streams},
        defines=defines,
        libraries=libraries,
        shared=shared,
    )


@cache
def _load(path: Path) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise RunFailed(f"{error}; remove '{path.parent}', and it is built again") from error
    handle, u32, u64, text, number = (
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_int,
    )  # fmt: skip
    signatures = {
        "rlc_new": (handle, []),
        "rlc_delete": (None, [handle]),
        "rlc_error": (text, [handle]),
        "rlc_cycles": (u64, [handle]),
        "rlc_reset": (number, [handle, u64]),
        "rlc_run": (number, [handle, u64]),
        "rlc_stalls": (None, [handle, u64, number, number, number]),
        "rlc_write": (number, [handle, u32, u32, number, u64]),
        "rlc_read": (number, [handle, u32, ctypes.POINTER(u32), u64]),
        "rlc_wait_irq": (number, [handle, u64]),
        "rlc_source_bytes": (u64, [handle, number]),
        "rlc_sink_bytes": (u64, [handle, number]),
        "rlc_transfer": (
            number,
            [handle, ctypes.POINTER(_Give), number, ctypes.POINTER(_Take), number, u64],
        ),
    }
    if hasattr(library, "rlc_memory_bytes"):
        signatures |= {
            "rlc_memory_bytes": (u64, [handle]),
            "rlc_memory_configure": (None, [handle, number, handle]),
            "rlc_memory_peek": (None, [handle, number, u64, u64, handle]),
            "rlc_memory_poke": (None, [handle, number, u64, u64, handle]),
            "rlc_memory_fail": (None, [handle, number, number, u64, u64, u64]),
            "rlc_memory_heal": (None, [handle, number]),
            "rlc_memory_statistics": (None, [handle, number, handle]),
        }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
