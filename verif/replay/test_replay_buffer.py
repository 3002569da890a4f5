"""ReplayBuffer: what it derives is what was put in, whatever environments do; bad input loses nothing."""

import copy
import functools
import itertools
import pickle
import sys
import threading

import numpy as np
import pytest

from rlcores import ReplayBuffer
from rlcores.errors import UserError

ARRAYS = {
    "observation": ((3,), "float32"),
    "action": ((), "int64"),
    "extra": ((2, 2), "uint8"),
    "wide": ((40,), "int16"),
    "weight": ((), "float64"),
}


# Environments of these tests are reset without an end now and then, which test_continuity.py looks at.
pytestmark = pytest.mark.filterwarnings("ignore:the observations of")


class Oracle:
    """Every step that ever came, one list an environment, and what a batch must say of it, by plain loops."""

    def __init__(self, rows, columns, n_steps, gamma, stack):
        self.rows, self.n_steps, self.gamma, self.stack = rows, n_steps, gamma, stack
        self.steps = [[] for _ in range(columns)]

    def put(self, step, mask):
        for column, steps in enumerate(self.steps):
            new = {name: array[column] for name, array in step.items()} | {"mask": mask[column]}
            joined = False
            if steps:
                last = steps[-1]
                ended = last["terminated"] or last["truncated"]
                joined = bool(last["mask"] and new["mask"]) and not (ended or last["broken"])
                last["broken"] |= not new["mask"] and not ended
            steps.append(new | {"joined": joined, "broken": False})

    def end(self, mask):
        for steps, ends in zip(self.steps, mask, strict=True):
            if steps and ends:
                steps[-1]["broken"] |= not (steps[-1]["terminated"] or steps[-1]["truncated"])

    def frames(self, steps, at, newest=None):
        frames = [] if newest is None else [newest]
        while len(frames) < self.stack:
            frames.append(steps[at]["observation"])
            at -= steps[at]["joined"]
        return np.array(frames[::-1]) if self.stack > 1 else frames[0]

    def batch(self, slot):
        row, column = divmod(slot, len(self.steps))
        steps = self.steps[column]
        at = max(t for t in range(len(steps)) if t % self.rows == row)
        reward, factor, last = float(steps[at]["reward"]), 1.0, at
        while last - at + 1 < self.n_steps and last + 1 < len(steps) and steps[last + 1]["joined"]:
            last += 1
            factor *= self.gamma
            reward += factor * float(steps[last]["reward"])
        end = steps[last]
        return {
            "observation": self.frames(steps, at),
            "next_observation": self.frames(steps, last, end["next_observation"]),
            "action": steps[at]["action"],
            "extra": steps[at]["extra"],
            "wide": steps[at]["wide"],
            "weight": steps[at]["weight"],
            "reward": np.float32(reward),
            "terminated": end["terminated"],
            "truncated": bool(end["truncated"] or end["broken"]),
            "discount": np.float32(0 if end["terminated"] else factor * self.gamma),
        }


class World:
    """Environments that end, are cut, are reset by somebody, and reset themselves in the same or in the next step."""

    def __init__(self, rng, columns):
        self.rng, self.columns = rng, columns
        self.now = self.new()
        self.resets = np.zeros(columns, bool)

    def new(self):
        return self.rng.integers(0, 5, (self.columns, 3)).astype(np.float32)  # equal ones come now and then

    def step(self):
        following = self.new()
        mask = np.where(self.resets, self.rng.random(self.columns) < 0.5, self.rng.random(self.columns) < 0.95)
        ends = self.rng.random(self.columns)
        step = {
            "observation": self.now,
            "next_observation": following,
            "action": self.rng.integers(0, 9, self.columns),
            "extra": self.rng.integers(0, 256, (self.columns, 2, 2), dtype=np.uint8),
            "wide": self.rng.integers(-9, 9, (self.columns, 40), dtype=np.int16),
            "weight": self.rng.random(self.columns),
            "reward": self.rng.normal(size=self.columns).astype(np.float32),
            "terminated": mask & (ends < 0.1),
            "truncated": mask & (ends > 0.92),
        }
        done = step["terminated"] | step["truncated"]
        self.resets = done & (self.rng.random(self.columns) < 0.4)
        anew = (done & ~self.resets) | (self.rng.random(self.columns) < 0.05)
        self.now = np.where(anew[:, None], self.new(), following)
        return step, mask


