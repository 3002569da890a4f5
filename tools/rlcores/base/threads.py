"""Threads of the matrix library. The matrices here are small: more threads than one only stand in each other's way."""

import os
from types import TracebackType

NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one() -> None:
    """One thread in this process, unless the user says otherwise. Only before NumPy is imported."""
    for name in NAMES:
        os.environ.setdefault(name, "1")


class OneInChildren:
    """A context: processes that are started inside have one thread."""

    def __enter__(self) -> None:
        self._before = {n: os.environ.get(n) for n in NAMES}
        os.environ.update(dict.fromkeys(NAMES, "1"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
