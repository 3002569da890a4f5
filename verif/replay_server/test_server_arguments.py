"""What a client of the replay server refuses: one sentence, nothing sent, and nothing of its state changed."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from rlcores import ReplaySettings
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import CoreWarning, UserError
from rlcores.net import BankedClient, ReplayClient, ReplayServer, addresses
from rlcores.net.aio import ReplayClient as AsyncClient

ROWS = np.arange(30, dtype=np.float64).reshape(10, 3)


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(ServerSettings(capacity=100, record_bytes=24, weights_max=100)) as server:
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
        (lambda c: c.put(ROWS[0]), r"records has the shape \(3,\), so a record is one number of 8 bytes"),
        (lambda c: c.put(np.zeros((4, 0))), "a record has 0 bytes; this server keeps 24"),
        (lambda c: c.put(np.ma.masked_equal(ROWS, 3)), "records has masked entries"),
        (lambda c: c.put([[1, 2], [3]]), "records is not an array"),
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
        (lambda c: c.update([1], [0]), "neither td_errors nor priorities are given"),
        (lambda c: c.put_weights(np.zeros(13), 1), "the weights have 104 bytes; this server takes 1 to 100"),
        (lambda c: c.put_weights("text", 1), "the weights are of type str; they must be bytes"),
        (lambda c: c.get_weights(-1), "version is -1; it must be 0 to"),
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
    read = client.read(np.arange(20, 30), 0)
    assert read.priorities.tolist() == [3] * 10


def test_saturated_td_errors_are_counted_and_said(client) -> None:
    with pytest.warns(CoreWarning, match=r"7 of 10 TD errors are beyond what this server tells apart within 1 %"):
        client.put(ROWS, td_errors=np.linspace(0, 4e5, 10))
    client.update([0, 1], 0, td_errors=[-1e30, 2.0])
    client.flush()
    assert client.saturated == 7 + 1


def test_shares_of_td_errors_are_right_over_eleven_decades(seed) -> None:
    """The server's priorities follow |TD error|**alpha, whatever the size of the errors."""
    errors = 10 ** np.random.default_rng(seed).uniform(-6, 5, 150)
    settings = ServerSettings(capacity=200, record_bytes=8, epsilon=0)
    with ReplayServer(settings) as server, ReplayClient(server.address) as client:
        client.put(np.arange(150), td_errors=errors)
        client.flush()
        held = client.read(np.arange(150), 0).priorities.astype(np.float64)
        wanted = errors ** (client.settings.alpha / 32768)
        assert np.abs(held / held.sum() / (wanted / wanted.sum()) - 1).max() < 0.01 and client.saturated == 0


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
            counts = await client.stats()
        with pytest.raises(UserError, match=r"^the client is not connected"):
            await client.put(ROWS)
        return counts

    assert asyncio.run(run())["records"] == 10


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"capacity": 10.5}, "capacity is 10.5; it must be a whole number, 1 to 16777216"),
        ({"alpha": 0.6}, "alpha is 0.6; it must be a whole number, 0 to 32768"),
        ({"priority_width": 8.0}, "priority_width is 8.0; it must be a whole number, 1 to 32"),
        ({"priority_width": 8, "initial": 256}, "initial is 256; it must be below 2\\*\\*8"),
        ({"capacity": "9"}, "capacity is '9'; it must be a whole number"),
    ],
)
def test_a_setting_of_another_kind_is_one_sentence(settings: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        ServerSettings(**settings)


def test_settings_of_numpy_are_whole_numbers() -> None:
    assert type(ServerSettings(capacity=np.int64(100)).capacity) is int


@pytest.mark.parametrize("port", ["٧٨٧٨", "7_8", " 78", "+78", "1" * 5000])
def test_a_port_of_other_digits_is_one_sentence(port: str) -> None:
    with pytest.raises(UserError, match="is no address"):
        addresses.parse(f"localhost:{port}")


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".b", ".b", "\u00e4" * 64])
@pytest.mark.parametrize("bind", [True, False])
def test_a_name_that_no_machine_can_have_is_one_sentence(host: str, bind: bool) -> None:
    with pytest.raises(UserError, match=rf"^'?{host}:1"):
        addresses.udp(f"{host}:1", bind=bind)


def test_a_star_is_all_addresses_of_ipv6_and_ipv4() -> None:
    with ReplayServer(ServerSettings(capacity=10, record_bytes=8), "*:0") as server:
        port = server.address.rpartition(":")[2]
        for number, host in enumerate(["127.0.0.1", "[::1]"] if server.address.startswith("[") else ["127.0.0.1"]):
            with ReplayClient(f"{host}:{port}", number) as client:
                client.put(np.arange(3))
                client.flush()
                assert len(client.sample(2).slots) == 2
    with pytest.raises(UserError, match=r"^'\*:1' is where a server listens"):
        ReplayClient("*:1")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660, 0o602])