def same(batch, oracle, slots):
    for k, slot in enumerate(slots):
        for name, wanted in oracle.batch(int(slot)).items():
            np.testing.assert_array_equal(batch[name][k], wanted, err_msg=f"{name} of slot {slot}")


def held(buffer):
    return np.flatnonzero(~buffer._store.void(np.arange(len(buffer))))


@pytest.mark.parametrize(("backend", "prioritized"), [("model", True), ("native", True), ("native", False)])
@pytest.mark.parametrize(
    ("rows", "columns", "n_steps", "stack"), [(1, 1, 1, 1), (2, 3, 3, 2), (7, 1, 4, 4), (9, 2, 1, 1), (16, 3, 30, 5)]
)
def test_every_transition_comes_back_as_it_was(seed, rows, columns, n_steps, stack, backend, prioritized):
    rng = np.random.default_rng(seed)
    options = {"n_steps": n_steps, "gamma": 0.9, "frame_stack": stack, "prioritized": prioritized, "backend": backend}
    buffer = ReplayBuffer(rows * columns, ARRAYS, num_envs=columns, **options, seed=0)
    oracle, world = Oracle(rows, columns, n_steps, 0.9, stack), World(rng, columns)
    read = 0
    while len(oracle.steps[0]) < 6 * rows + 20:
        count = min(int(rng.integers(1, 4)), rows)
        steps = [world.step() for _ in range(count)]
        for step, mask in steps:
            oracle.put(step, mask)
        if count == 1:
            slots = buffer.add(mask=steps[0][1], **steps[0][0])
        else:
            transitions = {name: np.array([step[name] for step, _ in steps]) for name in steps[0][0]}
            slots = buffer.add(mask=np.array([mask for _, mask in steps]), **transitions)
        start = (len(oracle.steps[0]) - count) * columns
        assert slots.indices.tolist() == [(start + i) % (rows * columns) for i in range(count * columns)]
        if rng.random() < 0.2:
            ends = rng.random(columns) < 0.5
            buffer.end_episode(ends)
            oracle.end(ends)
        same(buffer.read(held(buffer)), oracle, held(buffer))
        read += len(held(buffer))
        if len(held(buffer)):
            batch = buffer.sample(8)
            assert set(batch.indices) <= set(held(buffer))
            same(batch, oracle, batch.indices)
            if prioritized:
                assert buffer.update(batch.indices, rng.random(8), batch.generations).all()
    assert read > 5 * rows
    if n_steps > 1 and rows > 2:
        assert buffer._store.counts[0] > 0


def test_native_rows_are_those_of_the_reference(seed):
    rng = np.random.default_rng(seed)
    options = {"num_envs": 3, "n_steps": 3, "frame_stack": 2, "prioritized": False}
    one, two = (
        ReplayBuffer(33, ARRAYS, backend=backend, threads=3, **options, seed=0) for backend in ("model", "native")
    )
    world = World(rng, 3)
    for _ in range(40):
        steps = [world.step() for _ in range(rng.integers(1, 6))]
        transitions = {name: np.array([step[name] for step, _ in steps]) for name in steps[0][0]}
        for buffer in (one, two):
            buffer.add(mask=np.array([mask for _, mask in steps]), **transitions)
        equal(one.state_dict(), two.state_dict())
        slots = rng.integers(0, len(one), 50)
        equal(one.read(slots), two.read(slots))
    slots = rng.integers(0, len(one), 40_000)  # megabytes: three threads
    equal(one.read(slots), two.read(slots))


def filled(seed, **options):
    buffer = ReplayBuffer(12, ARRAYS, num_envs=2, n_steps=2, frame_stack=3, seed=5, **options)
    world = World(np.random.default_rng(seed), 2)
    for _ in range(17):
        step, mask = world.step()
        buffer.add(mask=mask, **step)
    return buffer, world


