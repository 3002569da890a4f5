"""Records that are overwritten while their batch is on its way over a bad line: none is handed out half."""

import socket
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from traffic import hello

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.cores.replay_server.server import ServerModel
from rlcores.net import ReplayClient

# A record a PUT. A batch of 8 has 9 parts: the list with a piece of the first record, …, the end of the last record.
S = ServerSettings(capacity=8, record_bytes=248, part_bytes=256, sample_max=8, clients=2, instance=3)
WRITER = 1


class Server:
    """The model at a socket, in a thread. `line` gives what arrives of each answer to a SAMPLE."""

    def __init__(self, line: Callable[["Server", int, list[bytes]], list[bytes]]) -> None:
        self.model, self.checks, self.line, self.turn = ServerModel(S), Checks(), line, 0
        self.kept: list[bytes] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = "{}:{}".format(*self._socket.getsockname())
        self.give(hello(S, WRITER, 1, source=0))
        self._sequence = 0
        self.fill(1)
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def give(self, frame: Frame) -> None:
        (answer,) = self.model.frame(net.encode(frame, self.checks))
        assert net.decode(answer, self.checks, S.part_bytes).status == net.OK

    def fill(self, mark: int) -> None:
        """All slots get new records, of this byte."""
        for _ in range(S.capacity):
            text = net.PRIORITY.pack(5, net.RAW) + bytes([mark]) * S.record_bytes
            self.give(Frame(net.PUT, WRITER, 1, self._sequence, S.instance, count=1, payload=text))
            self._sequence += 1

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while data := self._socket.recvfrom(1 << 16):
            if not data[0]:
                return
            answers = self.model.frame(data[0], native.source(data[1]))
            if data[0][5] == net.SAMPLE:
                answers = self.line(self, self.turn, list(answers))
                self.turn += 1
            for answer in answers:
                self._socket.sendto(answer, data[1])


@pytest.fixture
def batch() -> Iterator[Callable]:
    made: list[Server] = []

    def drawn(line):
        made.append(Server(line))
        with ReplayClient(made[0].address, timeout=60) as client:
            return client.sample(8)

    yield drawn
    made[0].close()


def test_a_list_that_comes_late_does_not_call_an_overwritten_record_present(batch) -> None:
    def line(server: Server, turn: int, answers: list[bytes]) -> list[bytes]:
        if turn:  # whatever is asked for, a copy of the old list comes before it
            return [server.kept[0], *answers]
        server.kept = answers
        server.fill(2)
        return answers[:-1]

    answer = batch(line)
    assert answer.gone.tolist() == [False] * 7 + [True]
    assert (answer.records[:7] == 1).all() and not answer.records[7].any()


def test_a_record_that_came_stays_when_it_is_sent_again_as_zeros(batch) -> None:
    def line(server: Server, turn: int, answers: list[bytes]) -> list[bytes]:
        server.kept += answers
        if turn == 0:
            server.fill(2)
            return []
        return [*server.kept[:8], *answers[:8], server.kept[8]]  # the first answer was late

    answer = batch(line)
    assert not answer.gone.any() and (answer.records == 1).all()
    assert np.array_equal(np.unique(answer.generations & 0xFFFF), [3])
