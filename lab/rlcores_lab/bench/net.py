"""`rlcores bench net`: the replay server beside a gRPC server, Redis and Reverb, through sockets of this machine."""

import itertools
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from rlcores.base.report import Figure
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import RunFailed
from rlcores.net import ReplayClient, ReplayServer
from rlcores_lab import shown
from rlcores_lab.bench import net_apart, net_peers
from rlcores_lab.bench.apart.net_work import Measured, Work, measure
from rlcores_lab.bench.tables import Outcome, Step

RECORDS = {48: "48b", 112: "112b", 3072: "3kb", 28672: "28kb"}  # bytes of a record
MTU, LONGEST = 1392, 65400  # bytes of a payload: what an Ethernet frame of 1,500 carries, and the longest datagrams
SERVERS = {"net.mtu1500": (MTU, {}), "net": (LONGEST, {}), "net.plain": (MTU, {"batch": 1})}  # its payload, its way
REVERB = "reverb"
PEERS = (*net_peers.PEERS, REVERB)
PAPER = {
    "push": "−11.7 to −28.1",
    "sample256": "−21.9 to −29.1",
}  # Furukawa and Matsutani (2021), against their baseline
ALL = Work()
_PRELOAD = (__name__,)


def run(
    _: int, step: Step, peers: Collection[str] = PEERS, sizes: Collection[int] = tuple(RECORDS), work: Work = ALL
) -> Outcome:
    """Ours with both lengths of frames, and those of the peers that can be had. sizes: of RECORDS.

    Raises RunFailed when a batch is wrong.
    """
    results: dict[str, dict[int, Measured]] = {}
    missing: dict[str, str] = {}
    try:
        for name, (part_bytes, way) in SERVERS.items():
            results[name] = {}
            for size in sizes:
                step(f"{name}: records of {size} bytes")
                settings = ServerSettings(
                    capacity=work.capacity(size), record_bytes=size, part_bytes=part_bytes,
                    sample_max=max(work.batches), credit=64,
                )  # fmt: skip
                with ReplayServer(settings, **way) as server:
                    results[name][size] = measure(work, server.address, partial(ReplayClient, **way), size, _PRELOAD)
        for name in peers:
            reason, one = _peer(name, sizes, work, step)
            if one:
                results[f"peer.{name}"] = one
            if reason:
                missing[name] = reason
    except RuntimeError as error:
        raise RunFailed(str(error)) from error
    return Outcome(list(figures(results)), [*tables(results, work), *_sentences(missing)])


def _peer(name: str, sizes: Collection[int], work: Work, step: Step) -> tuple[str, dict[int, Measured]]:
    """What one peer does; and if it cannot be had, why."""
    by_size = {}
    try:
        if name == REVERB:
            step("reverb: its environment, which is made the first time, and its import")
            for size, one in net_apart.reverb(work, list(sizes)):
                step(f"reverb: records of {size} bytes are done")
                by_size[size] = one
            return "", by_size
        peer = net_peers.PEERS[name]
        for size in sizes:
            step(f"{name}: records of {size} bytes")
            with peer.serve(work.capacity(size), size) as address:
                by_size[size] = measure(work, address, peer.client, size, _PRELOAD)
    except (ImportError, FileNotFoundError) as error:
        return f"not installed: {getattr(error, 'name', None) or error}", {}
    except net_apart.NotThere as error:
        return str(error), {}
    return "", by_size


def figures(results: dict[str, dict[int, Measured]]) -> Iterator[Figure]:
    """All of them; those without a size in their name are of records of 48 bytes, those of records of one actor."""
    for name, by_size in results.items():
        for size, one in by_size.items():
            what = name if size == 48 else f"{name}.{RECORDS[size]}"
            for actors, rate in one.records.items():
                last = "records_per_second" if actors == 1 else f"records_per_second_{actors}_actors"
                yield Figure(f"{what}.{last}", round(rate), "1/s", "measured")
            for called, times in _times(one).items():
                for quantile, seconds in zip(("p50", "p99"), times, strict=True):
                    yield Figure(f"{what}.{called}_{quantile}_us", round(seconds * 1e6, 1), "us", "measured")
    for size, called, change in _changes(results):
        what = "net" if size == 48 else f"net.{RECORDS[size]}"
        yield Figure(f"{what}.{called}_change_percent", round(change, 1), "%", "measured")
    for peer, size, called, times in _ratios(results):
        what = peer if size == 48 else f"{peer}.{RECORDS[size]}"
        yield Figure(f"{what}.{called}_ratio", round(times, 2), "", "measured")


