"""The command as a process of its own: signals, kills with banks and with clients of asyncio, an ordinary user."""

import asyncio
import encodings.idna  # noqa: F401  # which an ordinary user may not be able to read from here
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import numpy as np
import pytest

from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import UserError
from rlcores.net import BankedClient, ReplayClient, ReplayServer, aio

COMMAND = Path(sys.executable).with_name("rlcores")
S = ServerSettings(capacity=100, record_bytes=16)
SIZES = ["--buffer-size", "20000", "--record-bytes", "16", "--clients", "16"]


def free() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def serve(address: str, folder: Path, *more: str, **how) -> subprocess.Popen:
    """A server that serves."""
    command = [COMMAND, "serve", address, "--folder", folder, *SIZES, *more]
    made = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **how)
    said = made.stderr.readline()
    assert said.startswith("serving"), said + made.stderr.read()
    return made


def rows(actor: int, first: int, count: int) -> np.ndarray:
    records = np.empty((count, 2), np.uint64)
    records[:, 0], records[:, 1] = actor, np.arange(first, first + count)
    return records


@pytest.mark.parametrize("number", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_a_signal_ends_the_server_with_its_state_and_nothing_is_lost(number: str, tmp_path: Path) -> None:
    address = free()
    server = serve(address, tmp_path)
    with ReplayClient(address) as client:
        client.put(rows(0, 0, 50))
        client.flush()
        server.send_signal(getattr(signal, number))
        assert server.wait(60) == 0 and "stopped after" in server.stderr.read()
        assert (tmp_path / "journal").stat().st_size == 0
        server = serve(address, tmp_path)
        assert client.stats()["size"] == 50
    server.kill()
    server.wait()


def test_under_nohup_a_hangup_does_not_end_the_server(tmp_path: Path) -> None:
    address = free()
    server = serve(address, tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    server.send_signal(signal.SIGHUP)
    with ReplayClient(address) as client:
        client.put(rows(0, 0, 5))
        client.flush()
        assert client.stats()["size"] == 5 and server.poll() is None
    server.kill()
    server.wait()


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
def test_kills_of_a_server_with_banks_lose_and_double_nothing(kind: str, tmp_path: Path) -> None:
    address, count, failed = free(), 1200, []
    server = serve(address, tmp_path, "--banks", "2")

    def put(actor: int) -> None:
        try:
            with BankedClient(address, 2 * actor, timeout=60) as client:
                for first in range(0, count, 10):
                    client.put(rows(actor, first, 10))
                    client.flush()
                    time.sleep(0.005)
        except BaseException as error:
            failed.append(error)

    async def put_awaited(actor: int) -> None:
        async with aio.BankedClient(address, 2 * actor, timeout=60) as client:
            for first in range(0, count, 10):
                await client.put(rows(actor, first, 10))
                await client.flush()
                await asyncio.sleep(0.005)

    def both() -> None:
        async def main() -> None:
            await asyncio.gather(put_awaited(0), put_awaited(1))

        try:
            asyncio.run(main())
        except BaseException as error:
            failed.append(error)

    works = [both] if kind == "asyncio" else [lambda: put(0), lambda: put(1)]
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    kills = 0
    while any(thread.is_alive() for thread in threads) and kills < 3:
        time.sleep(0.3)
        server.kill()
        server.wait()
        server = serve(address, tmp_path, "--banks", "2")
        kills += 1
    for thread in threads:
        thread.join()
    assert not failed and kills >= 2, failed
    server.send_signal(signal.SIGTERM)
    assert server.wait(60) == 0
    stored = np.concatenate(
        [np.fromfile(tmp_path / f"bank{n}" / "records", np.uint64).reshape(-1, 2)[:count] for n in range(2)]
    )
    for actor in (0, 1):
        own = np.sort(stored[stored[:, 0] == actor, 1])
        own = own[own > 0]  # an empty slot is actor 0, number 0
        assert own.tolist() == list(range(1, count))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_an_ordinary_user_serves_and_is_told_what_he_may_not(tmp_path: Path) -> None:
    own = Path("/tmp") / f"rlcores-user-{os.getpid()}"
    own.mkdir()
    os.chown(own, 65534, 65534)
    (own / "theirs").mkdir(mode=0o700)

    def work() -> None:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        for _ in range(2):
            with ReplayServer(S, folder=own / "folder") as server, ReplayClient(server.address) as client:
                client.put(rows(0, 0, 50))
                assert len(client.sample(8).slots) == 8
        for place in (own / "theirs", own / "theirs" / "x"):
            with pytest.raises(UserError, match=r"^'.*theirs.*': Permission denied$"):
                ReplayServer(S, folder=place)
            assert (own / "theirs").exists()
        (own / "folder" / "records").chmod(0o400)
        with pytest.raises(UserError, match=r"records: Permission denied$"):
            ReplayServer(S, folder=own / "folder")

    try:
        child = os.fork()
        if not child:
            try:
                work()
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        shutil.rmtree(own)
