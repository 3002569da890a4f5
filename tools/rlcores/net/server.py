"""The replay server: an address, the memories behind it, and a folder that outlives it."""

import contextlib
import fcntl
import json
import os
import threading
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NoReturn

from rlcores.base import files, forks
from rlcores.base.arguments import check_int, choice
from rlcores.base.attributes import Guarded
from rlcores.base.naming import count_of, described, nearest
from rlcores.cores.replay_server.frames import UNCHOSEN, ServerSettings
from rlcores.cores.replay_server.native import instance_of
from rlcores.cores.sumtree.settings import ReplaySettings
from rlcores.errors import RunFailed, UserError
from rlcores.net import addresses
from rlcores.net.bank import Bank

BACKENDS = ("native", "model", "rtl")
# Of ReplaySettings, in codes, and what a server gives each of its memories.
_NOT_OWN = {"capacity", "alpha", "epsilon", "seed", "bank"}


class ReplayServer(Guarded):
    """Serves replay memories on one UDP address, each in a thread of its own, until close().

    settings   ReplaySettings, and with them as keywords what only a server has: record_bytes, clients, banks and the
               other fields of frames.ServerSettings, which may stand here instead, in the core's integers. With `banks`
               above 1 there are that many memories
    address    HOST:PORT; port 0 takes a free one, and `address` then says which
    backend    "native"; "model": the integer model, to be read; or "rtl": the Verilated core, of one
               memory
    key        16 bytes that all clients have; None: everybody who reaches the port may write
    folder     where records, journal and state lie: a server that begins there again goes on, and has forgotten nothing
               that it acknowledged. None: in memory, and gone with the process
    batch      messages that it takes from the kernel with a call; 1: one datagram a call, which is slower
    xdp        a network device, at which it takes the address's datagrams past the kernel's sockets (AF_XDP of Linux):
               for one memory, with root or CAP_NET_ADMIN and CAP_BPF, and parts that fit in the device's MTU

    >>> import numpy as np
    >>> from rlcores import ReplaySettings
    >>> from rlcores.net import ReplayClient
    >>> own = ReplaySettings(buffer_size=100)
    >>> with ReplayServer(own, record_bytes=8) as server, ReplayClient(server.address) as client:
    ...     client.put(np.arange(3, dtype=np.int64))
    ...     client.flush()
    ...     client.stats()["size"]
    3
    """

    def __init__(
        self,
        settings: ReplaySettings | ServerSettings | None = None,
        address: str = "127.0.0.1:0",
        *,
        backend: str = "native",
        key: bytes | None = None,
        folder: Path | str | None = None,
        snapshot_bytes: int = 1 << 30,
        batch: int = 64,
        xdp: str | None = None,
        **own: Any,
    ) -> None:
        """Binds and begins to serve. settings: None takes those of the folder. Raises UserError."""
        if isinstance(settings, ReplaySettings):
            settings = _server_settings(settings, own)
        elif own:
            raise UserError(f"there is no argument '{next(iter(own))}'; a server's own settings go with ReplaySettings")
        folder = None if folder is None else Path(folder)
        addresses.check_key(key)
        snapshot_bytes = check_int("snapshot_bytes", snapshot_bytes, 0, 1 << 62)
        batch = check_int("batch", batch, 1, 1024)
        if choice("backend", backend, BACKENDS) != "native" and folder is not None:
            raise UserError("a folder needs the backend 'native'")
        if xdp is not None and backend != "native":
            raise UserError("xdp needs the backend 'native'")
        if backend == "rtl":
            from rlcores.net.rtl import fitting

            settings = fitting(settings or ServerSettings())
        fresh = folder is not None and not os.path.exists(folder)  # not one that was there before
        self._keep, self._process, self._backend = contextlib.ExitStack(), os.getpid(), backend
        self.banks: list[Bank] = []
        self._begun = False  # in this folder, before
        forks.leave_in_child(self, ReplayServer._leave)
        try:
            self.settings = _begun(settings) if folder is None else self._settings(settings, folder)
            count = self.settings.banks
            if xdp is not None and count > 1:
                raise UserError(f"xdp is for one memory; there are {count} banks")
            sockets = addresses.bound(address, count)
            for one in sockets:
                self._keep.callback(one.close)
            self.address = addresses.shown(sockets[0])
            places = [folder] if count == 1 or folder is None else [folder / f"bank{n}" for n in range(count)]
            self.banks = [
                Bank(
                    replace(self.settings, bank=n),
                    one,
                    backend=backend,
                    key=key,
                    folder=places[n % len(places)],
                    begun=self._begun,
                    xdp=xdp,
                )
                for n, one in enumerate(sockets)
            ]
            if folder is not None:
                self._write(folder)
            read, self._stop = os.pipe()
            for end in (read, self._stop):
                self._keep.callback(os.close, end)
        except BaseException:
            if fresh:
                with contextlib.suppress(OSError):
                    folder.rmdir()  # nothing came into it
            self._keep.close()
            raise
        self._ended, self._closed = threading.Event(), False
        for bank in self.banks:
            bank.start(read, snapshot_bytes, batch, self._ended.set)

    def __repr__(self) -> str:
        s = self.settings
        room = f"room for {s.capacity * s.banks:,} records of {s.record_bytes} bytes"
        ended = "closed" if self._closed else ""
        return described(self, self.address, room, count_of(s.banks, "banks"), self._backend, ended)

    @property
    def state(self):
        """The memory, where there is one."""
        (bank,) = self.banks
        return bank.state

    @property
    def damaged(self) -> int:
        """Records that it gave as gone, because its files do not hold what was written to them."""
        return sum(getattr(getattr(bank.state, "engine", None), "damaged", 0) for bank in self.banks)

    @property
    def past(self) -> str:
        """Who gives it its datagrams where `xdp` named a device: "driver", or "kernel" where that runs no program."""
        mail = self.banks[0].mail
        return "" if mail is None else "driver" if mail.native else "kernel"

    @property
    def unsent(self) -> int:
        """Answers that found no place at the device of `xdp`; clients ask for them again."""
        mail = self.banks[0].mail
        return 0 if mail is None else mail.lost

    def _settings(self, wanted: ServerSettings | None, folder: Path) -> ServerSettings:
        path = folder / "settings.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock(folder)
            self._begun = path.exists()
            if self._begun:
                held = _held(path)
                if wanted is not None and wanted != ServerSettings(**asdict(held) | {"instance": wanted.instance}):
                    differ = [n for n, x in asdict(held).items() if n != "instance" and getattr(wanted, n) != x]
                    raise UserError(
                        f"'{folder}' holds a server with {differ[0]} {getattr(held, differ[0])}, not "
                        f"{getattr(wanted, differ[0])}"
                    )
                return held
            return _begun(wanted, folder)
        except OSError as error:
            raise UserError(f"'{folder}': {error.strerror or error}") from error

    def _write(self, folder: Path) -> None:
        path = folder / "settings.json"
        try:
            if not path.exists():
                files.replace(path, json.dumps(asdict(self.settings), indent=1) + "\n")
        except OSError as error:
            raise UserError(f"'{folder}': {error.strerror or error}") from error

    def _lock(self, folder: Path) -> None:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        self._keep.callback(os.close, held)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another server uses '{folder}'") from None

    # --- end ---

    def _leave(self) -> None:
        """In a process that was forked from the server's: the files here are copies of its files."""
        self._keep.close()
        for bank in self.banks:
            bank.leave()

    def __reduce__(self) -> NoReturn:
        raise UserError(
            "a server has a socket and threads, so it cannot be pickled or copied: give its address instead"
        )

    def _here(self) -> bool:
        return self._process == os.getpid()

    def __enter__(self) -> "ReplayServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self, seconds: float | None = None) -> bool:
        """Until the server ended by itself, which it does only when it failed; or for `seconds`. Raises RunFailed.

        Raises UserError in a process that was forked from the server's.
        """
        if not self._here():
            raise UserError("the server is that of the process which made it, and this one was forked from it")
        ended = self._ended.wait(seconds)
        self._check()
        return ended

    def close(self, *, snapshot: bool = True) -> None:
        """End. With a folder the state is written, so that the next start need not read the journal.

        In a process that was forked from the server's this does nothing.
        """
        if self._closed or not self._here():
            return
        self._closed = True
        os.write(self._stop, b"x")
        for bank in self.banks:
            bank.join()
        try:
            if snapshot:
                for bank in self.banks:
                    bank.snapshot()
        except RuntimeError as error:
            raise RunFailed(f"the state was not written: {error}") from error
        finally:
            self._keep.close()
        self._check()

    def _check(self) -> None:
        for bank in self.banks:
            if bank.failed is not None:
                raise RunFailed(f"the server ended: {bank.failed}")


