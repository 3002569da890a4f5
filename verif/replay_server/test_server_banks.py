"""Tests of a server with several memories behind one address."""

import asyncio
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from compiled import built

from rlcores.base.threads import turn
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.replay_server.server import ServerModel
from rlcores.errors import RunFailed, UserError
from rlcores.net import BankedClient, ReplayClient, ReplayServer, aio
from rlcores_lab.bench.faults import Faults, Proxy

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several banks on one address need Linux")

BANKS = 3
S = ServerSettings(capacity=4096, record_bytes=16, part_bytes=256, sample_max=64, credit=16, instance=7, banks=BANKS)
BAD = Faults(drop=0.1, repeat=0.1, reorder=0.1, damage=0.05, cut=0.02)


def records(actor: int, first: int, count: int) -> np.ndarray:
    """Records that say whose they are and which."""
    rows = np.full((count, 2), actor, np.uint64)
    rows[:, 1] = np.arange(first, first + count)
    return rows


def work(address: str, actor: int, count: int, failed: list[BaseException]) -> None:
    """Puts records through all banks, each acknowledged before the next."""
    try:
        with BankedClient(address, BANKS * actor, timeout=60, seed=0) as client:
            for first in range(0, count, 40):
                client.put(records(actor, first, 40), priorities=np.full(40, 1000))
                client.flush()
    except BaseException as error:
        failed.append(error)


def test_a_client_is_served_by_the_bank_of_its_number_and_by_no_other() -> None:
    with ReplayServer(S) as server:
        for number in range(2 * BANKS):
            with ReplayClient(server.address, number) as client:
                assert client.settings.bank == number % BANKS and client.settings.banks == BANKS
                client.put(records(number, 0, number + 1))
        held = [bank.state.counts["records"] for bank in server.banks]
        assert held == [1 + 4, 2 + 5, 3 + 6]
        assert not any(bank.state.counts["malformed"] for bank in server.banks)


def test_a_record_goes_to_the_bank_that_is_said_and_more_are_read_at_once_than_a_frame_names(seed: int) -> None:
    where = np.random.default_rng(seed).integers(0, BANKS, 200)
    with ReplayServer(S) as server:
        with BankedClient(server.address, seed=seed) as client:
            client.put(records(0, 0, 200), banks=where)
            client.put(records(1, 0, BANKS))  # in turn, from the first bank on
            with pytest.raises(UserError, match=r"banks\[0\] is 3; it must be 0 to 2"):
                client.put(records(0, 0, 1), banks=[BANKS])
        for bank in range(BANKS):
            with ReplayClient(server.address, bank) as client:
                count = int((where == bank).sum()) + 1
                assert count > S.part_bytes // 8  # slots of a frame
                read = client.read(np.arange(count), np.full(count, client.sample(1).generations[0]))
                assert not read.gone.any()
                rows = read.records.view(np.uint64)
                wanted = np.append(np.flatnonzero(where == bank), bank)
                assert np.array_equal(rows[:, 1], wanted) and rows[-1, 0] == 1
                with pytest.raises(UserError, match="there are 0 slots"):
                    client.read([], [])


