"""A memory of a replay server: its socket, the engine or the model behind it, its folder, its thread."""

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

            self.state = RtlServer(settings)
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
        made = native.NativeServer(settings, key, str(folder))
        path = folder / "state"
        if path.exists():
            made.restore(path.read_bytes())
        _replay(made, folder / "journal")
        return made
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"'{folder}': {error}") from error


def _replay(server: native.NativeServer, path: Path) -> None:
    """Carry out a journal's file, and cut off what a server that was killed wrote of its last frame."""
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
                break  # no frame is so long: the rest is no journal
        file.truncate(whole)
