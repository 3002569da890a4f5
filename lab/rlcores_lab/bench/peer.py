"""What all peers need: C and C++ compiled for this processor, and the least time that a call takes."""

import ctypes
import importlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rlcores.base import tools
from rlcores.errors import RunFailed

_FLAGS = {".c": ("cc", "-std=c11"), ".cpp": ("g++", "-std=c++20")}


def compiled(name: str, *flags: str) -> ctypes.CDLL:
    """The library of a source that stands beside this file. Raises RunFailed when it does not compile."""
    source = Path(__file__).resolve().with_name(name)
    compiler, standard = _FLAGS[source.suffix]
    tools.need(compiler)
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
