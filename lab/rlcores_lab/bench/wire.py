"""`rlcores bench wire`: the replay server over a cable, through the kernel's sockets and past them, beside Redis.

Furukawa and Matsutani (2021) go around the kernel between machines. Here server and actors are in two network
namespaces of one machine, with a virtual cable between them, and only the server goes around the kernel.
"""

import itertools
import multiprocessing
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base import threads
from rlcores.base.report import Figure
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import RunFailed
from rlcores.net import ReplayClient, ReplayServer
from rlcores_lab import shown
from rlcores_lab.bench import cable, net_peers
from rlcores_lab.bench.apart.net_work import rows_of
from rlcores_lab.bench.faults import Faults, Proxy
from rlcores_lab.bench.tables import Outcome, Step

KERNEL, XDP, REDIS = "kernel", "xdp", "redis"
SERVERS = (KERNEL, XDP, REDIS)
BYTES = 48  # of a record
PART = 1392  # bytes of a payload, as an Ethernet frame of 1,500 carries
PUSH, BATCH = 64, 256  # records of a push and of a batch
PAPER = {"push": (-28.1, -11.7), "sample": (-29.1, -21.9)}  # Furukawa and Matsutani (2021), Figure 11, %
_PORT = 7878


@dataclass(frozen=True)
class Work:
    """What is measured: actors that push and wait beside a learner that samples and waits, turn by turn."""

    actors: tuple[int, ...] = (1, 2, 4, 8)
    seconds: float = 1.0
    turns: int = 3  # of every server with every number of actors; the best median counts
    delays: tuple[float, ...] = (0.0, 0.001, 0.01, 0.05)  # seconds of the way to a far server and back, halved
    capacity: int = 1 << 20


Times = dict[str, tuple[float, float]]  # of "push" and "sample": p50 and p99 in s
ALL = Work()


def run(_: int, step: Step, servers: Collection[str] = SERVERS, work: Work = ALL) -> Outcome:
    """Latencies over the cable by server and actors, and by distance through a proxy. Raises RunFailed."""
    times_of: dict[tuple[str, int], Times] = {}
    missing = ""
    with cable.ends() as (here, there):
        # Turn by turn, so that all servers meet the same noise.
        for turn, actors in itertools.product(range(work.turns), work.actors):
            for server in servers:
                step(f"{server}, {actors} actors, turn {turn + 1} of {work.turns}")
                try:
                    with _served(server, here, work.capacity) as address:
                        times = _measured(there, address, server, actors, work.seconds)
                except (FileNotFoundError, ImportError) as error:
                    missing = f"Not timed: {server}, {error} is not installed."
                    continue
                times_of[server, actors] = _better(times_of.get((server, actors)), times)
    far = {delay: _far(delay, work, step) for delay in work.delays}
    return Outcome(list(figures(times_of, far)), [*tables(times_of, far), *([missing] if missing else []), _SENTENCE])


_SENTENCE = (
    f"Records of {BYTES} bytes; a push of {PUSH}, a batch of {BATCH}, each waited for, from Python. Server, actors and "
    "learner share this machine's processors, so with more actors than processors the times are mostly waits for one. "
    "xdp is the same server past the kernel's sockets; its clients use the kernel's. Distances are a delay of every "
    "datagram in a proxy, which itself takes most of the first line's time."
)


# --- servers ---


@contextmanager
def _served(server: str, here: cable.End, capacity: int) -> Iterator[str]:
    if server == REDIS:
        with _redis(here) as address:
            yield f"{address}:{capacity}"
        return
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, here, server == XDP, capacity), daemon=True)
    process.start()
    theirs.close()
    try:
        said = ours.recv()
        if isinstance(said, Exception):
            raise RunFailed(str(said)) from said
        yield said
    except EOFError:
        raise RunFailed("the server ended before its time") from None
    finally:
        ours.close()
        process.join(10)
        process.kill()


def _serve(pipe: Any, here: cable.End, past: bool, capacity: int) -> None:
    """A process at the cable's end that serves until its pipe is closed."""
    threads.one()
    try:
        here.enter()
        settings = ServerSettings(capacity=capacity, record_bytes=BYTES, part_bytes=PART, sample_max=BATCH, credit=64)
        server = ReplayServer(settings, f"{here.address}:{_PORT}", xdp=here.device if past else None)
    except Exception as error:
        pipe.send(error)
        return
    pipe.send(server.address)
    try:
        pipe.recv()
    except EOFError:
        server.close()


@contextmanager
def _redis(here: cable.End) -> Iterator[str]:
    import redis  # noqa: F401

    if not shutil.which("redis-server"):
        raise FileNotFoundError("redis-server")
    options = ["--port", str(_PORT), "--bind", here.address, "--protected-mode", "no", "--save", ""]
    process = subprocess.Popen([*here.before, "redis-server", *options], stdout=subprocess.DEVNULL)
    try:
        test = f"import redis; redis.Redis('{here.address}', {_PORT}).ping()"
        until = time.monotonic() + 10
        while subprocess.run([*here.before, sys.executable, "-c", test], stderr=subprocess.DEVNULL).returncode:
            if time.monotonic() > until:
                raise RunFailed("redis-server does not answer")
        yield f"{here.address}:{_PORT}"
    finally:
        process.kill()
        process.wait()


# --- actors and a learner ---


