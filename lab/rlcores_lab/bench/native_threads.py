"""Transitions written by several threads while another one samples: lazy writing, through Python."""

import itertools
import os
import threading
import time
from collections.abc import Callable

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores_lab.bench.tables import Outcome, Step


def threads(seed: int, step: Step, seconds: float = 1.0, slots: int = 1 << 14) -> Outcome:
    """Transitions of one 84 x 84 frame written lazily by one thread and by two, while another thread samples."""
    step("threads that insert")
    frames = np.ones((slots, 84 * 84), np.uint8)  # a full buffer's: the system has given its memory before
    kinds = [(work, writers) for writers in (1, 2) for work in (_inserts, _copies)]
    turns = [[work(writers, seed, seconds / 4, frames) for work, writers in kinds] for _ in range(4)]
    best = [max(rates) for rates in zip(*turns, strict=True)]
    rates, copies = best[::2], best[1::2]
    figures = [Figure(f"native.inserts_{n}", rate, "1/s, 64 a call", "measured") for n, rate in enumerate(rates, 1)]
    figures.append(Figure("native.inserts_ratio", rates[1] / rates[0], "two threads' by one's", "measured"))
    figures.append(Figure("native.copies_ratio", copies[1] / copies[0], "two threads' by one's, no tree", "measured"))
    line = (
        f"Lazy writing of 84 x 84 frames into a full buffer, 64 a call, while a thread samples 256 every millisecond: "
        f"{rates[0]:,.0f} a second by one thread, {rates[1]:,.0f} by two, {rates[1] / rates[0]:.2f} times as many, "
        f"on {len(os.sched_getaffinity(0))} processors, the best of four turns. Without a tree, copies into the same "
        f"memory: {copies[0]:,.0f} and {copies[1]:,.0f}, {copies[1] / copies[0]:.2f} times as many."
    )
    return Outcome(figures, [line])


def _inserts(writers: int, seed: int, seconds: float, frames: np.ndarray) -> float:
    """Transitions a second."""
    slots = len(frames)
    sampler = PrioritizedSampler(slots, batch_size=256, seed=seed)
    sampler.add(slots)
    rows = np.ones((64, 84 * 84), np.uint8)

    def write(number: int) -> None:
        taken = sampler.reserve(64)
        np.copyto(frames[taken.indices[0] : taken.indices[0] + 64], rows)  # every call takes 64 that follow
        sampler.commit(taken.indices, taken.generations)

    def sample(end: float) -> None:
        while time.perf_counter() < end:
            batch = sampler.sample()
            sampler.update(batch.indices, np.ones(256, np.float32), batch.generations)
            time.sleep(0.001)

    return _rate(writers, seconds, write, sample)


def _copies(writers: int, seed: int, seconds: float, frames: np.ndarray) -> float:
    """The same without a tree: what memory and Python allow."""
    rows = np.ones((64, 84 * 84), np.uint8)
    starts = [itertools.cycle(range(64 * n, len(frames) - 63, 64 * writers)) for n in range(writers)]

    def write(number: int) -> None:
        start = next(starts[number])
        np.copyto(frames[start : start + 64], rows)

    return _rate(writers, seconds, write)


def _rate(writers: int, seconds: float, write: Callable[[int], None], *others: Callable[[float], None]) -> float:
    """Transitions a second, of write(number of the thread), which writes 64; others run beside until the time given."""
    done, begun = [0] * writers, time.perf_counter()
    end = begun + seconds

    def work(number: int) -> None:
        while time.perf_counter() < end:
            write(number)
            done[number] += 64

    workers = [threading.Thread(target=work, args=(n,)) for n in range(writers)]
    workers += [threading.Thread(target=other, args=(end,)) for other in others]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(done) / (time.perf_counter() - begun)