def _begun(settings: ServerSettings | None, folder: Path | None = None) -> ServerSettings:
    """The settings of a memory that is empty: it has an instance of its own, by which clients know it from another.

    folder: of a server that may have been killed before it wrote its settings, and then has its state's instance.
    """
    settings = settings or ServerSettings()
    if settings.instance != UNCHOSEN:
        return settings
    states = [] if folder is None else [folder / "state", folder / "bank0" / "state"]
    held = next((number for state in states if (number := instance_of(state))), None)
    return replace(settings, instance=held or int.from_bytes(os.urandom(4)) or UNCHOSEN)


def _held(path: Path) -> ServerSettings:
    try:
        return ServerSettings(**json.loads(path.read_text()))
    except (TypeError, ValueError) as error:
        raise UserError(f"'{path}' is damaged: {error}") from error


def _server_settings(shared: ReplaySettings, own: dict[str, Any]) -> ServerSettings:
    known = [field.name for field in fields(ServerSettings) if field.name not in _NOT_OWN]
    for name in own:
        if name not in known:
            hint = nearest(name, known)
            raise UserError(f"there is no setting '{name}' of a server{hint}; settings: {', '.join(known)}")
    try:
        return ServerSettings.of(shared, **own)
    except ValueError as error:
        raise UserError(str(error)) from None
