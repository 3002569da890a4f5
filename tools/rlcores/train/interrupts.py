"""Ctrl-C and SIGTERM during a long command: a request to come to an end, or the end at once, never a traceback.

An exception that a signal raises can come anywhere: in an import, in a callback of C, in the cleaning up after another
one. So none is raised. While there is work that can end by itself, the first signal asks for that; otherwise, and with
the second one, the process ends on the spot, and takes its children and half-written files with it.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

from rlcores.base import files, tools


class Interrupts:
    """Use as a context manager around a whole command. In other threads than the main one it does nothing."""

    def __init__(self) -> None:
        self.number = signal.SIGINT  # of the signal that asked for the end
        self.last_words = "stopped"  # what is said when the process ends at once
        self.leave: Callable[[], None] = lambda: None  # what is done then
        self._stop: Callable[[], None] | None = None
        self._before: dict[int, object] = {}

    @property
    def exit_code(self) -> int:
        """As a shell has it: 130 after Ctrl-C, 143 after SIGTERM."""
        return 128 + self.number

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                # A job in the background, or under nohup, ignores them, and so do we.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._came)
        return self

    def __exit__(self, *_) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    @contextlib.contextmanager
    def working(self, stop: Callable[[], None]) -> Iterator[None]:
        """Inside, the first signal calls stop() instead of ending the process."""
        self._stop = stop
        try:
            yield
        finally:
            self._stop = None

    def _came(self, number: int, _: object) -> None:
        stop, self._stop, self.number = self._stop, None, number
        if stop is None:
            self._end()
        # Not by print: the signal may have come in the middle of one.
        _say("stopping after this round; Ctrl-C again stops at once")
        stop()

    def _end(self) -> None:
        with contextlib.suppress(BaseException):
            for process in multiprocessing.active_children():
                process.kill()
        with contextlib.suppress(BaseException):
            tools.kill_all()
        with contextlib.suppress(BaseException):
            files.abandon()
            self.leave()
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        with contextlib.suppress(OSError):
            if os.isatty(1):
                os.write(1, b"\x1b[?25h\n")  # a progress bar hides the cursor
        _say(f"rlcores: {self.last_words}")
        os._exit(self.exit_code)


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{text}\n".encode())
