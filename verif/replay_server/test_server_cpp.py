"""Tests of the C++ client: a program of another language's world, with a server and with faults between them."""

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from compiled import built

from rlcores.base import paths
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.sumtree.maths import of_errors
from rlcores.net import ReplayServer
from rlcores_lab.bench.faults import Faults, Proxy

S = ServerSettings(capacity=4096, record_bytes=40, part_bytes=256, sample_max=64, credit=16)
COUNT = 1203
CLIENT = paths.root() / "examples" / "replay_client" / "client.cpp"

needs = pytest.mark.skipif(not CLIENT.exists(), reason="needs a checkout")


def run(program: Path, seed: int, settings: ServerSettings) -> None:
    faults = Faults(drop=0.1, repeat=0.1, reorder=0.1, damage=0.05, cut=0.02)
    with ReplayServer(settings) as server:
        with Proxy(server.address, faults, seed) as proxy:
            done = subprocess.run([program, proxy.address, str(COUNT)], capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        assert f"the server holds {COUNT}" in done.stdout and " 0 overwritten" in done.stdout
        counts = server.state.counts
        assert proxy.counts["drop"] and proxy.counts["damage"] and counts["repeated"] and counts["bad_crc"]
        # Each record once, whatever the order; the first number says which it is.
        rows = np.frombuffer(server.state.records(), "<f4").reshape(-1, 10)[:COUNT]
        assert np.sort(rows[:, 0]).tolist() == list(range(COUNT))
        assert counts["records"] == COUNT and counts["samples"] == counts["updates"] == 640 and not counts["stale"]


@needs
def test_a_program_in_cpp_loses_nothing_and_stores_nothing_twice_under_faults(seed: int, tmp_path: Path) -> None:
    run(built(tmp_path, CLIENT, "-O0"), seed, replace(S, part_bytes=1024))


@needs
def test_a_program_in_cpp_gives_tds_of_any_size_the_priorities_that_python_gives(seed: int, tmp_path: Path) -> None:
    """Codes of 2^-20 made one priority of all that were smaller, and of all beyond 2048."""
    program, rng = built(tmp_path, Path(__file__).with_name("priorities.cpp"), "-O1"), np.random.default_rng(seed)
    edges = [0.0, -0.0, 5e-324, 2.2e-308, 1.7e308, -1.0, 1.0, 2.0, 0.5, 2**-20, 2047.9999, 2048.0]
    for number in range(12):
        alpha, scale = int(rng.integers(0, 32769)), int(rng.integers(-(2**12), 2**13))
        width, epsilon = int(rng.integers(1, 33)), int(rng.integers(0, 1 << int(rng.integers(1, 33))))
        if number < 4:
            alpha, scale, width, epsilon = (19661, 32768, 0, 19661)[number], 30 << 8, 32, (1, 0, 0, 0)[number]
        errors = np.array([*edges, *(rng.choice((-1, 1), 3000) * 10.0 ** rng.uniform(-14, 8, 3000))])
        lines = "\n".join(x.hex() for x in errors.tolist())
        told = map(str, (alpha, scale, width, epsilon))
        done = subprocess.run([program, *told], input=lines, capture_output=True, text=True, timeout=60, check=True)
        printed = np.array([line.split() for line in done.stdout.splitlines()], np.int64)
        wanted = of_errors(errors, alpha, epsilon / 2**20, scale, width)
        assert np.array_equal(printed[:, 0], wanted.priorities)
        assert printed[:, 1].sum() == wanted.above + wanted.coarse


@needs
@pytest.mark.slow
def test_the_cpp_client_reads_nothing_that_is_not_its_own(seed: int, tmp_path: Path) -> None:
    program = built(tmp_path, CLIENT, "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for n in range(10):
        run(program, seed + n, replace(S, part_bytes=256 + 8 * n))
