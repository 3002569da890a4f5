"""The folder of a run belongs to one run, survives its death, and what is damaged in it is one sentence."""

import json
import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from damage import SIGNED, WAYS

from rlcores import cli
from rlcores.base import files
from rlcores.errors import UserError
from rlcores.train import folder as folders
from rlcores.train import settings, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Run

LINE = ["--env", "train_envs:Line-v0", "--actors", "1", "--until", "inf"]
RUNS = {
    "ppo": ["--algo", "ppo", "--steps", "2048", *LINE],
    "dqn": ["--algo", "dqn", "--steps", "1064", "--buffer-size", "1100", *LINE],
    "ddpg": ["--algo", "ddpg", "--steps", "1064", "--env", "train_envs:Vectors-v0", *LINE[2:]],
}


class Reached(Exception):
    """A checkpoint was taken."""


def plan_of(name: str = "x") -> settings.Plan:
    return settings.plan("ppo", "CartPole-v1", "model", spaces.look("CartPole-v1"), seed=0)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A function from a name of RUNS to the folder of a finished run."""
    folders: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in folders:
            folder = tmp_path_factory.mktemp("runs") / name
            assert cli.run(["train", *RUNS[name], "--checkpoint", str(folder)]) == 0
            folders[name] = folder
        return folders[name]

    return make


def same(one: tuple, other: tuple) -> bool:
    plan, state, arrays = one
    return (plan, state) == tuple(other[:2]) and all(np.array_equal(arrays[k], other[2][k]) for k in arrays)


def fuzz(whole: Path, tmp: Path, seed: int, count: int, capfd, monkeypatch) -> dict[str, int]:
    """Damage a checkpoint `count` times; each must be refused in a sentence, or be as good as it was."""

    def run(self, watch=None):
        raise Reached

    monkeypatch.setattr(Run, "run", run)
    good = Folder(whole).load()
    environment = good[0]["environment"]  # of a module, which a checkpoint alone does not import
    seen = {"refused": 0, "taken": 0}
    capfd.readouterr()
    for case in range(count):
        rng = np.random.default_rng([seed, case])
        folder = tmp / "damaged"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(whole / "checkpoint.npz", folder)
        way = WAYS[rng.integers(len(WAYS))]
        how = way(folder / "checkpoint.npz", rng)
        where = f"seed {seed}, case {case}: {how}"
        begun = time.monotonic()
        try:
            code = cli.run(["train", "--checkpoint", str(folder), "--resume", "--actors", "1", "--env", environment])
        except Reached:
            seen["taken"] += 1
            assert way in SIGNED or same(good, Folder(folder).load()), f"{where}: taken, though it is another one"
            capfd.readouterr()
            continue
        except BaseException as error:
            raise AssertionError(f"{where}: {error!r}") from error
        said = capfd.readouterr().err
        assert code == 2, f"{where}: exit code {code}: {said}"
        assert said.startswith("rlcores: ") and len(said.splitlines()) == 1, f"{where}: {said}"
        assert len(said) < 700 and time.monotonic() - begun < 60, f"{where}: {said[:300]}"
        seen["refused"] += 1
    assert seen["refused"] > count // 2
    return seen


@pytest.mark.parametrize("name", ["ppo", "dqn"])
def test_a_damaged_checkpoint_is_one_sentence(name, made, tmp_path, capfd, monkeypatch):
    fuzz(made(name), tmp_path, 1, 60, capfd, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(RUNS))
def test_thousands_of_damaged_checkpoints_are_a_sentence_each(name, made, tmp_path, capfd, monkeypatch, seed):
    fuzz(made(name), tmp_path, seed, 1000, capfd, monkeypatch)


def test_a_whole_checkpoint_is_taken(made, tmp_path, monkeypatch):
    whole = made("ppo")

    def run(self, watch=None):
        raise Reached

    monkeypatch.setattr(Run, "run", run)
    with pytest.raises(Reached):
        cli.run(["train", "--checkpoint", str(whole), "--resume", *LINE[:2]])


# --- claims ---


def _claims(path: Path, ready, results) -> None:
    ready.wait()
    try:
        folder = Folder(path)
        folder.claim()
    except UserError as error:
        results.put(str(error))
    else:
        results.put("claimed")
        time.sleep(1)


def test_one_of_many_runs_gets_a_folder(tmp_path):
    context = multiprocessing.get_context("fork")
    ready, results = context.Event(), context.Queue()
    processes = [context.Process(target=_claims, args=(tmp_path / "run", ready, results)) for _ in range(8)]
    for process in processes:
        process.start()
    ready.set()
    outcomes = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    assert outcomes.count("claimed") == 1
    assert sum("another run works in" in text for text in outcomes) == 7


def test_runs_without_a_folder_of_their_own_get_different_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(folders.paths, "build", lambda: tmp_path)
    plan = plan_of()
    held = [folders.default(plan) for _ in range(3)]
    assert len({f.path for f in held}) == 3 and all(f.path.is_dir() for f in held)
    held[1].release()
    # Nothing was written there, so it is gone, and the next one may have it.
    assert folders.default(plan).path == held[1].path


def test_a_resumed_run_has_its_folder_alone(made, capsys):
    held = Folder(made("ppo"))
    held.claim(new=False)
    assert cli.run(["train", "--checkpoint", str(held.path), "--resume"]) == 2
    assert "another run works in" in capsys.readouterr().err
    held.release()
    assert held.checkpoint_file.exists()


def test_a_run_that_was_killed_before_its_first_checkpoint_leaves_a_folder_for_the_next(tmp_path):
    code = (
        "import sys, time, pathlib; from rlcores.train.folder import Folder; from rlcores.base import files\n"
        "folder = Folder(sys.argv[1]); folder.claim(); (folder.path / '.checkpoint.npz.x.part').write_bytes(b'x')\n"
        "print('claimed', flush=True); time.sleep(600)"
    )
    run = tmp_path / "run"
    with subprocess.Popen([sys.executable, "-c", code, str(run)], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"claimed\n"
        with pytest.raises(UserError, match="another run works in"):
            Folder(run).claim()
        process.send_signal(signal.SIGKILL)
    folder = Folder(run)
    folder.claim()
    assert list(run.iterdir()) == []
    folder.release()
    assert not run.exists()


def test_the_first_file_of_a_run_is_its_checkpoint(tmp_path, monkeypatch):
    """Whatever kills it later, what it leaves can go on."""
    written: list[str] = []
    replace = files.replace

    def kept(path, data):
        written.append(path.name)
        replace(path, data)
        if len(written) == 2:
            raise UserError("killed")

    monkeypatch.setattr(folders.files, "replace", kept)
    run = tmp_path / "run"
    assert cli.run(["train", *RUNS["ppo"], "--checkpoint", str(run)]) == 2
    assert written == ["checkpoint.npz", "curve.csv"]
    monkeypatch.undo()
    assert cli.run(["train", "--checkpoint", str(run), "--resume", *LINE[:2]]) == 0
    whole = tmp_path / "whole"
    assert cli.run(["train", *RUNS["ppo"], "--checkpoint", str(whole)]) == 0
    assert (run / "curve.csv").read_bytes() == (whole / "curve.csv").read_bytes()


# --- writing ---


def _writes(path: Path, number: int, count: int) -> None:
    data = np.full(40_000, number, np.int64)
    for _ in range(count):
        Folder(path)._write_npz("checkpoint.npz", {"a": data, "b": data})


def test_a_reader_never_sees_half_a_file(tmp_path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_writes, args=(tmp_path, n, 60)) for n in range(3)]
    for writer in writers:
        writer.start()
    reads = 0
    while any(w.is_alive() for w in writers) or reads < 20:
        if (tmp_path / "checkpoint.npz").exists():
            arrays = files.read_arrays(tmp_path / "checkpoint.npz", "whole")
            assert len(np.unique(np.concatenate(list(arrays.values())))) == 1
            reads += 1
    assert all(w.exitcode == 0 for w in [*map(_joined, writers)])
    assert [p.name for p in tmp_path.iterdir()] == ["checkpoint.npz"]


def _joined(process):
    process.join()
    return process


def test_contents_and_name_are_on_the_disk_before_the_old_file_goes(tmp_path, monkeypatch):
    done = []
    real = {name: getattr(os, name) for name in ("fsync", "replace")}

    def fsync(number):
        kind = "folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file"
        done.append(kind)
        real["fsync"](number)

    def replace(*arguments):
        done.append("replace")
        real["replace"](*arguments)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    files.replace(tmp_path / "a", b"1")
    assert done == ["file", "replace", "folder"]
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o600 == 0o600


def test_a_full_disk_leaves_the_old_checkpoint_and_says_so(tmp_path, monkeypatch):
    files.replace(tmp_path / "a", b"old")

    def full(number):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"cannot write '.*/a': No space left on device"):
        files.replace(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == ["a"]


def test_the_checkpoint_is_a_plain_npz_that_says_its_version(made):
    with np.load(made("ppo") / "checkpoint.npz", allow_pickle=False) as kept:
        assert json.loads(str(kept["run"]))["version"] == folders.VERSION
