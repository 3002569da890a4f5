"""Goals are relabelled as Andrychowicz et al. (2017) say it, beside Stable-Baselines3's buffer."""

import pickle

import numpy as np
import pytest
from steps import SPACES, fill

from rlcores import ReplayBuffer, UserError
from rlcores.replay.goals import Hindsight


def distance(achieved, desired, info):
    return -np.linalg.norm(achieved - desired, axis=-1)


def made(strategy="future", *, backend="native", size=300, envs=3, **options):
    options = {"prioritized": False, "backend": backend, "seed": 5, "num_envs": envs} | options
    return ReplayBuffer(size, SPACES, hindsight=Hindsight(distance, 4, strategy), **options)


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("strategy", ["future", "final", "episode"])
@pytest.mark.parametrize("prioritized", [False, True])
def test_a_goal_is_one_that_the_episode_reached_and_the_reward_is_that_of_it(strategy, backend, prioritized, seed):
    buffer = made(strategy, backend=backend, prioritized=prioritized)
    held = fill(buffer, np.random.default_rng(seed), 170)
    ended = {s.episode for s in held.values() if s.terminated or s.truncated}
    relabelled, places = 0, set()
    for _ in range(60):
        batch = buffer.sample(50)
        for k, slot in enumerate(batch.indices.tolist()):
            step, goal = held[slot], batch["observation"]["desired_goal"][k]
            for name in ("observation", "achieved_goal"):
                assert (batch["observation"][name][k] == step.observation[name]).all()
                assert (batch["next_observation"][name][k] == step.following[name]).all()
            assert (batch["next_observation"]["desired_goal"][k] == goal).all() or (
                goal == step.observation["desired_goal"]
            ).all()
            same = [s for t, s in held.items() if s.episode == step.episode and t % 3 == slot % 3]
            hit = [s.place for s in same if (s.following["achieved_goal"] == goal).all()]
            if not hit:
                assert (goal == step.observation["desired_goal"]).all()
                assert batch["reward"][k] == np.float32(step.reward)
                continue
            relabelled += 1
            assert step.episode in ended
            places.add(hit[0] - step.place)
            last = max(s.place for s in same)
            assert {"future": step.place <= hit[0], "final": hit[0] == last, "episode": True}[strategy]
            reached = step.following["achieved_goal"]
            assert batch["reward"][k] == np.float32(distance(reached, goal, {}))
            assert batch["terminated"][k] == step.terminated
    assert len(places) > 3 and (min(places) < 0) == (strategy == "episode")
    if not prioritized:
        assert relabelled == 60 * 40  # 4 of 5


def test_the_strategies_draw_as_evenly_as_those_of_sb3(seed):
    """Of an episode of 10 steps: how often each step's goal is taken for each step."""
    pytest.importorskip("stable_baselines3")
    for strategy in ("future", "episode"):
        buffer = made(strategy, size=10, envs=1)
        held = fill(buffer, np.random.default_rng(seed), 10, ends=0)
        buffer.end_episode()
        counts = np.zeros((10, 10))
        goal_of = {tuple(s.following["achieved_goal"]): s.place for s in held.values()}
        for _ in range(100):
            batch = buffer.sample(400)
            for slot, goal in zip(batch.indices, batch["observation"]["desired_goal"], strict=True):
                if (place := goal_of.get(tuple(goal))) is not None:
                    counts[slot, place] += 1
        share = counts / counts.sum(axis=1, keepdims=True)
        wanted = np.ones((10, 10)) if strategy == "episode" else np.triu(np.ones((10, 10)))
        assert share == pytest.approx(wanted / wanted.sum(axis=1, keepdims=True), abs=0.06)


def test_ends_of_new_goals_are_those_of_compute_terminated(seed):
    how = Hindsight(distance, 1, "final", compute_terminated=lambda a, d, i: np.linalg.norm(a - d, axis=-1) == 0)
    buffer = ReplayBuffer(100, SPACES, hindsight=how, prioritized=False, gamma=0.5, seed=1)
    fill(buffer, np.random.default_rng(seed), 90)
    buffer.end_episode()
    bounds = buffer.episodes.bounds(np.arange(90))
    ended = 0
    for _ in range(30):
        batch = buffer.sample(40)
        of = batch["next_observation"]
        reached = (of["achieved_goal"] == of["desired_goal"]).all(axis=1)
        assert batch["terminated"][reached].all() and (batch["discount"] == np.where(batch["terminated"], 0, 0.5)).all()
        assert (bounds.last == bounds.step)[batch.indices[reached]].all()
        ended += reached.sum()
    assert ended > 30


def test_a_copy_and_a_loaded_buffer_draw_the_same_goals(seed, tmp_path):
    buffer = ReplayBuffer(90, SPACES, hindsight=Hindsight(distance), prioritized=False, num_envs=3, seed=2)
    fill(buffer, np.random.default_rng(seed), 50)
    buffer.save(tmp_path / "kept.npz")
    loaded = ReplayBuffer.load(tmp_path / "kept.npz", hindsight=Hindsight(distance))
    copied = pickle.loads(pickle.dumps(buffer))
    for _ in range(3):
        batches = [b.sample(20) for b in (buffer, loaded, copied)]
        for name in batches[0].arrays:
            assert all((b.arrays[name] == batches[0].arrays[name]).all() for b in batches)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Hindsight(distance, 0), "n_sampled_goal is 0; it must be 1 to"),
        (
            lambda: Hindsight(distance, 4, "past"),
            "goal_selection_strategy is 'past'; it must be 'future'",
        ),
        (lambda: Hindsight(None), "compute_reward is None; it must be a function"),
        (lambda: made(n_steps=3), "hindsight is of returns of one step"),
        (
            lambda: ReplayBuffer(9, {"observation": ((2,), "f4")}, hindsight=Hindsight(distance)),
            "hindsight needs the observations observation.achieved_goal and observation.desired_goal: observation",
        ),
        (lambda: made().sample(), "there is nothing to sample: the buffer holds no transition"),
    ],
)
def test_what_cannot_be_is_one_sentence(call, sentence):
    with pytest.raises(UserError, match=sentence):
        call()


def test_an_answer_of_another_shape_and_a_buffer_without_an_end_are_one_sentence(seed):
    buffer = ReplayBuffer(90, SPACES, hindsight=Hindsight(lambda a, d, i: 1.0), prioritized=False, seed=2)
    fill(buffer, np.random.default_rng(seed), 20, ends=0)
    with pytest.raises(UserError, match="the buffer holds no episode that has ended"):
        buffer.sample(10)
    buffer.end_episode()
    with pytest.raises(UserError, match=r"compute_reward gave an array of shape \(\); it must be one number for each"):
        buffer.sample(10)
