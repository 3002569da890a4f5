"""Slices lie in one episode each, and are drawn as evenly as they say; beside torchrl's SliceSampler."""

import numpy as np
import pytest
from steps import SPACES, fill

from rlcores import ReplayBuffer, UserError
from rlcores.replay.slices import SliceSampler


def made(lengths, *, backend="native", size=None, **options):
    """Episodes of these lengths in one environment; observation: the step of the run."""
    size = sum(lengths) if size is None else size
    options = {"prioritized": False, "seed": 3, "backend": backend} | options
    buffer = ReplayBuffer(size, {"observation": ((), "i8"), "state": ((2,), "f4")}, **options)
    time = 0
    for length in lengths:
        steps = np.arange(time, time + length)
        ends = np.arange(length) == length - 1
        buffer.add(
            observation=steps, next_observation=steps + 1, state=np.stack([steps, -steps], 1), reward=steps,
            terminated=ends, truncated=np.zeros(length, bool),
        )  # fmt: skip
        time += length
    return buffer


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("draw", ["slice", "episode"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_slice_is_of_one_episode_and_goes_on_step_by_step(backend, draw, strict, seed):
    rng = np.random.default_rng(seed)
    buffer = ReplayBuffer(240, SPACES, num_envs=3, prioritized=False, backend=backend, seed=seed % 2**32)
    held = fill(buffer, rng, 130, ends=0.1)
    sampler = SliceSampler(buffer, 4, burn_in=2, strict_length=strict, draw=draw)
    lengths = set()
    for _ in range(20):
        batch = sampler.sample(15)
        assert batch["observation"]["observation"].shape == (15, 6, 3) and batch["reward"].shape == (15, 6)
        assert (batch.learn[:, 2:] == batch.mask[:, 2:]).all() and not batch.learn[:, :2].any()
        for k, mask in enumerate(batch.mask):
            count = int(mask.sum())
            lengths.add(count)
            assert mask[:count].all() and (count == 6 or not strict)
            steps = [held[slot] for slot in batch.indices[k, :count].tolist()]
            assert len({s.episode for s in steps}) == 1
            assert [s.place for s in steps] == list(range(steps[0].place, steps[0].place + count))
            for t, step in enumerate(steps):
                assert (batch["observation"]["observation"][k, t] == step.observation["observation"]).all()
                assert (batch["next_observation"]["achieved_goal"][k, t] == step.following["achieved_goal"]).all()
                assert batch["terminated"][k, t] == step.terminated
            assert not any(array[k, count:].any() for array in batch.arrays.values())
            if count < 6:  # a whole episode, or what is left of it
                assert not any(s.episode == steps[0].episode and s.place < steps[0].place for t, s in held.items()
                               if t % 3 == batch.starts[k] % 3)  # fmt: skip
    assert lengths == {6} if strict else len(lengths) > 3


@pytest.mark.parametrize("backend", ["native", "model"])
def test_every_slice_is_as_likely_as_any_other(backend, seed):
    buffer = made([3, 9, 5, 20], backend=backend, seed=seed % 2**32)
    starts = [*range(3, 8), 12, *range(17, 33)]  # of slices of five
    drawn = np.concatenate([SliceSampler(buffer, 5).sample(500).starts for _ in range(10)])
    counts = np.bincount(drawn, minlength=37)
    assert set(np.flatnonzero(counts).tolist()) == set(starts)
    assert counts[starts] == pytest.approx(np.full(len(starts), 5000 / len(starts)), rel=0.35)
    loose = np.bincount(SliceSampler(buffer, 5, strict_length=False).sample(5000).starts, minlength=37)
    assert set(np.flatnonzero(loose).tolist()) == {0, *starts}  # the short episode is one slice


def test_episodes_are_drawn_as_by_torchrl(seed):
    """Each episode that is long enough is as likely, and in it each slice."""
    torch = pytest.importorskip("torch")
    torchrl = pytest.importorskip("torchrl.data.replay_buffers")
    from tensordict import TensorDict

    lengths = [3, 9, 5, 20]
    buffer = made(lengths, seed=seed % 2**32)
    torch.manual_seed(seed % 2**32)
    peer = torchrl.ReplayBuffer(
        storage=torchrl.LazyTensorStorage(37),
        sampler=torchrl.SliceSampler(slice_len=5, traj_key="episode", strict_length=True),
        batch_size=2500,
    )
    names = np.repeat(np.arange(4), lengths)
    peer.extend(TensorDict({"episode": torch.as_tensor(names), "time": torch.arange(37)}, [37]))
    theirs = peer.sample()["time"].reshape(-1, 5)[:, 0].numpy()
    theirs = np.concatenate([theirs, *(peer.sample()["time"].reshape(-1, 5)[:, 0].numpy() for _ in range(9))])
    ours = SliceSampler(buffer, 5, draw="episode").sample(5000).starts
    counts = [np.bincount(starts, minlength=37) for starts in (ours, theirs)]
    assert (np.flatnonzero(counts[0]) == np.flatnonzero(counts[1])).all()
    for each in counts:
        by_episode = [each[names == k].sum() / each.sum() for k in range(4)]
        assert by_episode == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3], abs=0.04)


