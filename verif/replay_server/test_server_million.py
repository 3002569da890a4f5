"""A million datagrams, good, bad and out of order, go into the Verilated server with its memory, and stalls everywhere.

Every answer is the model's. Each beat that is written to memory is one that the model says, and none lies beyond the
server's part of it: so what is bad writes nothing.
"""

import ctypes
import random
import struct
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from cocotb_front import ENDS, Simple, Watched, crowded, datagram, learns, secret_of
from cocotb_server import left_over, room, sets
from traffic import client_of, hello, source_of

from rlcores.buses.dram import Dram
from rlcores.buses.verilated import SHIM
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import BadFrame, ServerSettings
from rlcores.eda import library
from rlcores.errors import RunFailed
from rlcores.net import rtl

DRIVER = Path(__file__).with_name("frames.cpp")
SHAPE = ServerSettings(
    capacity=50, record_bytes=24, part_bytes=264, clients=3, sample_max=20, credit=16, generation_width=2,
    weights_max=700, assemblies=4,
)  # fmt: skip
FRAMES = 1_000_000
PIECE = 1000  # datagrams from one rest to the next
SERVERS = 20  # each from its reset on
RARE = 1000  # the rarest of all counters counts one datagram in this many


class Bench:
    """One server from its reset on."""

    def __init__(self, settings: ServerSettings, base: int) -> None:
        self.base = base
        headers = [SHIM / "rlc_udp.cpp", SHIM / "rlc_memory.h"]
        # The driver includes them from there.
        written = {header.name: header.read_text() for header in headers}
        self._library = ctypes.CDLL(
            str(library.build(rtl.VLNV, rtl.TOP, rtl.parameters(settings), DRIVER, written=written))
        )
        self._library.rlc_frames_new.restype = ctypes.c_void_p
        self._library.rlc_frames_answers.restype = ctypes.c_void_p
        self._library.rlc_udp_error.restype = ctypes.c_char_p
        s = settings
        secret = secret_of(Checks())
        halves = (int.from_bytes(secret[at : at + 8], "little") for at in (0, 8))
        numbers = (s.instance, s.alpha, s.scale & 0xFFFF, s.epsilon, s.initial, s.seed, 0, 1, *halves)
        arrays = (ctypes.c_uint64 * len(numbers))(*numbers), self._dram(Dram())
        size = ctypes.c_uint64(base), ctypes.c_uint64(room(s))
        self._handle = ctypes.c_void_p(self._library.rlc_frames_new(*arrays, *size))

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._library.rlc_frames_delete(self._handle)

    @staticmethod
    def _dram(dram: Dram) -> ctypes.Array:
        return (ctypes.c_uint64 * len(dram.words))(*dram.words)

    def pace(self, stall: float, dram: Dram) -> None:
        """Probability that a beat of a stream waits; the memory."""
        self._library.rlc_frames_pace(self._handle, ctypes.c_uint64(round(256 * stall)), self._dram(dram))

    def exchange(self, frames: list[tuple[int, bytes]], answers: int) -> list[tuple[int, bytes]]:
        """Datagrams in, each with its source, until it is at rest; answers, with where they go to. Raises RunFailed."""
        sources, datagrams = zip(*frames, strict=True)
        lengths = (ctypes.c_uint32 * len(frames))(*map(len, datagrams))
        wheres = (ctypes.c_uint64 * len(frames))(*sources)
        size = ctypes.c_uint64()
        count = ctypes.c_uint64(len(frames)), ctypes.c_uint64(answers)
        arguments = b"".join(datagrams), lengths, wheres, *count, ctypes.byref(size)
        if self._library.rlc_frames_exchange(self._handle, *arguments):
            raise RunFailed(self._library.rlc_udp_error(self._handle).decode())
        text = ctypes.string_at(self._library.rlc_frames_answers(self._handle), size.value)
        came, at = [], 0
        while at < len(text):
            whose, length = struct.unpack_from("<QQ", text, at)
            came.append((whose, text[at + 16 : at + 16 + length]))
            at += 16 + length
        return came

    def statistics(self) -> tuple[int, ...]:
        """Clocks; beats that were read from memory, and written to it."""
        counts = (ctypes.c_uint64 * 3)()
        self._library.rlc_frames_statistics(self._handle, counts)
        return tuple(counts)

    def peek(self, address: int, count: int) -> bytes:
        """Bytes of its part of the memory."""
        data = ctypes.create_string_buffer(count)
        self._library.rlc_frames_peek(self._handle, ctypes.c_uint64(self.base + address), ctypes.c_uint64(count), data)
        return data.raw


