"""The float learner against finite differences and textbook loops: it is the yardstick of the integers."""

from types import SimpleNamespace

import numpy as np
import pytest

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatSettings, FloatValueLearner, Optimiser

STEP = 1e-6


def batch_of(rng, count=7, states=3, actions=2, box=False):
    """A batch with all kinds of transitions: terminated ones, large TD errors, unequal weights."""
    return SimpleNamespace(
        states=rng.normal(size=(count, states)),
        actions=rng.uniform(-1, 1, (count, actions)) if box else rng.integers(actions, size=count),
        rewards=rng.normal(size=count) * 2,
        next_states=rng.normal(size=(count, states)),
        terminated=rng.random(count) < 0.3,
        weights=rng.uniform(0.1, 1, count),
    )


def huber(td, limit):
    return td**2 / 2 if limit is None else np.where(abs(td) <= limit, td**2 / 2, limit * (abs(td) - limit / 2))


def mlp(network, x):
    """The network's output by plain loops over layers, from its weights alone."""
    for layer, (w, b) in enumerate(zip(network.weights, network.biases, strict=True)):
        x = np.einsum("ji,bi->bj", w, x) + b
        if layer < len(network.weights) - 1:
            x = np.where(x > 0, x, 0)
    return x


def differences(theta, loss):
    """d loss/d theta by central differences."""
    gradient = np.zeros_like(theta)
    for k in range(theta.size):
        kept = theta[k]
        theta[k] = kept + STEP
        above = loss()
        theta[k] = kept - STEP
        gradient[k] = (above - loss()) / (2 * STEP)
        theta[k] = kept
    return gradient


@pytest.mark.parametrize("double", [False, True], ids=["dqn", "double"])
@pytest.mark.parametrize("limit", [None, 0.5], ids=["squared", "huber"])
def test_value_gradients_are_those_of_the_loss(seed, double, limit):
    rng = np.random.default_rng(seed)
    settings = FloatSettings(double=double, huber=limit, gamma=0.9, reward_scale=0.7)
    learner = FloatValueLearner((3, 8, 5, 2), settings, seed, np.float64)
    # The target network prefers what the network does not, so that double DQN differs in every sample.
    learner.target.theta[:] = 1.5 * learner.network.theta
    for last in (learner.target.weights[-1], learner.target.biases[-1]):
        last[:] = last[::-1].copy()
    batch = batch_of(rng)

    rows = np.arange(7)
    target = mlp(learner.target, batch.next_states)
    chosen = (mlp(learner.network, batch.next_states) if double else target).argmax(1)
    goal = 0.7 * batch.rewards + 0.9 * np.where(batch.terminated, 0, target[rows, chosen])

    def td():
        return mlp(learner.network, batch.states)[rows, batch.actions] - goal

    expected = differences(learner.network.theta, lambda: np.mean(batch.weights * huber(td(), limit)))
    priorities = learner.gradients(batch)
    np.testing.assert_allclose(priorities, abs(td()), rtol=1e-12)
    np.testing.assert_allclose(learner.gradient, expected, atol=1e-8)
    assert np.abs(learner.gradient).max() > 1e-3


def test_ddpg_gradients_are_those_of_the_losses(seed):
    rng = np.random.default_rng(seed)
    learner = FloatDdpgLearner((5, 6, 1), (3, 6, 2), FloatSettings(huber=None, gamma=0.9), seed, np.float64, last=0.5)
    learner.target.initialise(rng)
    learner.actor_target.initialise(rng)
    batch = batch_of(rng, box=True)

    def q(network, states, actions):
        return mlp(network, np.concatenate([states, actions], axis=1))[:, 0]

    following = q(learner.target, batch.next_states, np.tanh(mlp(learner.actor_target, batch.next_states)))
    goal = batch.rewards + 0.9 * np.where(batch.terminated, 0, following)

    def critic_loss():
        return np.mean(batch.weights * (q(learner.network, batch.states, batch.actions) - goal) ** 2 / 2)

    def actor_loss():
        return -np.mean(q(learner.network, batch.states, np.tanh(mlp(learner.actor, batch.states))))

    learner.critic_gradients(batch)
    learner.actor_gradients(batch)
    np.testing.assert_allclose(learner.gradient, differences(learner.network.theta, critic_loss), atol=1e-8)
    np.testing.assert_allclose(learner.actor_gradient, differences(learner.actor.theta, actor_loss), atol=1e-8)
    assert np.abs(learner.actor_gradient).max() > 1e-3