def equal(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, dict):
            equal(value, other[name])
        else:
            np.testing.assert_array_equal(value, other[name], err_msg=name)


def goes_on(first, second, world):
    """Both take what comes and draw what the other draws."""
    for _ in range(9):
        step, mask = world.step()
        for buffer in (first, second):
            buffer.add(mask=mask, **step)
        one, two = first.sample(5), second.sample(5)
        np.testing.assert_array_equal(one.indices, two.indices)
        np.testing.assert_array_equal(one.weights, two.weights)
        equal(one.arrays, two.arrays)
    equal(first.state_dict(), second.state_dict())


@pytest.mark.parametrize("prioritized", [True, False])
def test_saved_and_copied_buffers_go_on_as_the_first(seed, tmp_path, prioritized):
    for way in ("state", "file", "mapped", "pickle", "copy"):
        first, world = filled(seed, prioritized=prioritized)
        if way in ("state", "file", "mapped"):  # a loaded buffer takes a first step that does not go on for a reset
            first.load_state_dict(first.state_dict())
        if way == "state":
            second, _ = filled(seed + 1, prioritized=prioritized)
            second.load_state_dict(first.state_dict())
        elif way == "pickle":
            second = pickle.loads(pickle.dumps(first))
        elif way == "copy":
            second = copy.deepcopy(first)
        else:
            first.save(tmp_path / "buffer.npz")
            second = ReplayBuffer.load(tmp_path / "buffer.npz", folder=tmp_path if way == "mapped" else None)
        goes_on(first, second, world)


def test_mapped_files_hold_what_memory_holds(seed, tmp_path):
    first, world = filled(seed)
    second, _ = filled(seed, folder=tmp_path)
    goes_on(first, second, world)
    assert isinstance(second._store.apart["observation"], np.memmap)
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match=r"^cannot keep 8 transitions in .*none.: No such file"):
        ReplayBuffer(8, ARRAYS, folder=tmp_path / "none", seed=0)


def test_a_saved_file_that_is_cut_short_or_damaged_is_refused(seed, tmp_path):
    first, _ = filled(seed)
    path = tmp_path / "buffer.npz"
    first.save(path)
    data = path.read_bytes()
    rng = np.random.default_rng(seed)
    for cut in rng.integers(0, len(data), 20):
        path.write_bytes(data[:cut])
        with pytest.raises(UserError, match="not a saved replay buffer"):
            ReplayBuffer.load(path)
    refused = 0
    for at in rng.integers(0, len(data), 200):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.integers(8)]) + data[at + 1 :])
        try:
            loaded = ReplayBuffer.load(path)
        except UserError as error:
            assert "\n" not in str(error)
            refused += 1
        else:  # a bit that nobody reads
            equal(loaded.state_dict(), first.state_dict())
    assert refused > 100
    with pytest.raises(UserError, match="not a saved replay buffer"):
        ReplayBuffer.load(tmp_path)


@pytest.mark.parametrize("way", ["scale", "size", "tree", "sampler", "state"])
def test_a_state_of_another_kind_is_refused_and_the_buffer_goes_on(seed, way):
    buffer, _ = filled(seed)
    before = buffer.state_dict()
    state = copy.deepcopy(before)
    sampler = state["sampler"]
    for held, name in ((sampler, "scale"), (sampler["tree"], "size"), (sampler, "tree"), (state, "sampler")):
        if name == way:
            held[name] = np.ones(2)
    with pytest.raises(UserError, match=r"damaged: it has|the state is"):
        buffer.load_state_dict(None if way == "state" else state)
    equal(buffer.state_dict(), before)


