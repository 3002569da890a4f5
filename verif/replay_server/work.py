"""Processes of the long test: a server, an actor, a learner.

work.py serve ADDRESS FOLDER        until it is killed, or its input ends
work.py put ADDRESS CLIENT MARK N   puts N records, which hold MARK and their number; prints how many are acknowledged
work.py learn ADDRESS CLIENT N      draws N batches and gives each record of them the priority of its number
"""

import sys

import numpy as np

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import UserError
from rlcores.net import ReplayClient, ReplayServer

SETTINGS = ServerSettings(capacity=1 << 14, record_bytes=1016, part_bytes=256, sample_max=32, credit=64, instance=5)
FIRST = 100_000  # the priority of a record before a learner gave it another
SOME = 200  # records between two acknowledgements that are waited for


def priority(numbers: np.ndarray) -> np.ndarray:
    """What a learner gives to records of these numbers."""
    return (numbers % 65536 + 1).astype(np.int64)


def serve(address: str, folder: str) -> None:
    with ReplayServer(SETTINGS, address, folder=folder, snapshot_bytes=1 << 40) as server:
        print(server.address, flush=True)
        sys.stdin.read()
        server.close(snapshot=False)


def put(address: str, client: str, mark: str, count: str) -> None:
    rows = np.zeros((SOME, SETTINGS.record_bytes // 8), np.uint64)
    rows[:, 2:] = np.arange(rows.shape[1] - 2)
    with ReplayClient(address, int(client), timeout=120) as actor:
        for first in range(0, int(count), SOME):
            rows[:, 0], rows[:, 1] = int(mark), np.arange(first, first + SOME)
            actor.put(rows, priorities=np.full(SOME, FIRST))
            actor.flush()
            print(first + SOME, flush=True)


def learn(address: str, client: str, count: str) -> None:
    with ReplayClient(address, int(client), timeout=120) as learner:
        done = 0
        while done < int(count):
            try:
                batch = learner.sample(SETTINGS.sample_max, beta=1.0)
            except UserError:
                continue  # nothing there yet
            here = ~batch.gone
            rows = batch.records.view(np.uint64)[here]
            if (rows[:, 2:] != np.arange(rows.shape[1] - 2)).any():
                raise SystemExit("a record came that nobody put")
            learner.update(batch.slots[here], batch.generations[here], priorities=priority(rows[:, 1]))
            done += 1
            if done % 100 == 0:
                print(done, flush=True)


if __name__ == "__main__":
    {"serve": serve, "put": put, "learn": learn}[sys.argv[1]](*sys.argv[2:])
