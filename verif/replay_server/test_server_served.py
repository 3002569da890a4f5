"""The Verilated server behind a real socket: our client gets from it what it gets from the model."""

import asyncio
import random
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from served import S, compare, rows, work
from typer.testing import CliRunner

from rlcores.cli import application
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.errors import RunFailed, UserError
from rlcores.net import ReplayClient, ReplayServer, aio, rtl
from rlcores.net.rtl import RtlServer
from rlcores_lab.bench.faults import Faults, Proxy


@pytest.mark.slow
def test_a_client_is_given_by_the_rtl_what_the_model_gives(seed: int) -> None:
    outcomes = []
    for backend in ("model", "rtl"):
        with ReplayServer(S, backend=backend) as server:
            outcomes.append(work(server.address, seed))
    compare(outcomes[1], outcomes[0])


@pytest.mark.slow
def test_records_of_several_frames_are_the_models(seed: int) -> None:
    s = replace(S, record_bytes=1000, assemblies=4)
    outcomes = []
    for backend in ("model", "rtl"):
        with ReplayServer(s, backend=backend) as server:
            outcomes.append(work(server.address, seed, words=125))
    compare(outcomes[1], outcomes[0])


@pytest.mark.slow
def test_with_a_key_the_rtl_gives_what_the_model_gives(seed: int) -> None:
    s, key = replace(S, record_bytes=1000, assemblies=4), random.Random(seed).randbytes(16)
    outcomes = []
    for backend in ("model", "rtl"):
        with ReplayServer(s, backend=backend, key=key) as server:
            outcomes.append(work(server.address, seed, words=125, key=key))
    compare(outcomes[1], outcomes[0])


@pytest.mark.slow
def test_the_command_serves_from_the_rtl_who_has_the_key_and_nobody_else(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    key, other = rng.randbytes(16), rng.randbytes(16)
    (tmp_path / "key").write_text(key.hex())
    (tmp_path / "key").chmod(0o600)
    command = [
        Path(sys.executable).with_name("rlcores"), "serve", "127.0.0.1:0", "--backend", "rtl",
        "--key", tmp_path / "key", "--buffer-size", "50",
        "--record-bytes", "24", "--part-bytes", "256", "--clients", "4", "--sample-max", "20",
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            said = server.stderr.readline()
            while said.startswith("rlcores: "):  # the first start with these parameters builds it
                said = server.stderr.readline()
            assert said.startswith("serving 50 records"), said
            address = said.split()[-1]
            for wrong in (None, other):
                with pytest.raises(RunFailed, match="answer"), ReplayClient(address, 0, timeout=2, key=wrong) as client:
                    client.put(rows(0, 1))
            with ReplayClient(address, 1, timeout=60, key=key) as client:
                before = client.stats()
                client.put(rows(0, 40), td_errors=np.ones(40))
                client.flush()
                batch = client.sample(20)
                assert (batch.records.view(np.uint64)[:, 0] < 40).all()
                client.update(batch.slots, batch.generations, priorities=batch.priorities)
                client.put_weights(b"weights", 1)
                assert client.get_weights() == (1, b"weights")
                client.flush()
                after = client.stats()
            assert before["records"] == before["next"] == 0 and before["bad_key"] + before["bad_length"] >= 2
            assert before["bad_key"] and after["records"] == after["size"] == 40 and after["updates"] == 20

            async def main() -> None:
                async with aio.ReplayClient(address, 2, timeout=60, key=key) as client:
                    await client.put(rows(40, 5))
                    await client.flush()
                    assert (await client.stats())["size"] == 45

            asyncio.run(main())
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0


@pytest.mark.slow
@pytest.mark.parametrize("key", [None, bytes(range(16))], ids=["open", "keyed"])
def test_faults_and_stalls_lose_nothing_at_the_rtl(key: bytes | None, seed: int, monkeypatch) -> None:
    monkeypatch.setattr(rtl, "RtlServer", partial(RtlServer, stall=0.3, stall_seed=seed))
    s = ServerSettings(
        capacity=50, record_bytes=24, part_bytes=256, clients=4, sample_max=20, credit=8, generation_width=4, instance=8
    )
    failed: list[BaseException] = []

    def put(address: str, number: int) -> None:
        try:
            with ReplayClient(address, number, timeout=120, key=key) as client:
                for first in range(0, 24, 4):
                    client.put(rows(1000 * number + first, 4), priorities=np.full(4, 1000 * number + first + 1))
                    client.flush()
        except BaseException as error:
            failed.append(error)

    with ReplayServer(s, backend="rtl", key=key) as server:
        faults = Faults(drop=0.1, repeat=0.1, reorder=0.1, damage=0.05, cut=0.02)
        with Proxy(server.address, faults, seed) as proxy:
            actors = [threading.Thread(target=put, args=(proxy.address, n)) for n in (0, 1)]
            for actor in actors:
                actor.start()
            with ReplayClient(proxy.address, 2, timeout=120, key=key) as learner:
                done = 0
                while done < 12:
                    try:
                        batch = learner.sample(12)
                    except UserError:
                        continue  # nothing there yet
                    which = batch.records.view(np.uint64)
                    assert (which == which[:, :1]).all() and not batch.gone.any()
                    learner.update(batch.slots, batch.generations, priorities=batch.priorities)
                    done += 1
                for actor in actors:
                    actor.join()
                learner.flush()
                stats = learner.stats()
                # Their generation is that of slots that were written once.
                held = learner.read(np.arange(20), np.full(20, batch.generations[0]))
                rest = learner.read(np.arange(20, 40), np.full(20, batch.generations[0]))
                last = learner.read(np.arange(40, 48), np.full(8, batch.generations[0]))
        assert server.state.counts["frames"] > 50
    assert not failed and proxy.counts["drop"] and proxy.counts["damage"] and stats["bad_crc"] + stats["bad_length"]
    assert stats["records"] == stats["size"] == 48 and stats["stale"] == 0 and stats["updates"] == 144
    parts = [one.records.view(np.uint64)[:, 0] for one in (held, rest, last)]
    assert sorted(np.concatenate(parts).tolist()) == [*range(24), *range(1000, 1024)]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (dict(banks=2), "banks is 2; the server in RTL has one memory"),
        (dict(record_bytes=1392, assemblies=0), "record_bytes is 1392; in the server in RTL without .* at most 1384"),
        (dict(record_bytes=65408), "record_bytes is 65408; in the server in RTL it may be at most 65400"),
        (dict(weights_max=1 << 30), "weights_max is 1073741824; in the server in RTL it may be at most 536870912"),
    ],
)
def test_settings_that_the_rtl_cannot_have_are_one_sentence(settings: dict[str, int], sentence: str) -> None:
    for call in (lambda s: ReplayServer(s, backend="rtl"), RtlServer):
        with pytest.raises(UserError, match=sentence):
            call(ServerSettings(**settings))


def test_a_key_of_another_length_and_banks_are_one_sentence() -> None:
    with pytest.raises(UserError, match="the key has 15 bytes; it must have 16"):
        ReplayServer(S, backend="rtl", key=bytes(15))
    done = CliRunner().invoke(application(), ["serve", "--backend", "rtl", "--banks", "2"])
    assert done.exit_code != 0 and "one memory" in str(done.exception) + done.output
