"""Actors give the learner what happened: states at an episode's end, exploration that differs, actions in range."""

import numpy as np
import pytest
from train_runs import make, short

from rlcores import Learner
from rlcores.cores.learner.format import LearnerFormats
from rlcores.cores.learner.layout import numbers
from rlcores.cores.learner.policy import Policy
from rlcores.train import pool, spaces
from rlcores.train.actor import Actor, Rollout, RoundRequest
from rlcores.train.policies import FloatPolicy, greedy
from rlcores.train.spaces import Spaces


def policy(kind: str, sizes: tuple[int, ...], seed: int) -> Policy | FloatPolicy:
    """As the algorithm of that kind has it."""
    rng = np.random.default_rng(seed)
    if kind in ("categorical", "gaussian"):
        return FloatPolicy(sizes, rng.normal(size=numbers(sizes)).astype(np.float32))
    codes = rng.integers(-(1 << 22), 1 << 22, numbers(sizes))
    return Policy(sizes, LearnerFormats.default(len(sizes) - 1, kind == "noise"), codes, kind == "noise")


def order(kind: str, sizes, number=0, steps=12, explore=0.0, deviation=0.0, seed=0) -> RoundRequest:
    return RoundRequest(number, steps, kind, policy(kind, sizes, seed), np.full(steps, explore), deviation)


def test_states_around_an_episodes_end():
    actor = Actor("train_envs:Line-v0", None, (1.0, 2.0), 3, (0, 3))
    seen = actor.collect(order("epsilon", (2, 2), explore=1.0))
    at = np.arange(12) % 5
    for n in range(3):
        np.testing.assert_allclose(seen.states[:, n], np.outer(at, [0.2, 0.4]), rtol=1e-6)
        np.testing.assert_allclose(seen.following[:, n], np.outer(at + 1, [0.2, 0.4]), rtol=1e-6)
    np.testing.assert_array_equal(seen.terminated, np.repeat(at == 4, 3).reshape(12, 3))
    assert not seen.truncated.any()
    np.testing.assert_array_equal(seen.rewards, seen.actions)
    assert [(int(t), int(n), int(length)) for t, n, _, length in seen.episodes] == [
        (t, n, 5) for t in (4, 9) for n in range(3)
    ]
    np.testing.assert_array_equal(seen.episodes[:3, 2], seen.rewards[:5].sum(0))
    more = actor.collect(order("epsilon", (2, 2), number=1))
    np.testing.assert_array_equal(more.states[0], seen.last)


def test_a_cut_episode_is_truncated_and_not_terminated():
    actor = Actor("CartPole-v1", 4, (1.0,) * 4, 0, (0, 2))
    seen = actor.collect(order("epsilon", (4, 2), explore=1.0))
    np.testing.assert_array_equal(seen.truncated[:, 0], np.arange(12) % 4 == 3)
    assert not seen.terminated.any()
    # The state it was cut at, which is not the one that the next episode begins with.
    assert (np.abs(seen.following[3] - seen.states[4]).max(1) > 0).all()
    np.testing.assert_array_equal(seen.following[:3], seen.states[1:4])


def test_an_end_at_the_limit_of_steps_is_an_end_and_no_cut():
    seen = Actor("train_envs:Line-v0", 5, (1.0, 1.0), 0, (0, 2)).collect(order("epsilon", (2, 2)))
    assert seen.terminated.sum() == 2 * 2 and not seen.truncated.any()


@pytest.mark.parametrize(
    ("policy", "environment", "sizes"),
    [
        ("epsilon", "CartPole-v1", (4, 8, 2)),
        ("categorical", "CartPole-v1", (4, 8, 2)),
        ("noise", "Pendulum-v1", (3, 8, 1)),
        ("gaussian", "Pendulum-v1", (3, 8, 1)),
    ],
)
def test_actors_side_by_side_are_one_actor(policy, environment, sizes, seed):
    request = order(policy, sizes, number=3, explore=0.5, deviation=0.3, seed=seed)
    arguments = (environment, None, (1.0,) * sizes[0], seed)
    whole = Actor(*arguments, (0, 5)).collect(request)
    parts = [Actor(*arguments, span).collect(request) for span in pool.spans(5, 3)]
    joined = Rollout.join(parts)
    for name, array in whole.arrays().items():
        np.testing.assert_array_equal(array, getattr(joined, name), err_msg=name)
    assert pool.spans(5, 3) == [(0, 1), (1, 3), (3, 5)]


def test_exploration_differs_from_round_to_round_and_environment_to_environment(seed):
    arguments = ("CartPole-v1", None, (1.0,) * 4, seed, (0, 2))
    actions = [
        Actor(*arguments).collect(order("epsilon", (4, 2), number=k, steps=60, explore=1.0)).actions for k in (0, 1)
    ]
    assert (actions[0] != actions[1]).any(0).all()
    assert (actions[0][:, 0] != actions[0][:, 1]).any()
    starts = [Actor("CartPole-v1", None, (1.0,) * 4, s, (0, 2))._states.copy() for s in (seed, seed + 1)]
    assert len(np.unique(np.concatenate(starts), axis=0)) == 4