def written(model: Watched, answers: list[bytes]) -> int:
    """Beats that the last datagram brings to memory."""
    words, record = 0, model.settings.record_bytes // 8
    did, again = model.did or (None, False)
    # A part that was not there; of a PUT that is refused, not the last one.
    if model.part and (did or not model.part[1]):
        words += len(model.part[0].payload) // 8
    if did is None or again:
        return words
    status = struct.unpack_from("<H", answers[0], 6)[0]
    if did.op == net.PUT:
        words += did.count * record
    elif did.op == net.SAMPLE and status != net.EMPTY:
        words += did.count * net.ENTRY.size // 8
    elif did.op == net.WEIGHTS and status == net.OK:
        words += len(did.payload) // 8 - 2
    return words


def traffic(model: Watched, rng: random.Random, count: int, kinds: Counter) -> Iterator[bytes]:
    """Datagrams; each is the next one when the model has had all before. Some come later than others."""
    simple, late, instance = Simple(model.settings, model.checks, rng), [], model.settings.instance
    # Before there is a set of weights, and a record; and when there is one, but with a priority of 0.
    nothing = net.PRIORITY.pack(0, net.RAW) + rng.randbytes(model.settings.record_bytes)
    asked = net.Frame(net.SAMPLE, 0, 1, 0, instance, count=3, parts=0, payload=net.ASKED.pack(0, 0, 0))
    yield simple.bytes(hello(model.settings, 0, 1, rng.getrandbits(64), model.secret))
    yield simple.bytes(net.Frame(net.GET, 0, 1, 0, instance, payload=net.CHUNK.pack(0, 0, 0)))
    yield simple.bytes(asked)
    yield simple.bytes(net.Frame(net.PUT, 0, 1, 1, instance, count=1, payload=nothing))
    yield simple.bytes(asked._replace(sequence=2))
    for _ in range(count):
        x = rng.random()
        if late and x < 0.1:
            kinds["late"] += 1
            yield late.pop(rng.randrange(len(late)))
            continue
        learns(simple, model, rng)
        data = datagram(simple, rng)
        if x > 0.95:
            late.append(data)
            data = datagram(simple, rng)
        yield data
    for more in (sets, crowded):
        for frame in more(model, rng):
            yield simple.bytes(frame)
    for frame in left_over(model):
        yield simple.bytes(frame)


def bad(model: Watched, rng: random.Random) -> list[bytes]:
    """Datagrams that are bad by their length, version or check."""
    simple, datagrams = Simple(model.settings, model.checks, rng), []
    while len(datagrams) < PIECE // 10:
        data = datagram(simple, rng)
        try:
            net.decode(data, model.checks, model.settings.part_bytes)
        except BadFrame:
            datagrams.append(data)
    return datagrams


