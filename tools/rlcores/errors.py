"""The two ways a request to rlcores can end badly, and the way it can end with something lost."""

import sys
import warnings
from collections.abc import Callable
from types import FrameType, TracebackType


class UserError(ValueError):
    """What was asked for does not exist or is not allowed; the message is one sentence. Exit code 2."""


class RunFailed(RuntimeError):
    """The request was fine, but the run it started failed. Exit code 1."""


class CoreWarning(UserWarning):
    """A number was clipped, rounded away or dropped; the message says which and how often."""


def warn(message: str) -> None:
    """Warn with a CoreWarning, at the line of the program that called rlcores."""
    level = 2
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "rlcores":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, CoreWarning, stacklevel=level - 1 if frame is None else level)


class WarningCounter:
    """How often each thing happened, and a CoreWarning at the first, tenth, hundredth … time.

    A training loop may reach the same limit at every step; its user should see a few warnings, not thousands.
    """

    def __init__(self) -> None:
        """All counts 0."""
        self.counts: dict[str, int] = {}

    def add(self, name: str, count: int, message: str | Callable[[], str]) -> None:
        """Count, and warn when the sum's next power of ten is reached; the message gets "(n so far)".

        message: or a function that makes it, which is called only then.
        """
        if not count:
            return
        before = self.counts.get(name, 0)
        now = self.counts[name] = before + count
        if len(str(now)) > len(str(before)) or not before:
            warn(f"{message if isinstance(message, str) else message()} ({now} so far)")


class _UserErrors:
    def __enter__(self) -> None: ...

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, ValueError) and not isinstance(error, UserError):
            raise UserError(str(error)) from error


_USER_ERRORS = _UserErrors()  # it holds nothing, so that one is enough


def user_errors() -> _UserErrors:
    """A ValueError of a model is the user's."""
    return _USER_ERRORS
