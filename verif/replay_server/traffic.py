"""Random frames for a replay server: of clients that keep to the protocol, of such that do not, and noise."""

import random

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings


def settings(rng: random.Random, **options) -> ServerSettings:
    """A small server: memories that go round, requests of many parts, windows that fill up."""
    chosen = {
        "capacity": rng.choice([1, 7, 16, 50]),
        "record_bytes": rng.choice([8, 24, 48]),
        "part_bytes": rng.choice([256, 264, 400]),
        "clients": 3,
        "sample_max": 20,
        "weights_max": 1500,
        "priority_width": rng.choice([4, 18, 32]),
        "generation_width": rng.choice([1, 2, 16]),
        "seed": rng.getrandbits(64),
        "instance": rng.randrange(1, 1 << 32),
        "credit": rng.choice([1, 8, 64]),
    }
    chosen["banks"] = rng.choice([1, 1, 1, 2])
    chosen["bank"] = rng.randrange(chosen["banks"])
    chosen["initial"] = rng.randrange(1 << min(chosen["priority_width"], 8))
    return ServerSettings(**(chosen | options))


def source_of(client: int) -> int:
    """Where a client is: address and port, as of IPv4."""
    return (0x0A000001 + client) | (4000 + client % 60000) << 32


def hello(
    s: ServerSettings,
    client: int,
    epoch: int,
    nonce: int = 1,
    secret: bytes = bytes(16),
    *,
    schema: int = 0,
    record_bytes: int = 0,
    source: int | None = None,
    sequence: int = 0,
) -> Frame:
    """A HELLO with the cookie of its client's address, or another one."""
    where = source_of(client) if source is None else source
    proof = net.cookie(native.checks(), secret, where, client, s.instance)
    return Frame(net.HELLO, client, epoch, sequence, payload=net.SAID.pack(nonce, schema, record_bytes, 0, proof))


def client_of(data: bytes) -> int:
    """Which client a datagram says it is of."""
    return int.from_bytes(data[8:12], "little") & 0xFFFF


