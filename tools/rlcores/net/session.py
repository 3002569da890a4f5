"""A client of the replay server without its socket: what to send, when to send it again, and what answers mean.

Blocking and asynchronous clients drive it: `due` gives datagrams to send, `received` takes those that came.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rlcores.cores.net import frames as net
from rlcores.cores.net.checks import Checks
from rlcores.cores.net.frames import BadFrame, Frame, Settings
from rlcores.errors import RunFailed, UserError

_FIRST_RETRY, _LEAST_RETRY, _LAST_RETRY = 0.02, 0.005, 0.5  # seconds
_OVERTAKEN = 3  # later requests that were answered before one is sent again


class Batch(NamedTuple):
    """What sample() and read() give, in order. A record that was overwritten since is zeros, and `gone` says so."""

    records: np.ndarray  # uint8 (n, record_bytes)
    slots: np.ndarray  # uint32 (n,)
    generations: np.ndarray  # uint32 (n,): hand them back to update()
    priorities: np.ndarray  # uint32 (n,)
    weights: np.ndarray  # float32 (n,): importance weights
    gone: np.ndarray  # bool (n,)
    total: int  # the sum of all priorities that it was drawn from
    size: int  # records that the server held


@dataclass
class Pending:
    """A request that is not answered yet."""

    frame: Frame
    text: bytes  # its whole payload
    done: bool = False
    answer: Frame | None = None
    result: Any = None
    parts: dict[int, bytes] = field(default_factory=dict)  # of its answer
    held: int = 0  # mask of the parts of the request that the server has
    asked: range = range(0)  # parts of the answer that were asked for last
    left: int = 0  # how many of them have not come
    at: float = 0.0  # when it is sent, or sent again
    wait: float = 0.0  # until then, from when it was sent; 0: it was not sent since something of it came
    sent: float | None = None  # when it was sent for the first and only time
    overtaken: int = 0
    gone: bool = False  # a record of the batch was overwritten before it came
    listed: bool = False  # the list was asked for again, which says which


class Session:
    """The requests of one client number at one server."""

    def __init__(
        self, client: int, checks: Checks, *, record_bytes: int = 0, schema: int = 0, ordered: bool = False
    ) -> None:
        """ordered: each request is accepted after all before it, not only priorities among themselves."""
        self.client, self.checks, self.ordered = client, checks, ordered
        self.flow_bytes = 64 << 10  # of an answer that are asked for at once: what the socket's queue holds
        # As TCP has them (RFC 6298, RFC 5681): the time until an answer, and how many requests find room on the way.
        self._round, self._spread = 0.0, 0.0
        self._window, self._loss = 8.0, -1.0
        self._said = record_bytes, schema
        self.settings: Settings | None = None
        self.instance, self.epoch, self.credit = 0, 1, 1
        self._nonce = int.from_bytes(os.urandom(8), "little")
        self._next = 0
        self._last_priority: int | None = None
        self._waiting: deque[Pending] = deque()
        self._sent: dict[int, Pending] = {}  # sequenced ones, by sequence
        self._others: dict[int, Pending] = {}
        self._tag = 0
        self.resent = 0
        self._hello: Pending | None = None
        self.begin()

    # --- requests ---

    def begin(self) -> Pending:
        """Say HELLO; everything else waits for its answer."""
        nonce = self._nonce.to_bytes(8, "little")
        said = nonce + net.SAID.pack(0, self._said[1], self._said[0], 0)[8:]
        self._hello = Pending(Frame(net.HELLO, self.client, self.epoch, payload=said), said)
        return self._hello

    def request(self, op: int, text: bytes = b"", *, count: int = 0, flags: int = 0) -> Pending:
        """Hand in a request; it is `done` when it was answered."""
        made = Pending(Frame(op, self.client, status=flags, count=count), text)
        self._waiting.append(made)
        return made

    @property
    def connected(self) -> bool:
        """HELLO was answered."""
        return self._hello is None

    @property
    def unanswered(self) -> int:
        """Requests under way."""
        return len(self._waiting) + len(self._sent) + len(self._others)

    # --- to and from the socket ---

    def due(self, now: float) -> Iterator[bytes]:
        """Datagrams to send now. Time is in seconds, from any origin."""
        if self._hello is not None:
            if self._hello.at <= now:
                self._again(self._hello, now)
                yield self._encoded(self._hello.frame)
            return
        self._admit(now)
        for one in [*self._sent.values(), *self._others.values()]:
            if one.at <= now:
                self._again(one, now)
                yield from self._frames(one)

    def next_time(self) -> float | None:
        """When `due` has something again; None: not before an answer."""
        if self._hello is not None:
            return self._hello.at
        return min((one.at for one in [*self._sent.values(), *self._others.values()]), default=None)

    def received(self, data: bytes, now: float) -> None:
        """Take a datagram. What is damaged, or no answer to anything here, is ignored.

        Raises RunFailed when another process took this client number, UserError when the server keeps other records.
        """
        try:
            frame = net.decode(data, self.checks, 1 << 16)
        except BadFrame:
            return
        if not frame.op & net.ANSWER or frame.client != self.client or frame.epoch != self.epoch:
            return
        op = frame.op & ~net.ANSWER
        if op == net.HELLO:
            self._told(frame)
            return
        one = (self._sent if op in net.SEQUENCED else self._others).get(frame.sequence)
        if self._hello is not None or one is None or one.frame.op != op:
            return
        if frame.status == net.INSTANCE:
            # The server's memory is another one: all requests that it has not answered are sent to the new one.
            if frame.instance != self.instance:
                self._restart()
            return
        if frame.instance != self.instance:
            return
        self.credit = max(frame.credit, 1)
        if frame.status == net.EPOCH:
            raise RunFailed(f"another process uses client number {self.client} at this server")
        self._answered(one, frame, now)

    # --- inside ---

    def _restart(self) -> None:
        pending = [self._sent[n] for n in sorted(self._sent)]
        for one in [*pending, *self._others.values()]:
            one.parts.clear()
            one.held, one.at, one.gone, one.listed, one.asked = 0, 0.0, False, False, range(0)
        self._waiting.extendleft(reversed([*pending, *self._others.values()]))
        self._sent, self._others = {}, {}
        self._next, self._last_priority, self.epoch = 0, None, 1
        self.begin()

    def _told(self, frame: Frame) -> None:
        if self._hello is None or len(frame.payload) != net.TOLD.size:
            return
        told = net.TOLD.unpack(frame.payload)
        if frame.status == net.SCHEMA:
            raise UserError(
                f"the server keeps records of {told[2]} bytes with schema {told[0]:#x}; this client has records of "
                f"{self._said[0]} bytes with schema {self._said[1]:#x}"
            )
        if frame.status == net.EPOCH:
            self.epoch = told[7] + 1
            self.begin()
            return
        if frame.status != net.OK:
            return
        names = ("capacity", "record_bytes", "part_bytes", "clients", "sample_max", "weights_max")
        given = dict(zip(names, told[1:7], strict=True))
        names = ("priority_width", "generation_width", "alpha", "scale", "epsilon")
        given |= dict(zip(names, told[10:15], strict=True))
        self.settings = Settings(**given, initial=0, instance=frame.instance, credit=max(frame.credit, 1))
        self.instance, self.credit = frame.instance, max(frame.credit, 1)
        self._hello = None

    def _admit(self, now: float) -> None:
        while self._waiting:
            one = self._waiting[0]
            op = one.frame.op
            if op in net.SEQUENCED:
                low = min(self._sent, default=self._next)
                assembling = sum(len(x.text) > self.settings.part_bytes for x in self._sent.values())
                long = len(one.text) > self.settings.part_bytes
                if self._next - low >= self.credit or (long and assembling >= net.ASSEMBLIES):
                    return
                if len(self._sent) >= self._window:
                    return
                # The server keeps a batch until another one with the same rest comes.
                if op == net.SAMPLE and any(
                    x.frame.op == net.SAMPLE and (self._next - n) % net.KEPT == 0 for n, x in self._sent.items()
                ):
                    return
                self._sent[self._next] = one
                one.frame = one.frame._replace(sequence=self._next, behind=self._behind(op))
                if op == net.PRIO:
                    self._last_priority = self._next
                self._next += 1
            else:
                if len(self._others) >= self.credit:
                    return
                self._tag += 1
                self._others[self._tag] = one
                one.frame = one.frame._replace(sequence=self._tag)
            one.frame = one.frame._replace(epoch=self.epoch, instance=self.instance)
            one.at, one.wait, one.sent, one.overtaken = now, 0.0, None, 0
            self._waiting.popleft()

    def _behind(self, op: int) -> int:
        if self.ordered:
            return min(self._next, 1)
        if op in (net.PRIO, net.SAMPLE) and self._last_priority is not None:
            distance = self._next - self._last_priority
            return distance if distance < net.WINDOW else 0
        return 0

    def _again(self, one: Pending, now: float) -> None:
        if one.wait:
            self.resent += 1
            one.sent = None
            if now - self._loss > self._round:  # once for all that were lost together
                self._window, self._loss = max(self._window / 2, 1.0), now
        else:
            one.sent = now
        first = max(self._round + 4 * self._spread, _LEAST_RETRY) if self._round else _FIRST_RETRY
        one.wait = min(max(one.wait * 2, first), _LAST_RETRY)
        one.at = now + one.wait

    def _came(self, one: Pending, now: float) -> None:
        """Something of a request was answered."""
        self._window += 1.0 / self._window
        if one.sent is not None:
            took = now - one.sent
            if self._round:
                self._spread += (abs(took - self._round) - self._spread) / 4
                self._round += (took - self._round) / 8
            else:
                self._round, self._spread = took, took / 2
            one.sent = None
        for number, other in self._sent.items():
            if number >= one.frame.sequence or one.frame.op not in net.SEQUENCED:
                return
            other.overtaken += 1
            if other.overtaken == _OVERTAKEN:
                other.at = min(other.at, now)

    def _frames(self, one: Pending) -> Iterator[bytes]:
        frame, size = one.frame, self.settings.part_bytes
        if frame.op in (net.SAMPLE, net.READ):
            one.asked = self._missing(one)
            one.left = len(one.asked)
            wanted = {"part": one.asked.start, "parts": len(one.asked)}
            yield self._encoded(frame._replace(payload=one.text, **wanted))
            return
        parts = net.parts_of(len(one.text), size)
        for part in range(parts):
            if not one.held >> part & 1:
                payload = one.text[part * size : (part + 1) * size]
                yield self._encoded(frame._replace(part=part, parts=parts, payload=payload))

    def _missing(self, one: Pending) -> range:
        """The first row of parts of an answer that are not there, no longer than what may be under way."""
        s = self.settings
        parts = net.parts_of(net.BATCH.size + one.frame.count * (net.ENTRY.size + s.record_bytes), s.part_bytes)
        first = next(n for n in range(one.asked.start, one.asked.start + parts) if n % parts not in one.parts) % parts
        last = first + 1
        while last < min(parts, first + max(self.flow_bytes // s.part_bytes, 1)) and last not in one.parts:
            last += 1
        return range(first, last)

    def _encoded(self, frame: Frame) -> bytes:
        return net.encode(frame, self.checks)

    def _answered(self, one: Pending, frame: Frame, now: float) -> None:
        op, status = one.frame.op, frame.status
        if status == net.WAIT:
            return
        if status == net.PART:
            one.wait = 0.0
            one.held = int.from_bytes(frame.payload[:8], "little")
            one.at = now
            return
        if op in (net.SAMPLE, net.READ) and status in (net.OK, net.GONE):
            one.left -= frame.part in one.asked and frame.part not in one.parts
            one.parts[frame.part] = frame.payload
            one.gone |= status == net.GONE
            one.wait = 0.0
            if len(one.parts) < frame.parts:
                if one.left == 0:
                    self._came(one, now)
                    one.at = now  # the next row, without waiting
                return
            if one.gone and not one.listed:
                one.listed, one.at = True, now
                listed = net.BATCH.size + frame.count * net.ENTRY.size
                for part in range(net.parts_of(listed, self.settings.part_bytes)):
                    del one.parts[part]
                return
            one.result = b"".join(one.parts[n] for n in range(frame.parts))
        self._came(one, now)
        one.answer, one.done = frame, True
        (self._sent if op in net.SEQUENCED else self._others).pop(frame.sequence)
        for other in self._sent.values():
            if other.frame.behind and other.frame.sequence - other.frame.behind == frame.sequence and other.wait:
                other.at = min(other.at, now)


def batch_of(text: bytes, count: int, record_bytes: int) -> Batch:
    """The arrays of an answer of SAMPLE or READ."""
    total, size, _ = net.BATCH.unpack_from(text)
    end = net.BATCH.size + count * net.ENTRY.size
    entries = np.frombuffer(text, "<u4", count * 4, net.BATCH.size).reshape(count, 4)
    records = np.frombuffer(text, np.uint8, offset=end).reshape(count, record_bytes).copy()
    gone = entries[:, 1] >= net.GONE_BIT
    weights = (entries[:, 3] * 2.0**-31).astype(np.float32)
    generations = entries[:, 1] & np.uint32(net.GONE_BIT - 1)
    return Batch(records, entries[:, 0].copy(), generations, entries[:, 2].copy(), weights, gone, total, size)


def priority_words(
    count: int, priorities: Any, td_errors: Any, unit: Callable[[Any], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Words and kinds of priorities (n,), from whole numbers, TD errors, or neither: the largest so far."""
    if priorities is not None and td_errors is not None:
        raise UserError("priorities and td_errors are both given; give one of them")
    if td_errors is not None:
        return unit(td_errors), np.full(count, net.TD, np.uint32)
    if priorities is not None:
        given = np.asarray(priorities)
        if given.dtype.kind not in "iu" or (given < 0).any() or (given > 0xFFFFFFFF).any():
            raise UserError("priorities must be whole numbers, 0 to 2**32 - 1")
        return given.astype(np.uint32), np.full(count, net.RAW, np.uint32)
    return np.zeros(count, np.uint32), np.full(count, net.LARGEST, np.uint32)
