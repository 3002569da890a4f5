"""Tests of the replay server's state: model and engine give the same answers, and a journal the same state."""

import random

import pytest
from traffic import Traffic, hello, settings, source_of

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.checks import Checks, crc32c, siphash
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.cores.replay_server.server import ServerModel

KEY = bytes(range(16))


def both(s: ServerSettings, key: bytes | None = None) -> tuple[ServerModel, native.NativeServer, list[bytes]]:
    kept: list[bytes] = []
    return (
        ServerModel(s, native.checks(key), kept.append),
        native.NativeServer(s, key, journal=True, secret=key or bytes(16)),
        kept,
    )


def same(model: ServerModel, engine: native.NativeServer) -> None:
    assert model.counts == engine.counts
    assert model.records() == engine.records()
    assert model.state() == engine.state()


def run(seed: int, frames: int, key: bytes | None = None) -> dict[str, int]:
    """Frames to both; every answer and the state must be equal, and what the journal makes of a fresh server."""
    rng = random.Random(seed)
    s = settings(rng)
    model, engine, kept = both(s, key)
    traffic = Traffic(s, native.checks(key), rng, key or bytes(16))
    for _ in range(frames):
        data = rng.choices([traffic.frame, traffic.mutated, traffic.noise], [20, 3, 1])[0]()
        source = traffic.source(data)
        assert model.frame(data, source) == engine.frame(data, source)
    same(model, engine)
    journal = b"".join(kept)
    assert engine.journal() == journal
    for again in (ServerModel(s, native.checks()), native.NativeServer(s)):
        # A torn frame at the end is no part of it, and what stands there twice is done once.
        assert again.replay(journal + journal[:21]) == len(journal)
        assert again.replay(journal) == len(journal)
        assert again.state() == model.state() and again.records() == model.records()
    restored = native.NativeServer(s)
    restored.restore(engine.state())
    assert restored.state() == engine.state()
    return model.counts


@pytest.mark.parametrize("key", [None, KEY], ids=["open", "keyed"])
def test_engine_answers_as_the_model_and_its_journal_gives_the_same_state(seed: int, key: bytes | None) -> None:
    total = dict.fromkeys(net.COUNTERS, 0)
    for n in range(8):
        for name, count in run(seed + n, 400, key).items():
            total[name] += count
    # The work that every run has, whatever the seed.
    sure = ("accepted", "repeated", "records", "updates", "malformed", "bad_length", "bad_crc", "unproved")
    assert all(total[name] for name in sure)


@pytest.mark.slow
def test_a_million_frames_good_and_bad(seed: int) -> None:
    for n in range(500):
        run(seed + n, 2000, KEY if n % 2 else None)


def test_checks_of_the_engine_are_those_of_the_model(seed: int) -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert siphash(KEY, bytes(range(15))) == 0xA129CA6149BE45E5
    rng = random.Random(seed)
    fast = native.checks(KEY)
    for n in range(40):
        data = rng.randbytes(n)
        assert fast.crc32c(data) == crc32c(data) and fast.siphash(KEY, data) == siphash(KEY, data)


def said(server: ServerModel | native.NativeServer, number: int = 0) -> bytes:
    """The payload of a HELLO, with the cookie that the server answers to one without."""
    checks = native.checks()
    without = Frame(net.HELLO, number, 1, payload=net.SAID.pack(7, 0, 0, 0, 0))
    (answer,) = server.frame(net.encode(without, checks))
    frame = net.decode(answer, checks, 1392)
    assert frame.status == net.COOKIE
    return net.SAID.pack(7, 0, 0, 0, int.from_bytes(frame.payload, "little"))


def client(server: ServerModel | native.NativeServer, number: int = 0, epoch: int = 1):
    """Says HELLO, and hands back a function that sends a request and decodes the answers."""
    checks = native.checks()

    def ask(op: int, sequence: int = 0, payload: bytes = b"", **fields) -> list[Frame]:
        header = {"client": number, "epoch": epoch, "instance": server.settings.instance}
        header |= {"parts": 0} if op in (net.SAMPLE, net.READ) else {}
        header |= fields
        frame = Frame(op, sequence=sequence, payload=payload, **header)
        return [net.decode(x, checks, server.settings.part_bytes) for x in server.frame(net.encode(frame, checks))]

    (told,) = ask(net.HELLO, payload=said(server, number), instance=0)
    assert told.status == net.OK and told.op == net.HELLO | net.ANSWER
    return ask