BAD = {
    "reward has shape": {"reward": np.zeros(3)},
    "action has shape": {"action": np.zeros((2, 1), int)},
    "extra has the value 256": {"extra": np.full((2, 2, 2), 256)},
    "action has the value 0.5": {"action": np.full(2, 0.5)},
    "reward has the value 1e": {"reward": np.full(2, 1e300)},
    "add.. was given 'info'": {"info": np.zeros(2)},
    "terminated has the value 2": {"terminated": [0, 2]},
    "mask has shape": {"mask": [True]},
    "observation is not an array": {"observation": [[1, 2], [3]]},
    "observation is an array of": {"observation": np.full((2, 3), "x")},
    "reward has the value nan": {"reward": np.array([0, np.nan])},
    "reward has the value -inf": {"reward": np.array([-np.inf, 0])},
    "^observation has the value inf": {"observation": np.array([[0, 0, 0], [0, np.inf, 0]])},
    "next_observation has the value nan": {"next_observation": np.array([[0, 0, np.nan], [0, 0, 0]])},
    "weight has the value nan": {"weight": np.array([0, np.nan])},
    "more than the buffer holds": None,
}


@pytest.mark.parametrize("said", BAD)
def test_bad_steps_are_refused_and_nothing_changes(seed, said):
    buffer, world = filled(seed)
    before = buffer.state_dict()
    step, _ = world.step()
    if BAD[said] is None:
        step = {name: np.stack([array] * 7) for name, array in step.items()}
    else:
        step |= BAD[said]
    with pytest.raises(UserError, match=said):
        buffer.add(**step)
    with pytest.raises(UserError, match=r"add\(\) needs 'reward'"):
        buffer.add(**{name: array for name, array in step.items() if name != "reward"})
    equal(buffer.state_dict(), before)


def test_bad_arguments_are_one_sentence():
    for said, options in {
        "buffer_size is 11": {"buffer_size": 11, "num_envs": 2},
        "n_steps is 0": {"n_steps": 0},
        "gamma is 2": {"gamma": 2},
        "observations names 'image'": {"observations": ("image",)},
        "cannot be called 'reward'": {"arrays": ARRAYS | {"reward": ((), "float32")}},
        "the array 'x' is": {"arrays": ARRAYS | {"x": 7}},
        "the array 'text' is": {"arrays": ARRAYS | {"text": ((), "U4")}},
        "frame_stack is 0": {"frame_stack": 0},
        "frame_stack names": {"frame_stack": {"action": 2}},
        "prioritized is 1": {"prioritized": 1},
        "alpha is 3": {"alpha": 3},
    }.items():
        with pytest.raises(UserError, match=said):
            ReplayBuffer(**({"buffer_size": 8, "arrays": ARRAYS} | options))


def test_callers_arrays_are_filled_or_refused(seed):
    buffer, _ = filled(seed)
    out = {"observation": np.zeros((4, 3, 3), np.float32), "reward": np.zeros(4, np.float32)}
    batch = buffer.sample(4, out=out)
    assert batch["observation"] is out["observation"] and batch["reward"] is out["reward"]
    equal(buffer.read(batch.indices), batch.arrays)
    fixed = np.zeros(4, np.float32)
    fixed.flags.writeable = False
    wrong = np.zeros(3, np.float32), np.zeros(4), np.zeros(8, np.float32)[::2], fixed, [0.0] * 4
    for name, array in (*(("reward", array) for array in wrong), ("rewards", out["reward"])):
        with pytest.raises(UserError, match=f"'{name}'"):
            buffer.sample(4, out={name: array})


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("prioritized", [True, False])
def test_an_earlier_batch_is_filled_whole_wherever_its_arrays_are_now(seed, backend, prioritized):
    buffers = [filled(seed, backend=backend, prioritized=prioritized)[0] for _ in range(2)]
    kept = buffers[1].sample(4)
    equal(vars_of(buffers[0].sample(4)), vars_of(kept))

    def both_draw(out):
        fresh, again = buffers[0].sample(4), buffers[1].sample(4, out=out)
        assert again is out
        equal(vars_of(fresh), vars_of(again))
        equal(buffers[1].read(again.indices), again.arrays)

    for _ in range(3):
        both_draw(kept)
    kept.arrays["reward"], kept.weights = np.zeros(4, np.float32), np.zeros(4, np.float32)
    both_draw(kept)
    for copied in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        equal(vars_of(kept), vars_of(copied))
        both_draw(copied)
    elsewhere = filled(seed + 1, backend=backend, prioritized=prioritized)[0]
    equal(vars_of(elsewhere.read(elsewhere.sample(4, out=kept).indices)), vars_of(kept.arrays))
    both_draw(kept)
    before = copy.deepcopy(vars_of(kept))
    for wrong in (3, 5):
        with pytest.raises(UserError, match=f"{wrong},"):
            buffers[1].sample(wrong, out=kept)
    kept.indices = kept.indices.astype(np.int32)
    with pytest.raises(UserError, match="indices"):
        buffers[1].sample(4, out=kept)
    equal(before, vars_of(kept))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("side", [64, 84, 63])  # a frame of whole lines, of 16 bytes, and of an odd number
