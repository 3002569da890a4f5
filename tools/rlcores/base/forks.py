"""What belongs to the process that made it: a child that was forked from it has copies, and leaves them alone."""

import os
import threading
import time
import weakref
from collections.abc import Callable
from importlib import _bootstrap  # type: ignore[attr-defined]
from typing import Any, TypeVar

T = TypeVar("T")
_TIMEOUT = 30.0  # seconds; an import that takes longer may wait for this thread

COPY = (
    "this process was forked from the one that made the sampler or buffer, and writes into a copy that no other "
    "process sees: add and update in the process that made it, or let both share a replay server (rlcores serve)"
)

_leaves: "weakref.WeakKeyDictionary[Any, Callable[[Any], object]]" = weakref.WeakKeyDictionary()


def leave_in_child(owner: T, leave: Callable[[T], object]) -> T:
    """In every forked child `leave(owner)` is called: it closes the child's copies of files, or notes it is a copy.

    A lock of a file, and the port of a socket, are held as long as any process has a copy.
    """
    _leaves[owner] = leave
    return owner


def _in_child() -> None:
    for owner, leave in list(_leaves.items()):
        try:
            leave(owner)
        except Exception:  # a child begins, whatever state the owner was in
            continue
    _leaves.clear()


def _imports_end() -> None:
    """Before a fork, wait until no other thread imports: the child could never release that import's lock.

    A module that is loaded at a first call is one.
    """
    locks, me, end = getattr(_bootstrap, "_module_locks", {}), threading.get_ident(), time.monotonic() + _TIMEOUT
    while time.monotonic() < end:
        held = [lock for lock in (ref() for ref in list(locks.values())) if lock is not None]
        if all(getattr(lock, "owner", None) in (None, me) for lock in held):
            return
        time.sleep(0.001)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_imports_end, after_in_child=_in_child)
