"""The replay server in RTL, Verilated, behind a real socket: what `rlcores serve --backend rtl` serves with."""

import ctypes
import os

from rlcores.base.attributes import Guarded
from rlcores.buses.dram import Dram
from rlcores.buses.verilated import SHIM
from rlcores.cores.replay_server.frames import PRIORITY, ServerSettings
from rlcores.eda import library
from rlcores.errors import RunFailed, UserError

VLNV, TOP = "rlcores:net:replay_server", "rlc_replay_server"
RECORD_MOST, WEIGHTS_MOST = 65400, 1 << 29
_STATISTICS = ("clocks", "frames", "answers")


def fitting(settings: ServerSettings) -> ServerSettings:
    """The settings, if a server in RTL can have them. Raises UserError."""
    if settings.banks != 1:
        raise UserError(f"banks is {settings.banks}; the server in RTL has one memory")
    most = RECORD_MOST if settings.assemblies else min(settings.part_bytes - PRIORITY.size, RECORD_MOST)
    if settings.record_bytes > most:
        why = "" if settings.assemblies else " without assemblies"
        raise UserError(f"record_bytes is {settings.record_bytes}; in the server in RTL{why} it may be at most {most}")
    if settings.weights_max > WEIGHTS_MOST:
        raise UserError(f"weights_max is {settings.weights_max}; in the server in RTL it may be at most {WEIGHTS_MOST}")
    return settings


def parameters(settings: ServerSettings, keyed: bool = False) -> dict[str, int]:
    """The Verilog parameters of rlc_replay_server for these settings. keyed: with a shared key."""
    names = (
        "record_bytes",
        "part_bytes",
        "clients",
        "sample_max",
        "credit",
        "capacity",
        "priority_width",
        "weights_max",
        "assemblies",
    )
    values = {name.upper(): getattr(settings, name) for name in (*names, "generation_width")}
    return values | {"LEAVES_LOG2": settings.leaves_log2, "ADDR_WIDTH": 42, "KEYED": int(keyed)}


class RtlServer(Guarded):
    """One server in RTL, from its reset on. Built by Verilator when it was not yet: that takes minutes.

    key: 16 bytes that all clients have; None: none. dram: the timing of the memory behind it. stall: probability that a
    beat waits, each clock and stream; stall_seed: of these.
    """

    def __init__(
        self,
        settings: ServerSettings,
        *,
        key: bytes | None = None,
        dram: Dram | None = None,
        stall: float = 0.0,
        stall_seed: int = 0,
    ) -> None:
        """Raises UserError for settings or a key that it cannot have, RunFailed when it does not build."""
        s = self.settings = fitting(settings)
        if key is not None and len(key) != 16:
            raise UserError(f"the key has {len(key)} bytes; it must have 16")
        headers = [SHIM / "rlc_memory.h"]
        built = library.build(VLNV, TOP, parameters(s, key is not None), SHIM / "rlc_udp.cpp", headers)
        self._library = ctypes.CDLL(str(built))
        self._library.rlc_udp_new.restype = ctypes.c_void_p
        self._library.rlc_udp_error.restype = ctypes.c_char_p
        secret = key or os.urandom(16)  # of the cookies
        halves = (int.from_bytes(secret[at : at + 8], "little") for at in (0, 8))
        numbers = (
            s.instance, s.alpha, s.scale & 0xFFFF, s.epsilon, s.initial, s.seed, round(256 * stall), stall_seed,
            *halves,
        )  # fmt: skip
        words = (dram or Dram()).words
        arguments = (ctypes.c_uint64 * len(numbers))(*numbers), (ctypes.c_uint64 * len(words))(*words)
        self._handle, self._process = ctypes.c_void_p(self._library.rlc_udp_new(*arguments)), os.getpid()

    def __del__(self) -> None:
        if hasattr(self, "_process") and self._process == os.getpid():
            self._library.rlc_udp_delete(self._handle)

    def serve(self, socket_: int, stop: int, *_: int) -> None:
        """Serve a bound socket, given by its number, until the file `stop` can be read. Raises RunFailed."""
        if self._library.rlc_udp_serve(self._handle, socket_, stop):
            raise RunFailed(self._library.rlc_udp_error(self._handle).decode())

    @property
    def counts(self) -> dict[str, int]:
        """Clocks since its reset, datagrams that it was given, and answers; STAT tells the others."""
        counts = (ctypes.c_uint64 * len(_STATISTICS))()
        self._library.rlc_udp_statistics(self._handle, counts)
        return dict(zip(_STATISTICS, counts, strict=True))