def _times(one: Measured) -> dict[str, tuple[float, float]]:
    return {"push": one.push} | {f"sample{batch}": times for batch, times in one.samples.items()}


def _changes(results: dict[str, dict[int, Measured]]) -> Iterator[tuple[int, str, float]]:
    """By how much the p50 with batches is below that of one datagram a call, both with frames of Ethernet's length."""
    for size, plain in results["net.plain"].items():
        ours, before = _times(results["net.mtu1500"][size]), _times(plain)
        for called in PAPER:
            yield size, called, 100 * (ours[called][0] / before[called][0] - 1)


def _ratios(results: dict[str, dict[int, Measured]]) -> Iterator[tuple[str, int, str, float]]:
    """How often ours with frames of Ethernet's length is as fast as a peer: records from one actor, and the p50s."""
    for peer, by_size in results.items():
        for size, other in by_size.items() if peer.startswith("peer.") else ():
            ours = results["net.mtu1500"][size]
            first = min(ours.records)
            yield peer, size, "records_per_second", ours.records[first] / other.records[first]
            before = _times(other)
            for called, (p50, _) in _times(ours).items():
                yield peer, size, called, before[called][0] / p50


def tables(results: dict[str, dict[int, Measured]], work: Work) -> Iterator[Any]:
    """Records a second, and times of batches."""
    rows = [
        (name, f"{size:,}", *(f"{one.records[n] / 1e3:,.1f}" for n in work.actors))
        for name, by_size in results.items()
        for size, one in by_size.items()
    ]
    yield shown.table("Thousand records a second", [("server", "bytes", *(f"{n} actors" for n in work.actors)), *rows])
    rows = [
        (name, f"{size:,}", *(f"{p50 * 1e6:,.0f} / {p99 * 1e6:,.0f}" for p50, p99 in _times(one).values()))
        for name, by_size in results.items()
        for size, one in by_size.items()
    ]
    heads = ("server", "bytes", f"push of {work.push}", *(f"batch of {n}" for n in work.batches))
    yield shown.table("A push, and a batch: p50 / p99 in µs", [heads, *rows])
    rows = [(f"{size:,}", called, f"{change:+.1f}", PAPER[called]) for size, called, change in _changes(results)]
    heads = ("bytes", "call", "net.mtu1500 against net.plain, %", "Furukawa 2021 against its baseline, %")
    yield shown.table("Time saved by not handing over one datagram a call", [heads, *rows])
    groups = itertools.groupby(_ratios(results), lambda one: one[:2])
    rows = [(peer, f"{size:,}", *(f"{one[3]:,.1f}" for one in ratios)) for (peer, size), ratios in groups]
    if rows:
        heads = ("peer", "bytes", "records a second", "push", *(f"batch of {n}" for n in work.batches))
        yield shown.table("How often as fast net.mtu1500 is: one actor, and p50", [heads, *rows])


def _sentences(missing: dict[str, str]) -> Iterator[str]:
    yield (
        "Server, actors and learner are on this machine, all from Python, an actor in each process. net uses the "
        "longest datagrams, net.mtu1500 what fits in an Ethernet frame of 1,500 bytes, and net.plain the same frames, "
        "each with a system call of its own. Redis has no priorities: its batches are uniform. Reverb draws its next "
        "batches before they are asked for."
    )
    yield (
        "Furukawa and Matsutani (2021) go around the kernel, between machines. Their figures stand beside ours and "
        "measure another thing."
    )
    for name, reason in missing.items():
        yield f"Not timed: {name}, {reason}."