@pytest.fixture(params=["model", "native"])
def server(request: pytest.FixtureRequest) -> ServerModel | native.NativeServer:
    s = ServerSettings(capacity=8, record_bytes=16, part_bytes=256, sample_max=16, weights_max=1000, initial=1)
    return ServerModel(s, native.checks()) if request.param == "model" else native.NativeServer(s)


def put(word: int, mark: int, kind: int = net.RAW) -> bytes:
    return net.PRIORITY.pack(word, kind) + bytes([mark]) * 16


def test_a_record_that_comes_twice_is_stored_once(server) -> None:
    ask = client(server)
    for _ in range(3):
        (answer,) = ask(net.PUT, 0, put(3, 9), count=1)
        assert answer.status == net.OK
    assert server.counts["records"] == 1 and server.counts["repeated"] == 2


def test_a_repeated_sample_has_the_same_batch_and_marks_what_was_overwritten(server) -> None:
    ask = client(server)
    for n in range(8):
        ask(net.PUT, n, put(1 + n, n), count=1)
    asked = net.ASKED.pack(32768, 0, 0)
    first = ask(net.SAMPLE, 8, asked, count=16, status=net.STRATIFIED | net.WEIGHTED)
    assert ask(net.SAMPLE, 8, asked, count=16, status=3) == first
    assert len(first) == 3
    assert ask(net.SAMPLE, 8, asked, count=16, status=3, part=1, parts=1) == first[1:2]
    for n in range(4):
        ask(net.PUT, 9 + n, put(1, 99), count=1)
    again = ask(net.SAMPLE, 8, asked, count=16, status=3)
    old, new = (b"".join(f.payload for f in batch) for batch in (first, again))
    drawn = [net.ENTRY.unpack_from(old, 16 + 16 * i) for i in range(16)]
    for i, (slot, generation, priority, weight) in enumerate(drawn):
        gone = slot < 4
        marked = generation | (net.GONE_BIT if gone else 0)
        assert net.ENTRY.unpack_from(new, 16 + 16 * i) == (slot, marked, priority, weight)
        at = 16 + 16 * 16 + 16 * i
        assert new[at : at + 16] == (bytes(16) if gone else bytes([slot]) * 16)
    # A priority for a record that is gone does not land on its successor.
    slot, generation = drawn[0][:2]
    before = server.state()[80 + 16 :][: 4 * 8]
    ask(net.PRIO, 13, net.UPDATE.pack(slot, generation, 77, net.RAW), count=1)
    after = server.state()[80 + 16 :][: 4 * 8]
    assert (before != after) == (slot >= 4) and server.counts["stale"] == (slot < 4)


def test_a_slot_that_was_never_filled_does_not_exist(server) -> None:
    """Its tag can be guessed; its record would be whatever lies in memory."""
    ask = client(server)
    ask(net.PUT, 0, put(1, 0) + put(1, 1), count=2)
    guesses = range(16)
    text = b"".join(net.UPDATE.pack(slot, tag, 9, net.RAW) for slot in (2, 7) for tag in guesses)
    assert ask(net.PRIO, 1, text[:256], count=16)[0].status == net.OK
    assert ask(net.PRIO, 2, text[256:], count=16)[0].status == net.OK
    assert (server.counts["updates"], server.counts["stale"], server.counts["range"]) == (0, 0, 32)
    for slot, there in ((1, True), (2, False), (7, False)):
        statuses = [ask(net.READ, 0, net.PLACE.pack(slot, tag), count=1)[0].status for tag in guesses]
        assert statuses.count(net.OK) == there and statuses.count(net.GONE) == len(guesses) - there


def test_priorities_of_a_learner_keep_their_order(server) -> None:
    ask = client(server)
    ask(net.PUT, 0, put(1, 0), count=1)
    late = net.UPDATE.pack(0, 3, 5, net.RAW)
    (answer,) = ask(net.PRIO, 2, late, count=1, behind=1)
    assert answer.status == net.WAIT
    assert ask(net.PRIO, 1, net.UPDATE.pack(0, 3, 4, net.RAW), count=1)[0].status == net.OK
    assert ask(net.PRIO, 2, late, count=1, behind=1)[0].status == net.OK
    assert ask(net.READ, 0, net.PLACE.pack(0, 3), count=1)[0].payload[16:32] == net.ENTRY.pack(0, 3, 5, 0)


