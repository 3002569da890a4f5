"""A buffer that processes share gives what one process gets, whoever makes the calls, and whoever is killed in one."""

import copy
import multiprocessing as mp
import os
import pickle
import shutil
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_calls import ARRAYS, KINDS, call, held, step

from rlcores import PrioritizedSampler, ReplayBuffer, SharedReplayBuffer, UserError
from rlcores.replay import shared_state
from rlcores.replay.folder import FileLock

pytestmark = pytest.mark.filterwarnings("ignore::rlcores.CoreWarning")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def in_child(work: Callable[[], Any]) -> int:
    """The exit code of a forked process that does this; its signal below 0."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(3)


def equal(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return len(one) == len(other) and all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


# --- the same numbers ---


@pytest.mark.parametrize(
    "changes", [{}, {"prioritized": False}, {"priorities": "loss_adjusted"}, {"stratified": False}, {"alpha": 1.5}]
)
@pytest.mark.parametrize("kinds", [{}, {"n_steps": 3, "frame_stack": 2}, {"autoreset": "next_step"}])
def test_with_one_writer_it_is_a_replay_buffer(changes: dict[str, Any], kinds: dict[str, Any], seed: int) -> None:
    options = {"num_envs": 2, "seed": 5} | changes | kinds
    buffers = SharedReplayBuffer(40, ARRAYS, writers=1, **options), ReplayBuffer(40, ARRAYS, **options)
    rng = np.random.default_rng(seed)
    drawn = 0
    for _ in range(150):
        one, errors = step(rng, 2, 0), rng.normal(size=20) * 10.0 ** rng.integers(-4, 8)
        one["truncated"][:] = one["terminated"][:] = one["terminated"] if len(kinds) != 1 else False
        mask = rng.random(2) < 0.8
        assert equal(*[[buffer.add(mask=mask, **one).indices] for buffer in buffers])
        batches = [buffer.sample(20) if len(buffer) > 4 else None for buffer in buffers]
        if batches[0] is None or batches[1] is None:
            continue
        drawn += 1
        assert equal(*[[b.indices, b.weights, *b.arrays.values()] for b in batches if b is not None])
        if changes != {"prioritized": False}:
            assert equal(*[[x.update(b.indices, errors, b.generations)] for x, b in zip(buffers, batches, strict=True)])
    assert drawn > 140 and len(buffers[0]) == len(buffers[1]) == 40


@pytest.mark.parametrize("prioritized", [True, False])
def test_parts_are_buffers_and_draws_are_of_one_tree(prioritized: bool, seed: int) -> None:
    """Beside a ReplayBuffer for each writer, and one sampler of NumPy's integers whose slots are chosen here."""
    size, writers, envs = 24, 3, 2
    options = {"num_envs": envs, "n_steps": 2, "prioritized": prioritized}
    first = SharedReplayBuffer(size * writers, ARRAYS, writers=writers, seed=9, **options)
    every = [first, *(SharedReplayBuffer.open(first.folder) for _ in range(2))]
    twins = [ReplayBuffer(size, ARRAYS, prioritized=False, num_envs=envs, n_steps=2) for _ in every]
    oracle = PrioritizedSampler(size * writers, seed=9, backend="model")
    rng = np.random.default_rng(seed)
    for _ in range(120):
        who = int(rng.integers(writers))
        one = step(rng, envs, who)
        slots = every[who].add(**one)
        assert every[who].writer is not None
        own = twins[every[who].writer].add(**one).indices
        assert (slots.indices == own + every[who].writer * size).all()
        oracle.place(slots.indices)
        batch = every[int(rng.integers(writers))].sample(16)
        assert (first._steps(batch.indices) == batch.generations).all()
        for twin in range(writers):
            here = batch.indices // size == twin
            if here.any():
                arrays = twins[twin].read(batch.indices[here] - twin * size)
                assert all((batch[name][here] == array).all() for name, array in arrays.items())
        if prioritized:
            drawn = oracle.sample(16)
            assert (drawn.indices == batch.indices).all() and (drawn.weights == batch.weights).all()
            errors = rng.normal(size=16) * 10.0 ** rng.integers(-3, 6)
            assert every[who].update(batch.indices, errors, batch.generations).all()
            oracle.place(batch.indices, errors)
    assert {buffer.writer for buffer in every} == {0, 1, 2}


