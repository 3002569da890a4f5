"""rlc_replay_server_front against the integer model: every answer, every request to the memory, STAT's counters.

The memory behind the front is the bench: it checks what it is asked to do, and answers what the model answers.
"""

import json
import os
import random
from collections import Counter, deque
from collections.abc import Iterator

import cocotb
from bench_handshake import Sink, Source, port
from bench_pins import reset, start, write
from cocotb.triggers import FallingEdge, ReadOnly
from traffic import Traffic, hello
from udp_bench import Answers, Requests, beats, ports

from rlcores.base.words import Word
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks, siphash
from rlcores.cores.replay_server.frames import BadFrame, Frame, ServerSettings
from rlcores.cores.replay_server.server import Client, ServerModel
from rlcores.cores.replay_server.words import ANSWER, ASKED, HEAD
from rlcores.cores.replay_server.words import STATE as STATE_WORD

# What can become of a PUT in parts.
ENDS = {"whole", "refused", "otherwise", "epoch", "had", "malformed", "no_credit"}


def ended(model: "Watched") -> bool:
    """Whether PUTs in parts have come to all of their ends, where this server has such PUTs."""
    s = model.settings
    # Where parts hold one record and no second one, no part has another count than the others.
    one = 2 * (net.PRIORITY.size + s.record_bytes) > net.PARTS * s.part_bytes
    return not s.assemblies or set(model.ends) >= ENDS - ({"malformed"} if one else set())


IDLE = 20000  # clocks in which nothing comes and nothing goes, after which a bench ends
STATE = ("records", "samples", "updates", "stale", "range", "saturated")


class Watched(ServerModel):
    """The model, and what a frame asks of its memory: the frame and whether it is a repetition, or None."""

    did: tuple[Frame, bool] | None = None
    part: tuple[Frame, bool] | None = None  # a part that was not there, and whether all are there with it
    carried: bool = False  # what is put came in parts

    def __init__(self, settings: ServerSettings, checks: Checks | None = None) -> None:
        super().__init__(settings, checks, secret=secret_of(checks or Checks()))
        self.ends = Counter()  # what became of PUTs in parts

    def frame(self, data: bytes, source: int = 0) -> list[bytes]:
        self.did, self.part, self.carried = None, None, False
        return super().frame(data, source)

    def _hello(self, f: Frame, source: int | None) -> Frame:
        before = self.clients.get(f.client)
        answer = super()._hello(f, source)
        if before and before.assemblies and self.clients[f.client] is not before:
            self.ends["epoch"] += 1
        return answer

    def _accept(self, client: Client, f: Frame, status: int) -> None:
        if self.carried:
            self.ends["refused" if status else "whole"] += 1
        elif f.sequence in client.assemblies:
            self.ends["otherwise"] += 1
        super()._accept(client, f, status)

    def _assemble(self, f: Frame, client: Client) -> Frame | list[Frame]:
        held = client.assemblies.get(f.sequence)
        had = held is not None and f.part in held.parts
        try:
            frame = super()._assemble(f, client)
        except BadFrame as bad:
            self.ends[str(bad)] += 1
            raise
        self.carried = isinstance(frame, Frame)
        if had:
            self.ends["had"] += 1
        else:
            self.part = f, self.carried
        return frame

    def _put(self, f: Frame) -> int:
        return self._does(f, super()._put(f))

    def _prio(self, f: Frame) -> int:
        return self._does(f, super()._prio(f))

    def _weights(self, f: Frame) -> int:
        self.did = f, False
        return super()._weights(f)

    def _get(self, f: Frame) -> Frame:
        if self.settings.weights_max:  # else the front answers
            self.did = f, False
        return super()._get(f)

    def _does(self, f: Frame, status: int) -> int:
        if status == net.OK:
            self.did = f, False
        return status

    def _sample(self, f: Frame):
        self.did = f, False
        return super()._sample(f)

    def _read(self, f: Frame):
        self.did = f, False
        return super()._read(f)

    def _repeated(self, f: Frame, client: Client):
        known = not client.accepted(f.sequence + net.WINDOW) and client.status[f.sequence % net.WINDOW] == net.OK
        if f.op == net.SAMPLE and known:
            self.did = f, True
        return super()._repeated(f, client)

    def told(self) -> dict[str, int]:
        """What STAT tells of the memory."""
        tree = self.tree
        state = {"size": tree.size, "next": tree.next, "total": tree.total, "largest": tree.largest}
        state["version"] = self.published[0].version if self.published else 0
        return state | {name: self.counts[name] for name in STATE}


