"""What a forked child does, or leaves undone: nothing of its parent's server, clients, folders and locks is touched."""

import asyncio
import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rlcores.base import files
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import UserError
from rlcores.net import BankedClient, ReplayClient, ReplayServer, aio
from rlcores.train.folder import Folder

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
S = ServerSettings(capacity=1000, record_bytes=8)


def forked(work: Callable[[], object]) -> int:
    """The number of a child that does it, and ends as Python does: a with ends, objects go."""
    child = os.fork()
    if child:
        return child
    code = 0
    try:
        work()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        code = 9
    os._exit(code)


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("banks", [1, 2])
@pytest.mark.parametrize("how", ["exit", "exception", "close", "collected"])
def test_a_child_that_ends_stops_no_server_and_writes_no_state(how: str, banks: int, tmp_path: Path) -> None:
    def acts() -> None:
        nonlocal server
        if how == "collected":
            server = None
            return
        with server:
            if how == "exit":
                sys.exit(0)
            if how == "exception":
                raise KeyError

    s = ServerSettings(capacity=1000, record_bytes=8, banks=banks)
    server = ReplayServer(s, folder=tmp_path)
    first = server
    with BankedClient(server.address, 0) as client:
        client.put(np.arange(10))
        client.flush()
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "records"}
        del first
        assert ended(forked(acts)) == (9 if how == "exception" else 0)
        assert {path: path.read_bytes() for path in before} == before
        client.put(np.arange(100))
        client.flush()
        assert sum(one["size"] for one in client.stats()) == 110
    server.close(snapshot=False)
    with ReplayServer(folder=tmp_path) as again, BankedClient(again.address, 5) as other:
        assert sum(one["size"] for one in other.stats()) == 110


def test_a_living_child_of_a_killed_server_holds_neither_its_folder_nor_its_port(tmp_path: Path) -> None:
    read, write = os.pipe()

    def serve() -> None:
        server = ReplayServer(S, folder=tmp_path)
        with ReplayClient(server.address) as client:
            client.put(np.arange(10))
            client.flush()
            forked(lambda: lives(server.address))
            time.sleep(60)

    def lives(address: str) -> None:
        os.write(write, f"{os.getpid()} {address}\n".encode())
        time.sleep(600)

    owner = forked(serve)
    child, address = os.read(read, 100).decode().split()
    os.kill(owner, signal.SIGKILL)
    ended(owner)
    try:
        with ReplayServer(folder=tmp_path, address=address) as again, ReplayClient(again.address, 3) as client:
            assert client.stats()["size"] == 10
    finally:
        os.kill(int(child), signal.SIGKILL)


def test_a_child_leaves_the_clients_of_its_parent_without_a_word() -> None:
    with ReplayServer(S) as server:
        with ReplayClient(server.address) as client:
            client.put(np.arange(10))

            def leaves() -> None:
                with client:
                    pass

            assert ended(forked(leaves)) == 0
            client.flush()
            assert client.stats()["records"] == 10

        async def main() -> int:
            async with aio.ReplayClient(server.address, 1) as mine:
                await mine.put(np.arange(5))
                assert ended(forked(mine.close)) == 0
                await mine.flush()
                return (await mine.stats())["records"]

        assert asyncio.run(asyncio.wait_for(main(), 20)) == 15


def test_a_child_is_told_that_the_server_is_not_its_own() -> None:
    with ReplayServer(S) as server:

        def waits() -> None:
            with pytest.raises(UserError, match="forked from it"):
                server.wait(1)

        assert ended(forked(waits)) == 0


def test_a_living_child_of_a_killed_run_holds_no_claim_and_removes_no_folder(tmp_path: Path) -> None:
    read, write = os.pipe()

    def train() -> None:
        folder = Folder(tmp_path / "run")
        folder.claim()
        assert ended(forked(folder.release)) == 0 and folder.path.exists()
        forked(lives)
        time.sleep(60)

    def lives() -> None:
        os.write(write, f"{os.getpid()}\n".encode())
        time.sleep(600)

    owner = forked(train)
    child = int(os.read(read, 100))
    os.kill(owner, signal.SIGKILL)
    ended(owner)
    try:
        Folder(tmp_path / "run").claim()
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_child_that_ends_removes_no_file_that_its_parent_is_writing(tmp_path: Path) -> None:
    def write(file) -> None:
        file.write(b"all of it")
        assert ended(forked(files.abandon)) == 0

    files._replace(tmp_path / "file", write)
    assert (tmp_path / "file").read_bytes() == b"all of it"


def test_a_child_that_is_forked_while_another_thread_imports_can_import_the_same(tmp_path: Path) -> None:
    """As of two threads of which one makes the first call of something that is loaded then."""
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(0.5)\nloaded = True\n")
    script = """
import os, sys, threading, time
import rlcores
sys.path.insert(0, sys.argv[1])
def first_call():
    import slow_to_load
thread = threading.Thread(target=first_call)
thread.start()
time.sleep(0.1)
child = os.fork()
if not child:
    import slow_to_load
    os._exit(0 if slow_to_load.loaded else 3)
thread.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", script, tmp_path], timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize("banks", [1, 2])
def test_threads_that_share_a_client_lose_nothing_and_end_no_process(banks: int) -> None:
    script = """
import sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.net import BankedClient, ReplayClient, ReplayServer
banks = int(sys.argv[1])
with ReplayServer(ServerSettings(capacity=10000, record_bytes=8, banks=banks)) as server:
    with (ReplayClient if banks == 1 else BankedClient)(server.address) as client:
        def work(thread):
            for n in range(100):
                client.put(np.arange(3) + 3 * n + 1000 * thread, priorities=np.ones(3))
                client.flush()
                assert len(client.sample(8).slots) == 8
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(work, range(6)))
    held = np.concatenate([np.frombuffer(bank.state.records(), np.int64) for bank in server.banks])
    wanted = (np.arange(300) + 1000 * np.arange(6)[:, None]).ravel()
    assert sum(bank.state.counts["records"] for bank in server.banks) == 1800
    assert set(wanted) <= set(held)
"""
    done = subprocess.run([sys.executable, "-c", script, str(banks)], timeout=60)
    assert done.returncode == 0


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
def test_a_client_or_server_that_is_handed_to_another_process_is_one_sentence(take: Callable[[object], object]) -> None:
    async def asynchronous(address: str) -> None:
        async with aio.ReplayClient(address, 3) as single, aio.BankedClient(address, 4) as banked:
            for client in (single, banked):
                with pytest.raises(UserError, match="it cannot be pickled or copied: give the other process"):
                    take(client)

    with ReplayServer(ServerSettings(capacity=1000, record_bytes=8, banks=2)) as server:
        with pytest.raises(UserError, match="it cannot be pickled or copied: give its address"):
            take(server)
        for kind, number in ((ReplayClient, 1), (BankedClient, 6)):
            with kind(server.address, number) as client:
                with pytest.raises(UserError, match="it cannot be pickled or copied: give the other process"):
                    take(client)
                client.put(np.arange(3))  # it goes on
                client.flush()
        asyncio.run(asynchronous(server.address))
        assert sum(bank.state.counts["records"] for bank in server.banks) == 6