def test_a_request_in_parts_is_stored_when_all_are_there(server) -> None:
    ask = client(server)
    text = b"".join(put(1, n) for n in range(25))
    parts = [text[i : i + 256] for i in (0, 256, 512)]
    assert ask(net.PUT, 0, parts[2], count=25, part=2, parts=3)[0].payload == (4).to_bytes(8, "little")
    assert ask(net.PUT, 0, parts[0], count=25, part=0, parts=3) == []
    assert ask(net.PUT, 0, parts[0], count=25, part=0, parts=3)[0].payload == (5).to_bytes(8, "little")
    assert server.counts["records"] == 0
    (answer,) = ask(net.PUT, 0, parts[1], count=25, part=1, parts=3)
    assert answer.status == net.OK and server.counts["records"] == 25
    assert server.records() == b"".join(bytes([n]) * 16 for n in (24, *range(17, 24)))


def test_weights_are_there_whole_or_not_at_all(server) -> None:
    ask = client(server)
    chunk = 240

    def chunks(version: int, data: bytes) -> list[bytes]:
        cut = [data[i : i + chunk] for i in range(0, len(data), chunk)]
        return [net.CHUNK.pack(version, len(data), i * chunk) + x + bytes(-len(x) % 8) for i, x in enumerate(cut)]

    (nothing,) = ask(net.GET, 0, net.CHUNK.pack(0, 0, 0))
    assert nothing.status == net.NONE
    sequence = 0
    for version, data in ((1, b"a" * 500), (2, b"b" * 500), (3, b"c" * 250)):
        for text in reversed(chunks(version, data)):
            if version > 1:
                assert ask(net.GET, 0, net.CHUNK.pack(0, 0, 0))[0].payload[:8] == (version - 1).to_bytes(8, "little")
            assert ask(net.WEIGHTS, sequence, text)[0].status == net.OK
            sequence += 1
    assert ask(net.GET, 0, net.CHUNK.pack(1, 0, 0))[0].status == net.GONE
    assert ask(net.GET, 0, net.CHUNK.pack(2, 480, 0))[0].payload[16:] == b"b" * 20 + bytes(4)
    assert ask(net.GET, 0, net.CHUNK.pack(0, 240, 0))[0].payload == net.CHUNK.pack(3, 250, 240) + b"c" * 10 + bytes(6)
    assert ask(net.WEIGHTS, sequence, chunks(3, b"d" * 20)[0])[0].status == net.STALE


def test_epochs_only_grow_and_a_delayed_hello_ends_none(server) -> None:
    first = client(server)
    first(net.PUT, 0, put(1, 1), count=1)
    client(server, epoch=2)
    client(server, epoch=3)
    second = client(server, epoch=4)
    assert first(net.PUT, 1, put(1, 1), count=1)[0].status == net.EPOCH
    (old,) = first(net.HELLO, payload=said(server), instance=0)
    assert old.status == net.EPOCH and net.TOLD.unpack(old.payload)[7] == 4
    assert second(net.PUT, 0, put(1, 1), count=1)[0].status == net.OK
    assert second(net.HELLO, payload=said(server), instance=0)[0].status == net.OK
    # That HELLO was the same once more: the window stays.
    second(net.PUT, 0, put(1, 1), count=1)
    assert server.counts["records"] == 2
    assert second(net.STAT, instance=99)[0].status == net.INSTANCE


def test_beyond_its_credit_a_request_is_dropped_and_counted(server) -> None:
    ask = client(server)
    assert ask(net.PUT, 32, put(1, 1), count=1) == [] and server.counts["no_credit"] == 1
    assert ask(net.PUT, 31, put(1, 1), count=1)[0].credit == 32