def test_a_batch_that_no_cache_holds_is_that_of_the_reference(seed, threads, side):
    rng = np.random.default_rng(seed)
    seen = rng.integers(0, 256, (31, side, side), dtype=np.uint8)
    ends = rng.random(30) < 0.2
    step = {"observation": seen[:-1], "next_observation": seen[1:], "reward": np.ones(30), "terminated": ends}
    batches = []
    for backend in ("native", "model"):
        buffer = ReplayBuffer(
            40,
            {"observation": ((side, side), "uint8")},
            frame_stack=4,
            backend=backend,
            threads=threads,
            batch_size=300,
            seed=0,
        )
        buffer.add(**step, truncated=np.zeros(30, bool))
        batches.append(buffer.sample())
        assert batches[-1]["observation"].nbytes * 2 > 8 << 20
    equal(*map(vars_of, batches))


def vars_of(batch):
    if isinstance(batch, dict):
        return batch
    return {name: getattr(batch, name) for name in ("indices", "generations", "weights")} | batch.arrays


def test_an_empty_or_void_buffer_has_nothing_to_draw():
    for prioritized in (True, False):
        buffer = ReplayBuffer(4, {"observation": ((), "int64")}, prioritized=prioritized, seed=0)
        with pytest.raises(UserError, match="nothing to sample"):
            buffer.sample(1)
        buffer.add(observation=1, next_observation=2, reward=0, terminated=False, truncated=False, mask=False)
        with pytest.raises(UserError, match="nothing to sample"):
            buffer.sample(1)
    with pytest.raises(UserError, match="draws uniformly"):
        buffer.update([0], [1.0])


@pytest.mark.parametrize("backend", ["model", "native"])
def test_a_slot_without_a_transition_gets_no_priority(backend):
    buffer = ReplayBuffer(4, {"observation": ((), "int64")}, backend=backend, seed=0)
    buffer.add(observation=1, next_observation=2, reward=0, terminated=False, truncated=False)
    buffer.add(observation=2, next_observation=3, reward=0, terminated=False, truncated=False, mask=False)
    for slot in (1, 2, 3):
        with pytest.raises(UserError, match=f"slot {slot} holds no transition"):
            buffer.update([0, slot], [1.0, 1.0])
    assert set(buffer.sample(64).indices) == {0}


@pytest.mark.parametrize("backend", ["model", "native"])
def test_a_state_goes_into_a_buffer_that_was_used(seed, backend):
    """Nothing of what it held is left, also where it was fuller."""
    rng = np.random.default_rng(seed)
    first, used, fresh = (ReplayBuffer(8, {"observation": ((), "int64")}, backend=backend, seed=0) for _ in range(3))

    def put(buffers, value, ends):
        step = {"observation": value, "next_observation": value + 1, "reward": 0, "truncated": False}
        for buffer in buffers:
            buffer.add(**step, terminated=ends)

    for k in range(11):
        put([used], 100 * k, True)
    for k in range(3):
        put([first], 7 * k, True)
    for buffer in (used, fresh):
        buffer.load_state_dict(first.state_dict())
    for k in range(20):
        put([used, fresh], 1000 * k, bool(rng.random() < 0.6))
        equal(used.read(np.arange(len(used))), fresh.read(np.arange(len(fresh))))
    equal(used.state_dict(), fresh.state_dict())


