"""Ten million frames with faults, in network namespaces, while clients and server are killed and begin again."""

import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from namespaces import pair
from work import FIRST, SETTINGS, SOME, priority

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.server import ServerModel
from rlcores_lab.bench import faults

FAULTS = {"drop": 0.05, "repeat": 0.05, "reorder": 0.05, "damage": 0.01, "cut": 0.0}
HERE = Path(__file__).parent
PORT = 7980
EACH = net.PRIORITY.size + SETTINGS.record_bytes  # bytes of a record and its priority in a PUT
ACTORS, KILLS = 2, 3  # KILLS of the server, and of each actor
LEARNERS = 4  # each waits for its own answers, so that several keep the line busy


class Worker:
    """A process of work.py, and the numbers that it has printed."""

    def __init__(self, before: list[str], *words: object) -> None:
        command = [*before, sys.executable, HERE / "work.py", *map(str, words)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def last(self) -> int:
        """The last number, when it has ended."""
        return int(([0, *self.process.stdout.read().split()])[-1])


def run(seed: int, folder: Path, puts: int, batches: int) -> int:
    """Frames that the proxies were given. puts: records of an actor at once; batches: of each learner."""
    sent: dict[int, tuple[int, int]] = {}  # by mark: sent at most, acknowledged at least
    with pair() as (here, there):
        first, second, host = here.before, there.before, here.address
        memory = folder / "memory"
        server = Worker(first, "serve", f"{host}:{PORT}", memory)
        assert server.process.stdout.readline()
        proxies = [faults.process(second, f"{host}:{PORT}", seed + n, FAULTS) for n in range(ACTORS + LEARNERS)]
        learners = [Worker(second, "learn", proxies[n][1], n, batches) for n in range(ACTORS, ACTORS + LEARNERS)]
        marks = iter(range(1, 100))
        for turn in range(KILLS + 1):
            actors = {
                mark: Worker(second, "put", proxies[n][1], n, mark, puts)
                for n, mark in zip(range(ACTORS), marks, strict=False)
            }
            if turn < KILLS:
                # In the middle of their work the actors are killed, and the server too.
                begun = (memory / "journal").stat().st_size
                while (memory / "journal").stat().st_size - begun < ACTORS * puts * 1000 // 2:
                    time.sleep(0.05)
                    assert all(actor.process.poll() is None for actor in actors.values())
                for one in (*actors.values(), server):
                    one.process.kill()
                    one.process.wait()
                server = Worker(first, "serve", f"{host}:{PORT}", memory)
                assert server.process.stdout.readline()
            for mark, actor in actors.items():
                assert actor.process.wait() == (-9 if turn < KILLS else 0)
                sent[mark] = puts, actor.last()
        for learner in learners:
            assert learner.process.wait() == 0 and learner.last() == batches // 100 * 100
        server.process.communicate()
        counts = [json.loads(one.communicate()[0]) for one, _ in proxies]
    assert all(one[name] for one in counts for name in ("drop", "repeat", "reorder", "damage"))
    check(memory, sent, LEARNERS * batches)
    return sum(one["frames"] for one in counts)


def check(memory: Path, sent: dict[int, tuple[int, int]], batches: int) -> None:
    """The journal holds each record once, and all that were acknowledged; the model and the engine make one of it."""
    model, engine = ServerModel(SETTINGS, native.checks()), native.NativeServer(SETTINGS)
    stored: dict[int, list[int]] = defaultdict(list)
    ops = dict.fromkeys(range(8), 0)
    with (memory / "journal").open("rb") as file:
        rest = b""
        while data := file.read(1 << 26):
            rest += data
            done = model.replay(rest)
            assert engine.replay(rest) == done
            at = 0
            while at < done:
                op, length = rest[at + 5], int.from_bytes(rest[at + 28 : at + 32], "little")
                ops[op] += 1
                if op == net.PUT:
                    rows = np.frombuffer(rest, "<u8", length // 8, at + net.HEADER.size).reshape(-1, EACH // 8)
                    assert len(rows) == int.from_bytes(rest[at + 32 : at + 34], "little")
                    for mark, number in rows[:, 1:3].tolist():  # behind the priority
                        stored[mark].append(number)
                at += net.HEADER.size + length + 8
            rest = rest[done:]
    assert not rest and ops[net.SAMPLE] >= batches and ops[net.PRIO] >= batches
    assert set(stored) == set(sent)
    for mark, (most, least) in sent.items():
        numbers = sorted(stored[mark])
        assert len(set(numbers)) == len(numbers)
        assert least and set(range(least)) <= set(numbers) <= set(range(most))
    assert model.state() == engine.state() and model.records() == engine.records()
    # What the server itself had when it ended is what its folder says.
    assert (memory / "records").read_bytes() == model.records()
    rows, priorities = model.data.view(np.uint64), model.tree.priorities[: SETTINGS.capacity]
    learnt = priorities == priority(rows[:, 1])
    assert ((priorities == FIRST) | learnt).all() and learnt.any()


@pytest.mark.slow
@pytest.mark.parametrize("frames", [10**6, 10**7])
def test_frames_with_faults_and_restarts_lose_nothing_and_the_model_agrees(
    seed: int, frames: int, tmp_path: Path
) -> None:
    assert run(seed, tmp_path, frames // 75 // SOME * SOME, frames // 200 // LEARNERS) >= frames
