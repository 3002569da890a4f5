"""The blocking client of a replay server."""

import contextlib
import select
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import fraction, whole
from rlcores.cores.net import frames as net
from rlcores.cores.net import native
from rlcores.errors import RunFailed, UserError
from rlcores.net import addresses
from rlcores.net.session import Batch, Pending, Session, batch_of, priority_words

_DELTA = 2**31 - 1


class Requests:
    """What a client asks, as requests of its session; the blocking and the asynchronous client share it."""

    session: Session

    def _put(self, records: ArrayLike, priorities: Any, td_errors: Any) -> list[Pending]:
        settings = self.session.settings
        rows = np.ascontiguousarray(records)
        if rows.ndim == 0 or rows.dtype.hasobject:
            raise UserError("records must be an array of one row a record, of numbers")
        count = len(rows)
        rows = rows.view(np.uint8).reshape(count, -1) if count else np.zeros((0, settings.record_bytes), np.uint8)
        if rows.shape[1] > settings.record_bytes:
            raise UserError(f"a record has {rows.shape[1]} bytes; this server keeps {settings.record_bytes}")
        words, kinds = priority_words(count, priorities, td_errors, _td_words)
        if len(words) != count:
            raise UserError(f"there are {len(words)} priorities for {count} records")
        text = np.zeros((count, net.PRIORITY.size + settings.record_bytes), np.uint8)
        text[:, :8] = np.stack([words, kinds], 1).astype("<u4").view(np.uint8)
        text[:, 8 : 8 + rows.shape[1]] = rows
        # As many as fit in one frame; a record that does not goes in parts.
        step = min(max(settings.part_bytes // text.shape[1], 1), settings.put_most())
        return [
            self.session.request(net.PUT, text[i : i + step].tobytes(), count=len(text[i : i + step]))
            for i in range(0, count, step)
        ]

    def _sample(self, batch_size: int, beta: float, stratified: bool, weights: bool) -> Pending:
        count = whole("batch_size", batch_size, 1, self.session.settings.sample_max)
        asked = net.ASKED.pack(round(fraction("beta", beta, 0.0, 1.0) * 32768), 0, 0)
        flags = net.STRATIFIED * bool(stratified) | net.WEIGHTED * bool(weights)
        return self.session.request(net.SAMPLE, asked, count=count, flags=flags)

    def _read(self, slots: ArrayLike, generations: ArrayLike) -> Pending:
        text = np.stack(np.broadcast_arrays(np.atleast_1d(slots), generations), 1).astype("<u4")
        most = min(self.session.settings.sample_max, self.session.settings.part_bytes // net.PLACE.size)
        if not 1 <= len(text) <= most:
            raise UserError(f"{len(text)} slots are given; one call reads 1 to {most}")
        return self.session.request(net.READ, text.tobytes(), count=len(text))

    def _update(self, slots: ArrayLike, generations: ArrayLike, td_errors: Any, priorities: Any) -> list[Pending]:
        slots = np.asarray(slots)
        words, kinds = priority_words(len(slots), priorities, td_errors, _td_words)
        columns = (slots, np.asarray(generations), words, kinds)
        if len({x.shape for x in columns}) > 1:
            raise UserError("slots, generations and priorities must have one length")
        text = np.stack([x.astype("<u4") for x in columns], 1)
        step = self.session.settings.part_bytes // net.UPDATE.size
        return [
            self.session.request(net.PRIO, text[i : i + step].tobytes(), count=len(text[i : i + step]))
            for i in range(0, len(text), step)
        ]

    def _weights(self, data: bytes, version: int) -> list[Pending]:
        settings = self.session.settings
        if not 1 <= len(data) <= settings.weights_max:
            raise UserError(f"the weights have {len(data)} bytes; this server takes 1 to {settings.weights_max}")
        whole("version", version, 1, (1 << 64) - 1)
        made = []
        for offset in range(0, len(data), settings.chunk):
            part = data[offset : offset + settings.chunk]
            text = net.CHUNK.pack(version, len(data), offset) + part + bytes(-len(part) % 8)
            made.append(self.session.request(net.WEIGHTS, text))
        return made

    def _get(self, version: int, offset: int) -> Pending:
        return self.session.request(net.GET, net.CHUNK.pack(version, offset, 0))

    def _published(self, made: list[Pending], version: int) -> None:
        if any(one.answer.status == net.STALE for one in made):
            raise UserError(f"version {version} of the weights is not above the newest one of the server")

    def _rest(self, first: Pending) -> list[Pending]:
        """The chunks behind the first one."""
        version, total, _ = net.CHUNK.unpack_from(first.answer.payload)
        chunk = self.session.settings.chunk
        return [self._get(version, offset) for offset in range(chunk, total, chunk)]

    def _joined(self, first: Pending, rest: list[Pending]) -> tuple[int, bytes] | None:
        """Version and bytes; None where two newer ones came while they were read."""
        if any(one.answer.status != net.OK for one in rest):
            return None
        version, total, _ = net.CHUNK.unpack_from(first.answer.payload)
        return version, b"".join(one.answer.payload[net.CHUNK.size :] for one in [first, *rest])[:total]

    def _stat(self) -> Pending:
        return self.session.request(net.STAT)

    def _batch(self, one: Pending) -> Batch:
        if one.answer.status == net.EMPTY:
            raise UserError("there is nothing to sample: no record has a priority above 0")
        _expected(one)
        return batch_of(one.result, one.frame.count, self.session.settings.record_bytes)


def _td_words(td_errors: Any) -> np.ndarray:
    given = np.asarray(td_errors, np.float64)
    if not np.isfinite(given).all():
        raise UserError("td_errors must be finite numbers")
    raw = np.clip(np.floor(given * 2.0**20 + 0.5), -_DELTA - 1, _DELTA)
    return raw.astype(np.int32).view(np.uint32)


def _expected(one: Pending) -> None:
    if one.answer.status not in (net.OK, net.GONE):
        raise RunFailed(f"the server answered status {one.answer.status}")


def stats_of(one: Pending) -> dict[str, int]:
    """STAT's numbers by name."""
    numbers = np.frombuffer(one.answer.payload, "<u8").tolist()
    return dict(zip((*net.STATE, *net.COUNTERS), numbers, strict=True))


class ReplayClient(Requests):
    """A client that waits for its answers. One thread at a time.

    address      HOST:PORT of the server
    client       number of this actor or learner: no two that run at once have the same
    schema       hash of what is in a record, to be sure that all clients mean the same; 0: not compared
    key          16 bytes, as the server has them
    timeout      seconds without any answer after which a call gives up with RunFailed; requests stay valid, and the
                 next call goes on with them
    ordered      every request is accepted after all before it; else only priorities keep their order, and a batch is
                 drawn after the priorities before it

    put() and update() hand over and go on; flush() waits until all of it was acknowledged. What was acknowledged is
    stored, once.
    """

    def __init__(
        self,
        address: str,
        client: int = 0,
        *,
        record_bytes: int = 0,
        schema: int = 0,
        key: bytes | None = None,
        timeout: float = 10.0,
        ordered: bool = False,
    ) -> None:
        """Connects. Raises UserError, and RunFailed where nobody answers."""
        number = whole("client", client, 0, 65535)
        self.session = Session(number, native.checks(key), record_bytes=record_bytes, schema=schema, ordered=ordered)
        self.address, self._timeout = address, fraction("timeout", timeout, 0.0, 1e9)
        self._socket = addresses.udp(address, bind=False)
        self._socket.setblocking(False)
        self.session.flow_bytes = addresses.room(self._socket)
        self._wait = select.poll()
        self._wait.register(self._socket, select.POLLIN)
        try:
            self._until(lambda: self.session.connected)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "ReplayClient":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        with contextlib.ExitStack() as last:
            last.callback(self.close)
            if kind is None:
                self.flush()

    def close(self) -> None:
        """Give the socket back. What was not acknowledged may be stored or not; flush() first."""
        self._socket.close()

    def put(
        self, records: ArrayLike, *, priorities: ArrayLike | None = None, td_errors: ArrayLike | None = None
    ) -> None:
        """Store records (n, …), each of record_bytes bytes or less. Waits only for credit.

        Their priorities are those given (n,), or those of TD errors (n,), or the largest so far.
        """
        self._put(records, priorities, td_errors)
        self._until(lambda: not self.session._waiting)

    def update(
        self,
        slots: ArrayLike,
        generations: ArrayLike,
        td_errors: ArrayLike | None = None,
        *,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Give records new priorities, where they were not overwritten since. Waits only for credit."""
        self._update(slots, generations, td_errors, priorities)
        self._until(lambda: not self.session._waiting)

    def sample(self, batch_size: int, *, beta: float = 0.4, stratified: bool = True, weights: bool = True) -> Batch:
        """A batch, drawn in proportion to the priorities. Raises UserError when there is nothing to sample."""
        return self._batch(self._done(self._sample(batch_size, beta, stratified, weights)))

    def read(self, slots: ArrayLike, generations: ArrayLike) -> Batch:
        """Records of slots, where they were not overwritten since; their weights are 0."""
        return self._batch(self._done(self._read(slots, generations)))

    def put_weights(self, data: bytes, version: int) -> None:
        """Publish weights, whole or not at all. Raises UserError when the version is not above the published one."""
        made = self._weights(data, version)
        self._until(lambda: all(one.done for one in made))
        self._published(made, version)

    def get_weights(self, version: int = 0) -> tuple[int, bytes] | None:
        """Version and bytes of the newest weights, or of those; None while there are none, or no longer those."""
        while True:
            first = self._done(self._get(version, 0))
            if first.answer.status != net.OK:
                return None
            rest = self._rest(first)
            self._until(lambda rest=rest: all(one.done for one in rest))
            found = self._joined(first, rest)
            if found is not None or version:
                return found

    def stats(self) -> dict[str, int]:
        """State and counters of the server."""
        return stats_of(self._done(self._stat()))

    def flush(self) -> None:
        """Until everything was acknowledged."""
        self._until(lambda: not self.session.unanswered)

    def _done(self, one: Pending) -> Pending:
        self._until(lambda: one.done)
        return one

    def _until(self, done: Any) -> None:
        session, silent = self.session, time.monotonic() + self._timeout
        while True:
            now = time.monotonic()
            for data in session.due(now):
                # What the system has no room for, or says of a server that is not there, is a lost frame.
                with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                    self._socket.send(data)
            if done():
                return
            next_time = session.next_time()
            until = silent if next_time is None else min(next_time, silent)
            if self._wait.poll(max(until - now, 0.0) * 1e3):
                with contextlib.suppress(BlockingIOError, ConnectionRefusedError):
                    while True:
                        session.received(self._socket.recv(1 << 16), time.monotonic())
                        silent = time.monotonic() + self._timeout
                if done():
                    continue
            elif time.monotonic() >= silent:
                raise RunFailed(f"no answer from {self.address} for {self._timeout:g} s")
