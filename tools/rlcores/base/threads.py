"""Threads of the matrix library, and of callers who share an object.

The matrices here are small: more threads than one only stand in each other's way.
"""

import functools
import os
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from rlcores.base import tools

_Method = TypeVar("_Method", bound=Callable[..., Any])

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one() -> None:
    """One thread in this process, unless the user says otherwise. Only before NumPy is imported."""
    for name in NAMES:
        os.environ.setdefault(name, "1")


def one_in_children() -> AbstractContextManager[None]:
    """A context: processes that are started inside have one thread."""
    return tools.environment(dict.fromkeys(NAMES, "1"))


class ForkSafeLock:
    """A lock of one object. A copy of the object has one of its own, and in a child process it is free."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        _turns.add(self)

    def __reduce__(self) -> tuple[type["ForkSafeLock"], tuple[()]]:
        return ForkSafeLock, ()


_turns: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


def _renew() -> None:
    """In a child process nobody holds any of them."""
    for turn in _turns:
        turn.lock = threading.RLock()


os.register_at_fork(after_in_child=_renew)


def turn(of: Any) -> AbstractContextManager[Any]:
    """The lock of an object whose methods are `alone`, or of what is to be like one of them."""
    return (of.__dict__.get("_turn") or of.__dict__.setdefault("_turn", ForkSafeLock())).lock


def alone(method: _Method) -> _Method:
    """A method that no two threads run at once on one object."""

    @functools.wraps(method)
    def called(self: Any, *arguments: Any, **named: Any) -> Any:
        with turn(self):
            return method(self, *arguments, **named)

    return cast(_Method, called)
