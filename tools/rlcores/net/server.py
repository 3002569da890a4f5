"""The replay server: a socket, the engine or the model behind it, and a folder that outlives it."""

import contextlib
import json
import os
import selectors
import socket
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rlcores.base.arguments import choice
from rlcores.cores.net import native
from rlcores.cores.net.frames import Settings
from rlcores.cores.net.server import ServerModel
from rlcores.errors import RunFailed, UserError
from rlcores.net import addresses

BACKENDS = ("native", "model")
_CHUNK = 64 << 20  # of a journal that is read at once


class ReplayServer:
    """Serves one replay memory on one UDP address, in a thread of its own, until close().

    settings   the memory and its limits (frames.Settings)
    address    HOST:PORT; port 0 takes a free one, and `address` then says which
    backend    "native", or "model": the integer model, to be read
    key        16 bytes that all clients have; None: whoever reaches the port may write
    folder     where records, journal and state lie: a server that begins there again goes on, and has forgotten nothing
               that it acknowledged. None: in memory, and gone with the process

    >>> import numpy as np
    >>> from rlcores.net import ReplayClient
    >>> with ReplayServer(Settings(capacity=100, record_bytes=8)) as server, ReplayClient(server.address) as client:
    ...     client.put(np.arange(3, dtype=np.int64))
    ...     client.flush()
    ...     client.stats()["size"]
    3
    """

    def __init__(
        self,
        settings: Settings | None = None,
        address: str = "127.0.0.1:0",
        *,
        backend: str = "native",
        key: bytes | None = None,
        folder: Path | str | None = None,
        snapshot_bytes: int = 1 << 30,
    ) -> None:
        """Binds and begins to serve. settings: None takes those of the folder. Raises UserError."""
        self._keep = contextlib.ExitStack()
        try:
            self._begin(settings, address, choice("backend", backend, BACKENDS), key, folder, snapshot_bytes)
        except BaseException:
            self._keep.close()
            raise

    def _begin(
        self,
        settings: Settings | None,
        address: str,
        backend: str,
        key: bytes | None,
        folder: Path | str | None,
        snapshot_bytes: int,
    ) -> None:
        self._folder = None if folder is None else Path(folder)
        if self._folder is None:
            settings = settings or Settings()
        elif backend != "native":
            raise UserError("a folder needs the backend 'native'")
        else:
            settings = self._settings(settings)
        self.settings = settings
        socket_ = self._keep.enter_context(addresses.udp(address, bind=True))
        self.address = addresses.shown(socket_)
        read, self._stop = os.pipe()
        for end in (read, self._stop):
            self._keep.callback(os.close, end)
        if backend == "native":
            self.state: Any = self._restored(key)
            work = lambda: self.state.serve(socket_.fileno(), read, snapshot_bytes)  # noqa: E731
        else:
            self.state = ServerModel(settings, native.checks(key))
            work = lambda: self._serve_model(socket_, read)  # noqa: E731
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name="rlcores serve", daemon=True)
        self._thread.start()

    def _run(self, work: Any) -> None:
        try:
            work()
        except BaseException as error:
            self._failed = error

    def _serve_model(self, socket_: socket.socket, stop: int) -> None:
        socket_.setblocking(False)
        with selectors.DefaultSelector() as wait:
            wait.register(socket_, selectors.EVENT_READ)
            wait.register(stop, selectors.EVENT_READ)
            while True:
                if any(key.fileobj == stop for key, _ in wait.select()):
                    return
                with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                    data, whose = socket_.recvfrom(1 << 16)
                    for answer in self.state.frame(data):
                        socket_.sendto(answer, whose)

    # --- folder ---

    def _settings(self, given: Settings | None) -> Settings:
        path = self._folder / "settings.json"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock()
            if path.exists():
                held = Settings(**json.loads(path.read_text()))
                if given is not None and given != Settings(**asdict(held) | {"instance": given.instance}):
                    differ = [n for n, x in asdict(held).items() if n != "instance" and getattr(given, n) != x]
                    raise UserError(
                        f"'{self._folder}' holds a server with {differ[0]} {getattr(held, differ[0])}, not "
                        f"{getattr(given, differ[0])}"
                    )
                return held
            found = given or Settings()
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps(asdict(found), indent=1) + "\n")
            fresh.replace(path)
            return found
        except OSError as error:
            raise UserError(f"'{self._folder}': {error.strerror or error}") from error
        except (TypeError, json.JSONDecodeError) as error:
            raise UserError(f"'{path}' is damaged: {error}") from error

    def _lock(self) -> None:
        import fcntl

        held = self._keep.enter_context((self._folder / "lock").open("w"))
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError(f"another server uses '{self._folder}'") from None

    def _restored(self, key: bytes | None) -> native.NativeServer:
        if self._folder is None:
            return native.NativeServer(self.settings, key)
        try:
            made = native.NativeServer(self.settings, key, str(self._folder))
            path = self._folder / "state"
            if path.exists():
                made.restore(path.read_bytes())
            replay_journal(made, self._folder / "journal")
            return made
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError(f"'{self._folder}': {error}") from error

    # --- end ---

    def __enter__(self) -> "ReplayServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the server ended by itself, which it does only when it failed; or so many seconds. Raises RunFailed."""
        self._thread.join(seconds)
        if self._failed is not None:
            raise RunFailed(f"the server ended: {self._failed}")
        return not self._thread.is_alive()

    def close(self, *, snapshot: bool = True) -> None:
        """End. With a folder the state is written, so that the next start need not read the journal."""
        if self._thread is None:
            return
        os.write(self._stop, b"x")
        self._thread.join()
        self._thread = None
        try:
            if self._folder is not None and snapshot:
                self.state.snapshot()
        finally:
            self._keep.close()
        if self._failed is not None:
            raise RunFailed(f"the server ended: {self._failed}")


def replay_journal(server: native.NativeServer, path: Path) -> None:
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