@pytest.mark.parametrize("stratified", [True, False])
def test_a_batch_of_all_banks_is_in_proportion_and_the_model_draws_the_same(seed: int, stratified: bool) -> None:
    rng = np.random.default_rng(seed)
    priorities = rng.integers(1, 1 << 16, 500) * (np.arange(500) % BANKS + 1)
    drawn = []
    for backend in ("native", "model"):
        with ReplayServer(S, backend=backend) as server, BankedClient(server.address, seed=seed) as client:
            client.put(records(0, 0, 200), priorities=priorities[:200])
            client.put(records(0, 200, 300), priorities=priorities[200:])
            client.flush()
            totals = np.array([one["total"] for one in client.stats()])
            assert totals.tolist() == [priorities[b::BANKS].sum() for b in range(BANKS)]
            batches = [client.sample(64, beta=0.7, stratified=stratified) for _ in range(12)]
        for batch in batches:
            # Slot s of bank b is s · banks + b: records were put one bank after the other.
            assert (batch.records.view(np.uint64)[:, 1] == batch.slots).all() and batch.total == totals.sum()
            assert (batch.priorities == priorities[batch.slots]).all() and not batch.gone.any()
            expected = (batch.priorities / batch.priorities.min()) ** -0.7
            assert np.abs(batch.weights - expected).max() < 1e-3
            if stratified:
                share = np.bincount(batch.slots % BANKS, minlength=BANKS) - 64 * totals / totals.sum()
                assert np.abs(share).max() < 2
        drawn.append(np.concatenate([batch.slots for batch in batches]))
    assert (drawn[0] == drawn[1]).all()
    # Of 768 draws each bank has its share, within five deviations.
    share = totals / totals.sum()
    counts = np.bincount(drawn[0] % BANKS, minlength=BANKS)
    assert (np.abs(counts - 768 * share) < 5 * np.sqrt(768 * share * (1 - share))).all()


def test_faults_and_kills_lose_nothing_in_any_bank_and_its_model_agrees(seed: int, tmp_path: Path) -> None:
    server = ReplayServer(S, folder=tmp_path)
    failed: list[BaseException] = []
    with Proxy(server.address, BAD, seed) as proxy:
        actors = [threading.Thread(target=work, args=(proxy.address, n, 400, failed)) for n in (1, 2)]
        for actor in actors:
            actor.start()
        with BankedClient(proxy.address, timeout=60, seed=seed) as learner:
            for turn in range(3):
                done = 0
                while done < 3:
                    try:
                        batch = learner.sample(32)
                    except UserError:
                        continue  # nothing there yet
                    rows = batch.records.view(np.uint64)[~batch.gone]
                    learner.update(
                        batch.slots[~batch.gone], batch.generations[~batch.gone], priorities=rows[:, 1] % 500 + 1
                    )
                    done += 1
                if turn < 2:
                    server.close(snapshot=turn == 0)
                    server = ReplayServer(folder=tmp_path, address=server.address)
                    assert server.settings == S
        for actor in actors:
            actor.join()
    held = [(bank.state.state(), bank.state.records()) for bank in server.banks]
    server.close()
    assert not failed and proxy.counts["drop"] and proxy.counts["repeat"] and proxy.counts["damage"]
    records = []
    for n, (state, data) in enumerate(held):
        rows = np.frombuffer(data, "<u8").reshape(-1, 2)
        priorities = np.frombuffer((tmp_path / f"bank{n}" / "state").read_bytes()[96:], "<u4", S.capacity)
        rows, priorities = rows[priorities > 0], priorities[priorities > 0]
        assert ((priorities == 1000) | (priorities == rows[:, 1] % 500 + 1)).all() and (priorities != 1000).any()
        records.append(rows)
        again = native.NativeServer(replace(S, bank=n))
        again.restore((tmp_path / f"bank{n}" / "state").read_bytes())
        assert again.state() == state
    rows = np.concatenate(records)
    for actor in (1, 2):
        assert np.sort(rows[rows[:, 0] == actor, 1]).tolist() == list(range(400))


