"""rlc_replay_server, a memory behind AXI4, against the integer model: every answer, every counter; its clocks."""

import os
import random
from collections import Counter, deque
from collections.abc import Iterator, Mapping

import cocotb
from axi_memory import AxiMemory
from bench_hits import report
from bench_pins import reset, start
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_front import (
    BESIDE,
    IDLE,
    Simple,
    Watched,
    checks_of,
    configure,
    crowded,
    datagram,
    ended,
    learns,
    secret_of,
    unknown,
    unsettled,
)  # fmt: skip
from traffic import hello
from udp_bench import Answers, Requests, ports

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings

PARAMETERS = (
    "capacity", "record_bytes", "part_bytes", "clients", "sample_max", "credit", "priority_width", "generation_width",
    "weights_max", "assemblies", "banks",
)  # fmt: skip
FRAMES = 300  # where the environment does not say how many
OPERATIONS = ("HELLO", "PUT", "SAMPLE", "READ", "PRIO", "WEIGHTS", "GET", "STAT")
STATUSES = (
    *("OK", "EMPTY", "GONE", "STALE", "REFUSED", "WAIT", "PART", "OLD"),
    *("EPOCH", "INSTANCE", "SCHEMA", "NONE", "COOKIE", "ADDRESS"),
)
# What every run comes by, whatever its seed.
GOAL = (
    *(f"{name} OK" for name in OPERATIONS),
    *("HELLO EPOCH", "READ GONE", "WEIGHTS STALE", "GET NONE", "GET GONE"),
    *(f"counted {name}" for name in ("repeated", "updates", "stale", "range", "saturated", "bad_length", "malformed")),
)


def chosen(dut, **more) -> ServerSettings:
    """The settings of this core, and of this run."""
    return ServerSettings(**{n: int(getattr(dut, n.upper()).value) for n in PARAMETERS}, **more)


def count_bins(statuses: Counter, counts: Mapping[str, int]) -> None:
    """Bins of the coverage: each operation with each status, and why frames were dropped."""
    report(dict.fromkeys(GOAL, 0))
    report({f"{OPERATIONS[op]} {STATUSES[status]}": n for (op, status), n in statuses.items()})
    report({f"counted {name}": n for name, n in counts.items() if n})


