"""What all peers need: which of them are there, C and C++ compiled for this processor, the least time of a call.

A peer is a class with a name, a title, and the module that must load for it; without one it is always there.
"""

import ctypes
import importlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rlcores.base import tools
from rlcores.errors import RunFailed

_FLAGS = {".c": ("cc", "-std=c11"), ".cpp": ("g++", "-std=c++20")}


def compiled(name: str, *flags: str) -> ctypes.CDLL:
    """The library of a source that stands beside this file. Raises RunFailed when it does not compile."""
    source = Path(__file__).resolve().with_name(name)
    compiler, standard = _FLAGS[source.suffix]
    tools.require_commands(compiler)
    # The loaded library outlives its file.
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"{source.stem}.so"
        command = [compiler, standard, "-O3", "-march=native", *flags, "-shared", "-fPIC", "-o", library, source]
        done = subprocess.run(command, capture_output=True, text=True, env=tools.env())
        if done.returncode != 0:
            raise RunFailed(f"the peer {name} does not compile:\n{done.stderr.strip()}")
        return ctypes.CDLL(str(library))


def loads(module: str) -> bool:
    """Whether somebody's package is installed and loads, with one thread where it would take more."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    try:
        importlib.import_module(module)
    except ImportError:  # a package may be there and still not load, when its torch is another one
        return False
    return True


def installed(peers: Iterable[type]) -> list[type]:
    """Those of these peers that can be timed here."""
    return [one for one in peers if not hasattr(one, "module") or loads(one.module)]


def each(what: str, peers: Iterable[type], step: Callable[[str], object]) -> Iterator[type]:
    """The peers that can be timed, one after the other; `step` is called with each name."""
    for one in installed(peers):
        step(f"{what}, {one.title}")
        yield one


def absent(peers: Iterable[type]) -> list[str]:
    """A sentence when some of these peers are not timed."""
    missing = [one.name for one in peers if one not in installed([one])]
    return [f"Not installed, so not timed: {', '.join(missing)} (`uv sync --extra peers`)."] if missing else []


def place(peer: Any) -> str:
    """What the names of its figures begin with; the engine has a name of its own."""
    return peer.name if peer.name.startswith("native") else f"peer.{peer.name}"


def least(call: Callable[[int], object], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of call(0), call(1), …, the least of those in `seconds` after a warm-up; at least one counts."""
    for budget in (seconds / 4, seconds):
        best, number, end = float("inf"), 0, time.perf_counter() + budget
        while not number or time.perf_counter() < end:
            begun = clock()
            call(number)
            best = min(best, clock() - begun)
            number += 1
    return best
