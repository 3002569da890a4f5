"""The cases of torchrl's and Stable-Baselines3's own tests of GAE: within 1e-3 of the largest advantage.

Neither wheel ships its tests, so these are written to the same cases (torchrl's test_cost.py, SB3's test_gae.py).
"""

import numpy as np
import pytest

from rlcores.errors import UserError
from rlcores.integrations.torchrl_gae import AdvantageEstimate, generalized_advantage_estimate

SHARE = 1e-3


def near(estimated, expected) -> bool:
    estimated, expected = np.asarray(estimated, float), np.asarray(expected, float)
    return estimated.shape == expected.shape and np.abs(estimated - expected).max() <= SHARE * np.abs(expected).max()


def plainly(gamma, lmbda, value, following, reward, done, terminated):
    """torchrl's definition, straight: (batch, T, features)."""
    advantage, carried = np.zeros(value.shape), np.zeros(value[:, 0].shape)
    for t in reversed(range(value.shape[1])):
        delta = reward[:, t] + gamma * following[:, t] * ~terminated[:, t] - value[:, t]
        advantage[:, t] = carried = delta + gamma * lmbda * ~done[:, t] * carried
    return advantage, advantage + value


def rollout(rng, batch, steps, features, followed, ends=0.1):
    shape = batch, steps, features
    value, following, reward = rng.normal(size=(3, *shape))
    if followed:
        following[:, :-1] = value[:, 1:]
    done = rng.random(shape) < ends
    return value, following, reward, done, done & (rng.random(shape) < 0.5)


# --- torchrl ---