def room(settings: ServerSettings) -> int:
    """Bytes of memory that the server takes: records, lists, three sets of weights, parts; docs/replay_server.md."""
    s = settings
    records = s.capacity << (s.record_bytes - 1).bit_length()
    lists = 4 * s.clients << (16 * s.sample_max - 1).bit_length()
    weights = net.parts_of(s.weights_max, s.chunk) << (s.chunk - 1).bit_length() if s.weights_max else 0
    parts = net.ASSEMBLIES * s.clients * net.PARTS << (s.part_bytes - 1).bit_length() if s.assemblies else 0
    return sum(-(-size // 4096) * 4096 for size in (records, lists, weights, weights, weights, parts))


async def begin(dut, settings: ServerSettings, checks: Checks, base: int) -> None:
    """Clock, settings and reset; ends at a falling edge."""
    await start(dut, "s_udp_tvalid", "s_udp_addr", "s_udp_port", "m_udp_tready")
    await unsettled(dut)
    configure(dut, settings, checks, "bank", "initial", "seed", base=base)
    await reset(dut)


def sets(model: Watched, rng: random.Random) -> Iterator[Frame]:
    """Two sets of weights put whole, the first as large as may be, and both got; another one is begun and not ended."""
    s = model.settings
    number, client = next(iter(model.clients.items()))
    known = [weights.version for weights in [*model.published, model.coming] if weights]
    newest = max(known, default=0)
    if not s.weights_max or newest + 3 >> 64:
        return
    totals = (s.weights_max, rng.randrange(1, s.weights_max + 1), s.weights_max)
    for version, total in enumerate(totals, newest + 1):
        chunks = list(range(net.parts_of(total, s.chunk)))
        rng.shuffle(chunks)
        for chunk in chunks[: -1 if version == newest + 3 else None]:
            length = min(s.chunk, total - chunk * s.chunk)
            text = net.CHUNK.pack(version, total, chunk * s.chunk) + rng.randbytes(length) + bytes(-length % 8)
            yield Frame(net.WEIGHTS, number, client.epoch, client.low, s.instance, payload=text)
    for version in (0, *range(newest, newest + 4)):
        for chunk in range(net.parts_of(s.weights_max, s.chunk)):
            text = net.CHUNK.pack(version, chunk * s.chunk, 0)
            yield Frame(net.GET, number, client.epoch, chunk, s.instance, payload=text)


def overwritten(model: Watched, rng: random.Random) -> Iterator[Frame]:
    """A batch, priorities of it, records in all slots, and the batch once more, also behind four others.

    Where a record does not fit in a part, its PUTs come in parts, in an epoch that no other assembly is of.
    """
    s = model.settings
    most = s.part_bytes // (net.PRIORITY.size + s.record_bytes)
    number, client = next(iter(model.clients.items()))
    # Of an earlier sequence than the last 64 nobody knows how it ended.
    if s.capacity > 50 or not (most or s.assemblies):
        return
    if not most:
        yield hello(s, number, net.following(client.epoch), rng.getrandbits(64), model.secret)
        client = model.clients[number]

    def put(count: int) -> Iterator[Frame]:
        text = b"".join(net.PRIORITY.pack(1, net.RAW) + rng.randbytes(s.record_bytes) for _ in range(count))
        frame = Frame(net.PUT, number, client.epoch, client.low, s.instance, count=count)
        parts = net.parts_of(len(text), s.part_bytes)
        for part in range(parts):
            payload = text[part * s.part_bytes : (part + 1) * s.part_bytes]
            yield frame._replace(part=part, parts=parts, payload=payload)

    def batch() -> Frame:
        asked = net.ASKED.pack(0, 0, 0)
        return Frame(net.SAMPLE, number, client.epoch, client.low, s.instance, count=1, payload=asked)

    yield from put(1)
    first = batch()
    yield first
    last = net.parts_of(net.BATCH.size + net.ENTRY.size + s.record_bytes, s.part_bytes) - 1
    if last >= 2:
        yield first._replace(part=last - 2, parts=2)  # two frames of it, and not the last one
    newest = [net.UPDATE.pack(slot, model.tree.generation(slot), 1, net.RAW) for slot in range(model.tree.size)]
    yield Frame(net.PRIO, number, client.epoch, client.low, s.instance, count=1, payload=newest[0])
    for begin in range(0, s.capacity, max(most, 1)):
        yield from put(min(max(most, 1), s.capacity - begin))
    yield first
    for _ in range(4):
        yield batch()
    yield first


def batches(model: Watched, rng: random.Random) -> Iterator[Frame]:
    """Batches of given draws, of many sizes, from each of their first parts on; then each once more."""
    s = model.settings
    number, client = next(iter(model.clients.items()))
    for count in sorted({min(count, s.sample_max) for count in (2, 7, s.sample_max)}):
        size = net.BATCH.size + count * (net.ENTRY.size + s.record_bytes)
        made = []  # no more than the memory keeps of a client
        for part in range(min(net.parts_of(size, s.part_bytes), 3)):
            draws = net.DRAWS.pack(*(rng.getrandbits(32) for _ in range(4)))
            asked = net.ASKED.pack(rng.choice([0, 32768]), 0, 0) + draws
            frame = Frame(net.SAMPLE, number, client.epoch, client.low, s.instance, count=count, payload=asked)
            made.append(frame._replace(status=net.GIVEN_DRAWS | rng.randrange(4), part=part, parts=rng.choice([0, 2])))
            yield made[-1]
        yield from made


def left_over(model: Watched) -> list[Frame]:
    """STAT of each client, and READ of everything, and one whose last part alone is whole."""
    s, requests = model.settings, []
    size = model.tree.size
    for number, client in model.clients.items():
        each = min(s.sample_max, s.part_bytes // net.PLACE.size)
        for slot in range(0, s.capacity, each):
            rows = [net.PLACE.pack(n, model.tree.generation(n)) for n in range(slot, min(slot + each, s.capacity))]
            read = Frame(net.READ, number, client.epoch, slot, s.instance, count=len(rows), parts=0)
            requests.append(read._replace(payload=b"".join(rows)))
        slots = [n % size for n in range(each)] if size else []
        rows = [net.PLACE.pack(n, model.tree.generation(n) ^ (at < each // 2)) for at, n in enumerate(slots)]
        last = net.parts_of(net.BATCH.size + each * (net.ENTRY.size + s.record_bytes), s.part_bytes) - 1
        if rows:
            read = Frame(net.READ, number, client.epoch, 0, s.instance, count=each, part=last, parts=0)
            requests.append(read._replace(payload=b"".join(rows)))
        requests.append(Frame(net.STAT, number, client.epoch, 0, s.instance))
    return requests


def difference(got: bytes, data: bytes, request: bytes) -> str:
    """Which words of an answer are wrong."""
    cut = [(n, data[n : n + 8].hex(), got[n : n + 8].hex()) for n in range(0, max(len(data), len(got)), 8)]
    return f"answer {data[:40].hex()} to {request.hex()}: " + ", ".join(f"{n}: {x} is {y}" for n, x, y in cut if x != y)


@cocotb.test()
async def every_answer_and_every_counter_is_the_models(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    count = int(os.environ.get("FRAMES", FRAMES))
    largest = (1 << int(dut.PRIORITY_WIDTH.value)) - 1
    settings = chosen(
        dut, initial=rng.choice([min(256, largest), rng.randint(0, largest)]), instance=rng.randrange(1, 1 << 32),
        seed=rng.getrandbits(64), alpha=rng.choice([0, 19661, 32768]),
        scale=rng.choice([8 << 8, -512, 17 << 8]), epsilon=rng.choice([1, 0, 1 << 20]),
        bank=rng.randrange(int(dut.BANKS.value)),
    )  # fmt: skip
    checks = checks_of(bool(dut.KEYED.value), rng)
    model = Watched(settings, checks)
    traffic = Simple(settings, checks, rng)

    wanted: deque = deque()
    requests, replies = Requests(dut, rng=rng), Answers(dut, rng=rng)
    did: Counter = Counter()
    statuses: Counter = Counter()

    def give(data: bytes) -> None:
        source = traffic.source(data)
        requests.give(data, *ports(source))
        answers = model.frame(data, source)
        wanted.extend((answer, *ports(source), data) for answer in answers)
        frames = [net.decode(answer, checks, settings.part_bytes) for answer in answers]
        statuses.update((f.op & 0x7F, f.status) for f in frames)
        if model.did:
            f, again = model.did
            did.update([("again" if again else f.op, frames[0].status in (net.EMPTY, net.OLD))])

    # Nobody else may ask for weights before there are some.
    first = settings.bank  # the number of its first client
    said = hello(settings, first, 1, rng.getrandbits(64), model.secret)
    none = Frame(net.GET, first, 1, 0, settings.instance, payload=net.CHUNK.pack(0, 0, 0))
    for frame in (said, none):
        give(net.encode(frame, checks))
    for _ in range(count):
        learns(traffic, model, rng)
        give(datagram(traffic, rng))
    for more in (sets, overwritten, batches, crowded, unknown):
        for frame in more(model, rng):
            give(net.encode(frame, checks))
    for frame in left_over(model):
        give(net.encode(frame, checks))
    counts = model.counts
    assert ended(model), f"PUTs in parts have come to {set(model.ends)} alone"
    count_bins(statuses, model.counts)
    # Each operation of the memory was done, and ended in each of its ways.
    if count >= 1000:
        wanted_done = {(op, False) for op in (net.PUT, net.SAMPLE, net.READ, net.PRIO, "again")} | {("again", True)}
        missing = wanted_done - set(did)
        some = {"updates", "stale", "range"} | ({"saturated"} if settings.priority_width < 32 else set())
        missing |= {name for name in some if not counts[name]}
        missing |= {op for op in (net.SAMPLE, net.READ) if not statuses[op, net.GONE] and settings.capacity < 100}
        if settings.weights_max:
            ways = {(net.GET, x) for x in (net.OK, net.GONE, net.NONE)} | {
                (net.WEIGHTS, x) for x in (net.OK, net.STALE)
            }
            missing |= ways - set(statuses)
        assert settings.capacity == 1 or not missing, f"not seen: {missing}"

    base = 4096 * rng.randrange(8)
    await begin(dut, settings, checks, base)
    requests.share, replies.share, p_memory = (rng.choice([0.2, 0.7, 1.0]) for _ in range(3))
    # A memory that never waits would hide who does not wait for it.
    memory = AxiMemory(dut, rng, base, room(settings), min(p_memory, 0.9), rng.choice([0, 20, 200]))
    idle = 0
    while wanted or requests.queue:
        requests.drive()
        replies.drive()
        memory.drive()
        await ReadOnly()
        memory.take()
        idle += 1
        if requests.sample():
            idle = 0
        if answer := replies.datagram():
            idle, (got, to), (data, *source, request) = 0, answer, wanted.popleft()
            assert to == tuple(source) and got == data, difference(got, data, request)
        assert idle < IDLE, f"nothing moves; {len(requests.queue)} beats and {len(wanted)} answers are left"
        await FallingEdge(dut.clk)
    for _ in range(200):  # nothing is on its way behind the last answer, but lists
        dut.s_udp_tvalid.value = 0
        memory.drive()
        await ReadOnly()
        memory.take()
        assert not dut.m_udp_tvalid.value
        await FallingEdge(dut.clk)
    assert not dut.failed.value
    dut._log.info(
        "memory was asked %s, bursts %s, counters %s, answers %s, PUTs in parts %s",
        dict(did),
        memory.bursts,
        counts,
        dict(statuses),
        dict(model.ends),
    )


async def exchange(dut, memory: AxiMemory, frames: list[bytes], answers: int) -> tuple[list[int], list[list[int]], int]:
    """Frames as a line of 64 bits a clock brings them: clocks of their last beats, of the answers' beats; stalls."""
    requests = Requests(dut)
    for data in frames:
        requests.give(data)
    clock, free, stalls, idle = 0, 0.0, 0, 0
    ins, outs, out = [], [], []
    while len(outs) < answers:
        # The line is busy with what stands beside a payload, also with what a payload of 8 bytes does not fill.
        requests.share = float(clock >= free)
        requests.drive()
        memory.drive()
        await ReadOnly()
        memory.take()
        idle += 1
        if beat := requests.sample():
            idle = 0
            free = max(free, clock) + 1 + (BESIDE / 8 if beat["tlast"] else 0)
            if beat["tlast"]:
                ins.append(clock)
        stalls += requests.offering
        if dut.m_udp_tvalid.value:
            idle = 0
            out.append(clock)
            if dut.m_udp_tlast.value:
                outs.append(out)
                out = []
        clock += 1
        assert idle < IDLE, f"nothing moves; {len(requests.queue)} beats and {answers - len(outs)} answers are left"
        await FallingEdge(dut.clk)
    requests.rest()
    return ins, outs, stalls


@cocotb.test()
async def nothing_is_written_for_who_has_not_the_key_or_says_again_what_is_over(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    settings = chosen(dut, initial=1, instance=rng.randrange(1, 1 << 32))
    keyed = bool(dut.KEYED.value)
    checks = checks_of(keyed, rng)
    model = Watched(settings, checks)
    await begin(dut, settings, checks, 4096)
    dut.m_udp_tready.value = 1
    line, replies = Requests(dut), Answers(dut)
    memory = AxiMemory(dut, rng, 4096, room(settings), 1.0)

    async def rest() -> None:
        """What is on its way to memory comes there."""
        dut.s_udp_tvalid.value = 0
        for _ in range(200):
            memory.drive()
            await ReadOnly()
            memory.take()
            assert not dut.m_udp_tvalid.value
            await FallingEdge(dut.clk)

    async def say(frames: list[bytes]) -> list[bytes]:
        """Datagrams one behind another, and a STAT, whose answer is the last one; all answers are the model's."""
        stat = net.encode(Frame(net.STAT, 0, epoch, 0, settings.instance), checks)
        wanted = [answer for data in (*frames, stat) for answer in model.frame(data)]
        came: list[bytes] = []
        idle = 0
        for data in (*frames, stat):
            line.give(data)
        while line.queue or len(came) < len(wanted):
            line.drive()
            memory.drive()
            await ReadOnly()
            memory.take()
            idle += 1
            if line.sample():
                idle = 0
            if answer := replies.datagram():
                came.append(answer[0])
            assert idle < IDLE, f"no answer; {len(wanted) - len(came)} are left"
            await FallingEdge(dut.clk)
        assert came == wanted
        return came

    def one(op: int, sequence: int, payload: bytes, count: int = 0) -> Frame:
        return Frame(op, 0, epoch, sequence, settings.instance, count=count, payload=payload)

    def requests(sequence: int) -> list[Frame]:
        """One of each operation that changes something."""
        record = net.PRIORITY.pack(rng.getrandbits(8) | 1, 0) + rng.randbytes(settings.record_bytes)
        frames = [one(net.PUT, sequence, record, 1), one(net.PRIO, sequence + 1, net.UPDATE.pack(0, 2, 9, 0), 1)]
        size = min(settings.weights_max, 8)
        chunk = net.CHUNK.pack(sequence + 1, size, 0) + rng.randbytes(size) + bytes(-size % 8)
        return frames + ([one(net.WEIGHTS, sequence + 2, chunk)] if size else [])

    def begins(at: int) -> bytes:
        return net.encode(hello(settings, 0, at, rng.getrandbits(64), model.secret, source=0), checks)

    epoch = 1
    begun = begins(epoch)
    old = [net.encode(f, checks) for f in requests(0)]
    answers = await say([begun, *old])
    assert all(net.decode(x, checks, 1 << 16).status == net.OK for x in answers)
    epoch = 2
    await say([begins(epoch), *(net.encode(f, checks) for f in requests(0)[:1])])
    await rest()

    # From here on nothing may be written, and nothing of what STAT tells of the memory may change.
    before, told, accepted = dict(memory.bursts), model.told(), model.counts["accepted"]
    made = requests(1)
    bad: list[bytes] = []
    for frame in made:
        good, other = net.encode(frame, checks), Checks(rng.randbytes(16))
        body = good[: -checks.length]
        # A bit of header, payload or MAC is another one. With a key, the CRC is right.
        bits = range(8 * (len(good) - 8))
        for bit in rng.sample(bits, min(int(os.environ.get("BITS", 100)), len(bits))):
            damaged = bytearray(good[:-8])
            damaged[bit // 8] ^= 1 << bit % 8
            bad.append(Checks().seal(bytes(damaged)) if keyed else bytes(damaged) + good[-8:])
        if keyed:
            bad += [net.encode(frame, Checks()), net.encode(frame, other), Checks().seal(body + bytes(8))]
    rng.shuffle(bad)
    answers = await say(bad)
    assert len(answers) == 1, "who has not the key was answered"
    # What was recorded of an epoch that is over, and of a HELLO; of this epoch; and of another instance.
    elsewhere = [net.encode(f._replace(instance=f.instance ^ 1), checks) for f in made]
    again = [begun, *old, *elsewhere]
    rng.shuffle(again)
    answers = await say(again)
    statuses = Counter(net.decode(x, checks, 1 << 16).status for x in answers[:-1])
    assert statuses == {net.EPOCH: 1 + len(old), net.INSTANCE: len(elsewhere)}
    await rest()
    assert memory.bursts == before and not memory.asked and not memory.came, "somebody without the key has written"
    assert model.told() == told and model.counts["accepted"] == accepted
    assert model.counts["bad_key" if keyed else "bad_crc"] >= len(bad) // 2
    assert not model.counts["bad_crc" if keyed else "bad_key"]
    # And who has the key goes on.
    answers = await say([net.encode(f, checks) for f in made])
    assert all(net.decode(x, checks, 1 << 16).status == net.OK for x in answers)
    assert memory.bursts["aw"] > before["aw"] and not dut.failed.value
    dut._log.info("%d frames without the key, %d that are over; counters %s", len(bad), len(again), model.counts)


# Clocks from the last beat of a SAMPLE to the first entry of its answer, and through banks to the answer's first beat,
# where no weights are asked for or the batch is one sample; docs/replay_server.md and docs/replay_banks.md.
LATENCY_LIMIT = 300


@cocotb.test()
async def puts_come_at_the_lines_rate_and_a_batch_within_its_clocks(dut):
    settings = chosen(dut, initial=1, instance=7)
    rng = random.Random(cocotb.RANDOM_SEED)
    checks = checks_of(bool(dut.KEYED.value), rng)
    await begin(dut, settings, checks, 4096)
    dut.m_udp_tready.value = 1
    memory = AxiMemory(dut, rng, 4096, room(settings), 1.0, 40)
    each = net.PRIORITY.size + settings.record_bytes
    said = hello(settings, 0, 1, 1, secret_of(checks), source=0)
    asked = Frame(net.STAT, 0, 1, 0, settings.instance)
    # Both clears are over when STAT is answered.
    await exchange(dut, memory, [net.encode(said, checks), net.encode(asked, checks)], 2)
    for _ in range(4 + (2 << settings.leaves_log2) // 16):
        await FallingEdge(dut.clk)
    sequence = 0
    for count, frames in ((1, 40), (settings.part_bytes // each, 40), (1, 40)):
        sent = []
        for _ in range(frames):
            records = b"".join(
                net.PRIORITY.pack(rng.randrange(1, 1000), 1) + rng.randbytes(each - 8) for _ in range(count)
            )
            sent.append(Frame(net.PUT, 0, 1, sequence, settings.instance, count=count, payload=records))
            sequence += 1
        data = [net.encode(f, checks) for f in sent]
        ins, outs, stalls = await exchange(dut, memory, data, frames)
        wire = sum(len(x) + BESIDE for x in data) / 8
        said = "%d PUTs of %d records: %d clocks on the line, %d to the last answer, %d stalls"
        dut._log.info(said, frames, count, wire, outs[-1][-1] + 1, stalls)
        assert stalls == 0, "the line had to wait"
        assert outs[-1][0] <= wire + len(data[-1]) / 8 + 40
    for flags in (0, net.WEIGHTED, net.WEIGHTED | net.STRATIFIED):
        for count in (1, 32, 64, 256):
            if count > settings.sample_max:
                continue
            payload = net.ASKED.pack(13107, 0, 0)
            sample = Frame(net.SAMPLE, 0, 1, sequence, settings.instance, flags, count, 0, 0, payload=payload)
            sequence += 1
            size = net.BATCH.size + count * (net.ENTRY.size + settings.record_bytes)
            ins, outs, _ = await exchange(
                dut, memory, [net.encode(sample, checks)], net.parts_of(size, settings.part_bytes)
            )
            first, listed, whole = outs[0][5] - ins[-1], outs[0][7] - ins[-1], outs[0][-1] - ins[-1]
            said = "SAMPLE of %d, flags %d: first word %d, first entry %d, first frame %d, last frame %d clocks"
            dut._log.info(said, count, flags, first, listed, whole, outs[-1][-1] - ins[-1])
            assert first <= listed <= LATENCY_LIMIT or (count > 1 and flags)
            assert whole <= LATENCY_LIMIT + (count if flags else 0)
    assert not dut.failed.value
