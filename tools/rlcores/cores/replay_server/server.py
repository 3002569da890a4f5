"""The replay server as an integer model: what each frame does, one at a time, and what is answered.

The state is a function of the accepted frames in their order: the journal. `replay` carries a journal out, and
`state` is the state as bytes, so that two servers are equal where these are. docs/net.md is the contract.
"""

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from rlcores.cores.common.draws import splitmix64, state_of
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import BadFrame, Frame, ServerSettings
from rlcores.cores.sumtree import maths, model

STATE_MAGIC, STATE_VERSION = 0x53434C52, 2
_SETTINGS = struct.Struct("<II8IHHHhIIQIIQ")
_TREE = struct.Struct("<4I")
_CLIENT = struct.Struct("<IIQQQ")
_KEPT = struct.Struct("<QIIQII")
_WEIGHTS = struct.Struct("<QII")


@dataclass
class StoredAnswer:
    """A batch as it was drawn: what a repetition is answered from."""

    sequence: int
    status: int
    total: int = 0
    size: int = 0
    entries: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), np.uint32))


@dataclass
class Assembly:
    """A PUT whose parts are still coming."""

    frame: Frame
    parts: dict[int, bytes] = field(default_factory=dict)


@dataclass
class Client:
    """What is known of a client in its present epoch."""

    epoch: int
    nonce: int
    source: int | None = None  # the address that has shown a cookie; of no state and journal
    low: int = 0
    bits: int = 0
    status: list[int] = field(default_factory=lambda: [0] * net.WINDOW)
    kept: list[StoredAnswer | None] = field(default_factory=lambda: [None] * net.KEPT)
    assemblies: dict[int, Assembly] = field(default_factory=dict)

    def accepted(self, sequence: int) -> bool:
        """Whether a request was."""
        return sequence < self.low or bool(self.bits >> (sequence - self.low) & 1)

    def accept(self, sequence: int, status: int) -> None:
        """Set its bit, and move the window over all that were accepted."""
        self.bits |= 1 << (sequence - self.low)
        self.status[sequence % net.WINDOW] = status
        while self.bits & 1:
            self.bits >>= 1
            self.low += 1


@dataclass
class Weights:
    """A set of weights, or what has come of one."""

    version: int
    data: bytearray
    chunks: set[int] = field(default_factory=set)


