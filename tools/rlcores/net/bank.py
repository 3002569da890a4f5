"""A memory of a replay server: its socket, the engine or the model behind it, its folder, its thread."""

import contextlib
import selectors
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rlcores.cores.net import frames as net
from rlcores.cores.net import native
from rlcores.cores.net.frames import Settings
from rlcores.cores.net.server import ServerModel
from rlcores.errors import UserError

_CHUNK = 64 << 20  # of a journal that is read at once


class Bank:
    """One replay memory and the thread that serves it, from start() until the file `stop` can be read."""

    def __init__(
        self, settings: Settings, socket_: socket.socket, *, backend: str, key: bytes | None, folder: Path | None
    ):
        """folder: with records, journal and state, from which it goes on. Raises UserError."""
        self.settings, self._socket, self._folder = settings, socket_, folder
        self.failed: BaseException | None = None
        if backend == "native":
            self.state: Any = _restored(settings, key, folder)
        elif backend == "rtl":
            from rlcores.net.rtl import RtlServer  # only who simulates needs its tools

            self.state = RtlServer(settings, key=key)
        else:
            self.state = ServerModel(settings, native.checks(key))

    def start(self, stop: int, snapshot_bytes: int, batch: int, ended: Callable[[], object]) -> None:
        """Begin to serve. ended: called in the thread when it ends."""

        def run() -> None:
            try:
                if isinstance(self.state, ServerModel):
                    self._serve_model(stop)
                else:
                    self.state.serve(self._socket.fileno(), stop, snapshot_bytes, batch)
            except BaseException as error:
                self.failed = error
            finally:
                ended()

        self._thread = threading.Thread(target=run, name=f"rlcores serve {self.settings.bank}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until its thread has ended."""
        self._thread.join()

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
                    for answer in self.state.frame(data):
                        self._socket.sendto(answer, whose)


def _restored(settings: Settings, key: bytes | None, folder: Path | None) -> native.NativeServer:
    if folder is None:
        return native.NativeServer(settings, key)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path, records = folder / "state", folder / "records"
        found, least = records.stat().st_size if records.exists() else 0, settings.capacity * settings.record_bytes
        if path.exists() and found < least:  # the engine would fill it up with zeros
            raise UserError(f"'{records}' has {found} bytes, and must have {least}: records are missing")
        made = native.NativeServer(settings, key, str(folder))
        if path.exists():
            made.restore(path.read_bytes())
        _replay(made, folder / "journal")
        return made
    except UserError:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"'{folder}': {error}") from error


def _replay(server: native.NativeServer, path: Path) -> None:
    """Carry out a journal's file, and cut off what a server that was killed wrote of its last frame.

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
        if not _torn(rest):
            raise UserError(
                f"'{path}' is damaged at byte {whole}, and requests behind it were acknowledged; restore it, or give "
                f"them up: truncate -s {whole}"
            )
        file.truncate(whole)


def _torn(rest: bytes) -> bool:
    """Whether a journal's rest is what was written of its last frame; zeros behind it are of a loss of power."""
    begun = rest.rstrip(b"\0")
    if len(rest) > _CHUNK or not (begun.startswith(net.BEGINNING) or net.BEGINNING.startswith(begun)):
        return False
    head = net.HEADER.size + net.TAIL
    if len(rest) >= head and len(begun) > head + net.length_of(rest) - net.TAIL:
        return False  # it is whole, and damaged
    # What is damaged may say that it is longer than all the rest; but then there are others in it.
    checks, at = native.checks(), 0
    while (at := rest.find(net.BEGINNING, at + 1)) >= 0:
        with contextlib.suppress(net.BadFrame, struct.error):
            net.decode(rest[at : at + head + net.length_of(rest[at:])], checks, 1 << 30)
            return False
    return True
