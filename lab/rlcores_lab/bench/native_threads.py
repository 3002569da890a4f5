"""Transitions written by several threads while another one samples: lazy writing, through Python."""

import os
import threading
import time

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.sumtree.api import PrioritizedSampler
from rlcores_lab.bench.tables import Outcome, Step


def threads(seed: int, step: Step, seconds: float = 1.0, slots: int = 1 << 14) -> Outcome:
    """Transitions of one 84 x 84 frame written lazily by one thread and by two, while another thread samples."""
    step("threads that insert")
    frames = np.ones((slots, 84 * 84), np.uint8)  # a full buffer's: the system has given its memory before
    turns = [[_inserts(writers, seed, seconds / 4, frames) for writers in (1, 2)] for _ in range(4)]
    rates = [max(found) for found in zip(*turns, strict=True)]
    figures = [Figure(f"native.inserts_{n}", rate, "1/s, 64 a call", "measured") for n, rate in enumerate(rates, 1)]
    figures.append(Figure("native.inserts_ratio", rates[1] / rates[0], "two threads' by one's", "measured"))
    line = (
        f"Lazy writing of 84 x 84 frames into a full buffer, 64 a call, while a thread samples 256 every millisecond: "
        f"{rates[0]:,.0f} a second by one thread, {rates[1]:,.0f} by two, {rates[1] / rates[0]:.2f} times as many, "
        f"on {len(os.sched_getaffinity(0))} processors, the best of four turns."
    )
    return Outcome(figures, [line])


def _inserts(writers: int, seed: int, seconds: float, frames: np.ndarray) -> float:
    """Transitions a second."""
    slots = len(frames)
    sampler = PrioritizedSampler(slots, batch_size=256, seed=seed)
    sampler.add(slots)
    given = np.ones((64, 84 * 84), np.uint8)
    done, end = [0] * writers, time.perf_counter() + seconds

    def write(number: int) -> None:
        while time.perf_counter() < end:
            taken = sampler.reserve(64)
            np.copyto(frames[taken.indices[0] : taken.indices[0] + 64], given)  # every call takes 64 that follow
            sampler.commit(taken.indices, taken.generations)
            done[number] += 64

    def sample() -> None:
        while time.perf_counter() < end:
            batch = sampler.sample()
            sampler.update(batch.indices, np.ones(256, np.float32), batch.generations)
            time.sleep(0.001)

    workers = [threading.Thread(target=write, args=(n,)) for n in range(writers)] + [threading.Thread(target=sample)]
    begun = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(done) / (time.perf_counter() - begun)
