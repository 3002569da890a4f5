"""Peers of the replay server, written as their users would: a gRPC server with our sampler, Redis with a key a slot."""

import multiprocessing
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from rlcores import PrioritizedSampler

_OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


class Peer(NamedTuple):
    """How a peer is started, and how a client of it is made of its address and a number."""

    serve: Callable[[int, int], AbstractContextManager[str]]
    client: Callable[[str, int], Any]


class _Client:
    """What the benchmark asks of a client."""

    def __enter__(self) -> "_Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def flush(self) -> None:
        """Every put is answered already."""


# --- gRPC ---


class GrpcClient(_Client):
    """Messages are plain bytes: a put is records, an answer slots, weights and records."""

    def __init__(self, address: str, number: int) -> None:
        import grpc

        self._channel = grpc.insecure_channel(address, _OPTIONS)
        self._put = self._channel.unary_unary("/replay/put")
        self._sample = self._channel.unary_unary("/replay/sample")

    def put(self, rows: np.ndarray, td_errors: np.ndarray) -> None:
        """Records with their TD errors."""
        self._put(td_errors.astype(np.float32).tobytes() + rows.tobytes())

    def sample(self, batch: int) -> Any:
        """A batch with weights."""
        answer = self._sample(batch.to_bytes(4, "little"))
        return SimpleNamespace(records=np.frombuffer(answer, np.uint8, offset=12 * batch).reshape(batch, -1))

    def close(self) -> None:
        """End."""
        self._channel.close()


def grpc_server(pipe: Any, capacity: int, size: int) -> None:
    """A process that serves until its pipe is closed."""
    from concurrent import futures

    import grpc

    data = np.zeros((capacity, size), np.uint8)
    sampler = PrioritizedSampler(capacity, seed=0)

    def put(text: bytes, _: Any) -> bytes:
        count = len(text) // (size + 4)
        slots = sampler.add(td_errors=np.frombuffer(text, np.float32, count))
        data[slots.indices] = np.frombuffer(text, np.uint8, offset=4 * count).reshape(count, size)
        return b""

    def sample(text: bytes, _: Any) -> bytes:
        batch = sampler.sample(int.from_bytes(text, "little"))
        return batch.indices.tobytes() + batch.weights.tobytes() + data[batch.indices].tobytes()

    handlers = {n: grpc.unary_unary_rpc_method_handler(f) for n, f in (("put", put), ("sample", sample))}
    server = grpc.server(futures.ThreadPoolExecutor(1), options=_OPTIONS)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("replay", handlers),))
    pipe.send(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    try:
        pipe.recv()
    except EOFError:
        server.stop(0)


@contextmanager
def serve_grpc(capacity: int, size: int) -> Iterator[str]:
    """A gRPC server in a process of its own. Raises ImportError where grpcio is not installed."""
    import grpc  # noqa: F401

    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=grpc_server, args=(there, capacity, size), daemon=True)
    process.start()
    there.close()
    try:
        yield f"127.0.0.1:{here.recv()}"
    finally:
        here.close()
        process.join(5)
        process.kill()


# --- Redis ---


class RedisClient(_Client):
    """A key a slot; the client counts the slots, and a batch is uniform."""

    def __init__(self, address: str, number: int) -> None:
        import redis

        host, port, capacity = address.split(":")
        self._server = redis.Redis(host, int(port))
        self._capacity = int(capacity)
        self._rng = np.random.default_rng(number)

    def put(self, rows: np.ndarray, td_errors: np.ndarray) -> None:
        """Records; Redis knows no priorities."""
        last = self._server.incrby("count", len(rows))
        self._server.mset({(last - 1 - i) % self._capacity: row.tobytes() for i, row in enumerate(rows)})

    def sample(self, batch: int) -> Any:
        """A uniform batch."""
        held = min(int(self._server.get("count")), self._capacity)
        records = self._server.mget(self._rng.integers(0, held, batch).tolist())
        blank = bytes(len(next(filter(None, records))))  # of a slot that another client has counted and not yet set
        return SimpleNamespace(
            records=np.frombuffer(b"".join(x or blank for x in records), np.uint8).reshape(batch, -1)
        )

    def close(self) -> None:
        """End."""
        self._server.close()


@contextmanager
def serve_redis(capacity: int, size: int) -> Iterator[str]:
    """A Redis server of this system. Raises ImportError or FileNotFoundError where something is not installed."""
    import redis

    program = shutil.which("redis-server")
    if program is None:
        raise FileNotFoundError("redis-server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        try:
            until = time.monotonic() + 10
            while True:
                try:
                    redis.Redis("127.0.0.1", port).ping()
                    break
                except redis.ConnectionError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)
            yield f"127.0.0.1:{port}:{capacity}"
        finally:
            process.terminate()
            process.wait(10)


PEERS = {"grpc": Peer(serve_grpc, GrpcClient), "redis": Peer(serve_redis, RedisClient)}
