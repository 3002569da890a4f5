"""Environments that step at their own pace fill the buffer as if they had stepped together."""

import numpy as np
import pytest

from rlcores import ReplayBuffer, UserError

ARRAYS = {"observation": {"a": ((2,), "f4"), "b": ((), "i8")}}


def one(rng, k):
    """A step of k environments."""
    seen = [{"a": rng.normal(size=(k, 2)), "b": rng.integers(0, 99, k)} for _ in range(2)]
    ends = rng.random(k) < 0.2
    return {"observation": seen[0], "next_observation": seen[1], "reward": rng.normal(size=k), "terminated": ends,
            "truncated": np.zeros(k, bool)}  # fmt: skip


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("envs", [1, 4])
def test_every_environments_steps_are_stored_in_its_own_order(backend, envs, seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(20 * envs, ARRAYS, num_envs=envs, n_steps=3, gamma=0.9, backend=backend, seed=1)
    came = [[] for _ in range(envs)]
    for _ in range(60):
        ids = rng.permutation(envs)[: rng.integers(0, envs + 1)]
        if len(ids) and max(len(came[n]) for n in ids) - min(map(len, came)) >= 20:
            continue
        step = one(rng, len(ids))
        buffer.add_some(ids, **step)
        for k, n in enumerate(ids.tolist()):
            came[n].append((step["observation"]["b"][k], step["reward"][k], step["terminated"][k]))
    whole = min(map(len, came))
    assert buffer.waiting == sum(map(len, came)) - whole * envs and len(buffer) == min(whole, 20) * envs
    held = buffer.read(np.arange(len(buffer)))
    for slot in range(len(buffer)):
        row, n = divmod(slot, envs)
        step = whole - 1 - (whole - 1 - row) % 20
        wanted = gain = 0.0
        for i in range(3):
            if step + i >= whole:
                break
            wanted += 0.9**i * came[n][step + i][1]
            gain += 1
            if came[n][step + i][2]:
                break
        assert held["observation.b"][slot] == came[n][step][0] and held["reward"][slot] == pytest.approx(
            wanted, rel=1e-5, abs=1e-6
        )


def test_what_waits_is_stored_by_flush_and_an_episode_of_others_ends_there(seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(30, ARRAYS, num_envs=3, prioritized=True, seed=1)
    for ids in ([0, 1, 2], [0], [0, 1]):
        buffer.add_some(ids, **one(rng, len(ids)) | {"terminated": np.zeros(len(ids), bool)})
    assert buffer.waiting == 3 and len(buffer) == 3
    assert buffer.flush().indices.tolist() == [3, 4, 5, 6, 7, 8] and buffer.waiting == 0
    assert set(buffer.sample(400).indices.tolist()) == {0, 1, 2, 3, 4, 6}
    assert buffer.read([2])["truncated"].all() and not buffer.read([0])["truncated"].any()
    assert buffer.flush().indices.tolist() == []


def test_what_cannot_be_is_one_sentence_and_nothing_waits(seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(6, ARRAYS, num_envs=2, seed=1)
    for ids, step, sentence in (
        ([0, 0], one(rng, 2), "env_ids names environment 0 twice"),
        ([2], one(rng, 1), r"env_ids\[0\] is 2; it must be 0 to 1"),
        ([0, 1], one(rng, 1), r"reward has shape \(1,\); it must be \(2,\)"),
        ([0, 1], one(rng, 2) | {"reward": np.array([0, np.nan])}, "reward has the value nan"),
        ([0, 1], one(rng, 2) | {"speed": 0}, r"add\(\) was given 'speed', which this buffer does not store"),
    ):
        with pytest.raises(UserError, match=sentence):
            buffer.add_some(ids, **step)
        assert buffer.waiting == 0
    for _ in range(3):
        buffer.add_some([1], **one(rng, 1))
    with pytest.raises(UserError, match="environment 1 is 3 steps ahead of environment 0, as many as the buffer holds"):
        buffer.add_some([1], **one(rng, 1))
