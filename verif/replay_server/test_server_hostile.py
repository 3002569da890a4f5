"""A server that answers what it likes, with right checks: a client ends with a sentence, or is given arrays."""

import os
import random
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.replay_server.server import ServerModel
from rlcores.errors import RunFailed, UserError
from rlcores.net import ReplayClient

S = ServerSettings(capacity=64, record_bytes=24, part_bytes=256, sample_max=32, weights_max=2000, instance=7)
EXTREMES = (0, 1, 2, 7, 8, 255, 256, 65535, 65536, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)


def changed(answer: bytes, rng: random.Random) -> bytes:
    """An answer with some numbers of it others, or longer or shorter, and a check that is right."""
    body = bytearray(answer[:-8])
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.choice(
            [rng.randrange(len(body)), rng.randrange(4, 40), rng.randrange(40, max(len(body), 41)) % len(body)]
        )
        if rng.random() < 0.5:
            body[at] ^= 1 << rng.randrange(8)
        else:
            struct.pack_into("<I", body, min(at, len(body) - 4), rng.choice(EXTREMES))
    if rng.random() < 0.2:
        body = body[: 8 * rng.randrange(5, len(body) // 8 + 1)] + bytes(8 * rng.randrange(4))
    if rng.random() < 0.7:
        body[28:32] = (len(body) - 40).to_bytes(4, "little")
    return native.checks().seal(bytes(body))


def serve(made: socket.socket, rng: random.Random, share: float, ended: threading.Event) -> None:
    model = ServerModel(S, native.checks())
    made.settimeout(0.1)
    while not ended.is_set():
        try:
            data, whose = made.recvfrom(1 << 16)
        except TimeoutError:
            continue
        for answer in model.frame(data, native.source(whose)):
            made.sendto(changed(answer, rng) if rng.random() < share else answer, whose)


def work(seed: int, runs: int) -> str:
    """`runs` clients, each with its own server; how often calls were answered, and ended with a sentence."""
    good = said = 0
    for run in range(runs):
        rng, ended = random.Random(seed + run), threading.Event()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
            made.bind(("127.0.0.1", 0))
            address = "{}:{}".format(*made.getsockname())
            thread = threading.Thread(target=serve, args=(made, rng, rng.choice([0.05, 0.3, 0.8]), ended))
            thread.start()
            try:
                client = ReplayClient(address, rng.randrange(4), timeout=0.2)
            except (RunFailed, UserError):
                client = None
                said += 1
            calls = (
                lambda c: c.put(np.zeros((5, 24), np.uint8), priorities=np.ones(5, int)),
                lambda c: c.flush(),
                lambda c: c.sample(9),
                lambda c: c.read([0, 1, 2], [3, 3, 3]),
                lambda c: c.update([0, 1], [3, 3], td_errors=[1.0, 2.0]),
                lambda c: c.put_weights(bytes(900), 1),
                lambda c: c.get_weights(),
                lambda c: c.stats(),
                lambda c: c.settings,
            )
            for call in rng.choices(calls, k=12) if client else ():
                try:
                    call(client)
                    good += 1
                except (RunFailed, UserError):
                    said += 1
            if client:
                client.close()
            ended.set()
            thread.join()
    return f"{good} {said}"


def test_a_server_that_lies_ends_no_process_and_raises_nothing_but_sentences(seed: int) -> None:
    script = f"import test_server_hostile; print(test_server_hostile.work({seed}, 60))"
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    good, said = map(int, done.stdout.split())
    assert good > 50 and said > 30, (good, said)
