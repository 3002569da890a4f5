"""A buffer whose files stay goes on from them, after a kill too, and other processes read it while one writes."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from steps import SPACES, fill

from rlcores import ReplayBuffer, SliceSampler, UserError
from rlcores.errors import CoreWarning


def same(one, other, **ignored):
    for _ in range(3):
        batches = [b.sample(20) for b in (one, other)]
        assert all((batches[0].arrays[n] == batches[1].arrays[n]).all() for n in batches[0].arrays)
        assert (batches[0].indices == batches[1].indices).all()


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("options", [{}, {"prioritized": False}, {"prioritized": False, "replacement": False}])
def test_a_closed_buffer_goes_on_exactly(backend, options, seed, tmp_path):
    kinds = {"num_envs": 2, "n_steps": 2, "backend": backend, "seed": 5} | options
    kept = ReplayBuffer(80, SPACES, folder=tmp_path / "here", keep=True, **kinds)
    plain = ReplayBuffer(80, SPACES, **kinds)
    for buffer in (kept, plain):
        fill(buffer, np.random.default_rng(seed), 57)
        if options == {}:
            drawn = buffer.sample(10)
            buffer.update(drawn.indices, np.linspace(0, 4, 10), drawn.generations)
    plain.sample(7), kept.sample(7)
    kept.close()
    again = ReplayBuffer.open(tmp_path / "here")
    assert len(again) == 80 and again.num_envs == 2 and again.n_steps == 2
    same(again, plain)
    for buffer in (again, plain):
        buffer.end_episode()  # as open() takes a first step that differs for one behind a reset
        fill(buffer, np.random.default_rng(seed + 1), 9)
    same(again, plain)


def program(folder, body):
    text = f"""
    import os, sys, numpy as np
    sys.path.insert(0, {os.path.dirname(__file__)!r})
    from rlcores import ReplayBuffer
    from steps import SPACES, fill
    folder = {str(folder)!r}
    {body}
    """
    return [sys.executable, "-c", textwrap.dedent(text)]


def test_what_was_added_is_there_behind_a_kill(seed, tmp_path):
    body = f"""buffer = ReplayBuffer(60, SPACES, folder=folder, keep=True, seed=1)
    fill(buffer, np.random.default_rng({seed}), 30)
    buffer.sync()
    fill(buffer, np.random.default_rng({seed + 1}), 10)
    os.kill(os.getpid(), 9)"""
    done = subprocess.run(program(tmp_path, body), capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with pytest.warns(
        CoreWarning, match=r"10 transitions came after the last sync\(\): they have the largest priority"
    ):
        buffer = ReplayBuffer.open(tmp_path)
    twin = ReplayBuffer(60, SPACES, seed=1)
    fill(twin, np.random.default_rng(seed), 30)
    held = fill(twin, np.random.default_rng(seed + 1), 10)
    one, other = buffer.read(np.arange(40)), twin.read(np.arange(40))
    assert all((one[name] == other[name]).all() for name in one) and len(held) == 10
    assert (buffer.sampler.tree.read(np.arange(40)) == twin.sampler.tree.read(np.arange(40))).all()
    same(buffer, twin)


def test_another_process_reads_what_one_writes_and_may_not_write_it(seed, tmp_path):
    writer = ReplayBuffer(90, SPACES, num_envs=3, folder=tmp_path, keep=True, seed=1)
    held = fill(writer, np.random.default_rng(seed), 20)
    body = """reader = ReplayBuffer.open(folder, readonly=True)
    print(len(reader), reader.read(np.arange(60))["reward"].sum(dtype=float), flush=True)
    input()
    print(len(reader), reader.sample(50)["reward"].shape[0], flush=True)
    for call in (lambda: reader.end_episode(), lambda: fill(reader, np.random.default_rng(0), 1),
                 lambda: ReplayBuffer.open(folder)):
        try:
            call()
        except ValueError as error:
            print(error, flush=True)"""
    with subprocess.Popen(program(tmp_path, body), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        count, total = reader.stdout.readline().split()
        assert count == "60" and float(total) == pytest.approx(sum(s.reward for s in held.values()), rel=1e-4)
        fill(writer, np.random.default_rng(seed + 1), 7)
        said = reader.communicate("\n")[0].splitlines()
    assert said[0] == "81 50" and len(said) == 4
    assert all("this buffer was opened with readonly=True" in line for line in said[1:3])
    assert "another process writes the replay buffer" in said[3]


def test_readers_see_whole_steps_while_a_process_writes(tmp_path):
    """Every step has one number in all its arrays."""
    body = """arrays = {"observation": ((64,), "i8"), "extra": ((64,), "i8")}
    buffer = ReplayBuffer(50, arrays, prioritized=False, folder=folder, keep=True, seed=1)
    for t in range(4000):
        row = np.full(64, t)
        buffer.add(observation=row, next_observation=row, extra=row, reward=t, terminated=True, truncated=False)
        if t == 60:
            print("begun", flush=True)"""
    with subprocess.Popen(program(tmp_path, body), stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "begun\n"
        reader = ReplayBuffer.open(tmp_path, readonly=True)
        newest = set()
        while writer.poll() is None:
            batch = reader.sample(40)
            rows = np.concatenate([batch["observation"], batch["next_observation"], batch["extra"]], axis=1)
            assert (rows == batch["reward"][:, None]).all()
            newest.add(int(rows.max()))
            slices = SliceSampler(reader, 1).sample(5)
            assert (slices["extra"][:, 0, 0] == slices["reward"][:, 0]).all()
    assert len(newest) > 3 and len(reader) == 50


def test_a_reader_that_opens_in_the_middle_of_a_write_reads_behind_it(tmp_path):
    arrays = {"observation": ((2,), "i8")}
    writer = ReplayBuffer(8, arrays, prioritized=False, folder=tmp_path, keep=True, seed=1)
    row = np.zeros(2)
    writer.add(observation=row, next_observation=row, reward=1, terminated=True, truncated=False)
    writer._store.mark(True)
    reader = ReplayBuffer.open(tmp_path, readonly=True)
    with pytest.raises(UserError, match="a call was interrupted while it wrote"):
        reader.sample(4)
    writer._store.mark(False)
    assert (reader.sample(4)["reward"] == 1).all()


def test_what_cannot_be_is_one_sentence(tmp_path, seed):
    with pytest.raises(UserError, match="keep=True needs a folder"):
        ReplayBuffer(9, SPACES, keep=True)
    with pytest.raises(UserError, match=r"there is no replay buffer in .*: it has no settings.json"):
        ReplayBuffer.open(tmp_path)
    with pytest.raises(UserError, match="this buffer's files do not stay"):
        ReplayBuffer(9, SPACES).sync()
    buffer = ReplayBuffer(9, SPACES, folder=tmp_path, keep=True)
    fill(buffer, np.random.default_rng(seed), 5)
    buffer.close()
    with pytest.raises(
        UserError, match=r"there is a replay buffer in .* already: ReplayBuffer.open\(\) goes on with it"
    ):
        ReplayBuffer(9, SPACES, folder=tmp_path, keep=True)
    half = ReplayBuffer.open(tmp_path)
    half._store.mark(True)
    half._kept.close()
    with pytest.raises(UserError, match="a call was interrupted while it wrote the buffer's arrays"):
        ReplayBuffer.open(tmp_path)
    np.memmap(tmp_path / "rows1.bin", np.uint8, "r+")[:] = 255  # flags and places
    (tmp_path / "rows2.bin").write_bytes(b"short")
    with pytest.raises(UserError, match="has 5 bytes, not the"):
        ReplayBuffer.open(tmp_path)


def test_a_buffer_that_nobody_closes_leaves_no_open_files(tmp_path: Path) -> None:
    """Dropped, refused or left by `with`: no ResourceWarning, and the next process may write at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        complaints: list[object] = []
        hook, sys.unraisablehook = sys.unraisablehook, lambda one: complaints.append(one.exc_value)
        try:
            ReplayBuffer(9, SPACES, folder=tmp_path / "one", keep=True)
            with ReplayBuffer.open(tmp_path / "one"), pytest.raises(UserError, match="another process writes"):
                ReplayBuffer.open(tmp_path / "one")
            ReplayBuffer.open(tmp_path / "one", readonly=True)
            with pytest.raises(UserError):
                ReplayBuffer(9, {"observation": ((-1,), "int8")}, folder=tmp_path / "two", keep=True)
            gc.collect()
        finally:
            sys.unraisablehook = hook
    assert not complaints
