"""What a server refuses, its clients say: one with a learner behind it takes no priorities but the largest so far."""

import asyncio
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from compiled import built

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.cores.replay_server.server import ServerModel, StoredAnswer
from rlcores.errors import UserError
from rlcores.net import ReplayClient, aio

ROWS = np.arange(20, dtype=np.uint64)
PROGRAM = Path(__file__).parent / "refused.cpp"


class Learns(ServerModel):
    """The statuses of a server with a learner behind it (docs/net_learner.md), at a socket, in a thread."""

    def __init__(self) -> None:
        super().__init__(ServerSettings(capacity=64, record_bytes=8, part_bytes=256, instance=3, weights_max=100))
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = "{}:{}".format(*self._socket.getsockname())
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while (came := self._socket.recvfrom(1 << 16))[0]:
            for answer in self.frame(came[0], native.source(came[1])):
                self._socket.sendto(answer, came[1])

    def _put(self, f: Frame) -> int:
        kinds = np.frombuffer(f.payload, "<u4").reshape(f.count, -1)[:, 1]
        return net.REFUSED if (kinds != net.LARGEST).any() else super()._put(f)

    def _sample(self, f: Frame) -> StoredAnswer:
        return StoredAnswer(f.sequence, net.REFUSED)

    def _batch(self, f: Frame, kept: StoredAnswer) -> list[Frame]:
        return [self._answer(f, kept.status)]

    def _prio(self, f: Frame) -> int:
        return net.REFUSED

    def _weights(self, f: Frame) -> int:
        return net.REFUSED


@pytest.fixture
def server() -> Iterator[Learns]:
    made = Learns()
    yield made
    made.close()


def test_refused_records_priorities_batches_and_weights_are_errors(server: Learns) -> None:
    with ReplayClient(server.address) as client:
        client.put(ROWS)
        with pytest.raises(UserError, match=r"refused 2 of .* stored nothing"):
            client.put(ROWS, td_errors=np.ones(20))  # two frames of at most 16 records
            client.flush()
        client.flush()
        with pytest.raises(UserError, match="refused 1 of"):
            client.update([1], [0], priorities=[5])
            client.flush()
        with pytest.raises(UserError, match="gives no records"):
            client.sample(1)
        with pytest.raises(UserError, match="takes none"):
            client.put_weights(b"weights", 1)
        client.put(ROWS)
    assert server.counts["records"] == 40


def test_a_task_is_told_once_and_the_others_go_on(server: Learns) -> None:
    async def main() -> None:
        async with aio.ReplayClient(server.address) as client:
            with pytest.raises(UserError, match="refused 2 of"):
                await client.put(ROWS, priorities=ROWS)
                await client.flush()
            with pytest.raises(UserError, match="gives no records"):
                await client.sample(1)
            await asyncio.gather(*(client.put(ROWS) for _ in range(3)))

    asyncio.run(main())
    assert server.counts["records"] == 60


def test_a_program_in_cpp_is_told(server: Learns, tmp_path: Path) -> None:
    program = built(tmp_path, PROGRAM, "-O0")
    done = subprocess.run([program, server.address], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "the server refused 1 of this client's requests, and stored nothing of them: "
        "it takes no priorities of that kind",
        "td_errors[1] is nan; it must be a finite number",
        "this server gives no records: a learner of its own samples them",
        "beta is 1.500000; it must be 0 to 1",
        "this server has weights of its own learner, and takes none",
        "client is 65536; it must be 0 to 65535",
        f"no answer from {server.address} for 0.050000 s: is a server there, is client 999 below its --clients, and "
        "has this client its key?",
    ]
    assert server.counts["records"] == 2