def test_a_key_that_others_can_read_or_write_is_refused(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(bytes(16))
    path.chmod(mode)
    with pytest.raises(UserError, match=rf"has the mode {mode:o}: others .*chmod 600 "):
        addresses.key_of(path)
    path.chmod(0o600)
    assert addresses.key_of(path) == bytes(16)


def test_a_server_that_does_not_get_its_port_leaves_no_folder_and_no_lock(server, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with pytest.raises(UserError, match="in use"):
        ReplayServer(server.settings, server.address, folder=folder)
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine").touch()
    with pytest.raises(UserError, match="in use"):
        ReplayServer(server.settings, server.address, folder=folder)
    assert [path.name for path in folder.iterdir()] == ["mine"]


def test_too_little_memory_is_one_sentence() -> None:
    script = """
import resource
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import CoreWarning, UserError
from rlcores.net import ReplayServer
import numpy
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for record, room in ((1 << 20, 1 << 40), (8, 20 << 20)):
    resource.setrlimit(resource.RLIMIT_AS, (size + min(room, 1 << 30), -1))
    try:
        ReplayServer(ServerSettings(capacity=1 << 24, record_bytes=record, part_bytes=65400, sample_max=16))
    except UserError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    first, second = done.stdout.splitlines()
    assert first == "the records' memory: Cannot allocate memory"
    assert second.startswith("there is too little memory for 16,777,216 records of 8 bytes")


def test_a_server_with_other_records_in_the_place_of_one_that_ended_is_one_sentence() -> None:
    first = ReplayServer(ServerSettings(capacity=100, record_bytes=24, instance=1))
    client = ReplayClient(first.address, timeout=5)
    client.put(ROWS)
    client.flush()
    first.close()
    with ReplayServer(ServerSettings(capacity=100, record_bytes=48, instance=2), first.address) as second:
        with pytest.raises(UserError, match=r"began anew with record_bytes 48, and this client's .* for 24"):
            client.put(ROWS)
            client.flush()
        with ReplayClient(second.address, 1) as other:
            assert other.stats()["size"] == 0
    client.close()


@pytest.mark.parametrize("address", ["[::1", "[::1]9000", "[::1]:", "host:", ":7878", "", 7878, None, ("::1", 7878)])
def test_what_is_no_address_is_one_sentence(address) -> None:
    with pytest.raises(UserError, match="is no address"):
        addresses.parse(address)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x"])
def test_a_wrong_seed_of_a_client_of_all_banks_is_one_sentence(server, seed) -> None:
    with pytest.raises(UserError, match=r"^seed is"):
        BankedClient(server.address, seed=seed)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"key": b"short"}, "the key has 5 bytes; it must have 16"),
        ({"key": "0123456789abcdef"}, "the key is of type str"),
        ({"batch": -1}, "batch is -1"),
        ({"snapshot_bytes": -1}, "snapshot_bytes is -1"),
    ],
)
def test_a_wrong_argument_of_a_server_is_one_sentence(arguments: dict, sentence: str) -> None:
    with pytest.raises(UserError, match=f"^{sentence}"):
        ReplayServer(**arguments)


def test_more_banks_than_clients_would_leave_some_without_any() -> None:
    with pytest.raises(ValueError, match=r"^banks is 4; it must be a whole number, 1 to 2"):
        ServerSettings(clients=2, banks=4)


def test_a_client_that_was_closed_inside_its_with_is_left_without_a_word(server) -> None:
    with ReplayClient(server.address) as one, BankedClient(server.address, 1) as all_banks:
        one.close()
        all_banks.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_is_told_to_make_a_client_of_its_own(server) -> None:
    """Both would number their requests alike, and the server would carry out one of two."""
    with ReplayClient(server.address) as client:
        client.put(ROWS)
        client.flush()
        child = os.fork()
        if not child:
            try:
                client.put(ROWS)
                client.flush()
            except UserError as error:
                os._exit(7 if "forked" in str(error) else 8)
            os._exit(9)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        client.put(ROWS[:5])
        client.flush()
        assert client.stats()["records"] == 15


def test_a_server_takes_the_settings_that_sampler_and_buffer_have():
    shared = ReplaySettings(buffer_size=100, alpha=0.5, priority_epsilon=0.25, seed=3)
    with ReplayServer(shared, record_bytes=24, clients=8) as server:
        assert server.settings.alpha == shared.alpha_code and server.settings.epsilon == 1 << 18
        assert (server.settings.capacity, server.settings.record_bytes, server.settings.clients) == (100, 24, 8)


@pytest.mark.parametrize(
    ("settings", "own", "sentence"),
    [
        (
            ReplaySettings(),
            {"recordbytes": 24},
            "there is no setting 'recordbytes' of a server; did you mean 'record_bytes'; settings: rec",
        ),
        (ReplaySettings(), {"alpha": 1}, "there is no setting 'alpha' of a server"),
        (ReplaySettings(), {"record_bytes": 25}, "record_bytes is 25; it must be a multiple of 8"),
        (ReplaySettings(alpha=1.5), {}, "above 1 it is of the backends native and model"),
        (ServerSettings(), {"record_bytes": 24}, "there is no argument 'record_bytes'"),
    ],
)
def test_wrong_settings_of_a_server_are_one_sentence(settings, own, sentence):
    with pytest.raises(UserError, match=sentence):
        ReplayServer(settings, **own)
