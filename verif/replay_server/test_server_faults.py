"""Tests through real sockets and a proxy that damages, loses, repeats and reorders what passes."""

import asyncio
import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.replay_server.server import ServerModel
from rlcores.errors import CoreWarning, RunFailed, UserError
from rlcores.net import ReplayClient, ReplayServer, aio
from rlcores.net.bank import _restored
from rlcores_lab.bench.faults import Faults, Proxy

S = ServerSettings(capacity=1 << 14, record_bytes=16, part_bytes=256, sample_max=64, credit=16, instance=77)
FIRST = 100_000  # the priority of a record before the learner gave it another
BAD = Faults(drop=0.1, repeat=0.1, reorder=0.1, damage=0.05, cut=0.02)


def records(actor: int, count: int, first: int = 0) -> np.ndarray:
    """Records that say whose they are and which."""
    rows = np.zeros((count, 2), np.uint64)
    rows[:, 0] = actor
    rows[:, 1] = np.arange(first, first + count)
    return rows


class Actor(threading.Thread):
    """Puts its records, a few at a time; `done` counts those that were acknowledged."""

    def __init__(self, address: str, number: int, count: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.args = address, number, count
        self.rng = np.random.default_rng(seed)
        self.done, self.failed = 0, None

    def run(self) -> None:
        address, number, count = self.args
        try:
            with ReplayClient(address, number, timeout=60) as client:
                while self.done < count:
                    some = int(min(self.rng.integers(1, 60), count - self.done))
                    client.put(records(number, some, self.done), priorities=np.full(some, FIRST))
                    client.flush()
                    self.done += some
        except BaseException as error:
            self.failed = error


def learn(address: str, batches: int, rng: np.random.Generator) -> None:
    """Draws batches and gives each record the priority that is its number plus one."""
    with ReplayClient(address, 9, timeout=60) as client:
        done = 0
        while done < batches:
            try:
                batch = client.sample(int(rng.integers(1, 64)), beta=1.0)
            except UserError:
                continue  # nothing there yet
            rows = batch.records.view(np.uint64)[~batch.gone]
            client.update(batch.slots[~batch.gone], batch.generations[~batch.gone], priorities=rows[:, 1] + 1)
            done += 1


def check(folder: Path, settings: ServerSettings, stored: dict[int, int]) -> ServerModel:
    """The model that carries out the journal; every record is there once, and priorities are on their records."""
    model = ServerModel(settings, native.checks())
    journal = (folder / "journal").read_bytes()
    assert model.replay(journal) == len(journal)
    rows = model.data.view(np.uint64)[: model.tree.size]
    for actor, count in stored.items():
        own = np.sort(rows[rows[:, 0] == actor, 1])
        assert own.tolist() == list(range(count))
    assert model.tree.size == sum(stored.values())
    return model


def run(seed: int, settings: ServerSettings, folder: Path, *, actors: int, count: int, kills: int) -> dict[str, int]:
    """Actors and a learner through the proxy, while the server is killed so often; what the proxy did."""
    rng = np.random.default_rng(seed)
    server = ReplayServer(settings, folder=folder)
    with Proxy(server.address, BAD, seed) as proxy:
        working = [Actor(proxy.address, n, count, seed + n) for n in range(actors)]
        for actor in working:
            actor.start()
        for _ in range(kills):
            learn(proxy.address, 4, rng)
            # As a process that is killed: nothing is written but what the journal has.
            server.close(snapshot=False)
            server = ReplayServer(settings, server.address, folder=folder)
        learn(proxy.address, 4, rng)
        for actor in working:
            actor.join()
            assert actor.failed is None and actor.done == count
        state, held = server.state.state(), server.state.records()
        server.close(snapshot=False)
    model = check(folder, settings, dict.fromkeys(range(actors), count))
    assert model.state() == state and model.records() == held
    # Priorities that the learner gave are on the records that it gave them for: its number and one.
    size = model.tree.size
    rows, priorities = model.data.view(np.uint64)[:size], model.tree.priorities[:size]
    known, learnt = priorities == FIRST, priorities == rows[:, 1] + 1
    assert (known | learnt).all() and learnt.any() and model.counts["stale"] == 0
    return proxy.counts


@pytest.mark.parametrize("kills", [0, 2])
def test_faults_lose_nothing_store_nothing_twice_and_the_model_agrees(seed: int, kills: int, tmp_path: Path) -> None:
    counts = run(seed, S, tmp_path, actors=2, count=600, kills=kills)
    assert counts["drop"] and counts["repeat"] and counts["damage"] and counts["reorder"]


@pytest.mark.slow
def test_a_long_run_with_faults_and_kills(seed: int, tmp_path: Path) -> None:
    run(seed, replace(S, capacity=1 << 17), tmp_path, actors=4, count=20_000, kills=10)


def test_a_server_that_begins_anew_in_its_folder_goes_on(tmp_path: Path) -> None:
    with ReplayServer(S, folder=tmp_path) as server, ReplayClient(server.address) as client:
        client.put(records(0, 50), priorities=np.arange(1, 51))
        client.put_weights(b"w" * 1000, 3)
        client.flush()
    address = server.address
    assert (tmp_path / "journal").stat().st_size == 0
    with ReplayServer(folder=tmp_path, address=address) as again:
        assert again.settings == S
        with ReplayClient(address) as client:
            assert client.stats()["size"] == 50 and client.get_weights() == (3, b"w" * 1000)
            numbers = client.sample(64).records.view(np.uint64)[:, 1]
            assert set(numbers.tolist()) <= set(range(50))
    with pytest.raises(UserError, match="capacity"):
        ReplayServer(replace(S, capacity=5), folder=tmp_path)


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with ReplayServer(S, folder=tmp_path), pytest.raises(UserError, match="another server"):
        ReplayServer(S, folder=tmp_path)


def test_a_client_goes_on_at_a_server_with_an_empty_memory() -> None:
    server = ReplayServer(S)
    client = ReplayClient(server.address)
    client.put(records(0, 5))
    client.flush()
    server.close()
    with ReplayServer(replace(S, instance=78), server.address) as fresh:
        client.put(records(0, 7))
        client.flush()
        assert fresh.state.counts["records"] == 7
        client.close()


@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_server_that_begins_empty_with_the_same_settings_is_another_to_its_clients(backend: str) -> None:
    same = ServerSettings(capacity=64, record_bytes=16)
    server = ReplayServer(same, backend=backend)
    with ReplayClient(server.address) as client:
        client.put(records(0, 20))
        batch = client.sample(8)
        server.close()
        with ReplayServer(same, server.address, backend=backend) as fresh:
            client.put(records(1, 20))
            client.update(batch.slots, batch.generations, priorities=np.full(8, 77))
            client.flush()
            assert fresh.state.counts["records"] == 20 and fresh.state.counts["stale"] == 8
            assert client.read(batch.slots, batch.generations).gone.all()


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_batch_of_one_server_names_no_record_of_another_in_its_place(asked_before: bool) -> None:
    server = ReplayServer(S)
    with ReplayClient(server.address) as client:
        client.put(records(0, 20))
        batch = client.sample(8)
        if asked_before:  # and not acknowledged when the server ends
            client.session.update(batch.slots, batch.generations, np.full(8, 77, np.uint32), np.zeros(8, np.uint32))
        server.close()
        with ReplayServer(replace(S, instance=78), server.address) as fresh, ReplayClient(server.address, 1) as other:
            other.put(records(1, 20), priorities=np.full(20, 5))
            other.flush()
            if not asked_before:
                client.put(records(0, 1), priorities=[5])  # it learns of the other server
                client.flush()
                client.update(batch.slots, batch.generations, priorities=np.full(8, 77))
            client.flush()
            assert client.read(batch.slots, batch.generations).gone.all()
            counts = fresh.state.counts
            assert counts["stale"] == 8 and other.stats()["largest"] == S.initial
            again = client.sample(8)  # and those of this one are known
            client.update(again.slots, again.generations, priorities=np.full(8, 9))
            client.flush()
            assert fresh.state.counts["stale"] == 8 and not client.read(again.slots, again.generations).gone.any()


def filled(folder: Path) -> tuple[bytearray, list[int]]:
    """The journal of a server that was killed, and where its frames begin."""
    server = ReplayServer(S, folder=folder)
    with ReplayClient(server.address) as client:
        for n in range(6):
            client.put(records(0, 5, 5 * n))
            client.flush()
    server.close(snapshot=False)
    journal = bytearray((folder / "journal").read_bytes())
    starts = [at for at in range(0, len(journal), 8) if journal[at : at + 5] == net.BEGINNING]
    return journal, starts


@pytest.mark.parametrize("byte", [0, 4, 30, 100, -8])
def test_a_damaged_journal_is_said_and_what_was_acknowledged_stays(seed: int, byte: int, tmp_path: Path) -> None:
    journal, starts = filled(tmp_path)
    n = np.random.default_rng(seed).integers(1, len(starts) - 1)
    at = starts[n] + byte if byte >= 0 else starts[n + 1] + byte
    if byte == -8:
        n = max(i for i, start in enumerate(starts) if start <= at)
    journal[at] ^= 0x40
    (tmp_path / "journal").write_bytes(journal)
    with pytest.raises(UserError, match=rf"is damaged at byte {starts[n]}, and requests behind it were acknowledged"):
        ReplayServer(S, folder=tmp_path)
    assert (tmp_path / "journal").read_bytes() == journal
    os.truncate(tmp_path / "journal", starts[n])
    with ReplayServer(S, folder=tmp_path) as server, ReplayClient(server.address, 1) as client:
        assert client.stats()["size"] == 5 * (n - 1)


def test_a_full_disk_ends_the_server_and_what_was_acknowledged_stays(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    server, journal = ReplayServer(S, folder=tmp_path), tmp_path / "journal"
    with ReplayClient(server.address, timeout=2) as client:
        client.put(records(0, 5))
        client.flush()
        size = journal.stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, limits[1]))
        try:
            with pytest.raises(RunFailed, match=r"^the server ended: .*journal"):
                client.put(records(0, 5, 5))
                server.wait(10)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert journal.stat().st_size == size
        with pytest.raises(RunFailed, match=r"^the server ended"):
            server.close()
        with ReplayServer(S, server.address, folder=tmp_path):
            client.flush()
            assert client.stats()["size"] == 10