@pytest.mark.parametrize("backend", ["model", "native"])
@pytest.mark.parametrize("observations", [("first",), ("places",), ()])
def test_arrays_may_have_any_name(backend, observations):
    arrays = {"first": ((), "float32"), "places": ((2,), "int64")}
    buffer = ReplayBuffer(3, arrays, observations=observations, prioritized=False, backend=backend, seed=0)
    columns = {"first": 5, "places": [1, 2]} | {f"next_{n}": {"first": 6, "places": [3, 4]}[n] for n in observations}
    buffer.add(**columns, reward=1, terminated=False, truncated=False)
    stored = buffer.read([0])
    assert stored["first"] == [5] and stored["places"].tolist() == [[1, 2]]


def test_a_stale_tag_is_dropped_where_the_slot_became_void():
    buffer = ReplayBuffer(2, {"observation": ((), "int64")}, seed=0)
    step = {"observation": 1, "next_observation": 2, "reward": 0, "terminated": False, "truncated": False}
    buffer.add(**step)
    buffer.add(**step)
    batch = buffer.sample(16)
    assert set(batch.indices) == {0, 1}
    buffer.add(**step, mask=False)
    updated = buffer.update(batch.indices, np.ones(16), batch.generations)
    np.testing.assert_array_equal(updated, batch.indices == 1)


def test_a_call_that_is_refused_draws_nothing_and_sets_nothing(seed):
    buffer, _ = filled(seed)
    before = buffer.state_dict()
    with pytest.raises(UserError, match="rewards"):
        buffer.sample(4, beta=0.9, out={"rewards": np.zeros(4)})
    equal(buffer.state_dict(), before)


def test_copies_share_nothing_and_numpy_numbers_are_saved(seed, tmp_path):
    buffer = ReplayBuffer(8, {"observation": ((), "int64")}, seed=np.int64(3), alpha=np.float32(0.5))
    buffer.add(observation=1, next_observation=2, reward=0, terminated=False, truncated=False)
    other = copy.copy(buffer)
    other.add(observation=1, next_observation=2, reward=0, terminated=False, truncated=False)
    assert (len(buffer), len(buffer.sampler), len(other), len(other.sampler)) == (1, 1, 2, 2)
    buffer.save(tmp_path / "buffer.npz")
    assert ReplayBuffer.load(tmp_path / "buffer.npz").sampler.alpha == 0.5


def test_threads_take_turns(seed):
    """Two threads add and two sample: every batch is whole, and nothing is lost."""
    buffer = ReplayBuffer(4096, {"observation": ((8,), "int64")}, num_envs=512, n_steps=2, seed=seed)
    wrong = []

    def add(thread):
        rng = np.random.default_rng([seed, thread])
        for _ in range(200):
            value = rng.integers(0, 1 << 40, (512, 1)) * np.ones(8, np.int64)
            ends = rng.random(512) < 0.3
            buffer.add(observation=value, next_observation=value + 1, reward=ends, terminated=ends, truncated=~ends)

    def sample():
        for _ in range(200):
            try:
                batch = buffer.sample(16)
            except UserError:
                continue
            here, there = batch["observation"], batch["next_observation"]
            wrong.extend(here[(here != here[:, :1]).any(axis=1) | (there != here + 1).any(axis=1)])
            buffer.update(batch.indices, np.ones(16), batch.generations)

    threads = [threading.Thread(target=add, args=(k,)) for k in range(2)] + [threading.Thread(target=sample)] * 1
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and buffer._store.time == 400 and len(buffer) == 4096


def test_uniform_draws_are_uniform(seed):
    buffer = ReplayBuffer(10, {"observation": ((), "int64")}, prioritized=False, seed=seed)
    for k in range(25):
        buffer.add(observation=k, next_observation=k + 1, reward=k, terminated=False, truncated=False)
    counts = np.bincount(np.concatenate([buffer.sample(1000).indices for _ in range(10)]), minlength=10)
    assert np.abs(counts - 1000).max() < 6 * 30


