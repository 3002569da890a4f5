"""What a client of the replay server refuses: one sentence, nothing sent, and nothing of its state changed."""

import asyncio
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from rlcores.cores.net.frames import Settings
from rlcores.errors import UserError
from rlcores.net import ReplayClient, ReplayServer
from rlcores.net.aio import ReplayClient as AsyncClient

ROWS = np.arange(30, dtype=np.float64).reshape(10, 3)


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(Settings(capacity=100, record_bytes=24)) as server:
        yield server


@pytest.fixture
def client(server: ReplayServer) -> Iterator[ReplayClient]:
    with ReplayClient(server.address) as client:
        client.put(ROWS, priorities=np.arange(1, 11))
        client.flush()
        yield client


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda c: c.put(ROWS, td_errors=np.ones((10, 2))), r"td_errors has shape \(10, 2\)"),
        (lambda c: c.put(ROWS, td_errors=np.ones(9)), "td_errors has 9 entries; here it must have 10"),
        (lambda c: c.put(ROWS, td_errors=[np.nan] * 10), r"td_errors\[0\] is nan; it must be a finite number"),
        (lambda c: c.put(ROWS, priorities=np.ones((10, 2), int)), r"priorities has shape \(10, 2\)"),
        (lambda c: c.put(ROWS, priorities=np.full(10, 0.5)), r"priorities\[0\] is 0.5; it must be a whole number"),
        (lambda c: c.put(ROWS, priorities=[2**32] * 10), r"priorities\[0\] is 4294967296; it must be 0 to"),
        (lambda c: c.update([1.5], [0], td_errors=[1.0]), r"slots\[0\] is 1.5; it must be a whole number"),
        (lambda c: c.update([-1], [0], td_errors=[1.0]), r"slots\[0\] is -1; it must be 0 to 99"),
        (lambda c: c.update([100], [0], td_errors=[1.0]), r"slots\[0\] is 100; it must be 0 to 99"),
        (lambda c: c.update([2**32 + 1], [0], td_errors=[1.0]), r"slots\[0\] is 4294967297; it must be 0 to 99"),
        (lambda c: c.update([1, 2], [0], td_errors=[1.0, 1.0]), "generations has 1 entries; here it must have 2"),
        (lambda c: c.update([1, 2], [0, 0], td_errors=[1.0]), "td_errors has 1 entries; here it must have 2"),
        (lambda c: c.read([2.5], [0]), r"slots\[0\] is 2.5; it must be a whole number"),
        (lambda c: c.read([-1], [0]), r"slots\[0\] is -1; it must be 0 to 99"),
        (lambda c: c.sample(4, draws=[1, 2, 3]), "draws has 3 entries; here it must have 4"),
        (lambda c: c.sample(4, draws=[-1, 2, 3, 4]), r"draws\[0\] is -1; it must be 0 to"),
        (lambda c: c.sample(4, draws=[0, 0, 0, 0]), "draws are four times 0"),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_sends_nothing(client, call: Callable, sentence: str) -> None:
    before = client.stats()
    with pytest.raises(UserError, match=f"^{sentence}"):
        call(client)
    client.flush()
    after = client.stats()
    assert {n for n in after if after[n] != before[n]} == {"frames"}


def test_one_number_stands_for_all(client) -> None:
    client.put(ROWS, td_errors=1.0)
    client.put(ROWS, priorities=3)
    client.flush()
    assert client.stats()["records"] == 30
    found = client.read(np.arange(20, 30), 0)
    assert found.priorities.tolist() == [3] * 10


def test_limited_td_errors_are_counted(client) -> None:
    client.put(ROWS, td_errors=np.linspace(0, 4096, 10))
    client.update([0, 1], 0, td_errors=[-1e30, 2.0])
    client.flush()
    assert client.limited == 5 + 1


@pytest.mark.parametrize(
    "call", [lambda c: c.put(ROWS), lambda c: c.sample(4), lambda c: c.stats(), lambda c: c.flush()]
)
def test_a_closed_client_takes_nothing(server, client, call: Callable) -> None:
    closed = ReplayClient(server.address, client=1)
    closed.close()
    closed.close()
    with pytest.raises(UserError, match=r"^the client is not connected"):
        call(closed)
    assert client.stats()["records"] == 10


def test_a_client_of_asyncio_takes_nothing_before_it_is_connected_and_after(server) -> None:
    async def run() -> dict[str, int]:
        client = AsyncClient(server.address)
        with pytest.raises(UserError, match=r"^the client is not connected"):
            await client.put(ROWS)
        async with client:
            await client.put(ROWS)
            await client.flush()
            found = await client.stats()
        with pytest.raises(UserError, match=r"^the client is not connected"):
            await client.put(ROWS)
        return found

    assert asyncio.run(run())["records"] == 10


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"capacity": 10.5}, "capacity is 10.5; it must be a whole number, 1 to 16777216"),
        ({"alpha": 0.6}, "alpha is 0.6; it must be a whole number, 0 to 32768"),
        ({"priority_width": 8.0}, "priority_width is 8.0; it must be a whole number, 1 to 32"),
        ({"priority_width": 8}, "initial is 256; it must be below 2\\*\\*8"),
        ({"capacity": "9"}, "capacity is '9'; it must be a whole number"),
    ],
)
def test_a_setting_of_another_kind_is_one_sentence(given: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        Settings(**given)


def test_settings_of_numpy_are_whole_numbers() -> None:
    assert type(Settings(capacity=np.int64(100)).capacity) is int