def test_a_state_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    server = ReplayServer(S, folder=tmp_path / "folder")
    shutil.rmtree(tmp_path / "folder")
    with pytest.raises(RunFailed, match=r"^the state was not written: "):
        server.close()


def test_a_frame_that_was_not_written_whole_is_cut_off_wherever_it_ends(tmp_path: Path) -> None:
    journal, starts = filled(tmp_path)
    held = (tmp_path / "state").read_bytes()
    for length in range(starts[-1] + 1, len(journal)):
        for more in (b"", bytes(64), None):  # as after a machine lost its power; the length known before the contents
            rest = bytes(len(journal) - length) if more is None else more
            (tmp_path / "journal").write_bytes(journal[:length] + rest)
            if (journal[:length] + rest).startswith(journal):
                continue  # it ends with zeros, so it is whole
            (tmp_path / "state").write_bytes(held)
            with pytest.warns(CoreWarning, match="not written whole"):
                bank = _restored(S, None, tmp_path, True)
            assert bank.engine.counts()[3] == 25 and (tmp_path / "journal").stat().st_size == starts[-1]


def test_a_last_request_that_is_damaged_is_cut_off_and_said(tmp_path: Path) -> None:
    journal, starts = filled(tmp_path)
    journal[-8] ^= 0x40
    (tmp_path / "journal").write_bytes(journal)
    with pytest.warns(CoreWarning, match=f"the last {len(journal) - starts[-1]} bytes were not written whole"):
        server = ReplayServer(S, folder=tmp_path)
    with server, ReplayClient(server.address, 1) as client:
        assert client.stats()["size"] == 25