def serve(seed: int, count: int, total: Counter) -> None:
    """One server, `count` datagrams and some more; it counts what came."""
    rng = random.Random(seed)
    settings = replace(
        SHAPE, instance=rng.randrange(1, 1 << 32), seed=rng.getrandbits(64), initial=rng.choice([256, 0, 7]),
        alpha=rng.choice([0, 19661, 32768]), scale=rng.choice([8 << 8, -512, 17 << 8]),
        epsilon=rng.choice([1, 0, 1 << 20]),
    )  # fmt: skip
    model = Watched(settings)
    model.checks = native.checks()
    bench = Bench(settings, 4096 * rng.randrange(1, 9))
    frames = traffic(model, rng, count, total)

    def play(data: list[bytes], wanted: list[tuple[int, bytes]], words: int, pace: tuple[float, Dram]) -> None:
        _, reads, before = bench.statistics()
        bench.pace(*pace)
        answers = bench.exchange(data, len(wanted))
        for (whose, got), (asked, answer) in zip(answers, wanted, strict=True):
            assert whose == asked and got == answer, (
                f"seed {seed}: datagram {asked}, answer {answer.hex()} is {got.hex()}"
            )
        _, after, beats = bench.statistics()
        assert beats - before == words, f"seed {seed}: {beats - before} beats were written, {words} are the model's"
        assert wanted or (beats, after) == (before, reads), f"seed {seed}: bad datagrams came to memory"

    with ThreadPoolExecutor(1) as thread:
        playing = None
        while True:
            alone = rng.random() < 0.1  # only bad ones
            data, wanted, words = [], [], 0
            for frame in iter(bad(model, rng)) if alone else islice(frames, PIECE):
                source = rng.getrandbits(48) if rng.random() < 0.02 else source_of(client_of(frame))
                answers = model.frame(frame, source)
                data.append((source, frame))
                wanted += [(source, answer) for answer in answers]
                words += written(model, answers)
                total.update(("answer", answer[5] & 0x7F, answer[6]) for answer in answers)
            if playing:
                playing.result()
            if not data:
                break
            total["alone"] += len(data) * alone
            dram = Dram(
                latency=rng.choice([1, 30, 200]), stall=rng.choice([0, 0.1, 0.5]), extra=rng.choice([0, 50]),
                seed=rng.getrandbits(32),
            )  # fmt: skip
            playing = thread.submit(play, data, wanted, words, (rng.choice([0, 0.1, 0.5]), dram))
    stride = 1 << (settings.record_bytes - 1).bit_length()
    for slot in range(model.tree.size):
        at = slot * settings.record_bytes
        assert bench.peek(slot * stride, settings.record_bytes) == model.records()[at : at + settings.record_bytes]
    total.update(model.counts)
    total.update({("parts", end): n for end, n in model.ends.items()})
    total["clocks"] += bench.statistics()[0]


def run(seed: int, count: int, servers: int) -> Counter:
    """`count` datagrams or more, over several servers; what came of them."""
    total: Counter = Counter()
    for number in range(servers):
        serve(seed * 1000 + number, count // servers, total)
    return total


@pytest.mark.slow  # seven minutes
def test_a_million_datagrams_good_and_bad_into_the_rtl(seed: int) -> None:
    total = run(seed, FRAMES, SERVERS)
    print(dict(total))
    assert total["frames"] >= FRAMES
    few = {name: total[name] for name in net.COUNTERS if name != "bad_key" and total[name] < FRAMES // RARE}
    assert not few, f"came seldom: {few}"
    assert total["late"] > FRAMES // 50 and total["alone"] > FRAMES // 200
    answers = {(op, net.OK) for op in range(8)} | {
        (net.PUT, net.PART), (net.PUT, net.REFUSED), (net.PRIO, net.REFUSED), (net.PUT, net.WAIT),
        (net.PUT, net.EPOCH), (net.PUT, net.INSTANCE), (net.HELLO, net.SCHEMA), (net.HELLO, net.EPOCH),
        (net.SAMPLE, net.EMPTY), (net.SAMPLE, net.GONE), (net.SAMPLE, net.OLD), (net.READ, net.GONE),
        (net.WEIGHTS, net.STALE), (net.GET, net.GONE), (net.GET, net.NONE), (net.HELLO, net.COOKIE),
        (net.PUT, net.ADDRESS), (net.SAMPLE, net.ADDRESS),
    }  # fmt: skip
    few = {kind for kind in answers if total["answer", *kind] < SERVERS}
    few |= {end for end in ENDS if total["parts", end] < SERVERS}
    assert not few, f"came seldom: {few}"
