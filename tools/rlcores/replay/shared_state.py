"""The memory that the processes of a shared buffer have together, and the turns in which they change it.

`state.bin` begins with a page of numbers, and the nodes of the sum tree lie behind it. All other numbers that a call
changes (the draws, the largest priority, …) stand in that page twice. A call reads the present ones, and writes the
others at its end; then it adds one to the count of calls, which makes these the present ones. What a call changes in
nodes and rows it has noted in the journal before. The journal counts as long as it is that of the present count: so
the same addition makes all of the call valid, and whatever a process does that is killed before it is taken back by
the next call of any process.
"""

import mmap
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from rlcores.base import files
from rlcores.errors import UserError
from rlcores.replay.journal import Change, Journal
from rlcores.replay.shared_folder import SharedFolder

NUMBERS = 64  # most numbers of a call
_PAGE = 4096
_CALLS, _NOTED, _LENGTH, _SYNCED, _BOOT = range(5)  # places in the page
_COPIES = 8


class SharedState:
    """The state of one open buffer.

    load   takes the numbers over, int64 (NUMBERS,); called when a turn begins
    store  writes them; called when it ends
    undone called behind changes that were taken back
    """

    def __init__(self, hold: SharedFolder, nodes: int, new: bool) -> None:
        """nodes: bytes of the tree. Raises OSError, and UserError where the machine stopped before sync()."""
        self.turn, self._folder, self._file = hold.turn.lock, hold.folder, hold.open_journal()
        folder = hold.folder
        size = _PAGE + (nodes + _PAGE - 1) // _PAGE * _PAGE
        with (folder / "state.bin").open("w+b" if new else "r+b") as file:
            if new:
                files.reserve(file, size)
                os.ftruncate(file.fileno(), size)
            elif (held := os.fstat(file.fileno()).st_size) != size:
                raise OSError(f"'{file.name}' has {held} bytes, not the {size} of such a buffer")
            self._map = mmap.mmap(file.fileno(), size)
        self._page = np.frombuffer(self._map, np.int64, _PAGE // 8)
        self.nodes = np.frombuffer(self._map, np.uint8, nodes, _PAGE)
        self._journal: Journal | None = None
        self.load: Callable[[np.ndarray], None] = lambda numbers: None
        self.store: Callable[[np.ndarray], None] = lambda numbers: None
        self.undone: Callable[[], None] = lambda: None
        boot = _boot()
        if new:
            self._page[_CALLS], self._page[_BOOT] = 1, boot
        elif self._page[_BOOT] != boot:
            if not self._page[_SYNCED]:
                raise UserError(
                    f"the machine stopped after the last sync() of the replay buffer in '{folder}', whose files may be "
                    "half written"
                )
            self._page[_BOOT] = boot

    def begin_with(self, blocks: list[np.ndarray]) -> None:
        """The blocks whose changes are noted, in the same order in every process."""
        self._journal = Journal(self._file.fileno(), blocks)

    def begin(self) -> None:
        """Take over what the last call left, with the lock held; what one left half done is taken back."""
        if self._page[_NOTED] == self._page[_CALLS]:
            self._undo()
        self.load(self._copy(int(self._page[_CALLS])))

    def commit(self) -> None:
        """All that this turn did is valid, from one moment to the next."""
        calls = int(self._page[_CALLS])
        if self._page[_SYNCED]:
            self._changed()
        self.store(self._copy(calls + 1))
        self._page[_CALLS] = calls + 1

    def end(self) -> None:
        """Take back what was not committed."""
        if self._page[_NOTED] == self._page[_CALLS]:
            self._undo()

    def note(self, changes: Iterable[Change]) -> None:
        """Before this turn changes rows of blocks. Raises UserError when there is no room for them."""
        assert self._journal is not None
        page = self._page
        if page[_SYNCED]:
            self._changed()
        begun = page[_NOTED] == page[_CALLS]
        try:
            length = self._journal.note(int(page[_LENGTH]) if begun else 0, changes)
        except OSError as error:
            raise UserError(f"no room in '{self._folder}' for what a call changes: {files.reason(error)}") from error
        page[_LENGTH] = length
        if not begun:
            page[_NOTED] = page[_CALLS]

    def sync(self, flush: Callable[[], None]) -> None:
        """Bring everything to the disk, with the lock held and outside of a turn. flush: the rows."""
        flush()
        self._map.flush()
        self._page[_SYNCED] = 1
        self._map.flush(0, _PAGE)

    def _changed(self) -> None:
        """The disk must know it before anything of it changes."""
        self._page[_SYNCED] = 0
        self._map.flush(0, _PAGE)

    def _copy(self, calls: int) -> np.ndarray:
        at = _COPIES + NUMBERS * (calls % 2)
        return self._page[at : at + NUMBERS]

    def _undo(self) -> None:
        assert self._journal is not None
        self._journal.undo(int(self._page[_LENGTH]))
        self.undone()
        self._page[_NOTED] = 0


def _boot() -> int:
    """A number of this run of the machine; 0 where the system has none."""
    try:
        text = Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        return 0
    return int(text.replace("-", "")[:15], 16)
