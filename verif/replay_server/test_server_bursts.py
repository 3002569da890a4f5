"""What a client asks beyond its share: the server's memory stays bounded, and others are answered meanwhile."""

import os
import socket
import time
from pathlib import Path

import numpy as np
import pytest

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.net import ReplayClient, ReplayServer, addresses

# Bytes of batches between two looks: what one more turn may bring, and a frame.
LOOK = (2 << 20) + (512 << 10) + (1 << 17)


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


class Greedy:
    """A client that keeps to no credit, at a socket of its own."""

    def __init__(self, server: ReplayServer, client: int) -> None:
        self.s, self.client, self.checks = server.settings, client, native.checks()
        self.socket = addresses.udp(server.address, bind=False)
        self.socket.settimeout(10)
        cookie = 0
        for _ in range(2):
            said = Frame(net.HELLO, client, 1, payload=net.SAID.pack(1, 0, 0, 0, cookie))
            answer = self.ask(said)
            cookie = int.from_bytes(answer.payload[:8], "little")
        assert answer.status == net.OK

    def ask(self, frame: Frame) -> Frame:
        self.socket.send(net.encode(frame, self.checks))
        return net.decode(self.socket.recv(1 << 16), self.checks, 1 << 16)

    def send(self, frames: list[Frame]) -> int:
        data = [net.encode(f, self.checks) for f in frames]
        for one in data:
            self.socket.send(one)
        return sum(map(len, data))

    def drain(self) -> int:
        """Bytes that came, until nothing does for a while."""
        self.socket.settimeout(0.3)
        length = 0
        try:
            while True:
                length += len(self.socket.recv(1 << 16))
        except TimeoutError:
            return length


def frame(s: ServerSettings, op: int, client: int, sequence: int, payload: bytes, **fields: int) -> Frame:
    return Frame(op, client, 1, sequence, s.instance, payload=payload, **fields)


S = ServerSettings(capacity=1024, record_bytes=28672, part_bytes=1392, sample_max=256, instance=9)


def bursts(s: ServerSettings, client: int, what: str) -> list[Frame]:
    asked = net.ASKED.pack(0, 0, 0)
    first = frame(s, net.SAMPLE, client, 0, asked, count=256, parts=0)
    if what == "repeated":  # 28,672 bytes of the same request
        return [first] * (28_672 // 56)
    if what == "reads":
        places = b"".join(net.PLACE.pack(n % 256, 3) for n in range(170))
        return [frame(s, net.READ, client, n, places, count=170, parts=0) for n in range(400)]
    return [frame(s, net.SAMPLE, client, n, asked, count=256, parts=0) for n in range(s.credit)]


@pytest.mark.parametrize("what", ["repeated", "reads", "drawn"])
def test_a_burst_of_requests_for_batches_takes_little_memory_and_others_are_answered(what: str) -> None:
    times: list[float] = []
    with ReplayServer(S) as server, ReplayClient(server.address, 1) as other:
        for _ in range(4):
            other.put(np.ones((256, 28672), np.uint8), priorities=np.ones(256, int))
        other.flush()
        greedy = [Greedy(server, n) for n in (2, 3)]
        before, most = resident(), 0
        for _ in range(100):
            for one in greedy:
                one.send(bursts(S, one.client, what))
            begun = time.perf_counter()
            other.sample(8, weights=False)
            times.append(time.perf_counter() - begun)
            most = max(most, resident() - before)
        answered = [one.drain() for one in greedy]
        counts, turn = server.state.counts, server.state.engine.most_in_turn
    half, worst = 1e3 * np.quantile(times, [0.5, 0.99])
    print(f"{what}: another client's SAMPLE p50 {half:.2f} ms, p99 {worst:.2f} ms; {most >> 20} MiB more")
    print(f"{what}: {turn >> 10} KiB of batches between two looks, {counts['no_credit']} dropped")
    assert 0 < turn <= LOOK and most < 96 << 20 and all(answered)
    assert what == "drawn" or counts["no_credit"] > 100


def test_a_long_batch_comes_whole_though_others_are_answered_in_its_middle() -> None:
    with ReplayServer(S) as server, ReplayClient(server.address, 1) as one, ReplayClient(server.address, 2) as two:
        rows = np.arange(256, dtype=np.uint8)[:, None].repeat(28672, 1)
        one.put(rows, priorities=np.ones(256, int))
        one.flush()
        for _ in range(3):
            request = one.ask(256)
            small = [two.sample(4) for _ in range(5)]
            batch = one.batch(one.answered(request))
            assert all((x.records == x.slots[:, None].astype(np.uint8)).all() for x in (*small, batch))
            assert not batch.gone.any() and len(batch.slots) == 256
        assert server.state.counts["samples"] == 3 * (256 + 20)
        assert server.state.engine.most_in_turn <= LOOK


def test_parts_of_requests_that_never_end_take_bounded_memory_and_lose_nobody_elses_records() -> None:
    s = ServerSettings(capacity=64, record_bytes=1 << 20, part_bytes=65400, clients=256, instance=9)
    with ReplayServer(s) as server:
        before = resident()
        for client in range(100, 256):
            one = Greedy(server, client)
            count = s.put_most()
            parts = net.parts_of(count * (8 + s.record_bytes), s.part_bytes)
            text = bytes(s.part_bytes)
            one.send([frame(s, net.PUT, client, n, text, count=count, part=0, parts=parts) for n in range(4)])
            one.socket.close()
        with ReplayClient(server.address, 1) as other:
            other.put(np.full((2, 1 << 20), 7, np.uint8), priorities=[1, 1])
            other.flush()
            assert (other.sample(1).records == 7).all()
        assert resident() - before < 400 << 20
        assert server.state.counts["records"] == 2


def test_a_request_whose_parts_were_forgotten_comes_again_from_its_client() -> None:
    """As where others needed its room: what it is told has only the parts that are there."""
    s = ServerSettings(capacity=64, record_bytes=1000, part_bytes=256, instance=9)
    server = native.NativeServer(s)
    checks = native.checks()
    proof = net.cookie(checks, bytes(16), 0, 0, s.instance)
    server.frame(net.encode(Frame(net.HELLO, 0, 1, payload=net.SAID.pack(1, 0, 0, 0, proof)), checks))
    text = net.PRIORITY.pack(1, 0) + bytes(1000)
    cut = [text[at : at + 256] for at in range(0, len(text), 256)]
    sent = [net.encode(frame(s, net.PUT, 0, 0, x, count=1, part=n, parts=4), checks) for n, x in enumerate(cut)]
    assert server.frame(sent[0]) == []
    (answer,) = server.frame(sent[3])
    assert net.decode(answer, checks, 256).payload == (0b1001).to_bytes(8, "little")


def test_the_socket_of_a_stranger_is_given_nothing_long() -> None:
    with ReplayServer(S) as server, ReplayClient(server.address, 1) as other:
        other.put(np.ones((4, 28672), np.uint8), priorities=np.ones(4, int))
        other.flush()
        one = Greedy(server, 2)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            host, port = addresses.parse(server.address)
            stranger.connect((host, port))
            stranger.settimeout(1)
            asked = frame(S, net.SAMPLE, 2, 0, net.ASKED.pack(0, 0, 0), count=4, parts=0)
            stranger.send(net.encode(asked, one.checks))
            answer = stranger.recv(1 << 16)
            assert net.decode(answer, one.checks, 1392).status == net.ADDRESS and len(answer) == 48
            with pytest.raises(TimeoutError):
                stranger.recv(1 << 16)
        assert one.ask(asked).status == net.OK and one.drain() > 100_000
