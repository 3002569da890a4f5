"""The replay server in the native engine: the integers of ServerModel, and a loop on a socket that serves them."""

import socket
import struct
from pathlib import Path

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.native import engine


def checks(key: bytes | None = None) -> Checks:
    """Checks of frames by the engine. Raises ValueError when the key has another length."""
    return Checks(key, engine.crc32c, engine.siphash)


def source(whose: tuple) -> int:
    """The number of a socket's address, for ServerModel.frame()."""
    host, port = whose[:2]
    if ":" not in host:
        return int.from_bytes(socket.inet_aton(host)) | port << 32
    return engine.siphash(bytes(16), socket.inet_pton(socket.AF_INET6, host) + port.to_bytes(2)) | 1 << 63


def past_sockets(settings: ServerSettings, key: bytes | None, device: str, bound: socket.socket) -> engine.Xdp:
    """What takes the datagrams of a bound socket's address as they come to a network device: AF_XDP of Linux.

    Raises RuntimeError in words where the device, the system or our rights do not allow it.
    """
    if bound.family != socket.AF_INET:
        raise RuntimeError("AF_XDP is for addresses of IPv4")
    host, port = bound.getsockname()
    longest = net.HEADER.size + settings.part_bytes + net.TAIL * (2 if key else 1)
    return engine.Xdp(device, int.from_bytes(socket.inet_aton(host)), port, longest)


def packed(settings: ServerSettings) -> bytes:
    """ServerSettings as they lie in the engine."""
    s = settings
    return struct.pack(
        "<8I3HhIIQII", s.capacity, s.record_bytes, s.part_bytes, s.clients, s.sample_max, s.weights_max, s.instance,
        s.credit, s.priority_width, s.generation_width, s.alpha, s.scale, s.epsilon, s.initial, s.seed, s.banks,
        s.bank,
    )  # fmt: skip


def instance_of(state: Path) -> int | None:
    """The instance that a file with a state names; None: there is no such file."""
    try:
        with state.open("rb") as file:
            head = file.read(36)
    except FileNotFoundError:
        return None
    return struct.unpack_from("<I", head, 32)[0] if len(head) == 36 else None


class NativeServer:
    """A server of the engine; frame(), replay(), state() and records() are ServerModel's."""

    def __init__(
        self,
        settings: ServerSettings,
        key: bytes | None = None,
        folder: str = "",
        journal: bool = False,
        secret: bytes = bytes(16),
    ) -> None:
        """folder: where records and journal lie; "": in memory. journal: keep what was accepted for journal().

        secret: 16 bytes that cookies are made with, and nobody else knows; the default is for tests.

        Raises RuntimeError with the system's words, ValueError for assemblies that the engine has not.
        """
        if settings.assemblies != net.ASSEMBLIES:
            raise ValueError(f"assemblies is {settings.assemblies}; the engine has {net.ASSEMBLIES}")
        self.settings = settings
        self.engine = engine.NetServer(packed(settings), key, folder, journal, secret)
        self.frame, self.replay = self.engine.frame, self.engine.replay
        self.state, self.records = self.engine.state, self.engine.records
        self.journal, self.restore, self.snapshot = self.engine.journal, self.engine.restore, self.engine.snapshot

    @property
    def counts(self) -> dict[str, int]:
        """Counters by name."""
        return dict(zip(net.COUNTERS, self.engine.counts(), strict=True))

    def serve(self, socket: int, stop: int, snapshot_bytes: int = 1 << 30, batch: int = 64) -> int:
        """Serve a bound UDP socket, by its file's number, until `stop` can be read; the frames that were sent.

        snapshot_bytes: the journal's length at which the state is written and the journal restarts. batch: messages
        that are taken from the kernel with a call.
        """
        return self.engine.serve(socket, stop, snapshot_bytes, batch)

    def serve_xdp(self, mail: engine.Xdp, stop: int, snapshot_bytes: int = 1 << 30) -> int:
        """The same past the kernel's sockets; mail: of past_sockets()."""
        return self.engine.serve_xdp(mail, stop, snapshot_bytes)
