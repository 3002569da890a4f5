"""`rlcores bench locks`: a replay under many threads, with one lock around all, one for the tree, one a bank, and none.

Zhang et al. (2021), Figure 10. The threads are the engine's own, without Python and its lock: locks.cpp.
"""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rlcores.base import paths, tools
from rlcores.base.report import Figure
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome, Step

KINDS = {
    "global": "one lock around every call",
    "tree": "a lock for the tree (the default)",
    "banks": "a lock per bank (banks=8)",
    "none": "nothing shared",
}
PAPER = (2.0, 5.0)  # Zhang et al. (2021), Figure 10: times a global lock
SMALL = "-DRLCORES_LOCKS_SMALL"  # for tests: 4,096 slots instead of 2**20


@dataclass(frozen=True)
class Work:
    """What is measured: some seconds of each kind with each number of threads, in turns; the best one counts."""

    threads: tuple[int, ...] = (1, 2, 4, 8, 16)
    seconds: float = 0.3
    turns: int = 6
    banks: int = 8


ALL = Work()


def run(seed: int, step: Step, work: Work = ALL, flags: str = "") -> Outcome:
    """Iterations a second by kind and threads. Raises RunFailed: it does not compile, or a thread's work is lost."""
    step("building")
    program = built(paths.build() / "bench" / "locks", flags)
    best: dict[tuple[str, int], float] = {}
    for turn in range(work.turns):
        for count in work.threads:
            for kind in KINDS:
                step(f"{kind}, {count} threads, turn {turn + 1} of {work.turns}")
                rate = once(program, kind, count, work.seconds, work.banks, seed)
                best[kind, count] = max(best.get((kind, count), 0.0), rate)
    processors = len(os.sched_getaffinity(0))
    return Outcome(list(_figures(best, processors)), [_table(best, work), _note(processors, work)])


def built(folder: Path, flags: str = "") -> Path:
    """The program, linked with the engine. flags: of the compiler. Raises RunFailed."""
    source, cmake = paths.root() / "tools" / "rlcores" / "native", str(tools.scripts() / "cmake")
    configure = [
        *(cmake, "-S", str(source), "-B", str(folder), "-G", "Ninja", "-DRLCORES_PYTHON=OFF"),
        f"-DCMAKE_MAKE_PROGRAM={tools.scripts() / 'ninja'}",
        f"-DRLCORES_PROGRAM={Path(__file__).resolve().with_name('locks.cpp')}",
        f"-DCMAKE_CXX_FLAGS={flags}",
    ]
    for command in (configure, [cmake, "--build", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, env=tools.env())
        if done.returncode:
            raise RunFailed(f"the benchmark of locks does not build:\n{(done.stdout + done.stderr).strip()}")
    return folder / "rlcores_locks"


def once(program: Path, kind: str, threads: int, seconds: float, banks: int, seed: int) -> float:
    """Iterations a second of all threads together. Raises RunFailed when the program finds that something was lost."""
    arguments = [kind, str(threads), str(seconds), str(banks), str(seed)]
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RunFailed(f"locks {' '.join(arguments)}: {(done.stdout + done.stderr).strip()}")
    iterations, took = done.stdout.split()
    return int(iterations) / float(took)


def _figures(best: dict[tuple[str, int], float], processors: int) -> Iterator[Figure]:
    yield Figure("locks.processors", processors, "processors", "measured")
    for (kind, count), rate in best.items():
        yield Figure(f"locks.{kind}.{count}.iterations", round(rate), "1/s", "measured")
    for count in dict.fromkeys(count for _, count in best):
        for kind in KINDS:
            if kind != "global":
                ratio = best[kind, count] / best["global", count]
                yield Figure(f"locks.{kind}.{count}.of_global", round(ratio, 3), "", "measured")


def _table(best: dict[tuple[str, int], float], work: Work):
    rows = [("", *(f"{n} threads" if n > 1 else "1 thread" for n in work.threads))]
    for kind, title in KINDS.items():
        cells = (f"{best[kind, n]:,.0f} ({best[kind, n] / best['global', n]:.2f})" for n in work.threads)
        rows.append((title, *cells))
    return shown.table("Iterations a second (and of a global lock's), measured", rows)


def _note(processors: int, work: Work) -> str:
    return (
        "An iteration reserves 16 slots, writes their rows and commits them, draws 256 of 2^20 and reads their rows, "
        f"and updates 256 priorities. The best of {work.turns} turns of {work.seconds:g} s, on {processors} "
        f"processors. So no more than {processors} threads are ever at work, and a curve can rise {processors} times "
        "at most: what more threads show is what it costs when a thread that has a lock is not running. How far locks "
        "per bank scale on more processors cannot be seen here. `none` leaves out locks by leaving out what is shared; "
        "the paper leaves them out of one shared tree, whose answers are then wrong."
    )