def interrupted_at(place, call):
    """Ctrl-C before line number `place` that the buffer's own code runs in a call; whether it came so far."""
    left = place

    def trace(frame, event, _):
        nonlocal left
        if "rlcores" not in frame.f_code.co_filename:
            return None
        left -= event == "line"
        if left < 0:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.parametrize("steps", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 6))])
@pytest.mark.parametrize("prioritized", [True, False])
def test_an_add_that_is_interrupted_was_done_or_was_not(steps, prioritized, seed):
    """Wherever it is: what follows is as in a buffer that has the steps, or in one that never saw them."""
    for place in itertools.count():
        buffer, world = filled(seed, prioritized=prioritized)
        without = copy.deepcopy(buffer)
        came = [world.step() for _ in range(steps)]
        step = {name: np.stack([one[name] for one, _ in came]) for name in came[0][0]}
        mask = np.stack([each for _, each in came])
        done = copy.deepcopy(buffer)
        done.add(mask=mask, **step)
        if not interrupted_at(place, functools.partial(buffer.add, mask=mask, **step)):
            break
        wanted = done if buffer._store.time == done._store.time else without
        goes_on(buffer, wanted, world)
        assert [len(each.sampler) for each in (buffer, wanted) if each.sampler] == [12] * 2 * prioritized
    assert place > 50