def _measured(there: cable.End | None, address: str, server: str, actors: int, seconds: float) -> Times:
    """Times of a learner's samples, and of all actors' pushes, while all of them work."""
    connect: Callable[..., Any] = net_peers.RedisClient if server == REDIS else ReplayClient
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    pipes, processes = [], []
    try:
        for number in range(actors + 1):
            ours, theirs = context.Pipe()
            arguments = (theirs, there, connect, address, number, seconds)
            processes.append(context.Process(target=_work, args=arguments, daemon=True))
            processes[-1].start()
            theirs.close()
            pipes.append(ours)
            if not ours.poll(60) or ours.recv() != "ready":  # the learner, which fills the memory, comes first
                raise RunFailed("an actor did not begin")
        for pipe in pipes:
            pipe.send("go")
        answers = [pipe.recv() for pipe in pipes]
    except EOFError:
        raise RunFailed("an actor ended before its time") from None
    finally:
        for process in processes:
            process.join(10)
            process.kill()
    both = {"push": np.concatenate(answers[1:]), "sample": np.asarray(answers[0])}
    return {what: tuple(np.quantile(times, [0.5, 0.99]).tolist()) for what, times in both.items()}


def _work(pipe: Any, there: cable.End | None, connect: Callable, address: str, number: int, seconds: float) -> None:
    """A process that pushes, or as number 0 samples, for so long after it was told to, and says how long each took."""
    threads.one()
    if there:
        there.enter()
    with connect(address, number) as client:
        few, errors = rows_of(BYTES, 0, PUSH), np.ones(PUSH)
        for _ in range(64):
            client.put(few, td_errors=errors)
        client.flush()
        pipe.send("ready")
        pipe.recv()
        times, end = [], time.perf_counter() + seconds
        while (begun := time.perf_counter()) < end:
            if number:
                client.put(few, td_errors=errors)
                client.flush()
            else:
                client.sample(BATCH)
            times.append(time.perf_counter() - begun)
        pipe.send(times)


def _better(one: Times | None, other: Times) -> Times:
    return other if one is None else {what: min(one[what], other[what]) for what in other}


def _far(delay: float, work: Work, step: Step) -> Times:
    """One actor and a learner behind a proxy on this machine's loopback."""
    step(f"a server {1e3 * delay:g} ms away")
    settings = ServerSettings(capacity=work.capacity, record_bytes=BYTES, part_bytes=PART, sample_max=BATCH, credit=64)
    clean = Faults(drop=0, repeat=0, reorder=0, damage=0, cut=0, distance=delay)
    with ReplayServer(settings) as server, Proxy(server.address, clean, 1) as proxy:
        return _measured(None, proxy.address, KERNEL, 1, work.seconds)


# --- what is said ---


def figures(times_of: dict[tuple[str, int], Times], far: dict[float, Times]) -> Iterator[Figure]:
    """All of them, in µs, and the change in percent from the kernel's sockets to past them."""
    for (server, actors), times in times_of.items():
        for what, both in times.items():
            for quantile, seconds in zip(("p50", "p99"), both, strict=True):
                yield Figure(f"wire.{server}.{actors}.{what}_{quantile}_us", round(1e6 * seconds, 1), "us", "measured")
    for actors, what, change in changes(times_of):
        yield Figure(f"wire.change.{actors}.{what}_percent", round(change, 1), "%", "measured")
    for delay, times in far.items():
        for what, (p50, _) in times.items():
            yield Figure(f"wire.far.{1e3 * delay:g}ms.{what}_p50_us", round(1e6 * p50, 1), "us", "measured")


def changes(times_of: dict[tuple[str, int], Times]) -> Iterator[tuple[int, str, float]]:
    """By how much the p50 past the kernel's sockets differs from that through them, by actors and call, in percent."""
    for (server, actors), times in times_of.items():
        if server == XDP and (KERNEL, actors) in times_of:
            for what, (p50, _) in times.items():
                yield actors, what, 100 * (p50 / times_of[KERNEL, actors][what][0] - 1)


def tables(times_of: dict[tuple[str, int], Times], far: dict[float, Times]) -> Iterator[Any]:
    """Times by server and actors, the change beside the paper's, times by distance."""
    heads = ("server", "actors", *(f"{what}, p50 / p99 in µs" for what in PAPER))
    rows = [
        (server, str(n), *(_shown(times[what]) for what in PAPER)) for (server, n), times in sorted(times_of.items())
    ]
    yield shown.table("Over a cable: an actor's push and a learner's batch", [heads, *rows])
    rows = [(str(n), what, f"{c:+.1f}", "{:+.1f} … {:+.1f}".format(*PAPER[what])) for n, what, c in changes(times_of)]
    heads = ("actors", "call", "past the kernel, %", "Furukawa 2021, %")
    yield shown.table("Change of the p50 against the kernel's sockets", [heads, *rows])
    rows = [(f"{1e3 * delay:g}", *(_shown(times[what]) for what in PAPER)) for delay, times in far.items()]
    heads = ("one way, ms", *(f"{what}, p50 / p99 in µs" for what in PAPER))
    yield shown.table("A far server: one actor, a delay of every datagram", [heads, *rows])


def _shown(times: tuple[float, float]) -> str:
    return "{:,.0f} / {:,.0f}".format(*(1e6 * x for x in times))