def test_whole_episodes_are_padded_to_the_longest(seed):
    buffer = made([3, 9, 5, 20, 4], seed=seed % 2**32)
    buffer.add(
        observation=[41], next_observation=[42], state=np.ones((1, 2)), reward=[0], terminated=[0], truncated=[0]
    )
    seen = set()
    for _ in range(40):
        batch = SliceSampler(buffer, None).sample(3)
        assert batch.mask.any(axis=0).all()
        for steps, mask in zip(batch["observation"], batch.mask, strict=True):
            seen.add((int(steps[0]), int(mask.sum())))
    assert seen == {(1, 2), (3, 9), (12, 5), (17, 20), (37, 4)}  # step 0 is overwritten, and 41 has not ended


def test_the_stored_state_is_that_before_the_first_step_and_nothing_else_of_it(seed):
    batch = SliceSampler(made([30, 40]), 6, burn_in=3, states=("state",)).sample(20)
    assert batch["state"].shape == (20, 2) and (batch["state"][:, 0] == batch["observation"][:, 0]).all()


def test_starts_are_drawn_by_priority_and_take_new_ones(seed):
    buffer = made([10, 12, 8], prioritized=True, priority_epsilon=0.0, alpha=1.0)
    errors = np.full(30, 1e-9)
    errors[[4, 20]] = 1.0, 3.0
    buffer.update(np.arange(30), errors)
    batch = SliceSampler(buffer, 5).sample(400)
    assert set(batch.starts.tolist()) == {4, 20} and abs((batch.starts == 20).mean() - 0.75) < 0.02
    first = np.where(batch.starts == 20, 17, 4)  # 20 is too near the end of its episode, 21
    assert (batch["observation"][:, 0] == first).all() and (batch["observation"][:, 4] == first + 4).all()
    assert buffer.update(batch.starts, np.ones(400), batch.generations).all()
    with pytest.raises(UserError, match="are of episodes shorter than 11 steps; give strict_length=False"):
        SliceSampler(buffer, 11).sample(50)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda b: SliceSampler(b, 0), "slice_len is 0; it must be 1 to 20"),
        (lambda b: SliceSampler(b, 15, burn_in=6), "burn_in is 6; it must be 0 to 5"),
        (lambda b: SliceSampler(b, 2, draw="step"), "draw is 'step'; it must be 'slice' or 'episode'"),
        (
            lambda b: SliceSampler(b, 2, states=("lstm",)),
            "states names 'lstm', which is none of the arrays: observation",
        ),
        (lambda b: SliceSampler(b, None, burn_in=1), "whole episodes .* are drawn uniformly and without burn_in"),
        (lambda b: SliceSampler(made([9], prioritized=True), 2, draw="episode"), "draw='episode' is of uniform draws"),
        (lambda b: SliceSampler(b, 12).sample(1), "the buffer holds no slice of 12 steps"),
        (lambda b: SliceSampler(b, 12, draw="episode").sample(1), "the buffer holds no slice of 12 steps"),
        (lambda b: SliceSampler(made([], size=9), 2).sample(1), "the buffer holds no transition"),
    ],
)
def test_what_cannot_be_is_one_sentence(call, sentence):
    with pytest.raises(UserError, match=sentence):
        call(made([10, 10]))