class Traffic:
    """Frames of a few clients. Answers are not looked at: requests come in any order, and often again."""

    often = (40, 20, 5, 20, 5, 5, 1)  # of PUT, SAMPLE, READ, PRIO, WEIGHTS, GET, STAT

    def __init__(self, s: ServerSettings, checks: Checks, rng: random.Random, secret: bytes = bytes(16)) -> None:
        self.s, self.checks, self.rng, self.secret = s, checks, rng, secret
        self.home = source_of  # where a client is
        self.epochs = [0] * s.clients
        self.next = [0] * s.clients
        self.sent: list[Frame] = []
        self.version = rng.choice([1, rng.getrandbits(62) | 1])
        self.schemas = 1 | rng.getrandbits(64), 2 | rng.getrandbits(64)  # its own one, and somebody else's

    def frame(self) -> bytes:
        """The next datagram."""
        return self.bytes(self.request())

    def bytes(self, frame: Frame) -> bytes:
        """What travels of a frame."""
        return net.encode(frame, self.checks)

    def source(self, data: bytes) -> int:
        """Where a datagram comes from: mostly from its client."""
        return self.rng.getrandbits(48) if self.rng.random() < 0.02 else self.home(client_of(data))

    def mutated(self) -> bytes:
        """A datagram of a frame with a few bytes changed, cut or added; often with a check that is right."""
        rng, frame = self.rng, self.request()
        body = bytearray(self.bytes(frame)[: -self.checks.length])
        for _ in range(rng.randrange(1, 4)):
            # The first bytes are the header, where most can go wrong.
            at = rng.randrange(min(len(body), rng.choice([8, 40, 64, 1 << 16])))
            body[at] = rng.choice([0, 1, 255, rng.randrange(256), body[at] ^ 1 << rng.randrange(8)])
        if rng.random() < 0.3:
            body = body[: rng.randrange(len(body) + 1)]
        if rng.random() < 0.2:
            body += rng.randbytes(8 * rng.randrange(20))
        if rng.random() < 0.7:
            if len(body) >= 32 and rng.random() < 0.5:
                body[28:32] = max(len(body) - 40, 0).to_bytes(4, "little")
            return self.checks.seal(bytes(body))
        return bytes(body) + self.bytes(frame)[-self.checks.length :]

    def noise(self) -> bytes:
        """Bytes that are no frame."""
        return self.rng.randbytes(self.rng.randrange(300))

    def request(self) -> Frame:
        """The next request: a new one, a part of one, or one that was sent before."""
        rng = self.rng
        if self.sent and rng.random() < 0.2:
            return rng.choice(self.sent[-100:])
        own = self.s.bank, self.s.clients, self.s.banks
        client = rng.randrange(*own) if rng.random() < 0.95 else rng.randrange(self.s.clients)
        if self.epochs[client] == 0 or rng.random() < 0.005:
            # Most of them say the epoch that comes, with the right cookie; the others begin none.
            epoch = net.following(self.epochs[client])
            said = (
                epoch
                if rng.random() < 0.9
                else rng.choice([net.following(epoch), 0xFFFFFFFF, rng.getrandbits(32) or 1])
            )
            good = rng.random() < 0.9
            where = self.home(client) if good else rng.getrandbits(48)
            ours, others = self.schemas
            schema, record_bytes = rng.choice([0, ours, ours, ours, others]), rng.choice([0, self.s.record_bytes])
            made = hello(
                self.s, client, said, rng.getrandbits(64), self.secret, schema=schema, record_bytes=record_bytes,
                source=where, sequence=rng.getrandbits(64),
            )  # fmt: skip
            if said == epoch and good:
                self.epochs[client], self.next[client] = epoch, 0
            return self._sent(made)
        op = rng.choices(range(1, 8), self.often)[0]
        made = getattr(self, "_" + ("put", "sample", "read", "prio", "weights", "get", "stat")[op - 1])()
        frame = made._replace(client=client, epoch=self.epochs[client], instance=self.s.instance)
        if op not in net.SEQUENCED:
            return self._sent(frame._replace(sequence=rng.getrandbits(64)))
        # Mostly the next one; holes are filled later.
        sequence = self.next[client] + rng.choice([0] * 8 + [1, 2, 5])
        if rng.random() < 0.8:
            self.next[client] += 1
        behind = rng.randrange(min(sequence, 63) + 1) if rng.random() < 0.2 else 0
        frame = frame._replace(sequence=sequence, behind=behind)
        if op == net.PUT and len(frame.payload) > self.s.part_bytes:
            return self._parts(frame)
        return self._sent(frame)

    def _sent(self, frame: Frame) -> Frame:
        self.sent.append(frame)
        return frame

    def _parts(self, whole: Frame) -> Frame:
        size = self.s.part_bytes
        parts = net.parts_of(len(whole.payload), size)
        for part in range(parts):
            payload = whole.payload[part * size : (part + 1) * size]
            self._sent(whole._replace(part=part, parts=parts, payload=payload))
        return self.rng.choice(self.sent[-parts:])

    def _priority(self) -> tuple[int, int]:
        rng = self.rng
        kind = rng.choice([0, 0, 1, 1, 2] + [3] * (rng.random() < 0.02))
        return rng.choice([0, 1, 200, rng.getrandbits(32), rng.getrandbits(20)]), kind

    def _put(self) -> Frame:
        rng, s = self.rng, self.s
        count = rng.randrange(1, min(s.put_most(), rng.choice([1, 4, 40])) + 1)
        text = b"".join(net.PRIORITY.pack(*self._priority()) + rng.randbytes(s.record_bytes) for _ in range(count))
        return Frame(net.PUT, count=count, payload=text)

    def _sample(self) -> Frame:
        rng = self.rng
        count = rng.randrange(1, self.s.sample_max + 1)
        asked, flags = net.ASKED.pack(rng.choice([0, 13107, 32768]), 0, 0), rng.randrange(8)
        if flags & net.GIVEN_DRAWS:
            asked += net.DRAWS.pack(*(rng.choice([0, rng.getrandbits(32)]) for _ in range(4)))
        return Frame(net.SAMPLE, status=flags, count=count, payload=asked, **self._some())

    def _some(self) -> dict[str, int]:
        return {"part": self.rng.choice([0, 0, 1]), "parts": self.rng.choice([0, 0, 2])}

    def _slot(self) -> tuple[int, int]:
        rng = self.rng
        slot = rng.randrange(self.s.capacity + 1) if rng.random() < 0.95 else rng.getrandbits(32)
        some = rng.randrange(1 << self.s.generation_width) if rng.random() < 0.8 else rng.getrandbits(32)
        return slot, rng.choice([2, 2, 3, 4, some])

    def _read(self) -> Frame:
        count = self.rng.randrange(1, min(self.s.sample_max, self.s.part_bytes // 8) + 1)
        text = b"".join(net.PLACE.pack(*self._slot()) for _ in range(count))
        return Frame(net.READ, count=count, payload=text, **self._some())

    def _prio(self) -> Frame:
        count = self.rng.randrange(1, self.s.part_bytes // 16 + 1)
        text = b"".join(net.UPDATE.pack(*self._slot(), *self._priority()) for _ in range(count))
        return Frame(net.PRIO, count=count, payload=text)

    def _weights(self) -> Frame:
        rng, chunk = self.rng, self.s.chunk
        total = (self.version * 7919) % self.s.weights_max + 1
        offset = rng.randrange(net.parts_of(total, chunk)) * chunk
        length = min(chunk, total - offset)
        text = net.CHUNK.pack(self.version, total, offset) + rng.randbytes(length) + bytes(-length % 8)
        if rng.random() < 0.2:
            self.version += rng.choice([1, 1, 2, rng.getrandbits(48)])
        return Frame(net.WEIGHTS, payload=text)

    def _get(self) -> Frame:
        version = self.rng.choice([0, 0, max(self.version - 1, 1)])
        return Frame(net.GET, payload=net.CHUNK.pack(version, self.rng.randrange(4) * self.s.chunk, 0))

    def _stat(self) -> Frame:
        return Frame(net.STAT)
