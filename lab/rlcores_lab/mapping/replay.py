"""Samples and priority updates over the batch, on each device: Zhang's (2022) Figures 4.10 and 5.2.

On the processor they are calls of the native engine's sampler, by one thread and by several that share a batch. A call
holds the tree's lock, so threads take turns; the paper's own CPU code reads without one.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.eda import configs
from rlcores.eda.boards import Board, Clock
from rlcores_lab.bench import peer
from rlcores_lab.mapping import fpga, profiles
from rlcores_lab.mapping.workloads import CPU, FPGA, GPU

BATCHES = tuple(1 << n for n in range(5, 17))
THREADS = (1, 2, 4, 8, 16)
_CALL = 1 << 15  # samples of a call at most


@dataclass(frozen=True)
class Curve:
    """Seconds of a batch's samples and of its updates, over the batch."""

    device: str
    title: str
    how: str  # measured, assumed or model
    sample: dict[int, float]
    update: dict[int, float]


def processor(
    seconds: float,
    step: Callable[[str], None] = lambda what: None,
    batches: Sequence[int] = BATCHES,
    counts: Sequence[int] = THREADS,
    seed: int = 0,
) -> list[Curve]:
    """The native engine, with each number of threads; the least wall time of the repeats in `seconds`."""
    sampler = PrioritizedSampler(profiles.LEAVES, seed=seed, stratified=False, batch_max=_CALL)
    sampler.add(profiles.LEAVES)
    rng = np.random.default_rng(seed)
    sampler.update(np.arange(profiles.LEAVES), rng.random(profiles.LEAVES))
    curves = []
    for count in counts:
        curve = Curve(CPU, f"CPU, {count} thread{'s' * (count > 1)}", "measured", {}, {})
        for batch in batches:
            if batch % count:
                continue
            step(f"replay: {curve.title}, batch {batch:,}")
            updates = [
                (rng.integers(0, profiles.LEAVES, batch // count), rng.random(batch // count)) for _ in range(count)
            ]
            sample, update = partial(_sample, sampler, batch // count), partial(_update, sampler, updates)
            with Together(count) as threads:
                curve.sample[batch], curve.update[batch] = (
                    peer.least(lambda n, threads=threads, work=work: threads(work), seconds)
                    for work in (sample, update)
                )
        curves.append(curve)
    return curves


def _sample(sampler: PrioritizedSampler, count: int, number: int) -> None:
    for first in range(0, count, _CALL):
        sampler.sample(min(_CALL, count - first))


def _update(sampler: PrioritizedSampler, own: list[tuple[np.ndarray, np.ndarray]], number: int) -> None:
    sampler.update(*own[number])


class Together:
    """Threads that all do the same thing and wait for one another. A context; one thread is the caller's own.

    Called with what each does, by its number; it returns when all have done it.
    """

    def __init__(self, count: int) -> None:
        self._count, self._work, self._over = count, None, False
        self._begin, self._end = (threading.Barrier(count) for _ in range(2))
        self._failed: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run, args=(n,), daemon=True) for n in range(1, count)]

    def __enter__(self) -> "Together":
        for one in self._threads:
            one.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over = True
        self._begin.wait()
        for one in self._threads:
            one.join()

    def __call__(self, work: Callable[[int], object]) -> None:
        """Raises what the work of another thread raised."""
        self._work = work
        self._begin.wait()
        work(0)
        self._end.wait()
        if self._failed:
            raise self._failed.pop()

    def _run(self, number: int) -> None:
        while True:
            self._begin.wait()
            if self._over:
                return
            try:
                self._work(number)
            except BaseException as error:
                self._failed.append(error)
            self._end.wait()


def graphics(name: str, batches: Sequence[int] = BATCHES) -> Curve:
    """A GPU of gpus.yaml, assumed: seven operations a level of a sample, four of an update."""
    g = profiles.assumed_gpus()[name]
    parts = [{b: profiles.assumed_replay(g, b)[part] for b in batches} for part in (0, 1)]
    return Curve(GPU, f"{g['title']} (assumed)", "assumed", *parts)


def board(of: Board, clock: Clock, batches: Sequence[int] = BATCHES) -> Curve:
    """The board's own tree: it takes a sample and an update in every clock, so both take the same time, at once."""
    tree = configs.load("sumtree", of.name)
    both = {b: 1e-6 * fpga.tree_clocks(tree, b) / clock.mhz for b in batches}
    return Curve(FPGA, f"{of.title} at {clock.mhz:g} MHz", "model", both, both)