@pytest.mark.parametrize("kind", ["sgd", "momentum", "adam"])
def test_optimisers_follow_their_recurrences(seed, kind):
    rng = np.random.default_rng(seed)
    settings = FloatSettings(optimiser=kind, momentum=0.8, beta1=0.7, beta2=0.9, adam_epsilon=1e-2)
    theta = rng.normal(size=5)
    expected = theta.copy()
    optimiser = Optimiser(5, np.float64, settings, 0.1)
    m, v = np.zeros(5), np.zeros(5)
    for t in range(1, 6):
        g = rng.normal(size=5)
        optimiser.step(theta, g)
        if kind == "adam":
            m, v = 0.7 * m + 0.3 * g, 0.9 * v + 0.1 * g * g
            expected -= 0.1 * (m / (1 - 0.7**t)) / (np.sqrt(v / (1 - 0.9**t)) + 1e-2)
        else:
            m = g + (0.8 * m if kind == "momentum" else 0)
            expected -= 0.1 * m
        np.testing.assert_allclose(theta, expected, rtol=1e-12)


def test_target_is_copied_every_n_updates_only(seed):
    learner = FloatValueLearner((3, 4, 2), FloatSettings(target_update_interval=3), seed)
    batch = batch_of(np.random.default_rng(seed))
    for n in range(1, 8):
        before = learner.target.theta.copy()
        learner.step(batch)
        expected = learner.network.theta if n % 3 == 0 else before
        np.testing.assert_array_equal(learner.target.theta, expected)


def test_target_averages_with_tau(seed):
    learner = FloatValueLearner((3, 4, 2), FloatSettings(tau=0.25), seed, np.float64)
    batch = batch_of(np.random.default_rng(seed))
    for _ in range(3):
        before = learner.target.theta.copy()
        learner.step(batch)
        np.testing.assert_allclose(learner.target.theta, 0.75 * before + 0.25 * learner.network.theta, rtol=1e-12)


def test_lagged_actor_step_is_the_critic_of_one_step_before(seed):
    """Both orders on a fixed critic history: the lagged actor gradient at step n uses the critic that n-1 left."""
    rng = np.random.default_rng(seed)
    sizes = (5, 6, 1), (3, 6, 2)
    lagged, ordered = (
        FloatDdpgLearner(*sizes, FloatSettings(lag=lag, learning_rate=0.1), seed, np.float64, 0.5)
        for lag in (True, False)
    )
    for n in range(4):
        batch = batch_of(rng, box=True)
        before = lagged.network.theta.copy()
        twin = FloatDdpgLearner(*sizes, FloatSettings(), seed, np.float64, 0.5)
        for learner, critic in ((lagged, before), (ordered, None)):
            twin.actor.theta[:] = learner.actor.theta
            learner.step(batch)
            twin.network.theta[:] = learner.network.theta if critic is None else critic
            twin.actor_gradients(batch)
            np.testing.assert_array_equal(learner.actor_gradient, twin.actor_gradient)
        if not n:
            np.testing.assert_array_equal(lagged.network.theta, ordered.network.theta)
    assert np.any(lagged.actor.theta != ordered.actor.theta)


def test_first_weights_have_the_range_of_pytorch_linear(seed):
    network = FloatNetwork((16, 400, 4))
    network.initialise(np.random.default_rng(seed), last=3e-3)
    assert 0.24 < np.abs(network.weights[0]).max() <= 0.25
    assert 0.0029 < np.abs(network.weights[1]).max() <= 0.003


def test_unknown_optimiser_is_named():
    with pytest.raises(ValueError, match="optimiser is 'adagrad'; it must be one of sgd, momentum, adam"):
        FloatValueLearner((3, 4, 2), FloatSettings(optimiser="adagrad"))
