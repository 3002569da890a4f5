"""A memory of a replay server: its socket, the engine or the model behind it, its folder, its thread."""

import contextlib
import os
import selectors
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.replay_server.server import ServerModel
from rlcores.errors import UserError, warn

_CHUNK = 64 << 20  # of a journal that is read at once
_BLOCK = 512  # of a disk


class Bank:
    """One replay memory and the thread that serves it, from start() until the file `stop` can be read."""

    def __init__(
        self,
        settings: ServerSettings,
        socket_: socket.socket,
        *,
        backend: str,
        key: bytes | None,
        folder: Path | None,
        begun: bool = False,
        xdp: str | None = None,
    ):
        """folder: with records, journal and state, from which it goes on; begun: they are there.

        xdp: the network device at which it takes its datagrams, past the socket. Raises UserError.
        """
        self.settings, self._socket, self._folder = settings, socket_, folder
        self.failed: BaseException | None = None
        if backend == "native":
            self.state: Any = _restored(settings, key, folder, begun)
        elif backend == "rtl":
            from rlcores.net.rtl import RtlServer  # only who simulates needs its tools

            self.state = RtlServer(settings, key=key)
        else:
            self.state = ServerModel(settings, native.checks(key), secret=os.urandom(16))
        self.mail = None
        if xdp is not None:
            try:
                self.mail = native.past_sockets(settings, key, xdp, socket_)
            except RuntimeError as error:
                raise UserError(str(error)) from error

    def start(self, stop: int, snapshot_bytes: int, batch: int, ended: Callable[[], object]) -> None:
        """Begin to serve. ended: called in the thread when it ends."""

        def run() -> None:
            try:
                if isinstance(self.state, ServerModel):
                    self._serve_model(stop)
                elif self.mail is not None:
                    self.state.serve_xdp(self.mail, stop, snapshot_bytes)
                else:
                    self.state.serve(self._socket.fileno(), stop, snapshot_bytes, batch)
            except BaseException as error:
                self.failed = error
            finally:
                ended()

        self._thread = threading.Thread(target=run, name=f"rlcores serve {self.settings.bank}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until its thread has ended; the network device is then as before."""
        self._thread.join()
        self.mail = None

    def leave(self) -> None:
        """In a forked process: give the copies of its files back."""
        self.mail = None
        if self._folder is not None:
            self.state.engine.leave()

    def snapshot(self) -> None:
        """Write the state to the folder, so that the next start need not read the journal."""
        if self._folder is not None:
            self.state.snapshot()

    def _serve_model(self, stop: int) -> None:
        self._socket.setblocking(False)
        with selectors.DefaultSelector() as wait:
            wait.register(self._socket, selectors.EVENT_READ)
            wait.register(stop, selectors.EVENT_READ)
            while True:
                if any(key.fileobj == stop for key, _ in wait.select()):
                    return
                with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                    data, whose = self._socket.recvfrom(1 << 16)
                    for answer in self.state.frame(data, native.source(whose)):
                        self._socket.sendto(answer, whose)


def _restored(settings: ServerSettings, key: bytes | None, folder: Path | None, begun: bool) -> native.NativeServer:
    try:
        return _made(settings, key, folder, begun)
    except MemoryError:
        pass
    except RuntimeError as error:  # the system's words, where it has no memory to map
        raise UserError(str(error)) from error
    raise UserError(
        f"there is too little memory for {settings.capacity:,} records of {settings.record_bytes:,} bytes and their "
        "priorities; take a smaller --buffer-size"
    )


def _made(settings: ServerSettings, key: bytes | None, folder: Path | None, begun: bool) -> native.NativeServer:
    if folder is None:
        return native.NativeServer(settings, key, secret=os.urandom(16))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        begun = _begun(folder, settings.capacity * settings.record_bytes, begun)
        made = native.NativeServer(settings, key, str(folder), secret=os.urandom(16))
        if begun:
            made.restore((folder / "state").read_bytes())
            _replay(made, folder / "journal")
        else:
            made.snapshot()  # from now on each of its files is there, or is missing
        return made
    except UserError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"'{folder}': {error}") from error


def _begun(folder: Path, least: int, settled: bool) -> bool:
    """Whether a server began there before; settled: it did. Raises UserError where a file of its is missing."""
    names = ("state", "journal", "records")
    there = {name for name in names if (folder / name).exists()}
    if "records" not in there and not settled and ((folder / "records.new").exists() or not there):
        for name in there:  # of a server that was killed before it had begun
            (folder / name).unlink()
        return False
    size = (folder / "records").stat().st_size if "records" in there else 0
    if size < least:
        raise UserError(f"'{folder / 'records'}' has {size} bytes, and must have {least}: records are missing")
    for name in names:
        if name not in there:
            raise UserError(
                f"'{folder / name}' is missing, and without it the records there are lost: restore it from a copy, or "
                "give another folder"
            )
    return True


def _replay(server: native.NativeServer, path: Path) -> None:
    """Carry out a journal's file, and cut off what was not written whole before the server or the machine ended.

    Raises UserError where it is damaged: what stands behind was acknowledged, and must not go without a word.
    """
    whole = 0
    with path.open("r+b") as file:
        rest = b""
        while data := file.read(_CHUNK):
            rest += data
            done = server.replay(rest)
            server.engine.forget()
            whole += done
            rest = rest[done:]
            if len(rest) > _CHUNK:
                break  # no frame is so long
        if not rest:
            return
        behind = _next(rest)
        if len(rest) > _CHUNK or (behind and not _hole(rest[:behind], whole)):
            raise UserError(
                f"'{path}' is damaged at byte {whole}, and requests behind it were acknowledged; restore it, or give "
                f"them up: truncate -s {whole}"
            )
        kept = ""
        if behind:
            cut = path.with_name(f"journal.cut{whole}")
            cut.write_bytes(rest)
            kept = f"; they are kept in '{cut}'"
        file.truncate(whole)
        os.fsync(file.fileno())
        if rest.strip(b"\0"):
            warn(
                f"'{path}': the last {len(rest)} bytes were not written whole when the server or machine ended, and "
                f"are cut off{kept}"
            )


def _next(rest: bytes) -> int:
    """Where a whole frame stands behind the one that is not; 0: nowhere."""
    checks, at = native.checks(), 0
    head = net.HEADER.size + net.TAIL
    while (at := rest.find(net.BEGINNING, at + 1)) >= 0:
        with contextlib.suppress(net.BadFrame, struct.error):
            net.decode(rest[at : at + head + net.length_of(rest[at:])], checks, 1 << 30)
            return at
    return 0


def _hole(region: bytes, at: int) -> bool:
    """Whether a block of the disk in it was never written: after a loss of power later ones may be there all the same.

    at: where it stands in the file. A record of zeros looks alike, so what stands behind a hole is kept.
    """
    first = -at % _BLOCK
    blocks = [region[a : a + _BLOCK] for a in range(first, len(region) - _BLOCK + 1, _BLOCK)]
    return any(not block.strip(b"\0") for block in [region[:first], *blocks] if block)