class ServerModel:
    """A server's state and what frames do to it.

    >>> server = ServerModel(ServerSettings(capacity=4, record_bytes=8))
    >>> server.frame(b"noise")
    []
    >>> server.counts["bad_length"]
    1
    """

    def __init__(
        self,
        settings: ServerSettings,
        checks: Checks | None = None,
        journal: Callable[[bytes], object] | None = None,
        secret: bytes | None = None,
    ) -> None:
        """An empty memory. journal: is called with each accepted request, as a frame without a key.

        secret: 16 bytes that cookies are made with; None: the key, or zeros, which is for tests.
        """
        self.settings, self.checks = settings, checks or Checks()
        self.secret = secret or self.checks.key or bytes(16)
        self._journal = journal
        self._plain = replace(self.checks, key=None)
        self.counts = dict.fromkeys(net.COUNTERS, 0)
        self.schema = 0
        self.clients: dict[int, Client] = {}
        s = settings
        shape = model.SumTreeShape(s.leaves_log2, 1 << s.leaves_log2, s.priority_width, 32, s.generation_width)
        self.tree = model.SumTreeModel(shape, capacity=s.capacity, initial=s.initial)
        self.tree.operation(model.CLEAR)
        self.data = np.zeros((s.capacity, s.record_bytes), np.uint8)
        self.published: list[Weights] = []  # the newest, and the one before
        self.coming: Weights | None = None

    # --- frames ---

    def frame(self, data: bytes, source: int = 0) -> list[bytes]:
        """Carry out a datagram of an address (frames.cookie); the answers to its sender."""
        self.counts["frames"] += 1
        try:
            request = net.decode(data, self.checks, self.settings.part_bytes)
            return [net.encode(answer, self.checks) for answer in self._answers(request, source)]
        except BadFrame as bad:
            self.counts[str(bad)] += 1
            return []

    def replay(self, journal: bytes) -> int:
        """Carry out a journal; bytes of it that are whole frames. What stands in it twice is done once."""
        at = 0
        while at + net.HEADER.size <= len(journal):
            length = int.from_bytes(journal[at + 28 : at + 32], "little")
            data = journal[at : at + net.HEADER.size + length + 8]
            try:
                frame = net.decode(data, self._plain, 1 << 30)
            except BadFrame:
                break
            for _ in self._answers(frame, None, whole=True):
                break  # an answer of a batch is made part by part, and nobody wants it
            at += len(data)
        return at

    def _answers(self, f: Frame, source: int | None, whole: bool = False) -> Iterable[Frame]:
        self._check(f, whole)
        if f.op == net.HELLO:
            return [self._hello(f, source)]
        if f.instance != self.settings.instance:
            self.counts["other_instance"] += 1
            return [self._answer(f, net.INSTANCE)]
        client = self.clients.get(f.client)
        if client is None or client.epoch != f.epoch:
            self.counts["other_epoch"] += 1
            return [self._answer(f, net.EPOCH)]
        if client.source != source and not whole:
            self.counts["unproved"] += 1
            return [self._answer(f, net.ADDRESS)]
        if f.op in net.SEQUENCED:
            return self._sequenced(f, client, whole)
        if f.op == net.READ:
            return self._batch(f, self._read(f))
        if f.op == net.GET:
            return [self._get(f)]
        return [self._answer(f, net.OK, self.stat())]

    def _check(self, f: Frame, whole: bool) -> None:
        s, length = self.settings, len(f.payload)
        good = f.op <= net.STAT and f.client < s.clients and f.epoch >= 1 and not f.credit
        good = good and f.client % s.banks == s.bank
        good = good and (f.behind == 0 or (f.op in net.SEQUENCED and f.behind <= min(f.sequence, net.WINDOW - 1)))
        good = good and (f.status == 0 or (f.op == net.SAMPLE and f.status <= 7))
        if not good:
            raise BadFrame("malformed")
        if f.op in (net.SAMPLE, net.READ):
            good = 1 <= f.count <= s.sample_max
            good = good and f.part < net.parts_of(self._text_bytes(f.count), s.part_bytes)
        else:
            good = f.part < f.parts and (f.op == net.PUT or f.parts == 1)
            good = good and (f.count >= 1 if f.op in (net.PUT, net.PRIO) else f.count == 0)
        if not good:
            raise BadFrame("malformed")
        if f.op == net.HELLO:
            good = length == net.SAID.size and f.instance == 0 and not any(f.payload[20:24])
        elif f.op == net.PUT:
            text = f.count * (net.PRIORITY.size + s.record_bytes)
            parts = 1 if whole else net.parts_of(text, s.part_bytes)
            good = f.parts == parts <= net.PARTS
            good = good and length == (text if whole else min(s.part_bytes, text - f.part * s.part_bytes))
        elif f.op == net.SAMPLE:
            has_draws = f.status & net.GIVEN_DRAWS
            good = length == net.ASKED.size + (net.DRAWS.size if has_draws else 0)
            good = good and net.ASKED.unpack_from(f.payload)[0] <= 1 << 15 and not any(f.payload[2:8])
            good = good and (not has_draws or any(f.payload[8:]))
        elif f.op == net.READ:
            good = length == f.count * net.PLACE.size
        elif f.op == net.PRIO:
            good = length == f.count * net.UPDATE.size
        elif f.op == net.WEIGHTS:
            good = length > net.CHUNK.size
            if good:
                version, total, offset = net.CHUNK.unpack_from(f.payload)
                good = version >= 1 and offset < total <= s.weights_max and offset % s.chunk == 0
                good = good and length == net.CHUNK.size + net.padded(min(s.chunk, total - offset))
                good = good and not any(f.payload[net.CHUNK.size + min(s.chunk, total - offset) :])
        elif f.op == net.GET:
            good = length == net.CHUNK.size and not any(f.payload[12:])
            good = good and net.CHUNK.unpack(f.payload)[1] % s.chunk == 0
        else:
            good = length == 0
        if not good:
            raise BadFrame("malformed")

    def _answer(self, f: Frame, status: int, payload: bytes = b"", part: int = 0, parts: int = 1) -> Frame:
        return Frame(
            f.op | net.ANSWER, f.client, f.epoch, f.sequence, self.settings.instance, status, f.count, part, parts, 0,
            self.settings.credit, payload,
        )  # fmt: skip

    def _text_bytes(self, count: int) -> int:
        return net.BATCH.size + count * (net.ENTRY.size + self.settings.record_bytes)

    def _log(self, f: Frame) -> None:
        self.counts["accepted"] += 1
        if self._journal:
            self._journal(net.encode(f, self._plain))

    def _hello(self, f: Frame, source: int | None) -> Frame:
        nonce, schema, record_bytes, _, cookie = net.SAID.unpack(f.payload)
        if source is not None:
            wanted = net.cookie(self.checks, self.secret, source, f.client, self.settings.instance)
            if cookie != wanted:
                self.counts["unproved"] += 1
                return self._answer(f, net.COOKIE, wanted.to_bytes(8, "little"))
        client = self.clients.get(f.client)
        present = client.epoch if client else 0
        if record_bytes not in (0, self.settings.record_bytes) or (schema and self.schema not in (0, schema)):
            return self._answer(f, net.SCHEMA, self.settings.told(self.schema, present))
        if f.epoch == net.following(present):
            client = self.clients[f.client] = Client(f.epoch, nonce)
            self.schema = self.schema or schema
            self._log(f)
        elif client is None or f.epoch != present or client.nonce != nonce:
            self.counts["other_epoch"] += 1
            return self._answer(f, net.EPOCH, self.settings.told(self.schema, present))
        client.source = source
        return self._answer(f, net.OK, self.settings.told(self.schema, f.epoch))

    def _sequenced(self, f: Frame, client: Client, whole: bool) -> Iterable[Frame]:
        if client.accepted(f.sequence):
            self.counts["repeated"] += 1
            return self._repeated(f, client)
        if f.sequence - client.low >= self.settings.credit:
            raise BadFrame("no_credit")
        if f.behind and not client.accepted(f.sequence - f.behind):
            self.counts["waits"] += 1
            return [self._answer(f, net.WAIT)]
        if f.op == net.PUT and f.parts > 1:
            assembled = self._assemble(f, client)
            if not isinstance(assembled, Frame):
                return assembled
            self._accept(client, assembled, self._put(assembled))
            return [self._answer(f, client.status[f.sequence % net.WINDOW])]
        if f.op == net.SAMPLE:
            kept = self._sample(f)
            client.kept[f.sequence % net.KEPT] = kept
            self._accept(client, f._replace(part=0, parts=0), kept.status)
            return [self._answer(f, kept.status)] if kept.status else self._batch(f, kept)
        do = {net.PUT: self._put, net.PRIO: self._prio, net.WEIGHTS: self._weights}[f.op]
        status = do(f)
        self._accept(client, f, status)
        return [self._answer(f, status)]

    def _accept(self, client: Client, f: Frame, status: int) -> None:
        client.accept(f.sequence, status)
        client.assemblies.pop(f.sequence, None)
        self._log(f)

    def _repeated(self, f: Frame, client: Client) -> Iterable[Frame]:
        if client.accepted(f.sequence + net.WINDOW):  # its place holds a later one's status
            return [self._answer(f, net.OLD)]
        status = client.status[f.sequence % net.WINDOW]
        if f.op != net.SAMPLE or status:
            return [self._answer(f, status)]
        kept = client.kept[f.sequence % net.KEPT]
        if kept is None or kept.sequence != f.sequence or len(kept.entries) != f.count:
            return [self._answer(f, net.OLD)]
        return self._batch(f, kept)

    def _assemble(self, f: Frame, client: Client) -> Frame | list[Frame]:
        held = client.assemblies.get(f.sequence)
        if held is None:
            if len(client.assemblies) >= self.settings.assemblies:
                raise BadFrame("no_credit")
            held = client.assemblies[f.sequence] = Assembly(f)
        elif held.frame.count != f.count:
            raise BadFrame("malformed")
        again = f.part in held.parts
        held.parts.setdefault(f.part, f.payload)
        if len(held.parts) == f.parts:
            text = b"".join(held.parts[part] for part in range(f.parts))
            return f._replace(part=0, parts=1, payload=text)
        if again or f.part == f.parts - 1:
            mask = sum(1 << part for part in held.parts)
            return [self._answer(f, net.PART, mask.to_bytes(8, "little"))]
        return []

    # --- what is done ---

    def _priorities(self, words: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        s = self.settings
        priorities, over = maths.direct(words.astype(np.int64), s.priority_width)
        td = kinds == net.TD
        if td.any():
            delta = words[td].astype(np.uint32).view(np.int32).astype(np.int64)
            priorities[td], over[td] = maths.priorities(delta, s.alpha, s.epsilon, s.scale, s.priority_width)
        self.counts["saturated"] += int((over & (kinds != net.LARGEST)).sum())
        return priorities

    def _filled(self, slots: np.ndarray) -> np.ndarray:
        """Slots for the tree, one beyond it for each that never held a record: such a slot does not exist."""
        return np.where(slots < self.tree.size, slots, self.settings.capacity)

    def _put(self, f: Frame) -> int:
        rows = np.frombuffer(f.payload, np.uint8).reshape(f.count, -1)
        words, kinds = rows[:, :8].copy().view("<u4").T
        if (kinds > net.LARGEST).any():
            return net.REFUSED
        priorities = self._priorities(words, kinds)
        answers = self.tree.operations(model.INSERT, 0, priorities, use_max=kinds == net.LARGEST)
        for slot, row in zip(answers["index"].tolist(), rows, strict=True):
            self.data[slot] = row[8:]
        self.counts["records"] += f.count
        return net.OK

    def _prio(self, f: Frame) -> int:
        slots, generations, words, kinds = np.frombuffer(f.payload, "<u4").reshape(-1, 4).T
        if (kinds > net.LARGEST).any():
            return net.REFUSED
        priorities = self._priorities(words, kinds)
        slots = self._filled(slots)
        answers = self.tree.operations(model.UPDATE, slots, priorities, generations, True, kinds == net.LARGEST)
        for name, status in (("updates", model.OK), ("stale", model.STALE), ("range", model.RANGE)):
            self.counts[name] += int((answers["status"] == status).sum())
        return net.OK

    def _sample(self, f: Frame) -> StoredAnswer:
        tree = self.tree
        if not tree.total:
            return StoredAnswer(f.sequence, net.EMPTY)
        if f.status & net.GIVEN_DRAWS:
            state = net.DRAWS.unpack_from(f.payload, net.ASKED.size)
        else:
            first = splitmix64(self.settings.seed ^ f.client ^ f.epoch << 32, 1)[0]
            state = state_of(splitmix64(first ^ f.sequence, 1)[0])
        tree.draws.load(state, f.count if f.status & net.STRATIFIED else 0)
        answers = tree.samples(np.full(f.count, model.DRAW))
        weights = np.full(f.count, maths.WEIGHT_ONE)
        if f.status & net.WEIGHTED:
            beta = net.ASKED.unpack_from(f.payload)[0]
            weights = maths.weights(answers["status"], answers["priority"], answers["total"], beta)
        self.counts["samples"] += f.count
        columns = (answers["index"], answers["generation"], answers["priority"], weights)
        entries = np.stack([x.astype(np.uint32) for x in columns], 1)
        return StoredAnswer(f.sequence, net.OK, tree.total, tree.size, entries)

    def _read(self, f: Frame) -> StoredAnswer:
        slots, generations = np.frombuffer(f.payload, "<u4").reshape(-1, 2).T
        answers = self.tree.operations(model.READ, self._filled(slots))
        entries = np.stack([slots, generations, answers["priority"].astype(np.uint32), np.zeros_like(slots)], 1)
        return StoredAnswer(f.sequence, net.OK, self.tree.total, self.tree.size, entries)

    def _batch(self, f: Frame, kept: StoredAnswer) -> Iterable[Frame]:
        """The frames of a batch that are wanted, as its records are now."""
        s = self.settings
        slots, generations = kept.entries[:, 0], kept.entries[:, 1]
        tags = self.tree.operations(model.READ, self._filled(slots))
        gone = (tags["status"] != model.OK) | (tags["generation"] != generations)
        entries = kept.entries.astype("<u4")
        entries[:, 1] |= gone.astype(np.uint32) << 31
        records = self.data[np.where(gone, 0, slots)]
        records[gone] = 0
        text = net.BATCH.pack(kept.total, kept.size, 0) + entries.tobytes() + records.tobytes()
        # Which bytes are of a record that is gone.
        lost = np.zeros(len(text), bool)
        lost[len(text) - records.size :] = np.repeat(gone, s.record_bytes)
        parts = net.parts_of(len(text), s.part_bytes)
        last = min(parts, f.part + f.parts) if f.parts else parts
        for part in range(f.part, last):
            at = slice(part * s.part_bytes, (part + 1) * s.part_bytes)
            yield self._answer(f, net.GONE if lost[at].any() else net.OK, text[at], part, parts)

    def _weights(self, f: Frame) -> int:
        version, total, offset = net.CHUNK.unpack_from(f.payload)
        newest = self.published[0].version if self.published else 0
        coming = self.coming
        if version <= newest or (coming and version < coming.version):
            return net.STALE
        if coming is None or version > coming.version or len(coming.data) != total:
            coming = self.coming = Weights(version, bytearray(total))
        end = min(offset + self.settings.chunk, total)
        coming.data[offset:end] = f.payload[net.CHUNK.size : net.CHUNK.size + end - offset]
        coming.chunks.add(offset // self.settings.chunk)
        if len(coming.chunks) == net.parts_of(total, self.settings.chunk):
            self.published = [coming, *self.published[:1]]
            self.coming = None
        return net.OK

    def _get(self, f: Frame) -> Frame:
        version, offset, _ = net.CHUNK.unpack(f.payload)
        if not self.published:
            return self._answer(f, net.NONE)
        matching = [w for w in self.published if version in (0, w.version)][:1]
        if not matching or offset >= len(matching[0].data):
            return self._answer(f, net.GONE)
        data = bytes(matching[0].data[offset : offset + self.settings.chunk])
        data += bytes(net.padded(len(data)) - len(data))
        return self._answer(f, net.OK, net.CHUNK.pack(matching[0].version, len(matching[0].data), offset) + data)

    # --- state ---

    def stat(self) -> bytes:
        """The answer of STAT."""
        version = self.published[0].version if self.published else 0
        tree = self.tree
        state = (tree.capacity, tree.size, tree.next, tree.total, tree.largest, version)
        return struct.pack(f"<{len(net.STATE) + len(net.COUNTERS)}Q", *state, *self.counts.values())

    def state(self) -> bytes:
        """All that a server needs to go on, but the records: settings, tree, clients, weights; docs/net.md."""
        s, tree = self.settings, self.tree
        text = _SETTINGS.pack(
            STATE_MAGIC, STATE_VERSION, s.capacity, s.record_bytes, s.part_bytes, s.clients, s.sample_max,
            s.weights_max, s.instance, s.credit, s.priority_width, s.generation_width, s.alpha, s.scale, s.epsilon,
            s.initial, s.seed, len(self.clients), len(self.published), self.schema,
        )  # fmt: skip
        text += _TREE.pack(tree.next, tree.full, tree._lap & 0xFFFFFFFF, tree.largest)
        text += _even(tree.priorities[: s.capacity].astype("<u4").tobytes())
        crcs = [self.checks.crc32c(row.tobytes()) for row in self.data[: tree.size]]
        text += _even(np.array(crcs + [0] * (s.capacity - tree.size), "<u4").tobytes())
        for number in sorted(self.clients):
            client = self.clients[number]
            text += _CLIENT.pack(number, client.epoch, client.nonce, client.low, client.bits) + bytes(client.status)
            for kept in client.kept:
                kept = kept or StoredAnswer(0, net.NONE)
                text += _KEPT.pack(kept.sequence, kept.status, len(kept.entries), kept.total, kept.size, 0)
                text += kept.entries.astype("<u4").tobytes()
        for weights in self.published:
            text += _WEIGHTS.pack(weights.version, len(weights.data), 0) + _even(bytes(weights.data))
        coming = self.coming or Weights(0, bytearray())
        text += _WEIGHTS.pack(coming.version, len(coming.data), len(coming.chunks)) + _even(bytes(coming.data))
        text += _even(np.array(sorted(coming.chunks), "<u4").tobytes())
        return text + self.checks.crc32c(text).to_bytes(8, "little")

    def records(self) -> bytes:
        """The records of all slots."""
        return self.data.tobytes()


def _even(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)