def test_without_the_key_nothing_is_done() -> None:
    keyed, other = native.checks(KEY), native.checks(bytes(16))
    s = ServerSettings(capacity=8, record_bytes=16)
    for server in (ServerModel(s, keyed), native.NativeServer(s, KEY)):
        first = hello(s, 0, 1)
        assert server.frame(net.encode(first, Checks())) == [] and server.counts["bad_length"] == 1
        assert server.frame(net.encode(first, other)) == [] and server.counts["bad_key"] == 1
        assert len(server.frame(net.encode(first, keyed))) == 1


def test_epochs_are_never_exhausted(server) -> None:
    """Whoever says the last epoch of all would have ended a client number for ever."""
    ask = client(server)
    (answer,) = ask(net.HELLO, payload=said(server), instance=0, epoch=0xFFFFFFFF)
    assert answer.status == net.EPOCH and net.TOLD.unpack(answer.payload)[7] == 1
    assert ask(net.PUT, 0, put(1, 1), count=1)[0].status == net.OK
    assert net.following(0) == 1 and net.following(0xFFFFFFFF) == 1


def answers(server, frame: Frame, source: int, checks: Checks) -> list[bytes]:
    return server.frame(net.encode(frame, checks), source)


@pytest.mark.parametrize("key", [None, KEY], ids=["open", "keyed"])
@pytest.mark.parametrize("kind", ["model", "native"])
def test_who_has_not_shown_a_cookie_is_given_no_state_and_nothing_long(kind: str, key: bytes | None) -> None:
    s = ServerSettings(capacity=64, record_bytes=1000, part_bytes=1392, sample_max=64, weights_max=100_000, clients=4)
    checks = native.checks(key)
    server = ServerModel(s, checks) if kind == "model" else native.NativeServer(s, key, secret=key or bytes(16))
    secret, mine = key or bytes(16), source_of(0)
    (answer,) = answers(server, hello(s, 0, 1, secret=secret), mine, checks)
    assert net.decode(answer, checks, 1392).status == net.OK
    text = b"".join(net.PRIORITY.pack(1, net.RAW) + bytes([n]) * 1000 for n in range(1))
    for n in range(4):
        answers(server, Frame(net.PUT, 0, 1, n, s.instance, count=1, payload=text), mine, checks)
    asked = Frame(net.SAMPLE, 0, 1, 4, s.instance, count=64, parts=0, payload=net.ASKED.pack(0, 0, 0))
    requests = [
        asked,
        Frame(net.READ, 0, 1, 0, s.instance, count=1, parts=0, payload=net.PLACE.pack(0, 2)),
        Frame(net.STAT, 0, 1, 0, s.instance),
        Frame(net.GET, 0, 1, 0, s.instance, payload=net.CHUNK.pack(0, 0, 0)),
        Frame(net.PUT, 0, 1, 5, s.instance, count=1, payload=text),
        Frame(net.PRIO, 0, 1, 5, s.instance, count=1, payload=net.UPDATE.pack(0, 2, 9, 0)),
        Frame(net.WEIGHTS, 0, 1, 5, s.instance, payload=net.CHUNK.pack(1, 8, 0) + bytes(8)),
        hello(s, 0, 1, secret=secret),  # recorded, and said again from elsewhere
        hello(s, 0, 2, secret=secret),
        hello(s, 1, 1, secret=secret, source=7),
    ]
    before = server.state()
    for stranger in (source_of(1), mine ^ 1, mine ^ 1 << 32):
        for frame in requests:
            sent = net.encode(frame, checks)
            replies = server.frame(sent, stranger)
            assert sum(map(len, replies)) <= len(sent), frame
            statuses = {net.decode(x, checks, 1392).status for x in replies}
            assert statuses == {net.COOKIE if frame.op == net.HELLO else net.ADDRESS}
    assert server.state() == before and server.counts["unproved"] == 3 * len(requests)
    assert sum(map(len, answers(server, asked, mine, checks))) > 64_000  # and the client itself is given it
    # With the cookie of another address the same HELLO proves that one, and only that one.
    moved = hello(s, 0, 1, secret=secret, source=source_of(1))
    (answer,) = answers(server, moved, source_of(1), checks)
    assert net.decode(answer, checks, 1392).status == net.OK
    assert net.decode(answers(server, asked, mine, checks)[0], checks, 1392).status == net.ADDRESS
    assert len(answers(server, asked, source_of(1), checks)) > 40
