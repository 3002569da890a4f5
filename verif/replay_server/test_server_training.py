"""CartPole trained with actor, replay server and learner in different processes and network namespaces, with faults."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from namespaces import pair

from rlcores_lab.bench import faults

FAULTS = {"drop": 0.05, "repeat": 0.05, "reorder": 0.05, "damage": 0.01, "cut": 0.005}
HERE = Path(__file__).parent
PORT = 7979


def rlcores(*words: str | Path) -> list[str]:
    return [str(Path(sys.executable).with_name("rlcores")), *map(str, words)]


def serve(before: list[str], address: str, folder: Path) -> subprocess.Popen:
    # The line that `rlcores train` names when a server of another shape answers.
    options = ["--buffer-size", "30000", "--record-bytes", "48", "--priority-epsilon", "0.0010004", "--folder", folder]
    made = subprocess.Popen(before + rlcores("serve", address, *options), stderr=subprocess.PIPE, text=True)
    said = made.stderr.readline()
    assert said.startswith("serving"), said
    return made


def train(before: list[str], folder: Path, seed: int, *more: str) -> subprocess.Popen:
    options = ["--algo", "dqn", "--env", "CartPole-v1", "--seed", str(seed), "--actors", "1", "--checkpoint", folder]
    command = before + rlcores("train", *options, *more)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.slow
def test_cartpole_is_learned_across_namespaces_under_faults_as_in_one_process(seed: int, tmp_path: Path) -> None:
    alone = train([], tmp_path / "alone", 1)
    with pair() as (here, there):
        first, second, host = here.before, there.before, here.address
        server = serve(first, f"{host}:{PORT}", tmp_path / "memory")
        proxy, address = faults.process(second, f"{host}:{PORT}", seed, FAULTS)
        run = train(second, tmp_path / "apart", 1, "--replay", address)
        # Killed in the middle, twice, as a machine would lose it; what was acknowledged is in its folder.
        journal = tmp_path / "memory" / "journal"
        for length in (30_000, 200_000):
            while journal.stat().st_size < length and run.poll() is None:
                time.sleep(0.02)
            assert run.poll() is None, run.stdout.read()
            server.send_signal(signal.SIGKILL)
            server.wait()
            server = serve(first, f"{host}:{PORT}", tmp_path / "memory")
        for one in (run, alone):
            said = one.communicate(timeout=500)[0]
            assert one.returncode == 0, said
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
        counts = json.loads(proxy.communicate(timeout=20)[0])
    assert all(counts[name] for name in ("drop", "repeat", "reorder", "damage", "cut"))
    curves = [(tmp_path / name / "curve.csv").read_bytes() for name in ("alone", "apart")]
    assert curves[0] == curves[1] and len(curves[0].splitlines()) > 4
    assert float(re.search(r"mean return ([\d.]+)", said)[1]) > 475
