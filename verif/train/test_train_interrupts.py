"""Ctrl-C and SIGTERM at any moment of `rlcores train`: a checkpoint or a clean nothing, no traceback, no orphans."""

import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import numpy as np
import pytest
from train_runs import heed

from rlcores.base import tools
from rlcores.train.folder import Folder

LINE = ["--env", "train_envs:Line-v0", "--until", "inf", "--actors", "2"]
RUNS = {
    "ppo": ["--algo", "ppo", "--steps", "4096", *LINE],
    "dqn": ["--algo", "dqn", "--steps", "1040", *LINE],
    "ddpg": ["--algo", "ddpg", "--steps", "1040", "--env", "train_envs:Vectors-v0", *LINE[2:]],
}
# What has happened when the signal is sent, some time later: so the end of a run is met as often as its beginning,
# however fast the machine is.
MOMENTS = ["started", "folder", "checkpoint.npz", "best.npz", "run.json"]
SAID = ("stopping after this round; Ctrl-C again stops at once", "rlcores: stopped")


def started(process: subprocess.Popen) -> bool:
    """Whether rlcores runs and not only Python: it catches SIGTERM then, which Python does not."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return True
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def relatives(mark: str) -> list[int]:
    """Processes that have this mark in their environment."""
    processes = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                processes.append(int(path.parent.name))
        except OSError:
            continue
    return processes


def interrupt(folder: Path, name: str, rng: np.random.Generator, *, group: bool, number: int, twice: bool) -> str:
    """Start a run, send it a signal, and see what it leaves; returns how it went."""
    mark = uuid.uuid4().hex
    moment, delay = MOMENTS[rng.integers(len(MOMENTS))], float(rng.random() ** 3)
    where = f"{name}, {delay:.3f} s after '{moment}', signal {number}, group {group}, twice {twice}"
    process = subprocess.Popen(
        [str(tools.scripts() / "rlcores"), "train", *RUNS[name], "--checkpoint", str(folder)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent), "RLCORES_MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed,
    )
    there = {"started": lambda: started(process), "folder": folder.exists}
    happened = there.get(moment, (folder / moment).exists)
    while not (happened() and started(process)) and process.poll() is None:
        time.sleep(0.002)
    time.sleep(delay)
    for _ in range(1 + twice):
        # As a terminal does it, to all processes; or as `kill` does, to one.
        try:
            (os.killpg if group else os.kill)(process.pid, number)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    said, errors = process.communicate(timeout=600)
    lines = errors.splitlines()
    # A run that has told its result may be in the last milliseconds of Python, which die of SIGTERM.
    ends = (0, 128 + number) if number == 2 or not (folder / "run.json").exists() else (0, 143, -15)
    assert process.returncode in ends, f"{where}: exit code {process.returncode}\n{errors}"
    assert all(line.startswith(SAID) for line in lines), f"{where}:\n{errors}"
    assert "Traceback" not in said, f"{where}:\n{said}"
    until = time.monotonic() + 10
    while left := relatives(mark):
        assert time.monotonic() < until, f"{where}: processes {left} go on"
        time.sleep(0.05)
    names = {p.name for p in folder.iterdir()} if folder.exists() else set()
    assert not [n for n in names if n.endswith(".part")], f"{where}: {names}"
    if names:
        assert Folder(folder).load(), where
    if process.returncode == 0:
        assert "run.json" in names, f"{where}: {names}"
        return "done"
    if not names:
        again = Folder(folder)  # a next run takes it
        again.claim()
        again.release()
    return "kept" if names else "nothing"


def test_ctrl_c_at_any_moment_is_a_checkpoint_or_a_clean_nothing(tmp_path, seed):
    rng = np.random.default_rng(seed)
    for turn, (group, number, twice) in enumerate([(True, 2, False), (False, 2, True), (True, 15, False)]):
        interrupt(tmp_path / str(turn), "ppo", rng, group=group, number=number, twice=twice)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(RUNS))
def test_signals_at_many_moments_of_every_algorithm(name, tmp_path, seed):
    rng = np.random.default_rng([seed, len(name)])
    outcomes = []
    for turn in range(40):
        options = {
            "group": bool(rng.random() < 0.5),
            "number": 15 if rng.random() < 0.3 else 2,
            "twice": bool(rng.random() < 0.3),
        }
        outcomes.append(interrupt(tmp_path / str(turn), name, rng, **options))
    # All ends were met.
    assert {"kept", "nothing"} <= set(outcomes), outcomes


def test_a_build_that_is_interrupted_leaves_no_compiler_behind(tmp_path):
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [str(tools.scripts() / "rlcores"), "train", "--algo", "ppo", "--env", "CartPole-v1", "--backend", "rtl",
         "--config", "tiny", "--checkpoint", str(tmp_path / "run")],
        env=os.environ | {"RLCORES_MARK": mark, "RLCORES_BUILD": str(tmp_path / "build"), "OBJCACHE": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed,
    )  # fmt: skip
    while not list((tmp_path / "build").glob("verilated/*/log.txt")) and process.poll() is None:
        time.sleep(0.02)
    time.sleep(0.5)
    assert len(relatives(mark)) > 1, "nothing is being built"
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    # What is built, and why it takes so long, was told.
    begun, end = errors.splitlines()
    assert begun.startswith("rlcores: building rlc_gae_axi with Verilator, once for these sources and parameters")
    assert end == "rlcores: stopped"
    until = time.monotonic() + 10
    while relatives(mark):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not (tmp_path / "run").exists()