class Simple(Traffic):
    """As clients that know the server: no long PUTs where it has no assemblies; weights come chunk by chunk.

    Where it has some, the parts of a PUT come in any order, some of them twice, now and then one does not come, and
    those of some PUTs come at once.
    """

    chunks: tuple[int, ...] = ()  # of the set that is put, those that are to come; the last one first
    total = 0

    def __init__(self, s: ServerSettings, checks: Checks, rng: random.Random) -> None:
        super().__init__(s, checks, rng, secret_of(checks))
        if s.weights_max:
            self.often = (40, 20, 5, 20, 25, 10, 1)
            self.version = rng.choice([1, (1 << 32) - 3, (1 << 63) - 3])
        self.parts: dict[tuple[int, int, int], list[Frame]] = {}  # of the PUT with this client, epoch and sequence
        self.coming: list[Frame] = []  # parts that are to be sent

    def request(self) -> Frame:
        rng = self.rng
        if rng.random() < (0.6 if len(self.coming) < 80 else 0.95) and self.coming:
            at = rng.choice([0, rng.randrange(len(self.coming))])
            part = self.coming.pop(at)
            if rng.random() < 0.15:
                self.coming.append(part)
            if rng.random() < 0.02:  # another PUT's part
                count = max(part.count + rng.choice([-1, 1]), 1)
                payload = (part.payload + rng.randbytes(self.s.part_bytes))[: self.s.part_bytes]
                size = count * (net.PRIORITY.size + self.s.record_bytes)
                parts = net.parts_of(size, self.s.part_bytes)
                number = min(part.part, parts - 1)
                payload = payload[: size - number * self.s.part_bytes]
                return part._replace(count=count, part=number, parts=parts, payload=payload)
            return part
        return super().request()

    def _parts(self, whole: Frame) -> Frame:
        if not self.s.assemblies:
            self.next[whole.client] = min(self.next[whole.client], whole.sequence)
            return super()._parts(whole)
        rng, before = self.rng, len(self.sent)
        super()._parts(whole)
        parts, self.sent[before:] = self.sent[before:], []
        self.parts[whole.client, whole.epoch, whole.sequence] = list(parts)
        if rng.random() < 0.6:
            rng.shuffle(parts)
        self.sent.append(rng.choice(parts))
        if rng.random() < 0.2:
            parts.pop()
        first, *rest = parts
        self.coming += rest
        return first

    def _put(self) -> Frame:
        put = max((Traffic._put(self) for _ in range(3 if self.s.assemblies else 1)), key=lambda f: f.count)
        each = net.PRIORITY.size + self.s.record_bytes
        most = self.s.part_bytes // each
        if put.count > most and most and self.rng.random() < (0.5 if self.s.assemblies else 0.9):
            put = put._replace(count=most, payload=put.payload[: most * each])
        size = 8 * self.s.part_bytes // each or 1
        if self.s.assemblies and put.count > size and self.rng.random() < 0.95:
            put = put._replace(count=size, payload=put.payload[: size * each])
        if len(put.payload) > self.s.part_bytes and self.rng.random() < 0.1:
            at = each * self.rng.randrange(put.count) + 4
            put = put._replace(payload=put.payload[:at] + b"\3\0\0\0" + put.payload[at + 4 :])
        return put

    def _some(self) -> dict[str, int]:
        return super()._some() | {"part": self.rng.choice([0, 0, 0, 0, 1, 2, 3])}

    def _weights(self) -> Frame:
        rng, s = self.rng, self.s
        if not s.weights_max:
            return Frame(net.WEIGHTS, payload=net.CHUNK.pack(1, 8, 0) + rng.randbytes(8))
        if not self.chunks:
            self.version = min(self.version + rng.choice([0, 1, 1, 2]), (1 << 64) - 3)
            most = s.weights_max if rng.random() < 0.2 else min(2 * s.chunk, s.weights_max)
            self.total = rng.randrange(1, most + 1)
            chunks = list(range(net.parts_of(self.total, s.chunk)))
            if rng.random() < 0.5:
                rng.shuffle(chunks)
            self.chunks = tuple(chunks)
        *left, chunk = self.chunks
        if rng.random() < 0.9:  # else it comes again
            self.chunks = tuple(left)
        version = self.version
        if rng.random() < 0.1:
            version = max(version + rng.choice([-1, -1, 1, -(1 << 32)]), 0)
        total = self.total + (rng.random() < 0.02)
        length = min(s.chunk, total - chunk * s.chunk)
        data = rng.randbytes(length) + (bytes if rng.random() < 0.95 else rng.randbytes)(-length % 8)
        at = chunk * s.chunk + (rng.random() < 0.02) * rng.choice([8, s.chunk, 1 << 31])
        return Frame(net.WEIGHTS, payload=net.CHUNK.pack(version, total, at) + data)

    def _get(self) -> Frame:
        rng, s = self.rng, self.s
        version = max(rng.choice([0, 0, self.version, self.version - 1, self.version - 2]), 0)
        most = net.parts_of(max(self.total, 1), s.chunk)
        offset = rng.choice(
            [0, rng.randrange(most) * s.chunk, most * s.chunk, (1 << 32) // s.chunk * s.chunk - s.chunk]
        )
        return Frame(net.GET, payload=net.CHUNK.pack(version, offset, 0))


def learns(traffic: Simple, model: Watched, rng: random.Random) -> None:
    """What answers tell clients: what was damaged or has no credit comes again, and which epoch is the present one."""
    for number in range(model.settings.clients):
        client = model.clients.get(number)
        epoch, low = (client.epoch, client.low) if client else (0, 0)
        for sequence, held in client.assemblies.items() if client else ():
            if rng.random() < 0.05:  # the parts that are missing
                sent = traffic.parts.get((number, epoch, sequence), [])
                missing = [part for part in sent if part.part not in held.parts and part not in traffic.coming]
                traffic.coming += rng.sample(missing, len(missing))
        if client and low in client.assemblies and rng.random() < 0.9:
            continue
        if rng.random() < 0.03 or (traffic.epochs[number] != epoch and rng.random() < 0.1):
            traffic.epochs[number], traffic.next[number] = epoch, low
    coming = model.coming
    known = [weights.version for weights in [*model.published, coming] if weights]
    traffic.version = max([traffic.version, *known])
    if coming and coming.version == traffic.version and not traffic.chunks:
        chunks = range(net.parts_of(len(coming.data), model.settings.chunk))
        traffic.total, traffic.chunks = len(coming.data), tuple(n for n in chunks if n not in coming.chunks)


def crowded(model: Watched, rng: random.Random) -> Iterator[Frame]:
    """PUTs in parts, more than a client may have at once, each end that one has; an epoch begins in their middle."""
    s = model.settings
    each = net.PRIORITY.size + s.record_bytes
    if not s.assemblies:
        return
    number, client = next(iter(model.clients.items()))
    epoch = client.epoch
    count = max(s.part_bytes // each + 1, 1)
    for turn in range(2):
        epoch = net.following(epoch)
        yield hello(s, number, epoch, rng.getrandbits(64), model.secret)
        rows: list[list[Frame]] = []
        for sequence in range(min(s.assemblies + 1, s.credit)):
            kinds = [0] * (count - 1) + [3 * (turn == 1 and sequence == 0)]  # the first one's last priority
            text = b"".join(net.PRIORITY.pack(rng.getrandbits(8), x) + rng.randbytes(s.record_bytes) for x in kinds)
            parts = net.parts_of(len(text), s.part_bytes)
            whole = Frame(net.PUT, number, epoch, sequence, s.instance, count=count, parts=parts)
            cut = [text[at : at + s.part_bytes] for at in range(0, len(text), s.part_bytes)]
            row = [whole._replace(part=part, payload=data) for part, data in enumerate(cut)]
            rng.shuffle(row)
            rows.append(row)
        yield from (row[0] for row in rows)
        longer = rows[0][0]._replace(count=count + 1, parts=net.parts_of((count + 1) * each, s.part_bytes), part=0)
        yield longer._replace(payload=rng.randbytes(s.part_bytes))  # another count
        yield rows[0][0]
        if turn == 1:
            slots = net.UPDATE.pack(0, 0, 5, 0)
            if len(rows) > 1:  # another request takes the number of the second one
                yield Frame(net.PRIO, number, epoch, 1, s.instance, count=1, payload=slots)
                yield rows[1][1]
            yield from rows[-1]
            yield from rows[0][1:]
            yield from rows[0]  # once more


def unknown(model: Watched, rng: random.Random) -> Iterator[Frame]:
    """A priority of an unknown kind in what is not accepted: of another epoch, or before what it is behind.

    It takes no number: what comes with that number next is accepted. Behind it come frames that are malformed: they are
    behind what no request can be behind, or a word is missing.
    """
    s = model.settings
    if net.PRIORITY.size + s.record_bytes > s.part_bytes:
        return
    number, client = next(iter(model.clients.items()))

    def put(epoch: int, sequence: int, kind: int, behind: int = 0) -> Frame:
        text = net.PRIORITY.pack(1, kind) + rng.randbytes(s.record_bytes)
        return Frame(net.PUT, number, epoch, sequence, s.instance, behind=behind, count=1, payload=text)

    low = client.low
    yield put(net.following(client.epoch), low, 3)
    if s.credit > 1:
        yield put(client.epoch, low + 1, 3, behind=1)
        yield put(client.epoch, low + 1, net.RAW)
    yield put(client.epoch, low, net.RAW)
    yield Frame(net.STAT, number, client.epoch, rng.getrandbits(64), s.instance, behind=1)
    yield put(client.epoch, 1000, net.RAW, behind=64)
    yield put(client.epoch, 2, net.RAW, behind=3)
    short = put(client.epoch, client.low, net.RAW)
    yield short._replace(payload=short.payload[:-8])


def checks_of(keyed: bool, rng: random.Random) -> Checks:
    """How frames are checked at a server with a key, or at one without."""
    return Checks(rng.randbytes(16) if keyed else None)


def secret_of(checks: Checks) -> bytes:
    """What the server makes its cookies with: the key, and without one a secret of its own."""
    return checks.key or bytes(range(7, 23))


def driven(checks: Checks) -> int:
    """What stands at cfg_key."""
    return int.from_bytes(secret_of(checks), "little")


def forged(traffic: Simple, rng: random.Random) -> bytes:
    """A frame as somebody without the key makes it, whole but for its MAC; often malformed, too.

    Without one, with that of another key or of another frame, with a bit changed, or over less or more than it should.
    """
    key, frame = traffic.checks.key, traffic.request()
    if rng.random() < 0.3:
        frame = frame._replace(**rng.choice([{"credit": 1}, {"epoch": 0}]))
    good = traffic.bytes(frame)
    body, mac = good[:-16], bytearray(good[-16:-8])
    x = rng.randrange(7)
    if x == 0:
        return net.encode(frame, Checks())
    if x == 1:
        other = bytearray(key)
        other[rng.randrange(16)] ^= 1 << rng.randrange(8)
        return net.encode(frame, Checks(bytes(other)))
    if x == 2:
        mac[rng.randrange(8)] ^= 1 << rng.randrange(8)
    elif x == 3:
        mac = bytearray(traffic.frame()[-16:-8])
    elif x == 4:
        mac = bytearray(siphash(key, body[:-8]).to_bytes(8, "little"))
    elif x == 5:
        mac = bytearray(siphash(key, body + bytes(8)).to_bytes(8, "little"))
    else:
        mac = bytearray(rng.choice([bytes(8), b"\xff" * 8, bytes(mac[::-1]), body[-8:]]))
    return Checks().seal(body + mac)


def datagram(traffic: Simple, rng: random.Random) -> bytes:
    """Good, damaged, cut, too long, noise, or with a key of somebody who has it not."""
    if traffic.checks.key is not None and rng.random() < 0.1:
        return forged(traffic, rng)
    x = rng.random()
    if x < 0.6:
        return traffic.frame()
    if x < 0.9:
        return traffic.mutated()
    if x < 0.92:
        return traffic.frame() + rng.randbytes(8 * rng.randrange(300))
    if x < 0.95:
        damaged = bytearray(traffic.frame())
        # Often in the check's own word.
        at = rng.choice([rng.randrange(len(damaged)), len(damaged) - rng.randrange(1, 9)])
        damaged[at] ^= 1 << rng.randrange(8)
        return bytes(damaged)
    if x < 0.97:
        return rng.randbytes(rng.randrange(12))
    return traffic.noise()


def field(port, word: Word, name: str) -> int:
    """A field of a word at a port; another one may have no value yet."""
    at, bits = {kind: place for kind, *place in word.positions()}[name]
    return int(port.value[at + bits - 1 : at])


def part_of(answer: Frame, last: bool) -> int:
    """A part of the memory's answer, as it gives it."""
    words = len(answer.payload) // 8
    return ANSWER.pack_whole(last=last, status=answer.status, part=answer.part, parts=answer.parts, words=words)


def configure(dut, settings: ServerSettings, checks: Checks, *names: str, **numbers: int) -> None:
    """The inputs cfg_* that every server has, those of these settings, and these."""
    numbers |= {name: getattr(settings, name) for name in ("instance", "alpha", "epsilon", *names)}
    numbers |= {"scale": settings.scale & 0xFFFF, "key": driven(checks)}
    write(dut, **{f"cfg_{name}": value for name, value in numbers.items()})


async def unsettled(dut) -> None:
    """Inputs cfg_* that change in a reset, which ends later: only what stands there then counts."""
    rng = random.Random(f"{cocotb.RANDOM_SEED} unsettled")
    inputs = [getattr(dut, name) for name in dir(dut) if name.startswith("cfg_")]
    dut.rst.value = 1
    for _ in range(8):
        for one in inputs:
            one.value = rng.getrandbits(len(one))
        await FallingEdge(dut.clk)


async def begin(dut, settings: ServerSettings, checks: Checks) -> None:
    """Clock, settings and reset; ends at a falling edge."""
    quiet = ("s_udp_tvalid", "m_udp_tready", "m_do_ready", "m_word_ready", "s_part_valid", "s_text_valid")
    await start(dut, *quiet, state=STATE_WORD.pack_whole(**Watched(settings).told()), state_valid=1)
    await unsettled(dut)
    configure(dut, settings, checks, "bank")
    await reset(dut)


@cocotb.test()
async def every_answer_and_every_counter_is_the_models(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    count = int(os.environ["FRAMES"])
    chosen = json.loads(os.environ["SETTINGS"])
    checks = checks_of(chosen.pop("keyed"), rng)
    state = {"instance": rng.randrange(1, 1 << 32), "seed": rng.getrandbits(64)}
    settings = ServerSettings(**chosen, **state, bank=rng.randrange(chosen["banks"]))
    model = Watched(settings, checks)
    traffic = Simple(settings, checks, rng)

    # ---- what comes, and what has to become of it.
    wanted, asked = deque(), deque()
    requests, replies = Requests(dut, rng=rng), Answers(dut, rng=rng)
    statuses: Counter = Counter()
    # Behind the reset too short to fill the header: no register of it has a value yet.
    short = [rng.randbytes(8 * words) for words in range(1, 5 + checks.length // 8)]

    def datagrams() -> Iterator[bytes]:
        yield from short
        for _ in range(count):
            learns(traffic, model, rng)
            yield datagram(traffic, rng)
        for more in (crowded, unknown):
            for frame in more(model, rng):
                yield net.encode(frame, checks)
        if checks.key is not None:  # its MAC is wrong before it is malformed
            yield net.encode(Frame(net.STAT, settings.bank, 0, 0, settings.instance), Checks(rng.randbytes(16)))
        for number, client in model.clients.items():
            yield net.encode(Frame(net.STAT, number, client.epoch, 0, settings.instance), checks)

    for data in datagrams():
        source = traffic.source(data)
        requests.give(data, *ports(source))
        answers = model.frame(data, source)
        wanted.extend((answer, *ports(source)) for answer in answers)
        frames = [net.decode(answer, checks, settings.part_bytes) for answer in answers]
        statuses.update((f.op & 0x7F, f.status) for f in frames)
        if model.part and (model.did or not model.part[1]):
            f, whole = model.part
            # What it says to a part is not for the client.
            answers = frames if whole else [Frame(net.PUT, status=rng.randrange(12))]
            asked.append((f, False, answers, model.told(), whole, model.did[0].payload if whole else b""))
        elif model.did:
            asked.append((*model.did, frames, model.told(), None, b""))
    counts = model.counts
    # What the front itself counts; WAIT is rarer, and the window's own bench counts on it.
    wanted_counts = {"accepted", "repeated", "bad_length", "bad_version", "bad_crc", "malformed", "no_credit"}
    wanted_counts |= {"other_epoch", "other_instance", "unproved"} | ({"bad_key"} if checks.key else set())
    quiet = {name for name in wanted_counts if not counts[name]}
    assert count < 1000 or not quiet, f"nothing was counted as {quiet}"
    tried = len(asked)
    assert ended(model), f"PUTs in parts have come to {set(model.ends)} alone"

    await begin(dut, settings, checks)

    requests.share, replies.share, p_memory = (rng.choice([0.2, 0.7, 1.0]) for _ in range(3))
    # The memory's own ports; what a request says is looked at field by field, since others may have no value.
    tasks, payload = Sink(dut, *port("m_do", []), p_memory, rng), Sink(dut, *port("m_word", ["data"]), p_memory, rng)
    part, text = Source(dut, *port("s_part", ["data"]), rng=rng), Source(dut, *port("s_text", ["data"]), p_memory, rng)
    ends = requests, replies, tasks, payload, part, text
    doing = None  # the request that the memory has
    places: dict[tuple[int, int, int], bytes] = {}  # parts of PUTs: client, way, part
    words: list[int] = []  # of its payload, that are still to come
    idle = 0
    while wanted or requests.queue:
        dut.state_valid.value = int(rng.random() < p_memory)
        tasks.hold, part.share = doing is not None, 0.0 if words else p_memory
        for end in ends:
            end.drive()
        if part.offering and len(part.queue) == 1:
            dut.state.value = STATE_WORD.pack_whole(**doing[3])
        await ReadOnly()

        idle += 1
        if requests.sample():
            idle = 0
        word = payload.sample()
        if tasks.sample() is not None:
            assert asked, "the memory is asked for what it should not do"
            doing = asked.popleft()
            f, again = doing[:2]
            fields = ("op", "flags", "client", "epoch", "sequence", "count", "part", "parts", "words")
            header = [field(dut.head, HEAD, name) for name in fields]
            sent = len(f.payload) // 8
            assert header == [f.op, f.status, f.client, f.epoch, f.sequence, f.count, f.part, f.parts, sent]
            assert field(dut.m_do_data, ASKED, "again") == again
            whole, put = doing[4:]
            assert field(dut.m_do_data, ASKED, "keep") == (whole is not None)
            if whole is not None:
                assert field(dut.m_do_data, ASKED, "whole") == whole
                place = f.client, field(dut.m_do_data, ASKED, "way")
                places[*place, f.part] = f.payload
                if whole:
                    held = b"".join(places[*place, part] for part in range(f.parts))
                    assert held == put, "a PUT was put together of other parts"
            if f.op in (net.WEIGHTS, net.GET):
                _, first, second = net.CHUNK.unpack_from(f.payload)
                at = second if f.op == net.WEIGHTS else first
                assert at >> 30 or field(dut.head, HEAD, "chunk") == at // settings.chunk
            words = [beat[0] for beat in beats(f.payload, 8) if f.payload]
            part.queue.extend(
                {"data": part_of(answer, answer is doing[2][-1]), "text": answer.payload} for answer in doing[2]
            )
        elif word:
            assert words and word["data"] == words.pop(0), "a word of a payload is wrong"
        text.sample()
        if answer := part.sample():
            text.queue.extend({"data": beat[0]} for beat in beats(answer["text"], 8) if answer["text"])
            if not part.queue:
                doing = None
        if answer := replies.datagram():
            idle, (got, to), (data, *source) = 0, answer, wanted.popleft()
            assert to == tuple(source)
            assert got == data, f"{net.decode(data, checks, 1 << 16)} has become {got.hex()}"
        assert idle < IDLE, f"nothing moves; {len(requests.queue)} beats and {len(wanted)} answers are left"
        await FallingEdge(dut.clk)
    for _ in range(100):
        await ReadOnly()
        assert not dut.m_udp_tvalid.value and not dut.m_do_valid.value
        await FallingEdge(dut.clk)
    assert not asked and not doing
    dut._log.info(
        "%d requests of the memory, counters %s, answers %s, PUTs in parts %s",
        tried,
        counts,
        dict(statuses),
        dict(model.ends),
    )


# What travels beside the payload of a datagram: preamble, Ethernet, IPv4, UDP, check, gap.
BESIDE = 8 + 14 + 20 + 8 + 4 + 12
STAT_LATENCY = 13  # clocks from the last word of a STAT to the first one of its answer


@cocotb.test()
async def puts_come_as_fast_as_a_word_a_clock_on_the_wire(dut):
    chosen = json.loads(os.environ["SETTINGS"])
    checks = checks_of(chosen.pop("keyed"), random.Random(cocotb.RANDOM_SEED))
    settings = ServerSettings(**chosen)
    most = settings.part_bytes // (net.PRIORITY.size + settings.record_bytes)
    await begin(dut, settings, checks)
    dut.m_udp_tready.value, dut.m_do_ready.value, dut.m_word_ready.value = 1, 1, 1
    requests, replies = Requests(dut), Answers(dut)
    dut.s_part_data.value = part_of(Frame(net.PUT, parts=1), True)
    said = hello(settings, 0, 1, 1, secret_of(checks), source=0)
    asked = Frame(net.STAT, 0, 1, 0, settings.instance)
    sequence = 0
    for count, frames in ((None, 1), (0, 1), (1, 60), (most, 30)):
        sent = []
        for _ in range(frames):
            frame = said if count is None else asked
            if count:
                record = net.PRIORITY.pack(1, 0) + bytes(settings.record_bytes)
                frame = Frame(net.PUT, 0, 1, sequence, settings.instance, count=count, payload=count * record)
                sequence += 1
            sent.append(net.encode(frame, checks))
        for data in sent:
            requests.give(data)
        clocks = took = answered = last_in = idle = 0
        first = None  # word of an answer
        while answered < frames:
            requests.drive()
            # The memory answers in the clock behind the last word.
            left = count * (net.PRIORITY.size + settings.record_bytes) // 8 - took if count else 1
            dut.s_part_valid.value = int(left == 0)
            await ReadOnly()
            idle += 1
            if requests.sample():
                last_in, idle = clocks, 0
            if left == 0 and dut.s_part_ready.value:
                took = 0
            elif dut.m_word_valid.value:
                took += 1
            if first is None and dut.m_udp_tvalid.value:
                first = clocks
            if replies.datagram():
                answered += 1
                idle = 0
            clocks += 1
            assert idle < IDLE, f"nothing moves; {len(requests.queue)} beats and {frames - answered} answers are left"
            await FallingEdge(dut.clk)
        wire = sum(len(data) + BESIDE for data in sent) / 8
        if count:  # the first and the last one fill and empty the pipeline
            assert clocks <= wire + 40 + len(sent[0]) / 8, f"{frames} PUTs of {count} took {clocks} clocks"
        elif count == 0:
            assert first - last_in == STAT_LATENCY
        dut._log.info("%s records: %d frames in %d clocks, on the wire %d", count, frames, clocks, wire)