def test_share_of_random_actions_is_epsilon(seed):
    # A policy that always takes action 1: the rest is chance.
    request = order("epsilon", (4, 2), steps=3000, explore=0.4)
    one = Policy((4, 2), LearnerFormats.default(1), np.array([0] * 9 + [1 << 22]))
    request = RoundRequest(0, 3000, "epsilon", one, request.explore)
    actions = Actor("CartPole-v1", None, (1.0,) * 4, seed, (0, 1)).collect(request).actions
    assert 0.16 < (actions == 0).mean() < 0.24


def test_sampled_actions_have_the_policys_chances(seed):
    one = FloatPolicy((4, 2), np.array([0] * 9 + [1], np.float32))
    request = RoundRequest(0, 4000, "categorical", one, np.zeros(4000))
    actions = Actor("CartPole-v1", None, (1.0,) * 4, seed, (0, 1)).collect(request).actions
    assert actions.mean() == pytest.approx(np.e / (1 + np.e), abs=0.04)


def test_vectors_of_actions_stay_in_the_environments_range(seed):
    space = Spaces(3, (1.0,) * 3, None, low=(-2.0, 0.0), high=(2.0, 1.0))
    vectors = np.array([[-1, -1], [0, 0], [1, 1], [-7, 9]], np.float32)
    np.testing.assert_allclose(space.to_environment(vectors), [[-2, 0], [0, 0.5], [2, 1], [-2, 1]])
    arguments = ("Pendulum-v1", None, (1.0,) * 3, seed, (0, 2))
    for explore in (0.0, 1.0):
        actions = Actor(*arguments).collect(order("noise", (3, 1), steps=100, explore=explore, deviation=5.0)).actions
        assert np.abs(actions).max() <= 1 and actions.std() > 0.4


def test_a_float_policy_is_linear_layers_with_relu():
    weights, states = np.array([1.0, -1.0, 0.5, 2.0, -1.0]), np.array([[3.0, 1.0], [0.0, 9.0]])
    np.testing.assert_array_equal(FloatPolicy((2, 1, 1), weights)(states), [[4.0], [-1.0]])
    np.testing.assert_allclose(FloatPolicy((2, 1, 1), weights, True)(states), np.tanh([[4.0], [-1.0]]), rtol=1e-12)
    np.testing.assert_array_equal(greedy("gaussian", FloatPolicy((2, 1, 1), weights), states), [[1.0], [-1.0]])


@pytest.mark.parametrize("actor", [None, (3, 16, 1)])
def test_actors_act_with_the_learners_own_forward_pass(actor, seed):
    """Without exploration an action is the learner's, bit for bit, of the very states that it is given."""
    sizes, environment = ((4, 16, 1), "Pendulum-v1") if actor else ((4, 16, 2), "CartPole-v1")
    learner = Learner(sizes, actor=actor, seed=seed % 2**31)
    kind = "noise" if actor else "epsilon"
    request = RoundRequest(0, 30, kind, learner.policy(), np.zeros(30))
    seen = Actor(environment, None, (1.0,) * (3 if actor else 4), seed, (0, 3)).collect(request)
    wanted = [learner.act(states) for states in seen.states]
    np.testing.assert_array_equal(seen.actions, np.array(wanted).astype(seen.actions.dtype))


def test_learner_gets_every_transition_in_order_and_trains_as_often_as_is_due(seed, tmp_path):
    plan = short("dqn", "model", seed, evaluate_every=1000)
    run = make(plan, tmp_path / "run")
    seen = []
    learn = run.trainer.learn
    run.trainer.learn = lambda transitions, step: (
        seen.append((transitions, step, run.trainer.updates)),
        learn(transitions, step),
    )
    run.run()
    assert [step for _, step, _ in seen] == list(range(16, 257, 16))
    assert [updates for *_, updates in seen] == [max(0, step - 16 - 64) for _, step, _ in seen]
    kept = run.trainer.learner.state_dict()
    assert (len(kept["states"]), kept["next"], kept["filled"]) == (200, 56, 256)
    states = np.concatenate([transitions.states.reshape(16, 4) for transitions, *_ in seen])
    np.testing.assert_allclose(kept["states"] / 2.0**14, np.roll(states[56:], 56, axis=0), atol=2.0**-15)


def test_epsilon_falls_from_the_end_of_the_warm_up(tmp_path):
    plan = short("dqn", "model")
    trainer = make(plan, tmp_path / "run").trainer
    explore = np.concatenate([trainer.order(k, 16 * k).explore for k in range(16)])
    np.testing.assert_array_equal(explore[:16], 1)
    at = 4 * np.arange(1, 65)
    np.testing.assert_allclose(explore[16:], np.maximum(0.05, 1 - 0.95 * (at[16:] - 64) / 100))


def test_spaces_say_what_an_environment_takes():
    space = spaces.look("Pendulum-v1")
    assert (space.state_size, space.actions, space.low, space.high) == (3, None, (-2.0,), (2.0,))
    assert spaces.look("CartPole-v1").actions == 2 and spaces.look("train_envs:Numbered-v0").first_action == 5
