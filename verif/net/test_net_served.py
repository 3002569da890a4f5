"""The Verilated server behind a real socket: our client gets from it what it gets from the model."""

import threading
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from faults import Faults, Proxy
from served import S, compare, rows, work
from typer.testing import CliRunner

from rlcores.cli import app
from rlcores.cores.net.frames import Settings
from rlcores.errors import UserError
from rlcores.net import ReplayClient, ReplayServer, rtl
from rlcores.net.rtl import RtlServer


@pytest.mark.slow
def test_a_client_is_given_by_the_rtl_what_the_model_gives(seed: int) -> None:
    found = []
    for backend in ("model", "rtl"):
        with ReplayServer(S, backend=backend) as server:
            found.append(work(server.address, seed))
    compare(found[1], found[0])


@pytest.mark.slow
def test_records_of_several_frames_are_the_models(seed: int) -> None:
    s = replace(S, record_bytes=1000, assemblies=4)
    found = []
    for backend in ("model", "rtl"):
        with ReplayServer(s, backend=backend) as server:
            found.append(work(server.address, seed, words=125))
    compare(found[1], found[0])


@pytest.mark.slow
def test_faults_and_stalls_lose_nothing_at_the_rtl(seed: int, monkeypatch) -> None:
    monkeypatch.setattr(rtl, "RtlServer", partial(RtlServer, stall=0.3, stall_seed=seed))
    s = Settings(
        capacity=50, record_bytes=24, part_bytes=256, clients=4, sample_max=20, credit=8, generation_width=4, instance=8
    )
    failed: list[BaseException] = []

    def put(address: str, number: int) -> None:
        try:
            with ReplayClient(address, number, timeout=120) as client:
                for first in range(0, 24, 4):
                    client.put(rows(1000 * number + first, 4), priorities=np.full(4, 1000 * number + first + 1))
                    client.flush()
        except BaseException as error:
            failed.append(error)

    with ReplayServer(s, backend="rtl") as server:
        faults = Faults(drop=0.1, repeat=0.1, reorder=0.1, damage=0.05, cut=0.02)
        with Proxy(server.address, faults, seed) as proxy:
            actors = [threading.Thread(target=put, args=(proxy.address, n)) for n in (0, 1)]
            for actor in actors:
                actor.start()
            with ReplayClient(proxy.address, 2, timeout=120) as learner:
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
    ("given", "sentence"),
    [
        (dict(banks=2), "banks is 2; the server in RTL has one memory"),
        (dict(record_bytes=1392, assemblies=0), "record_bytes is 1392; in the server in RTL without .* at most 1384"),
        (dict(record_bytes=65408), "record_bytes is 65408; in the server in RTL it may be at most 65400"),
        (dict(weights_max=1 << 30), "weights_max is 1073741824; in the server in RTL it may be at most 536870912"),
    ],
)
def test_settings_that_the_rtl_cannot_have_are_one_sentence(given: dict[str, int], sentence: str) -> None:
    for call in (lambda s: ReplayServer(s, backend="rtl"), RtlServer):
        with pytest.raises(UserError, match=sentence):
            call(Settings(**given))


def test_the_rtl_has_no_key() -> None:
    with pytest.raises(UserError, match="has no key"):
        ReplayServer(S, backend="rtl", key=bytes(16))
    done = CliRunner().invoke(app, ["serve", "--backend", "rtl", "--banks", "2"])
    assert done.exit_code != 0 and "one memory" in str(done.exception) + done.output
