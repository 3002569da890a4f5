"""`rlcores bench net`: the replay server beside a gRPC server and Redis, through sockets of this machine."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.net.frames import Settings
from rlcores.errors import RunFailed
from rlcores.net import ReplayClient, ReplayServer
from rlcores_lab import shown
from rlcores_lab.bench import net_peers
from rlcores_lab.bench.tables import Outcome, Step

RECORDS = {48: "48b", 112: "112b", 3072: "3kb", 28672: "28kb"}  # bytes of a record
ACTORS = (1, 2, 4, 8)
BATCHES = (64, 256, 512)
MTU, LONGEST = 1392, 65400  # bytes of a payload: what an Ethernet frame of 1,500 carries, and the longest datagrams
SERVERS = {"net.mtu1500": (MTU, {}), "net": (LONGEST, {}), "net.plain": (MTU, {"batch": 1})}  # its payload, its way
PUSH = 64  # records of a push that is waited for
PAPER = {"push": "−11.7 to −28.1", f"sample{BATCHES[1]}": "−21.9 to −29.1"}  # paper 004, against its baseline
SECONDS = 0.5  # that actors put for
SAMPLES = 200
MEMORY = 1 << 27  # bytes of records, at most
_PUT = 1 << 18  # bytes of records that an actor hands over at once


@dataclass(frozen=True)
class Found:
    """What one server does with records of one size: records a second by actors, and (p50, p99) in s by batch and of
    a push.
    """

    records: dict[int, float]
    push: tuple[float, float]
    samples: dict[int, tuple[float, float]]


def run(_: int, step: Step) -> Outcome:
    """Ours with both lengths of frames, and the peers that are installed. Raises RunFailed when a batch is wrong."""
    found: dict[str, dict[int, Found]] = {}
    for name, (part_bytes, way) in SERVERS.items():
        found[name] = {}
        for size in RECORDS:
            step(f"{name}: records of {size} bytes")
            settings = Settings(
                capacity=MEMORY // size, record_bytes=size, part_bytes=part_bytes, sample_max=max(BATCHES), credit=64
            )
            with ReplayServer(settings, **way) as server:
                found[name][size] = measure(server.address, partial(ReplayClient, **way), size, settings.capacity)
    missing = []
    for name, peer in net_peers.PEERS.items():
        try:
            found[f"peer.{name}"] = {}
            for size in RECORDS:
                step(f"{name}: records of {size} bytes")
                with peer.serve(MEMORY // size, size) as address:
                    found[f"peer.{name}"][size] = measure(address, peer.client, size, MEMORY // size)
        except (ImportError, FileNotFoundError):
            del found[f"peer.{name}"]
            missing.append(name)
    return Outcome(list(figures(found)), [*tables(found), *_sentences(missing)])


def measure(address: str, connect: Callable[..., Any], size: int, capacity: int) -> Found:
    """Records that actors put in SECONDS, 1 to 8 of them, then pushes and batches one after the other."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    records = {}
    for actors in ACTORS:
        with _actors(context, actors, address, connect, size) as pipes:
            for pipe in pipes:
                pipe.recv()
            for pipe in pipes:
                pipe.send("go")
            took = [pipe.recv() for pipe in pipes]
        records[actors] = sum(count for count, _ in took) / max(seconds for _, seconds in took)
    samples = {}
    with connect(address, 0) as learner:
        # All slots are taken, so that a batch is spread over the whole memory.
        held = 0
        while held < min(capacity, 1 << 16):
            learner.put(_rows(size, held), td_errors=np.ones(len(_rows(size, held))))
            learner.flush()
            held += len(_rows(size, held))
        few, errors = _rows(size, 0, PUSH), np.ones(PUSH)
        times = []
        for _ in range(max(SAMPLES * 48 // size, 20)):
            begun = time.perf_counter()
            learner.put(few, td_errors=errors)
            learner.flush()
            times.append(time.perf_counter() - begun)
        push = tuple(np.quantile(times, [0.5, 0.99]))
        for batch in BATCHES:
            times = []
            for _ in range(max(SAMPLES * 48 // size, 20)):
                begun = time.perf_counter()
                drawn = learner.sample(batch)
                times.append(time.perf_counter() - begun)
            if (drawn.records[:, 8:] != drawn.records[:, 8:9]).any():
                raise RunFailed("a record came back that nobody put")
            samples[batch] = tuple(np.quantile(times, [0.5, 0.99]))
    return Found(records, push, samples)


def _rows(size: int, first: int, count: int = 0) -> np.ndarray:
    count = count or max(_PUT // size, 1)
    rows = np.repeat(np.arange(first, first + count, dtype=np.uint64)[:, None].astype(np.uint8), size, 1)
    rows[:, :8] = np.arange(first, first + count, dtype=np.uint64)[:, None].view(np.uint8)
    return rows


@contextmanager
def _actors(context: Any, count: int, address: str, connect: Callable[..., Any], size: int) -> Iterator[list]:
    pipes, processes = [], []
    try:
        for number in range(1, count + 1):
            here, there = context.Pipe()
            one = context.Process(target=actor, args=(there, address, connect, number, size), daemon=True)
            one.start()
            there.close()
            pipes.append(here)
            processes.append(one)
        yield pipes
    except EOFError:
        raise RunFailed("an actor ended before its time") from None
    finally:
        for one in processes:
            one.join(10)
            one.kill()


def actor(pipe: Any, address: str, connect: Callable[..., Any], number: int, size: int) -> None:
    """A process that puts records for SECONDS after it was told to, and says how many were acknowledged, and when."""
    rows = _rows(size, 0)
    errors = np.ones(len(rows))
    with connect(address, number) as client:
        client.put(rows, td_errors=errors)
        client.flush()
        pipe.send("ready")
        pipe.recv()
        count, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            client.put(rows, td_errors=errors)
            count += len(rows)
        client.flush()
        pipe.send((count, time.perf_counter() - begun))


def figures(found: dict[str, dict[int, Found]]) -> Iterator[Figure]:
    """All of them; those without a size in their name are of records of 48 bytes, those of records of one actor."""
    for name, by_size in found.items():
        for size, one in by_size.items():
            what = name if size == 48 else f"{name}.{RECORDS[size]}"
            for actors, rate in one.records.items():
                last = "records_per_second" if actors == 1 else f"records_per_second_{actors}_actors"
                yield Figure(f"{what}.{last}", round(rate), "1/s", "measured")
            for called, times in _times(one).items():
                for quantile, seconds in zip(("p50", "p99"), times, strict=True):
                    yield Figure(f"{what}.{called}_{quantile}_us", round(seconds * 1e6, 1), "us", "measured")
    for size, called, change in _changes(found):
        what = "net" if size == 48 else f"net.{RECORDS[size]}"
        yield Figure(f"{what}.{called}_change_percent", round(change, 1), "%", "measured")


def _times(one: Found) -> dict[str, tuple[float, float]]:
    return {"push": one.push} | {f"sample{batch}": times for batch, times in one.samples.items()}


def _changes(found: dict[str, dict[int, Found]]) -> Iterator[tuple[int, str, float]]:
    """By how much the p50 with batches is below that of one datagram a call, both with frames of Ethernet's length."""
    for size, plain in found["net.plain"].items():
        ours, before = _times(found["net.mtu1500"][size]), _times(plain)
        for called in PAPER:
            yield size, called, 100 * (ours[called][0] / before[called][0] - 1)


def tables(found: dict[str, dict[int, Found]]) -> Iterator[Any]:
    """Records a second, and times of batches."""
    rows = [
        (name, f"{size:,}", *(f"{one.records[n] / 1e3:,.1f}" for n in ACTORS))
        for name, by_size in found.items()
        for size, one in by_size.items()
    ]
    yield shown.table("Thousand records a second", [("server", "bytes", *(f"{n} actors" for n in ACTORS)), *rows])
    rows = [
        (name, f"{size:,}", *(f"{p50 * 1e6:,.0f} / {p99 * 1e6:,.0f}" for p50, p99 in _times(one).values()))
        for name, by_size in found.items()
        for size, one in by_size.items()
    ]
    heads = ("server", "bytes", f"push of {PUSH}", *(f"batch of {n}" for n in BATCHES))
    yield shown.table("A push, and a batch: p50 / p99 in µs", [heads, *rows])
    rows = [(f"{size:,}", called, f"{change:+.1f}", PAPER[called]) for size, called, change in _changes(found)]
    heads = ("bytes", "call", "net.mtu1500 against net.plain, %", "Furukawa 2021 against its baseline, %")
    yield shown.table("Time saved by not handing over one datagram a call", [heads, *rows])


def _sentences(missing: list[str]) -> Iterator[str]:
    yield (
        "Server, actors and learner are on this machine, all from Python, an actor in each process. net uses the "
        "longest datagrams, net.mtu1500 what fits in an Ethernet frame of 1,500 bytes, and net.plain the same frames, "
        "each with a system call of its own. Redis has no priorities: its batches are uniform."
    )
    yield (
        "Furukawa and Matsutani (2021) go around the kernel, between machines. Their figures stand beside ours and "
        "measure another thing."
    )
    if missing:
        yield f"Not installed, so not timed: {', '.join(missing)}."
