"""The work that `rlcores bench net` gives to a replay server: actors that put, then a learner that puts and draws."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

_PUT = 1 << 18  # bytes of records that an actor hands over at once
_FILLED = 1 << 16  # records that are there before batches are drawn


@dataclass(frozen=True)
class Work:
    """What is measured."""

    actors: tuple[int, ...] = (1, 2, 4, 8)
    batches: tuple[int, ...] = (64, 256, 512)
    push: int = 64  # records of a push that is waited for
    seconds: float = 0.5  # that actors put for
    samples: int = 200  # pushes, and batches of a size, of records of 48 bytes; of longer ones fewer
    memory: int = 1 << 27  # bytes of records, at most

    def capacity(self, size: int) -> int:
        """How many records of `size` bytes a server keeps."""
        return self.memory // size


@dataclass(frozen=True)
class Measured:
    """What one server does with records of one size: records a second by actors, and (p50, p99) in s by batch and of
    a push.
    """

    records: dict[int, float]
    push: tuple[float, float]
    samples: dict[int, tuple[float, float]]


def measure(
    work: Work, address: str, connect: Callable[..., Any], size: int, preload: tuple[str, ...] = (__name__,)
) -> Measured:
    """Records that each number of actors puts in work.seconds, then pushes and batches one after the other.

    connect: makes a client of an address and a number. preload: modules that all actors need. Raises RuntimeError when
    a batch is wrong, or an actor ends.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    records = {}
    for actors in work.actors:
        with _actors(context, actors, address, connect, size, work.seconds) as pipes:
            for pipe in pipes:
                pipe.recv()
            for pipe in pipes:
                pipe.send("go")
            took = [pipe.recv() for pipe in pipes]
        records[actors] = sum(count for count, _ in took) / max(seconds for _, seconds in took)
    samples, turns = {}, max(work.samples * 48 // size, 20)
    with connect(address, 0) as learner:
        # All slots are taken, so that a batch is spread over the whole memory.
        held = 0
        while held < min(work.capacity(size), _FILLED):
            rows = rows_of(size, held)
            learner.put(rows, td_errors=np.ones(len(rows)))
            learner.flush()
            held += len(rows)
        few, errors = rows_of(size, 0, work.push), np.ones(work.push)
        times = []
        for _ in range(turns):
            begun = time.perf_counter()
            learner.put(few, td_errors=errors)
            learner.flush()
            times.append(time.perf_counter() - begun)
        push = tuple(np.quantile(times, [0.5, 0.99]).tolist())
        for batch in work.batches:
            times = []
            for _ in range(turns):
                begun = time.perf_counter()
                drawn = learner.sample(batch)
                times.append(time.perf_counter() - begun)
                if drawn.records.shape != (batch, size) or (drawn.records[:, 8:] != drawn.records[:, 8:9]).any():
                    raise RuntimeError("a record came back that nobody put")
            samples[batch] = tuple(np.quantile(times, [0.5, 0.99]).tolist())
    return Measured(records, push, samples)


def rows_of(size: int, first: int, count: int = 0) -> np.ndarray:
    """Records of `size` bytes, uint8 (n, size), each with its number; by default as many as an actor hands over."""
    count = count or max(_PUT // size, 1)
    rows = np.repeat(np.arange(first, first + count, dtype=np.uint64)[:, None].astype(np.uint8), size, 1)
    rows[:, :8] = np.arange(first, first + count, dtype=np.uint64)[:, None].view(np.uint8)
    return rows


@contextmanager
def _actors(
    context: Any, count: int, address: str, connect: Callable[..., Any], size: int, seconds: float
) -> Iterator[list]:
    pipes, processes = [], []
    try:
        for number in range(1, count + 1):
            here, there = context.Pipe()
            one = context.Process(target=actor, args=(there, address, connect, number, size, seconds), daemon=True)
            one.start()
            there.close()
            pipes.append(here)
            processes.append(one)
        yield pipes
    except EOFError:
        raise RuntimeError("an actor ended before its time") from None
    finally:
        for one in processes:
            one.join(10)
            one.kill()


def actor(pipe: Any, address: str, connect: Callable[..., Any], number: int, size: int, seconds: float) -> None:
    """A process that puts records for so long after it was told to, and says how many were acknowledged, and when."""
    rows = rows_of(size, 0)
    errors = np.ones(len(rows))
    with connect(address, number) as client:
        client.put(rows, td_errors=errors)
        client.flush()
        pipe.send("ready")
        pipe.recv()
        count, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            client.put(rows, td_errors=errors)
            count += len(rows)
        client.flush()
        pipe.send((count, time.perf_counter() - begun))