def test_the_journal_of_each_bank_gives_the_model_its_state(seed: int, tmp_path: Path) -> None:
    with ReplayServer(S, folder=tmp_path) as server, BankedClient(server.address, seed=seed) as client:
        client.put(records(0, 0, 300), priorities=np.arange(1, 301))
        for _ in range(10):
            batch = client.sample(50)
            client.update(batch.slots, batch.generations, td_errors=batch.weights)
        client.put_weights(b"w" * 1000, 4)
        client.flush()
        for bank in server.banks:
            folder = tmp_path / f"bank{bank.settings.bank}"
            journal = (folder / "journal").read_bytes()
            model = ServerModel(bank.settings, native.checks())
            assert len(journal) > 1000 and model.replay(journal) == len(journal)
            assert model.state() == bank.state.state() and model.records() == bank.state.records()
    with ReplayServer(folder=tmp_path) as again:
        for number in range(BANKS):
            with ReplayClient(again.address, number) as client:
                assert client.get_weights() == (4, b"w" * 1000)
    for settings in (replace(S, banks=2), replace(S, banks=1)):
        with pytest.raises(UserError, match="banks 3, not"):
            ReplayServer(settings, folder=tmp_path)


def test_the_asynchronous_client_of_all_banks_draws_what_the_blocking_one_draws(seed: int) -> None:
    errors = np.arange(1, 301) / 300
    with ReplayServer(S) as server, BankedClient(server.address, seed=seed) as client:
        client.put(records(0, 0, 100), td_errors=errors[:100])
        client.put(records(0, 100, 200), td_errors=errors[100:])
        wanted = []
        for _ in range(6):
            wanted.append(client.sample(64, beta=0.6))
            client.update(wanted[-1].slots, wanted[-1].generations, td_errors=wanted[-1].weights)
            client.flush()

    async def main(address: str) -> None:
        async with aio.BankedClient(address, seed=seed) as client:
            await client.put(records(0, 0, 100), td_errors=errors[:100])
            await client.put(records(0, 100, 200), td_errors=errors[100:])
            for batch in wanted:
                drawn = await client.sample(64, beta=0.6)
                assert all((mine == theirs).all() for mine, theirs in zip(drawn[:6], batch[:6], strict=True))
                assert drawn[6:] == batch[6:]
                await client.update(drawn.slots, drawn.generations, td_errors=drawn.weights)
                await client.flush()
            assert client.saturated == 0 and client.settings.banks == BANKS

    with ReplayServer(S) as server:
        asyncio.run(main(server.address))


def test_many_tasks_share_an_asynchronous_client_of_all_banks_under_faults(seed: int) -> None:
    async def work(client: aio.BankedClient, number: int) -> None:
        for first in range(0, 40, 20):
            await client.put(records(number, first, 20), priorities=np.full(20, number + 1))
            await client.flush()  # else the batch may be drawn before there is anything
            batch = await client.sample(12)
            rows = batch.records.view(np.uint64)
            assert (batch.priorities == rows[:, 0] + 1).all()
            await client.update(batch.slots, batch.generations, priorities=batch.priorities)

    async def main(address: str) -> list[dict[str, int]]:
        async with aio.BankedClient(address, BANKS, timeout=60, seed=seed) as client:
            await asyncio.gather(*(work(client, n) for n in range(8)))
            await client.put_weights(b"w" * 2000, 1)
            assert await client.get_weights() == (1, b"w" * 2000)
            await client.flush()
            return await client.stats()

    with ReplayServer(S) as server, Proxy(server.address, BAD, seed) as proxy:
        counts = asyncio.run(main(proxy.address))
        rows = [np.frombuffer(bank.state.records(), "<u8").reshape(-1, 2)[:200] for bank in server.banks]
    assert proxy.counts["drop"] and proxy.counts["repeat"]
    assert [one["records"] for one in counts] == [107, 107, 106]
    assert [sum(one[what] for one in counts) for what in ("samples", "updates", "stale")] == [192, 192, 0]
    held = np.concatenate([one[: stat["size"]] for one, stat in zip(rows, counts, strict=True)])
    assert sorted(map(tuple, held.tolist())) == [(number, n) for number in range(8) for n in range(40)]


