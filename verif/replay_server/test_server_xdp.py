"""The server past the kernel's sockets: AF_XDP on a cable between two network namespaces."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import namespaces
import pytest

SERVE = """
import sys, time
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.net import ReplayServer
from rlcores.errors import UserError
given = eval(sys.argv[1])
key = given.pop("key", None)
settings = ServerSettings(capacity=1000, record_bytes=48, **given.pop("settings", {}))
try:
    server = ReplayServer(settings, "10.213.77.1:7878", key=key, **given)
except UserError as error:
    print("refused:", error, flush=True)
    raise SystemExit
print("serving", server.past or None, flush=True)
sys.stdin.read()
server.close()
print(dict(server.state.counts) | {"unsent": server.unsent}, flush=True)
"""
WORK = """
import json, sys
import numpy as np
from rlcores.net import ReplayClient
given = eval(sys.argv[1])
rng = np.random.default_rng(7)
found = []
with ReplayClient("10.213.77.1:7878", key=given.get("key"), client=1) as client:
    for turn in range(given["turns"]):
        rows = rng.integers(0, 2**63, (40, 6))
        client.put(rows, td_errors=rng.random(40))
        client.flush()
        batch = client.sample(given["batch"])
        client.update(batch.slots, batch.generations, td_errors=rng.random(given["batch"]))
        client.flush()
        sums = np.asarray(batch.records).view(np.uint64).reshape(given["batch"], -1).sum(1)
        found.append([batch.slots.tolist(), sums.tolist()])
    print(json.dumps([found, client.stats()]))
"""

OTHERS = """
import socket
small, large, stream = socket.socket(2, 2), socket.socket(2, 2), socket.socket()
small.bind(("10.213.77.1", 7999)), large.bind(("10.213.77.1", 7998)), stream.bind(("10.213.77.1", 7878))
stream.listen()
print("up", flush=True)
hello = small.recv(9)
stream.accept()
print(hello, len(large.recv(4000)), flush=True)
"""


def python(where: list[str], text: str, options: dict, **more) -> subprocess.Popen:
    command = [*where, sys.executable, "-c", text, repr(options)]
    pipes = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
    return subprocess.Popen(command, text=True, **pipes, **more)


@contextmanager
def served(where: list[str], may: bool = True, **options):
    server = python(where, SERVE, options)
    try:
        said = server.stdout.readline()
        if may and "not permitted" in said:
            pytest.skip(f"this system has no AF_XDP for us: {said}")
        yield server, said
    finally:
        server.kill()
        server.wait()


def done(process: subprocess.Popen) -> str:
    out, wrong = process.communicate(timeout=60)
    assert process.returncode == 0, wrong
    return out


@pytest.fixture
def cable():
    with namespaces.pair() as (here, there):
        yield here.before, there.before, here.device


@pytest.mark.parametrize("key", [None, bytes(range(16))])
def test_the_same_work_gives_the_same_batches_as_through_the_kernels_sockets(cable, key):
    here, there, device = cable
    outcomes = []
    for xdp in (None, device):
        with served(here, xdp=xdp, key=key, settings={"seed": 11}) as (server, said):
            assert said.split()[0] == "serving" and (said.split()[1] == "None") == (xdp is None)
            outcomes.append(json.loads(done(python(there, WORK, {"key": key, "turns": 12, "batch": 200}))))
            counts = eval(done(server))
            assert counts["records"] == 480 and counts["samples"] == 12 * 200 and counts["bad_crc"] == 0
    (batches, stats), (past, past_stats) = outcomes
    assert batches == past and len(batches) == 12
    assert stats["size"] == past_stats["size"] == 480 and stats["total"] == past_stats["total"]


def test_what_is_not_for_the_server_goes_the_usual_way(cable):
    here, there, device = cable
    with served(here, xdp=device):
        other = python(here, OTHERS, {})
        assert other.stdout.readline() == "up\n"
        # Another port, another protocol, and a datagram of two fragments.
        done(python(there, "import socket; socket.socket(2,2).sendto(b'hello',('10.213.77.1',7999))", {}))
        done(python(there, "import socket; socket.create_connection(('10.213.77.1',7878)).close()", {}))
        done(python(there, "import socket; socket.socket(2,2).sendto(bytes(2000),('10.213.77.1',7998))", {}))
        assert done(other).split() == ["b'hello'", "2000"]


def test_bursts_of_several_clients_lose_nothing(cable):
    here, there, device = cable
    work = WORK.replace("client=1", "client=int(given['client'])")
    with served(here, xdp=device, settings={"sample_max": 1024, "credit": 64}) as (server, _):
        actors = [python(there, work, {"turns": 25, "batch": 900, "client": n}) for n in range(1, 4)]
        for actor in actors:
            batches, _ = json.loads(done(actor))
            assert len(batches) == 25
        counts = eval(done(server))
        assert counts["records"] == 3 * 25 * 40 and counts["samples"] == 75 * 900
        assert counts["unsent"] == 0 or counts["repeated"], "what found no place at the device was asked for again"


def test_the_device_is_as_before_however_the_server_ends(cable):
    here, _, device = cable

    def program() -> bool:
        shown = subprocess.run([*here, "ip", "link", "show", device], capture_output=True, text=True).stdout
        return "xdp" in shown

    for end in (signal.SIGKILL, None):
        with served(here, xdp=device) as (server, _):
            assert program()
            with served(here, xdp=device, settings={"seed": 2}) as (_, said):
                assert "refused" in said
            if end:
                os.kill(server.pid, end)
                server.wait()
            else:
                done(server)
            time.sleep(0.2)
            assert not program()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"xdp": "nothere"}, "there is no network device 'nothere'"),
        ({"settings": {"part_bytes": 8000}}, r"the MTU of '.*', 1500, has room for 1472, and AF_XDP does not cut them"),
        ({"settings": {"banks": 2}}, "xdp is for one memory; there are 2 banks"),
        ({"backend": "model"}, "xdp needs the backend 'native'"),
    ],
)
def test_what_cannot_be_is_one_sentence(cable, options, says):
    here, _, device = cable
    with served(here, **{"xdp": device, **options}) as (_, said):
        assert re.search(f"refused: .*{says}", said), said


def test_who_may_not_is_told(cable):
    here, _, device = cable
    setpriv = [
        "setpriv",
        "--bounding-set=-net_admin,-bpf,-sys_admin,-net_raw",
        "--inh-caps=-all",
        "--reuid=65534",
        "--clear-groups",
    ]
    if subprocess.run([*setpriv, "true"], capture_output=True).returncode:
        pytest.skip("needs setpriv")
    with served([*here, *setpriv], may=False, xdp=device) as (_, said):
        assert "refused: " in said and "it needs root, or CAP_NET_ADMIN and CAP_BPF" in said