def test_records_that_are_missing_are_said(tmp_path: Path) -> None:
    with ReplayServer(S, folder=tmp_path) as server, ReplayClient(server.address) as client:
        client.put(records(0, 5))
    os.truncate(tmp_path / "records", 100)
    with pytest.raises(UserError, match="has 100 bytes, and must have"):
        ReplayServer(S, folder=tmp_path)
    (tmp_path / "records").unlink()
    with pytest.raises(UserError, match="has 0 bytes, and must have"):
        ReplayServer(S, folder=tmp_path)


def test_a_server_that_does_not_begin_leaves_no_settings(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        ReplayServer(S, "203.0.113.1:1", folder=tmp_path)  # no address of this machine
    with ReplayServer(replace(S, capacity=50), folder=tmp_path) as server:
        assert server.settings.capacity == 50


@pytest.mark.parametrize("text", [b"", b"\xff", b"[1]", b'{"capacity": "x"}', b'{"capacity": 1.5}', b'{"other": 1}'])
def test_damaged_settings_are_one_sentence(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_bytes(text)
    with pytest.raises(UserError, match=r"settings\.json' is damaged"):
        ReplayServer(S, folder=tmp_path)


def test_records_larger_than_a_frame_come_back_whole(seed: int) -> None:
    s = replace(S, record_bytes=5000, capacity=16, sample_max=32)
    data = np.random.default_rng(seed).integers(0, 256, (20, 5000), np.uint8)
    faults = Faults(drop=0.02, repeat=0.02, reorder=0.02)
    known = {row.tobytes() for row in data}
    with (
        ReplayServer(s) as server,
        Proxy(server.address, faults, seed) as proxy,
        ReplayClient(proxy.address, timeout=60) as client,
    ):
        client.put(data, priorities=np.ones(20, int))
        client.flush()
        batch = client.sample(32, stratified=False)
        assert not batch.gone.any() and all(row.tobytes() in known for row in batch.records)


def test_two_processes_with_one_number_are_told() -> None:
    with ReplayServer(S) as server:
        first = ReplayClient(server.address, 3)
        with ReplayClient(server.address, 3) as second:
            second.put(records(0, 1))
        with pytest.raises(RunFailed, match="client number 3"):
            first.stats()
        first.close()


def test_other_records_are_refused() -> None:
    with ReplayServer(S) as server:
        with pytest.raises(UserError, match="records of 16 bytes"):
            ReplayClient(server.address, record_bytes=24)
        with ReplayClient(server.address, schema=5), pytest.raises(UserError, match="schema"):
            ReplayClient(server.address, 1, schema=6)


def test_a_server_that_is_not_there_is_said() -> None:
    with ReplayServer(S) as server:
        address = server.address
    with pytest.raises(RunFailed, match="no answer"):
        ReplayClient(address, timeout=0.05)


def test_a_client_that_the_server_does_not_know_is_told_what_to_look_at() -> None:
    asked = "for 0.05 s: is a server there, is client 9 below its --clients, and has this client its key"

    async def connect(address: str) -> None:
        await aio.ReplayClient(address, 9, timeout=0.05).connect()

    with ReplayServer(replace(S, clients=9)) as server:
        with pytest.raises(RunFailed, match=asked):
            ReplayClient(server.address, 9, timeout=0.05)
        with pytest.raises(RunFailed, match=asked):
            asyncio.run(connect(server.address))
        ReplayClient(server.address, 8, timeout=5).close()


def test_many_tasks_share_an_asynchronous_client(seed: int) -> None:
    async def work(client: aio.ReplayClient, number: int) -> None:
        await client.put(records(number, 20), priorities=np.full(20, number + 1))
        await client.flush()  # else the batch may be drawn before there is anything
        batch = await client.sample(8)
        await client.update(batch.slots, batch.generations, priorities=batch.priorities)

    async def main(address: str) -> dict[str, int]:
        async with aio.ReplayClient(address, timeout=60) as client:
            await asyncio.gather(*(work(client, n) for n in range(10)))
            await client.put_weights(b"w" * 2000, 1)
            assert await client.get_weights() == (1, b"w" * 2000)
            await client.flush()
            return await client.stats()

    with ReplayServer(S) as server, Proxy(server.address, BAD, seed) as proxy:
        counts = asyncio.run(main(proxy.address))
    assert counts["records"] == counts["size"] == 200 and counts["samples"] == 80
    assert counts["updates"] == 80 and counts["stale"] == 0