def test_threads_that_share_a_client_of_all_banks_take_turns_in_each_of_its_calls(monkeypatch) -> None:
    waits, wait = [], ReplayClient._wait

    def noted(one: ReplayClient, *asked: object) -> None:
        waits.append(turn(client)._is_owned())
        wait(one, *asked)

    with ReplayServer(S) as server, BankedClient(server.address) as client:
        monkeypatch.setattr(ReplayClient, "_wait", noted)
        client.put(records(0, 0, BANKS))
        batch = client.sample(1)
        client.update(batch.slots, batch.generations, [0.5])
        client.put_weights(b"weights", 1)
        assert client.get_weights() == (1, b"weights")
        client.stats()
        client.flush()
    assert len(waits) > 6 and all(waits)


def test_an_asynchronous_client_of_a_server_that_is_not_there_leaves_no_socket() -> None:
    async def main(address: str) -> None:
        client = aio.BankedClient(address, timeout=0.05, seed=0)
        with pytest.raises(UserError, match="not connected"):
            await client.put(records(0, 0, 1))
        with pytest.raises(RunFailed, match="no answer"):
            await client.connect()
        assert client._made._socket is None

    with ReplayServer(S) as server:
        address = server.address
    asyncio.run(main(address))


def test_nobody_else_takes_the_address_of_banks() -> None:
    with ReplayServer(S) as server:
        for other in (S, replace(S, banks=1)):
            with pytest.raises(UserError, match="in use"):
                ReplayServer(other, server.address)


def test_the_cpp_client_of_all_banks_draws_what_pythons_draws_under_faults(seed: int, tmp_path: Path) -> None:
    program = built(tmp_path, Path(__file__).with_name("banked.cpp"), "-O0")
    with ReplayServer(S) as server, Proxy(server.address, BAD, seed) as proxy:
        command = [program, proxy.address, "3", str(seed), "500", "64"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        drawn = np.array([line.split() for line in done.stdout.splitlines()], np.float64)
        # The number of a record is its slot; each was stored once.
        assert len(drawn) == 64 and (drawn[:, 0] == drawn[:, 1]).all()
        counts = [bank.state.counts for bank in server.banks]
        assert [one["records"] for one in counts] == [167, 167, 166] and sum(one["updates"] for one in counts) == 64
    with ReplayServer(S) as server, BankedClient(server.address, 3, seed=seed) as client:
        client.put(records(0, 0, 500), td_errors=np.arange(500) / 500)
        client.flush()
        batch = client.sample(64, beta=0.5)
    assert (batch.slots == drawn[:, 0]).all() and np.abs(batch.weights - drawn[:, 2]).max() < 1e-3


def test_a_batch_says_what_all_banks_hold_also_those_that_none_was_drawn_from() -> None:
    async def drawn(address: str) -> tuple[int, int]:
        async with aio.BankedClient(address, 3, seed=0) as client:
            batch = await client.sample(1)
            return batch.total, batch.size

    with ReplayServer(S) as server, BankedClient(server.address, seed=0) as client:
        client.put(records(0, 0, 30), priorities=np.arange(1, 31))
        client.flush()
        batch = client.sample(1)
        assert (batch.total, batch.size) == asyncio.run(drawn(server.address)) == (sum(range(31)), 30)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda c: c.put(records(0, 0, 6), td_errors=np.ones(5)), "td_errors has 5 entries; here it must have 6"),
        (lambda c: c.update([3 * 4096], [0], td_errors=[1.0]), r"slots\[0\] is 12288; it must be 0 to 12287"),
        (lambda c: c.update([1, 2], [0], priorities=[1, 1]), "generations has 1 entries; here it must have 2"),
        (lambda c: c.sample(65), "batch_size is 65"),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_no_bank_is_told(call, sentence: str) -> None:
    with ReplayServer(S) as server, BankedClient(server.address, seed=0) as client:
        client.put(records(0, 0, 6), td_errors=4e5)  # one number stands for all
        with pytest.raises(UserError, match=f"^{sentence}"):
            call(client)
        client.flush()
        assert [one["records"] for one in client.stats()] == [2, 2, 2] and client.saturated == 6