@pytest.mark.parametrize("gamma", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("lmbda", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("followed", [True, False], ids=["values follow", "any next values"])
def test_torchrls_discounts_and_next_values(gamma, lmbda, followed, seed):
    rng = np.random.default_rng(seed)
    tensors = rollout(rng, 3, 60, 1, followed)
    for one, other in zip(
        generalized_advantage_estimate(gamma, lmbda, *tensors), plainly(gamma, lmbda, *tensors), strict=True
    ):
        assert near(one, other)


@pytest.mark.parametrize("steps", [1, 3, 200])
@pytest.mark.parametrize("features", [1, 4], ids=["one value", "four values"])
def test_torchrls_lengths_and_several_values_a_step(steps, features, seed):
    tensors = rollout(np.random.default_rng(seed), 2, steps, features, True)
    for one, other in zip(
        generalized_advantage_estimate(0.99, 0.95, *tensors), plainly(0.99, 0.95, *tensors), strict=True
    ):
        assert near(one, other)


@pytest.mark.parametrize("kind", ["no end", "all done", "all terminated", "terminated but not done"])
def test_torchrls_ends(kind, seed):
    value, following, reward, done, terminated = rollout(np.random.default_rng(seed), 2, 30, 1, True)
    done = {"no end": done & False, "all done": done | True, "all terminated": done | True}.get(kind, done & False)
    terminated = {"no end": done, "all done": done & False, "all terminated": done}.get(kind, terminated)
    tensors = value, following, reward, done, terminated
    for one, other in zip(generalized_advantage_estimate(0.9, 0.8, *tensors), plainly(0.9, 0.8, *tensors), strict=True):
        assert near(one, other)


def test_torchrls_default_takes_done_for_terminated_and_time_along_any_dimension(seed):
    value, following, reward, done, _ = rollout(np.random.default_rng(seed), 3, 20, 2, True)
    expected = plainly(0.9, 0.8, value, following, reward, done, done)[0]
    estimate = AdvantageEstimate(0.9, 0.8)
    assert near(estimate(value, following, reward, done)[0], expected)
    turned = [np.moveaxis(x, 1, 0) for x in (value, following, reward, done)]
    assert near(estimate(*turned, time_dim=0)[0], np.moveaxis(expected, 1, 0))
    assert estimate.result.rms < SHARE


def test_a_discount_for_each_step_is_one_sentence():
    with pytest.raises(UserError, match="gamma has 7 entries; the core takes one for a whole rollout"):
        AdvantageEstimate(np.full(7, 0.9), 0.9)
    with pytest.raises(UserError, match="all must have one shape with time along dimension -2"):
        AdvantageEstimate(0.9, 0.9)(np.zeros((3, 4, 1)), np.zeros((3, 4, 1)), np.zeros((3, 4)), np.zeros((3, 4, 1)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torchrls_own_functions_agree(dtype, seed):
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchrl.objectives.value.functional")
    rng = np.random.default_rng(seed)
    for followed in (True, False):
        tensors = [torch.as_tensor(x) for x in rollout(rng, 4, 100, 1, followed)]
        tensors = [x.to(getattr(torch, dtype)) if x.dtype != torch.bool else x for x in tensors]
        estimated = generalized_advantage_estimate(0.97, 0.9, *tensors)
        for name in ("generalized_advantage_estimate", "vec_generalized_advantage_estimate"):
            for one, other in zip(estimated, getattr(functional, name)(0.97, 0.9, *tensors), strict=True):
                assert one.dtype == other.dtype and near(one, other), name


# --- Stable-Baselines3 ---


@pytest.mark.parametrize("gamma", [1.0, 0.99])
@pytest.mark.parametrize("gae_lambda", [1.0, 0.9])
@pytest.mark.parametrize("episodes", [1, 3])
def test_sb3s_single_reward_at_the_end_of_each_episode(gamma, gae_lambda, episodes):
    """A constant critic, episodes of 8 steps that pay 1 in the last: the lambda-return is known beforehand."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("stable_baselines3")
    from gymnasium import spaces

    from rlcores.integrations.sb3 import GaeRolloutBuffer

    length, value = 8, 3.5
    steps = length * episodes
    space = spaces.Box(-1, 1, (2,), np.float32)
    buffer = GaeRolloutBuffer(steps, space, space, gae_lambda=gae_lambda, gamma=gamma)
    buffer.reset()
    for t in range(steps):
        reward = np.array([float(t % length == length - 1)])
        start = np.array([float(t % length == 0)])
        buffer.add(np.zeros((1, 2)), np.zeros((1, 2)), reward, start, torch.tensor([value]), torch.zeros(1))
    buffer.compute_returns_and_advantage(torch.tensor([value]), np.array([1.0]))
    expected = np.zeros(steps)
    for t in reversed(range(steps)):
        last = t % length == length - 1
        delta = (1.0 if last else gamma * value) - value
        expected[t] = delta + (0.0 if last else gamma * gae_lambda * expected[t + 1])
    assert near(buffer.advantages[:, 0], expected) and near(buffer.returns[:, 0], expected + value)


def test_sb3s_infinite_horizon():
    """A reward of 1 for ever, cut every 8 steps and bootstrapped: with the right critic no step has an advantage."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("stable_baselines3")
    from gymnasium import spaces

    from rlcores.integrations.sb3 import GaeRolloutBuffer

    gamma = 0.98
    value = 1 / (1 - gamma)
    space = spaces.Box(-1, 1, (2,), np.float32)
    buffer = GaeRolloutBuffer(64, space, space, gamma=gamma)
    buffer.reset()
    for t in range(64):
        # SB3 adds what follows a cut episode to its last reward.
        reward = np.array([1 + gamma * value * (t % 8 == 7)])
        start = np.array([float(t % 8 == 0)])
        buffer.add(np.zeros((1, 2)), np.zeros((1, 2)), reward, start, torch.tensor([value]), torch.zeros(1))
    buffer.compute_returns_and_advantage(torch.tensor([value]), np.array([1.0]))
    assert np.abs(buffer.returns - value).max() <= SHARE * value
    assert np.abs(buffer.advantages).max() <= SHARE * value
