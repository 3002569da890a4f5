"""Nested arrays, draws without replacement, tensors: what a buffer is put together of."""

import pickle

import gymnasium
import numpy as np
import pytest

from rlcores import ReplayBuffer, UserError
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.replay.draws import Words

S = gymnasium.spaces
NESTED = S.Dict({"image": S.Box(0, 255, (2, 2), np.uint8), "body": S.Tuple([S.Discrete(4), S.Box(-1, 1, (3,))])})


def test_the_engine_gives_the_words_of_the_generator(seed):
    plain, ours = Xoshiro128pp(state_of(seed)), Words(state_of(seed))
    for count in (1, 0, 7, 500):
        assert (plain.take(count) == ours.take(count)).all() and plain.state == ours.state


@pytest.mark.parametrize("backend", ["native", "model"])
def test_nested_observations_come_back_as_they_were_given(backend, seed, tmp_path):
    NESTED.seed(seed)
    actions = S.MultiDiscrete([3, 5])
    actions.seed(seed)
    spaces = {"observation": NESTED, "action": actions}
    buffer = ReplayBuffer(50, spaces, backend=backend, frame_stack={"observation.image": 2}, seed=1)
    steps = [NESTED.sample() for _ in range(31)]
    acted = [actions.sample() for _ in range(30)]
    for k in range(30):
        ends = {"reward": k, "terminated": k == 29, "truncated": False}
        buffer.add(observation=steps[k], next_observation=steps[k + 1], action=acted[k], **ends)
    buffer.save(tmp_path / "kept")
    for each in (buffer, ReplayBuffer.load(tmp_path / "kept"), pickle.loads(pickle.dumps(buffer))):
        batch = each.sample(20)
        for k, slot in enumerate(batch.indices.tolist()):
            for name, step in (("observation", steps[slot]), ("next_observation", steps[slot + 1])):
                assert (batch[name]["image"][k, -1] == step["image"]).all()
                assert batch[name]["body"]["0"][k] == step["body"][0]
                assert (batch[name]["body"]["1"][k] == step["body"][1]).all()
            assert (batch["action"][k] == acted[slot]).all()
        assert batch["observation"]["image"].shape == (20, 2, 2, 2) and batch["observation.body.0"].dtype == np.int64


def test_what_is_wrong_with_nested_arrays_is_one_sentence():
    for arrays, sentence in (
        ({"observation": S.Dict({"a": S.Text(5)})}, "the array 'observation.a' is Text"),
        ({"observation": ((), "f4"), "a": {"b": ((), "f4")}, "a.b": ((), "f4")}, "two arrays are called 'a.b'"),
        ({"state": ((), "f4")}, "observations names 'observation', which is none of the arrays: state"),
    ):
        with pytest.raises(UserError, match=sentence):
            ReplayBuffer(5, arrays)
    buffer = ReplayBuffer(5, {"observation": {"a": ((), "f4"), "b": ((2,), "f4")}})
    step = {"reward": 0.0, "terminated": False, "truncated": False, "next_observation": {"a": 0, "b": [0, 0]}}
    for observation, sentence in (
        ({"a": 1.0}, r"add\(\) needs 'observation.b'"),
        ({"a": 1.0, "b": [1, 2], "c": 3}, r"add\(\) was given 'observation.c', which this buffer does not store"),
        ({"a": 1.0, "b": [1, 2, 3]}, r"observation.b has shape \(3,\)"),
    ):
        with pytest.raises(UserError, match=sentence):
            buffer.add(observation=observation, **step)


def line(size: int, count: int, **options) -> ReplayBuffer:
    buffer = ReplayBuffer(size, {"observation": ((), "i8")}, prioritized=False, **{"seed": 3} | options)
    if count:
        ends = np.zeros(count, bool)
        seen = {"observation": np.arange(count), "next_observation": np.arange(1, count + 1)}
        buffer.add(**seen, reward=np.ones(count), terminated=ends, truncated=ends)
    return buffer


