"""The folder of a shared buffer: who uses it, whose turn it is, and which of its parts a process adds to.

Every process that has the buffer open holds a lock of `users`, the adding ones a lock of `writer0`, `writer1`, … too,
and a call holds one of `turn`. The system gives back what a process held, however that ends.
"""

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlcores.base import files
from rlcores.errors import UserError
from rlcores.replay.folder import SHARED, FileLock

_PREFIX = "rlcores-shared-"
_YOUNG = 60.0  # seconds in which a folder may be without its settings


class SharedFolder:
    """One process's hold on the folder.

    folder   where it is; of a buffer that was given none, in memory where the system has such folders
    turn     the lock of a call
    """

    def __init__(self, folder: Path | None) -> None:
        """None: a new folder, which goes with its last user. Raises UserError where there can be none."""
        self._opened = contextlib.ExitStack()
        self._writers: list[Any] = []
        self.own: int | None = None  # the part that this process adds to
        try:
            self.vanishes = folder is None
            self.folder = _temporary() if folder is None else folder
            self.folder.mkdir(parents=True, exist_ok=True)
            fcntl.flock(self._open("users"), fcntl.LOCK_SH)
            self.turn = FileLock(self._open("turn"), False)
        except OSError as error:
            self._opened.close()
            raise UserError(f"no shared replay buffer in '{folder}': {files.reason(error)}") from error
        self._close = weakref.finalize(self, _closed, os.getpid(), self._opened, self.folder)
        if self.vanishes:
            (self.folder / "vanishes").touch()

    def _open(self, name: str) -> Any:
        return self._opened.enter_context((self.folder / name).open("ab"))

    @classmethod
    def there(cls, folder: Path) -> "SharedFolder":
        """Of a buffer that is there. Raises UserError."""
        if (folder / "settings.json").exists():
            raise UserError(f"the replay buffer in '{folder}' is not shared: ReplayBuffer.open() opens it")
        if not (folder / SHARED).exists():
            raise UserError(f"there is no shared replay buffer in '{folder}': it has no {SHARED}")
        return cls(folder)

    def need_new(self) -> None:
        """With the turn: raise UserError where there is a buffer already."""
        for name, opens in ((SHARED, "SharedReplayBuffer"), ("settings.json", "ReplayBuffer")):
            if (self.folder / name).exists():
                raise UserError(f"there is a replay buffer in '{self.folder}' already: {opens}.open() goes on with it")

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Last of all, when the files are there."""
        files.replace(self.folder / SHARED, json.dumps(settings, default=lambda number: number.item()))

    def read_settings(self) -> dict[str, Any]:
        """The arguments of the buffer. Raises UserError."""
        settings: dict[str, Any] = files.read_json(self.folder / SHARED, "the settings of a shared replay buffer")
        return settings

    def open_writers(self, count: int) -> None:
        """The locks of the parts, at once: the folder may be gone when this process first adds."""
        self._writers = [self._open(f"writer{number}") for number in range(count)]

    def open_journal(self) -> Any:
        """The file of the journal, open to be read and written."""
        path = self.folder / "journal.bin"
        path.touch()
        return self._opened.enter_context(path.open("r+b"))

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return not self._close.alive

    def claim(self) -> int:
        """The first part that no process adds to. Raises UserError when there is none."""
        for number, file in enumerate(self._writers):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.own = number
                return number
        raise UserError(
            f"{len(self._writers)} processes add to this buffer already, as many as writers={len(self._writers)} says; "
            "make it with more"
        )

    def leave(self) -> None:
        """In a process that was forked from this one: give its copies back, but stay a user until it opens its own."""
        for file in (self.turn.file, *self._writers):
            with contextlib.suppress(OSError):
                file.close()

    def close(self) -> None:
        """Give everything back."""
        self._close()


def _closed(process: int, opened: contextlib.ExitStack, folder: Path) -> None:
    """The last user takes a folder that vanishes away. A copy of `users` in a forked process is a user too."""
    opened.close()
    if process == os.getpid() and (folder / "vanishes").exists() and _unused(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _unused(folder: Path) -> bool:
    with contextlib.suppress(OSError), (folder / "users").open("ab") as users:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _temporary() -> Path:
    """A new folder, in memory where that is possible; those whose users were all killed go."""
    memory = Path("/dev/shm")
    parent = memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir())
    for folder in parent.glob(f"{_PREFIX}*"):
        if _left(folder):
            shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))


def _left(folder: Path) -> bool:
    """Whether no process has it open that could."""
    with contextlib.suppress(OSError):
        about = folder.stat()
        return about.st_mtime + _YOUNG < time.time() and about.st_uid == os.getuid() and _unused(folder)
    return False
