"""A replay buffer in a folder that stays: its files, who may write them, and whose call it is.

`settings.json` has the arguments, `rows*.bin` are the mapped arrays, `state.npz` has priorities and draws as of the
last sync(). One process writes, which holds a lock of `writer` as long as it has the buffer open; others may read
beside it. Every call holds a lock of `turn`, shared by readers, so no batch is half of a step.
"""

import contextlib
import fcntl
import json
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import _rlcores_native as engine

from rlcores.base import files
from rlcores.errors import UserError

SHARED = "shared.json"  # the settings of a buffer that several processes write


class BufferFolder:
    """The folder of one open buffer."""

    def __init__(self, folder: str | Path, mode: str) -> None:
        """mode: "new", "open", or "read". Raises UserError where there is such a buffer already, none, or a writer."""
        self.folder, self.mode = Path(folder), mode
        self._settings = self.folder / "settings.json"
        opened = contextlib.ExitStack()
        self._close = weakref.finalize(self, opened.close)  # also of a buffer that nobody closes, or that is refused
        try:
            if mode == "new":
                self.folder.mkdir(parents=True, exist_ok=True)
            there = self._settings.exists()
            if there and mode == "new":
                raise UserError(f"there is a replay buffer in '{folder}' already: ReplayBuffer.open() goes on with it")
            if (self.folder / SHARED).exists():
                raise UserError(f"the replay buffer in '{folder}' is shared: SharedReplayBuffer.open() opens it")
            if not there and mode != "new":
                raise UserError(f"there is no replay buffer in '{folder}': it has no settings.json")
            writer, turn = (opened.enter_context((self.folder / name).open("ab")) for name in ("writer", "turn"))
            self.turn = FileLock(turn, mode == "read")
            if mode != "read":
                fcntl.flock(writer, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held as long as the file is open
        except BlockingIOError:
            self.close()
            raise UserError(
                f"another process writes the replay buffer in '{folder}'; open it with readonly=True"
            ) from None
        except OSError as error:
            raise UserError(f"no replay buffer can be kept in '{folder}': {files.reason(error)}") from error

    @property
    def files(self) -> str:
        """What a store is told of its files."""
        return "new" if self.mode == "new" else "open"

    def need_writer(self) -> None:
        """Raise UserError where the buffer is only read."""
        if self.mode == "read":
            raise UserError("this buffer was opened with readonly=True: the process that opened it to write adds to it")

    def write_settings(self, settings: Mapping[str, Any]) -> None:
        """Last of all, when the files are there."""
        files.replace(self._settings, json.dumps(settings, default=lambda number: number.item()))

    def read_settings(self) -> dict[str, Any]:
        """The arguments of the buffer. Raises UserError."""
        settings: dict[str, Any] = files.read_json(self._settings, "the settings of a replay buffer")
        return settings

    @property
    def state(self) -> Path:
        """The file of what sync() writes."""
        return self.folder / "state.npz"

    def close(self) -> None:
        """Give the locks back."""
        self._close()


class FileLock:
    """A lock of this process's threads and of a file; `.lock` as rlcores.base.threads.alone wants it.

    Entering `.lock` says how often the thread has it now.
    """

    def __init__(self, file: Any, shared: bool) -> None:
        self.file = file
        self.lock = engine.FileLock(threading.RLock(), file, shared)