@pytest.mark.parametrize("held", [1, 2, 3, 10, 64, 65, 1000])
def test_without_replacement_each_transition_comes_once_an_epoch_in_another_order(held, seed):
    buffer = line(1000, held, replacement=False, seed=seed % 2**32)
    batch = max(held // 7, 1)
    epochs = []
    for _ in range(4):
        drawn = [buffer.sample(batch).indices for _ in range(held // batch)]
        assert len(np.unique(drawn)) == held // batch * batch  # torchrl's drop_last: what is left belongs to no batch
        epochs.append(np.concatenate(drawn).tolist())
    assert held < 10 or len({tuple(e) for e in epochs}) == 4
    assert held < 64 or abs(np.corrcoef(epochs[0], epochs[1])[0, 1]) < 0.5


def test_the_order_of_an_epoch_is_even(seed):
    """Each place of an epoch holds each slot as often: no slot comes early."""
    buffer = line(20, 20, replacement=False, seed=seed % 2**32)
    counts = np.zeros((20, 20))
    for _ in range(2000):
        counts[np.arange(20), buffer.sample(20).indices] += 1
    assert (np.abs(counts - 100) < 60).all()


def test_without_replacement_void_rows_are_left_out_and_a_state_goes_on(seed, tmp_path):
    buffer = line(60, 20, replacement=False)
    rows = np.zeros(20)
    none = np.zeros(20, bool)
    buffer.add(observation=rows, next_observation=rows, reward=rows, terminated=none, truncated=none, mask=none)
    more = np.ones(20)
    buffer.add(observation=more, next_observation=more, reward=rows, terminated=none, truncated=none)
    first = buffer.sample(25).indices
    buffer.save(tmp_path / "kept")
    twins = [ReplayBuffer.load(tmp_path / "kept"), pickle.loads(pickle.dumps(buffer))]
    assert not ((first >= 20) & (first < 40)).any() and len(set(first.tolist())) == 25
    rest = [b.sample(15).indices.tolist() for b in (buffer, *twins)]
    assert rest[0] == rest[1] == rest[2] and not set(rest[0]) & set(first.tolist())


def test_without_replacement_says_what_it_cannot(seed):
    with pytest.raises(UserError, match="batch_size is 30; without replacement it is at most 20, the transitions held"):
        line(60, 20, replacement=False).sample(30)
    with pytest.raises(UserError, match="replacement=False is of uniform draws"):
        ReplayBuffer(5, {"observation": ((), "f4")}, replacement=False)


def test_tensors_come_and_go_and_share_the_arrays_memory_on_the_cpu(seed):
    torch = pytest.importorskip("torch")
    buffer = ReplayBuffer(100, {"observation": ((3,), "f4"), "action": ((), "i8")}, device="cpu", seed=0)
    plain = ReplayBuffer(100, {"observation": ((3,), "f4"), "action": ((), "i8")}, seed=0)
    rng = np.random.default_rng(seed)
    for _ in range(50):
        seen = torch.tensor(rng.normal(size=(2, 3)), dtype=torch.float32)
        step = {"observation": seen[0], "next_observation": seen[1], "action": torch.tensor(1)}
        for each in (buffer, plain):
            each.add(**step, reward=torch.tensor(0.5), terminated=torch.tensor(False), truncated=False)
    batch, wanted = buffer.sample(20), plain.sample(20)
    for name, array in wanted.arrays.items():
        assert torch.is_tensor(batch[name]) and (batch[name].numpy() == array).all()
    assert torch.is_tensor(batch.weights)
    place = batch["observation"].data_ptr()
    again = buffer.sample(20, out=batch)
    assert again["observation"].data_ptr() == place  # filled again: nothing is copied on the way
    td = again["reward"].to(torch.bfloat16)
    assert buffer.update(again.indices, td, again.generations).all()
    assert wanted.to("cpu")["action"].data_ptr() == wanted["action"].ctypes.data
    with pytest.raises(UserError, match="no tensor of int64 on the device 'nowhere'"):
        wanted.to("nowhere")
