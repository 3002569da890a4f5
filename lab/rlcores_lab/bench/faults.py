"""A proxy between real sockets that drops, repeats, reorders, delays, damages and cuts datagrams, from a seed.

As a program, python -m rlcores_lab.bench.faults SERVER SEED FAULTS, with the faults as JSON: prints its address, and
what it did when its input ends.
"""

import heapq
import json
import random
import selectors
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Faults:
    """Shares of the frames, the longest delay of one that is reordered, and a delay of every frame, in seconds."""

    drop: float = 0.05
    repeat: float = 0.05
    reorder: float = 0.05
    damage: float = 0.01
    cut: float = 0.005
    delay: float = 0.002
    distance: float = 0.0


class Proxy:
    """Stands before a server; clients use `address`. Both ways have the faults."""

    def __init__(self, server: str, faults: Faults, seed: int) -> None:
        host, port = server.rsplit(":", 1)
        self._server = host, int(port)
        self.faults, self._rng = faults, random.Random(seed)
        self.counts = dict.fromkeys(("frames", "drop", "repeat", "reorder", "damage", "cut"), 0)
        self._front = self._socket(("127.0.0.1", 0))
        self.address = "{}:{}".format(*self._front.getsockname())
        self._behind: dict[tuple, socket.socket] = {}  # towards the server, one a client
        self._late: list[tuple[float, int, socket.socket, tuple | None, bytes]] = []
        self._select = selectors.DefaultSelector()
        self._select.register(self._front, selectors.EVENT_READ, None)
        self._stop, self._stopped = socket.socketpair()
        self._select.register(self._stopped, selectors.EVENT_READ, "stop")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _socket(self, where: tuple) -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        made.bind(where)
        made.setblocking(False)
        return made

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.send(b"x")
        self._thread.join()
        for one in (self._front, self._stop, self._stopped, *self._behind.values()):
            one.close()
        self._select.close()

    def _run(self) -> None:
        while True:
            wait = max(self._late[0][0] - time.monotonic(), 0) if self._late else None
            for key, _ in self._select.select(wait):
                if key.data == "stop":
                    return
                self._take(key.fileobj, key.data)
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, to, whom, data = heapq.heappop(self._late)
                self._send(to, whom, data)

    def _take(self, from_: socket.socket, client: tuple | None) -> None:
        for _ in range(64):
            try:
                data, whose = from_.recvfrom(1 << 16)
            except (BlockingIOError, ConnectionRefusedError):
                return
            if client is not None:
                self._pass(self._front, client, data)
                continue
            if whose not in self._behind:
                self._behind[whose] = self._socket(("", 0))
                self._select.register(self._behind[whose], selectors.EVENT_READ, whose)
            self._pass(self._behind[whose], self._server, data)

    def _happens(self, name: str) -> bool:
        happens = self._rng.random() < getattr(self.faults, name)
        self.counts[name] += happens
        return happens

    def _pass(self, to: socket.socket, whom: tuple, data: bytes) -> None:
        self.counts["frames"] += 1
        if self._happens("drop"):
            return
        for _ in range(2 if self._happens("repeat") else 1):
            sent = data
            if self._happens("damage"):
                at = self._rng.randrange(len(data))
                sent = data[:at] + bytes([data[at] ^ 1 << self._rng.randrange(8)]) + data[at + 1 :]
            if self._happens("cut"):
                sent = sent[: self._rng.randrange(len(sent))]
            late = self.faults.distance
            if self._happens("reorder"):
                late += self._rng.random() * self.faults.delay
            if late:
                until = time.monotonic() + late
                heapq.heappush(self._late, (until, self.counts["frames"], to, whom, sent))
            else:
                self._send(to, whom, sent)

    def _send(self, to: socket.socket, whom: tuple, data: bytes) -> None:
        try:
            to.sendto(data, whom)
        except OSError:
            self.counts["drop"] += 1


def process(before: list[str], server: str, seed: int, faults: dict[str, float]) -> tuple[subprocess.Popen, str]:
    """The program behind the words `before`, such as those of a network namespace; and its address."""
    command = [*before, sys.executable, "-m", __name__, server, str(seed), json.dumps(faults)]
    made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return made, made.stdout.readline().strip()


if __name__ == "__main__":
    with Proxy(sys.argv[1], Faults(**json.loads(sys.argv[3])), int(sys.argv[2])) as proxy:
        print(proxy.address, flush=True)
        sys.stdin.read()
    print(json.dumps(proxy.counts))