@pytest.mark.parametrize("place", ["_follow", "operations"])
@pytest.mark.parametrize("backend", ["native", "model"])
def test_an_add_that_is_interrupted_in_the_tree_keeps_slots_and_the_largest_priority(backend, place, seed, monkeypatch):
    """With the largest priority of the slots as they are, which Python keeps: behind the tree's inserts, or before."""
    options = {"max_priority_within_buffer": True}
    both = []
    for stops in (True, False):
        buffer, world = filled(seed, backend=backend, sampler_options=options)
        slots = np.flatnonzero(~buffer._store.void(np.arange(12)))
        buffer.update(slots, 1.0 + np.random.default_rng(seed).permutation(len(slots)))
        step, mask = world.step()
        tree = buffer.sampler.tree
        if stops:
            with monkeypatch.context() as patch:
                of = tree._calls if place == "_follow" else tree.driver
                patch.setattr(of, place, lambda *arguments, **named: (_ for _ in ()).throw(KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    buffer.add(mask=mask, **step)
        else:
            buffer.add(mask=mask, **step)
        for _ in range(3):
            step, mask = world.step()
            buffer.add(mask=mask, **step)
        every = np.arange(12)
        both.append((buffer.sampler.tree.read(every), tree.generations(every), tree.largest, len(tree)))
    for one, other in zip(*both, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_reference_that_is_interrupted_while_it_writes_says_so(seed):
    buffer, world = filled(seed, backend="model")
    kept = buffer.state_dict()
    step, mask = world.step()
    buffer._store._forget = lambda row: (_ for _ in ()).throw(KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        buffer.add(mask=mask, **step)
    del buffer._store._forget
    for call in (lambda: buffer.sample(2), lambda: buffer.add(mask=mask, **step), buffer.state_dict):
        with pytest.raises(UserError, match="interrupted"):
            call()
    buffer.load_state_dict(kept)
    other, _ = filled(seed, backend="model")
    other.load_state_dict(kept)
    goes_on(buffer, other, world)


def test_a_process_does_not_write_the_mapped_files_of_its_parent(seed, tmp_path, refused_in_child):
    buffer, world = filled(seed, folder=tmp_path)
    kept = buffer.state_dict()
    step, mask = world.step()
    calls = (
        lambda: buffer.add(mask=mask, **step),
        lambda: buffer.sample(2),
        lambda: buffer.read([0]),
        lambda: buffer.update([0], [1.0]),
        buffer.state_dict,
        lambda: buffer.load_state_dict(kept),
        lambda: copy.deepcopy(buffer),
    )
    assert refused_in_child(calls, "mapped files") == len(calls)
    equal(buffer.state_dict(), kept)
    other, _ = filled(seed, folder=tmp_path)
    goes_on(buffer, other, world)


@pytest.mark.parametrize("backend", ["model", "native"])
def test_uniform_draws_among_few_transitions_of_many_rows_come_at_once(backend, seed):
    """A pass over the rows at most, where drawing again and again would take a thousand times as many draws."""
    size = 1 << 14
    buffer = ReplayBuffer(size, {"observation": ((), "int64")}, prioritized=False, backend=backend, seed=seed % 1000)
    mask = np.zeros(size, bool)
    held = np.random.default_rng(seed).choice(size, 3, replace=False)
    mask[held] = True
    nothing = np.zeros(size, bool)
    steps = {"observation": np.arange(size), "next_observation": np.arange(1, size + 1), "reward": np.zeros(size)}
    for k in range(0, size, 1 << 12):
        part = slice(k, k + (1 << 12))
        buffer.add(
            mask=mask[part], terminated=nothing[part], truncated=nothing[part], **{n: x[part] for n, x in steps.items()}
        )
    taken = []
    take = buffer._draws.take
    buffer._draws.take = lambda count: taken.append(count) or take(count)
    drawn = buffer.sample(600).indices
    assert sum(taken) == 600
    counts = [int((drawn == slot).sum()) for slot in held]
    assert sum(counts) == 600 and min(counts) > 100  # 200 each, and 8 deviations


def test_arrays_that_lie_askew_are_taken_or_refused_on_both_backends(seed):
    pair = [filled(seed, backend=backend) for backend in ("model", "native")]
    step, mask = pair[0][1].step()
    for buffer, _ in pair:
        buffer.add(mask=mask, **{name: askew(array) for name, array in step.items()})
        with pytest.raises(UserError, match="one piece"):
            buffer.sample(4, out={"reward": askew(np.zeros(4, np.float32))})
        slots = askew(held(buffer)[:3])
        buffer.update(slots, askew(np.ones(3)), askew(buffer.sampler.tree.generations(slots)))
    equal(*(buffer.state_dict() for buffer, _ in pair))


def askew(array):
    """The same numbers, a byte behind where their type may lie."""
    array = np.ascontiguousarray(array)
    room = np.empty(array.nbytes + 8, np.uint8)
    start = 1 - room.ctypes.data % 8
    view = room[start % 8 :][: array.nbytes].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


@pytest.mark.parametrize("prioritized", [True, False])
@pytest.mark.parametrize("what", ["newest step", "truth value", "sampler"])
def test_a_forged_state_writes_and_reads_nothing_outside_the_buffer(what, prioritized):
    """What was taken made the engine write beside its arrays."""
    buffer = ReplayBuffer(
        16, {"observation": ((2,), np.float32)}, num_envs=2, frame_stack=2, prioritized=prioritized, seed=1
    )
    for t in range(20):  # no observation goes on where the last one ended, so that all are kept apart
        ends = np.ones(2, bool)
        here = np.full((2, 2), t)
        buffer.add(observation=here, next_observation=-here, reward=ends, terminated=ends, truncated=~ends)
    state = buffer.state_dict()
    if what == "newest step":
        state["time"] += 8 - 3  # a number of steps whose newest row has its next observation apart
    elif what == "truth value":
        state["first"] = np.full(state["first"].shape, 200, np.uint8).view(bool)
    elif prioritized:
        state["time"] += 8 * 9  # the store is as before
        state["sampler"]["tree"]["next"] = 3
    else:
        return
    before = buffer.state_dict()
    with pytest.raises(UserError, match="the state is damaged"):
        buffer.load_state_dict(state)
    equal(buffer.state_dict(), before)


@pytest.mark.parametrize("arrays", [4, "observation", [("observation", ((2,), "float32"))], None])
def test_arrays_that_are_no_dictionary_are_one_sentence(arrays) -> None:
    with pytest.raises(UserError, match=r"arrays is .*; it must be a dictionary of names and \(shape, dtype\)"):
        ReplayBuffer(100, arrays)