def _turns(buffer: SharedReplayBuffer, seed: int, who: int, pipe: Any) -> None:
    """Makes the call that it is told of, and says what it gave."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rng = np.random.default_rng([seed, who])
        while kind := pipe.recv():
            pipe.send(call(buffer, rng, who, kind))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("prioritized", [True, False])
def test_processes_in_turn_get_the_numbers_of_one(method: str, prioritized: bool, seed: int, tmp_path: Path) -> None:
    make = {"writers": 3, "num_envs": 2, "n_steps": 2, "seed": 4, "prioritized": prioritized}
    shared = SharedReplayBuffer(60, ARRAYS, folder=tmp_path / "shared", **make)
    alone = SharedReplayBuffer(60, ARRAYS, folder=tmp_path / "alone", **make)
    handles = [alone, *(SharedReplayBuffer.open(alone.folder) for _ in range(2))]
    generators = [np.random.default_rng([seed, who]) for who in range(3)]
    context: Any = mp.get_context(method)
    pipes, processes = [], []
    for who in range(3):
        here, there = context.Pipe()
        process = context.Process(target=_turns, args=(shared, seed, who, there), daemon=True)
        process.start()
        pipes.append(here)
        processes.append(process)
    order = np.random.default_rng(seed)
    for number in range(200):
        who, kind = int(order.integers(3)), "add" if number < 9 else KINDS[order.integers(len(KINDS))]
        pipes[who].send(kind)
        assert equal(pipes[who].recv(), call(handles[who], generators[who], who, kind)), (number, who, kind)
    for pipe in pipes:
        pipe.send(None)
    for process in processes:
        process.join()
    assert held(tmp_path / "shared") == held(tmp_path / "alone")


# --- at once ---


_APART = 1_000_000  # numbers of steps of two writers


def _busy(buffer: SharedReplayBuffer, who: int, count: int) -> None:
    """Adds steps whose arrays all have one number, draws and updates; checks that no batch has half a step."""
    envs, rng = buffer.num_envs, np.random.default_rng(who)
    for t in range(count):
        number = np.arange(envs) + who * _APART + t * envs
        buffer.add(
            observation=np.repeat(number[:, None], 3, 1),
            next_observation=np.repeat(number[:, None], 3, 1),
            who=np.full(envs, who),
            large=np.repeat(number[:, None], 20, 1),
            reward=np.full(envs, 10.0**who),
            terminated=np.zeros(envs, bool),
            truncated=np.zeros(envs, bool),
        )
        batch = buffer.sample(32)
        rows = np.concatenate([batch["observation"], batch["large"]], 1)
        assert (rows == rows[:, :1]).all()
        # a return is of one writer's steps, and so is what lies behind it
        assert np.isin(batch["reward"] / 10.0 ** batch["who"], [1, 2, 3]).all()
        behind = batch["next_observation"][:, 0].astype(int)
        assert (behind // _APART == batch["who"]).all()
        if buffer._sampler is not None:
            buffer.update(batch.indices, rng.random(32) * 10, batch.generations)


@pytest.mark.parametrize("prioritized", [True, False])
def test_processes_write_and_draw_at_once(prioritized: bool) -> None:
    count, writers = 400, 3
    buffer = SharedReplayBuffer(
        writers * 2 * count, ARRAYS, writers=writers, num_envs=2, n_steps=3, gamma=1.0, prioritized=prioritized
    )
    context: Any = mp.get_context("fork")
    children = [context.Process(target=_busy, args=(buffer, who, count)) for who in range(writers)]
    for child in children:
        child.start()
    for child in children:
        child.join()
        assert child.exitcode == 0
    assert len(buffer) == buffer.buffer_size and buffer.discontinuities == writers * 2 * (count - 1)
    every = buffer.read(np.arange(len(buffer)))
    numbers = np.sort(every["large"][:, 0]).reshape(writers, -1)
    assert (numbers == np.arange(2 * count) + _APART * np.arange(writers)[:, None]).all()
    assert (np.bincount(every["who"]) == 2 * count).all()


def test_threads_take_turns_too() -> None:
    buffer = SharedReplayBuffer(4000, ARRAYS, writers=1, num_envs=2, gamma=1.0)
    threads = [threading.Thread(target=lambda: [call(buffer, np.random.default_rng(0), 0, k) for k in ("add",) * 200])]
    threads += [threading.Thread(target=lambda: [len(buffer) for _ in range(500)])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(buffer) == 400


# --- killed ---


def _base(folder: Path, prioritized: bool) -> None:
    buffer = SharedReplayBuffer(
        24, ARRAYS, writers=2, num_envs=2, n_steps=2, seed=3, prioritized=prioritized, folder=folder
    )
    with buffer, SharedReplayBuffer.open(folder) as other:
        rng = np.random.default_rng(5)
        for kind in ("add several", *(KINDS[number] for number in rng.integers(len(KINDS), size=40))):
            call(buffer, rng, 0, kind)
            call(other, rng, 1, "add several" if kind == "add several" else KINDS[rng.integers(len(KINDS))])


def _traced(folder: Path, kind: str, at: int | None, act: Callable[[], None]) -> int:
    """Make the call; before line `at` of ours that it runs, act(). How many lines there were."""
    lines, prefix = 0, os.path.dirname(shared_state.__file__)
    buffer = SharedReplayBuffer.open(folder)
    rng = np.random.default_rng(7)
    buffer.add(**step(rng, 2, 1))
    batch = buffer.sample(12) if kind == "update" else None

    def local(frame: Any, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += 1
        if lines == at:
            sys.settrace(None)
            act()
        return local

    sys.settrace(lambda frame, event, argument: local if frame.f_code.co_filename.startswith(prefix) else None)
    try:
        if batch is not None:
            buffer.update(batch.indices, rng.normal(size=12) * 1e6, batch.generations)
        else:
            call(buffer, rng, 1, kind)
    finally:
        sys.settrace(None)
    return lines


def _cases() -> list:
    """Each kind; those that the others are parts of are slow."""
    cases = [(kind, True) for kind in KINDS] + [(kind, False) for kind in ("add several", "end", "sample")]
    quick = {("add several", True), ("update", True), ("sample", True), ("end", False)}
    return [pytest.param(*case, marks=[] if case in quick else [pytest.mark.slow]) for case in cases]


@pytest.mark.parametrize(("kind", "prioritized"), _cases())
def test_a_process_killed_in_a_call_loses_that_call(kind: str, prioritized: bool, seed: int, tmp_path: Path) -> None:
    _base(tmp_path / "base", prioritized)

    def after(at: int | None) -> list[bytes]:
        shutil.rmtree(tmp_path / "one", ignore_errors=True)
        shutil.copytree(tmp_path / "base", tmp_path / "one")
        code = in_child(lambda: _traced(tmp_path / "one", kind, at, lambda: os.kill(os.getpid(), signal.SIGKILL)))
        assert code == (0 if at is None else -signal.SIGKILL)
        return held(tmp_path / "one")

    shutil.copytree(tmp_path / "base", tmp_path / "count")
    lines, whole, none = _traced(tmp_path / "count", kind, None, lambda: None), after(None), after(1)
    assert whole != none and lines > 20
    points = np.unique(np.linspace(2, lines, 14).astype(int) - seed % 7)
    outcomes = [after(max(int(at), 1)) for at in points]
    assert all(one in (whole, none) for one in outcomes)
    assert none in outcomes
    if "add" in kind or kind == "update":  # rows or priorities were changed, and taken back
        assert outcomes[len(outcomes) // 2] == none


@pytest.mark.parametrize("kind", ["add several", "update", "alpha", "sample"])
def test_an_interrupted_call_is_whole_or_not_at_all(kind: str, seed: int, tmp_path: Path) -> None:
    """Ctrl-C at any moment, in a process that goes on: the call after it finds nothing half done, and a free lock."""
    _base(tmp_path / "base", True)

    class Stop(BaseException):
        pass

    def stop(*_: Any) -> None:
        raise Stop

    def after(seconds: float) -> tuple[list[bytes], float]:
        shutil.rmtree(tmp_path / "one", ignore_errors=True)
        shutil.copytree(tmp_path / "base", tmp_path / "one")
        buffer, rng = SharedReplayBuffer.open(tmp_path / "one"), np.random.default_rng(7)
        buffer._own()
        batch = buffer.sample(12)
        errors, begun = rng.normal(size=12) * 1e6, time.perf_counter()
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            if kind == "update":
                buffer.update(batch.indices, errors, batch.generations)
            else:
                call(buffer, rng, 1, kind)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Stop:
            pass
        took = time.perf_counter() - begun
        return held(tmp_path / "one"), took

    old = signal.signal(signal.SIGALRM, stop)
    try:
        none, _ = after(1e-6)
        whole, took = after(0)
        whole, took = after(0)
        assert whole != none
        outcomes = [after(max(float(at), 1e-6))[0] for at in np.random.default_rng(seed).random(40) * took * 1.2]
    finally:
        signal.signal(signal.SIGALRM, old)
    assert all(one in (whole, none) for one in outcomes)
    assert none in outcomes


def test_killed_processes_hold_up_nobody_and_leave_no_half_step(seed: int) -> None:
    """In the middle of the engine too: processes that do nothing but call are killed, again and again."""
    buffer = SharedReplayBuffer(600, ARRAYS, writers=2, num_envs=2, n_steps=3, gamma=1.0, seed=seed)
    _busy(buffer, 0, 30)
    rng, added = np.random.default_rng(seed), 0
    for _ in range(25):
        begun, begins = os.pipe()
        if not (child := os.fork()):
            warnings.simplefilter("ignore")
            try:
                _busy(buffer, 1, 5)
                os.write(begins, b"!")
                _busy(buffer, 1, 20000)
            finally:
                os._exit(3)
        os.close(begins)
        assert os.read(begun, 1), "the process ended before it was killed"
        os.close(begun)
        time.sleep(rng.random() * 0.05)
        os.kill(child, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        _busy(buffer, 0, 5)
        part = buffer._parts[1].rows
        assert part.time >= added
        added = part.time
        read = buffer.read(np.arange(300, 300 + len(part))) if len(part) else {"large": np.zeros((0, 20))}
        assert (read["large"] == read["large"][:, :1]).all()
        sums = buffer._leaves.astype(np.int64).sum()
        assert buffer._tree().total == sums
        if len(part):
            assert (buffer._leaves[300 : 300 + len(part)] > 0).all()
    assert added >= 125


# --- who may do what ---


def test_a_part_is_free_again_and_its_episode_ends_there(tmp_path: Path) -> None:
    buffer = SharedReplayBuffer(16, {"observation": ((), "f4")}, writers=2, n_steps=3, gamma=1.0, folder=tmp_path)
    one = {"observation": 0.0, "next_observation": 0.0, "reward": 1.0, "terminated": False, "truncated": False}
    buffer.add(**one)

    def add_there() -> None:
        assert buffer.writer is None
        buffer.add(**one)
        assert buffer.writer == 1
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(add_there) == -signal.SIGKILL
    with SharedReplayBuffer.open(tmp_path) as second:
        second.add(**one)
        assert second.writer == 1 and len(buffer) == 3
        batch = buffer.read(buffer._size + np.arange(2))
        assert batch["reward"].tolist() == [1, 1] and batch["truncated"].tolist() == [True, False]
        third = SharedReplayBuffer.open(tmp_path)
        with pytest.raises(UserError, match="2 processes add to this buffer already, as many as writers=2 says"):
            third.add(**one)
        assert third.sample(4)["reward"].min() == 1 and third.writer is None
    third.add(**one)
    assert third.writer == 1


def test_a_forked_process_has_environments_of_its_own() -> None:
    buffer = SharedReplayBuffer(16, {"observation": ((), "f4")}, writers=2, num_envs=2)
    ends = np.zeros(1, bool)
    one = {"observation": [0.0], "next_observation": [0.0], "reward": [1.0], "terminated": ends, "truncated": ends}
    buffer.add_some([0], **one)

    def there() -> None:
        assert buffer.waiting == 0
        buffer.add_some([1], **one)
        assert buffer.waiting == 1 and len(buffer) == 0
        buffer.flush()
        assert len(buffer) == 2

    assert in_child(there) == 0
    assert buffer.waiting == 1 and len(buffer) == 2
    buffer.add_some([1], **one)
    assert len(buffer) == 4 and buffer.sample(50)["reward"].tolist() == [1] * 50


def test_copies_and_pickles_are_the_same_buffer() -> None:
    buffer = SharedReplayBuffer(16, {"observation": ((), "f4")}, writers=2)
    one = {"observation": 0.0, "next_observation": 0.0, "reward": 1.0, "terminated": False, "truncated": False}
    for other in (pickle.loads(pickle.dumps(buffer)), copy.copy(buffer), copy.deepcopy(buffer)):
        with other:
            other.add(**one)
    assert len(buffer) == 3


def test_a_folder_in_memory_goes_with_its_last_user() -> None:
    buffer = SharedReplayBuffer(16, {"observation": ((), "f4")}, writers=2)
    folder, other = buffer.folder, pickle.loads(pickle.dumps(buffer))
    buffer.close()
    assert folder.exists() and len(other) == 0
    with pytest.raises(UserError, match="this buffer was closed in this process"):
        len(buffer)
    other.close()
    assert not folder.exists()
    with pytest.raises(UserError, match="there is no shared replay buffer in"):
        SharedReplayBuffer.open(folder)


def test_what_killed_processes_left_in_memory_goes_with_the_next_buffer() -> None:
    arrays = {"observation": ((), "f4")}
    read, write = os.pipe()

    def make() -> None:
        os.write(write, str(SharedReplayBuffer(16, arrays, writers=1).folder).encode())
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(make) == -signal.SIGKILL
    folder = Path(os.read(read, 1000).decode())
    assert folder.exists()
    os.utime(folder, (0, 0))
    SharedReplayBuffer(16, arrays, writers=1).close()
    assert not folder.exists()


def test_a_folder_that_is_given_stays(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    with SharedReplayBuffer(24, ARRAYS, writers=2, num_envs=2, seed=1, folder=tmp_path / "here") as buffer:
        for kind in ("add several", "update", "beta", "sample"):
            call(buffer, rng, 0, kind)
        buffer.sync()
    shutil.copytree(tmp_path / "here", tmp_path / "twin")
    assert held(tmp_path / "here") == held(tmp_path / "twin")
    with SharedReplayBuffer.open(tmp_path / "here") as again:
        assert len(again) > 2 and again.num_envs == 2 and again.writers == 2


def test_a_loss_of_power_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = SharedReplayBuffer(24, ARRAYS, writers=1, num_envs=2, folder=tmp_path)
    call(buffer, np.random.default_rng(0), 0, "add several")
    buffer.sync()
    shutil.copytree(tmp_path, tmp_path / "synced")
    call(buffer, np.random.default_rng(0), 0, "sample")
    shutil.copytree(tmp_path, tmp_path / "not", ignore=shutil.ignore_patterns("synced"))
    monkeypatch.setattr(shared_state, "_boot", lambda: 1)
    assert len(SharedReplayBuffer.open(tmp_path / "synced")) > 2
    with pytest.raises(UserError, match=r"the machine stopped after the last sync\(\)"):
        SharedReplayBuffer.open(tmp_path / "not")


def test_careless_use_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = {"observation": ((), "f4")}
    refused: list[tuple[dict[str, Any], str]] = [
        ({"writers": 0}, "writers is 0"),
        ({"writers": 3}, "buffer_size is 16; with 3 writers of 1 environments it must be a multiple, as 15 is"),
        ({"writers": 20}, "with 20 writers of 1 environments it must be a multiple, as 20 is"),
        ({"writers": 2, "priorities": "rank"}, "priorities='rank' are of a ReplayBuffer"),
        ({"writers": 2, "sampler_options": {"banks": 2}}, "sampler_options has 'banks'"),
        ({"writers": 2, "prioritized": False, "alpha": 0.3}, "prioritized=False has no alpha"),
        ({"writers": 2, "num_envs": True}, "num_envs"),
        ({"writers": 2, "autoreset": "never"}, "autoreset"),
    ]
    for options, said in refused:
        with pytest.raises(UserError, match=said):
            SharedReplayBuffer(16, arrays, **options)
    plain = ReplayBuffer(16, arrays, folder=tmp_path / "plain", keep=True)
    with pytest.raises(UserError, match=r"is not shared: ReplayBuffer.open\(\) opens it"):
        SharedReplayBuffer.open(tmp_path / "plain")
    with pytest.raises(UserError, match=r"already: ReplayBuffer.open\(\) goes on with it"):
        SharedReplayBuffer(16, arrays, writers=2, folder=tmp_path / "plain")
    plain.close()
    buffer = SharedReplayBuffer(16, arrays, writers=2, folder=tmp_path / "shared")
    for opens in (
        lambda: ReplayBuffer.open(buffer.folder),
        lambda: ReplayBuffer(9, arrays, folder=buffer.folder, keep=True),
    ):
        with pytest.raises(UserError, match=r"is shared: SharedReplayBuffer.open\(\) opens it"):
            opens()
    with pytest.raises(UserError, match=r"already: SharedReplayBuffer.open\(\) goes on with it"):
        SharedReplayBuffer(16, arrays, writers=2, folder=tmp_path / "shared")
    with pytest.raises(UserError, match="there is nothing to sample"):
        buffer.sample()
    with pytest.raises(UserError, match="no step came to slot 3 yet"):
        buffer.read([3])
    one = {"observation": 0.0, "next_observation": 0.0, "reward": 1.0, "terminated": False, "truncated": False}
    with pytest.raises(UserError, match="add\\(\\) was given 'other'"):
        buffer.add(other=1, **one)
    with pytest.raises(UserError, match="finite"):
        buffer.add(**one | {"reward": np.nan})
    slots = buffer.add(**one)
    with pytest.raises(UserError, match="slot 5 holds no transition"):
        buffer.update([0, 5], [1.0, 1.0])
    with pytest.raises(UserError, match=r"td_errors\[1\] is nan"):
        buffer.update([0, 0], [1.0, np.nan])
    assert buffer.update(slots.indices, [1.0], slots.generations + 1).tolist() == [False] and buffer.stale == 1
    assert len(buffer) == 1 and buffer._leaves[5] == 0
    uniform = SharedReplayBuffer(16, arrays, writers=2, prioritized=False)
    with pytest.raises(UserError, match="this buffer draws uniformly"):
        uniform.update([0], [1.0])

    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    shutil.copytree(buffer.folder, tmp_path / "before")
    monkeypatch.setattr(buffer._state._journal, "note", full)
    with pytest.raises(UserError, match=r"no room in .* for what a call changes"):
        buffer.add(**one)
    monkeypatch.undo()
    assert held(buffer.folder) == held(tmp_path / "before")
    (buffer.folder / "shared.json").write_text('{"writers": 1}')
    with pytest.raises(UserError, match=r"the settings of the shared replay buffer in .* are damaged"):
        SharedReplayBuffer.open(buffer.folder)


def test_ctrl_c_while_another_process_has_the_turn_leaves_the_lock_free(tmp_path: Path) -> None:
    """The next call of the thread took no lock of the file."""
    with (tmp_path / "turn").open("ab") as file, (tmp_path / "turn").open("ab") as other:
        lock, theirs = FileLock(file, False), FileLock(other, False)

        def stop(*_: Any) -> None:
            raise ZeroDivisionError

        old = signal.signal(signal.SIGALRM, stop)
        try:
            with theirs.lock:
                signal.setitimer(signal.ITIMER_REAL, 0.1)
                with pytest.raises(ZeroDivisionError), lock.lock:
                    pass
            taken: list[bool] = []

            def take() -> None:
                with theirs.lock:
                    taken.append(True)

            with lock.lock:
                thread = threading.Thread(target=take)
                thread.start()
                thread.join(0.2)
                assert not taken
            thread.join()
            assert taken
        finally:
            signal.signal(signal.SIGALRM, old)
