"""DQN in integers: its bits in model and engine, its gradient beside float64's, its heads, and that it learns."""

import warnings

import numpy as np
import pytest

from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.rl.dqn import Dqn, DqnSettings
from rlcores.errors import CoreWarning, UserError

CASES = [{"dueling": dueling, "double": double} for dueling in (False, True) for double in (False, True)]


def batch(rng: np.random.Generator, rows: int, states: int = 5, actions: int = 3) -> tuple[np.ndarray, ...]:
    return (
        rng.normal(size=(rows, states)), rng.integers(0, actions, rows), rng.normal(size=rows),
        rng.normal(size=(rows, states)), rng.choice([0, 0.99], rows), rng.uniform(0.1, 1, rows),
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_model_and_engine_give_the_same_bits(case: dict, seed: int) -> None:
    learners = [Dqn(5, 3, DqnSettings(network=(16, 16), **case), seed=seed, backend=b) for b in ("model", "native")]
    rng = np.random.default_rng(seed)
    for _ in range(30):
        transitions = batch(rng, 32)
        first, second = (learner.step(*transitions) for learner in learners)
        assert np.array_equal(first, second)
    planes = [learner.network.integers.planes for learner in learners]
    assert np.array_equal(*planes)


@pytest.mark.parametrize("case", CASES)
def test_its_gradient_is_that_of_the_mathematics(case: dict, seed: int) -> None:
    """Of the loss' sum over the batch, by differences in float64, of some weights."""
    rng = np.random.default_rng(seed)
    learner = Dqn(5, 3, DqnSettings(network=(16, 16), **case), seed=seed, backend="model")
    for _ in range(40):
        learner.step(*batch(rng, 64))
    states, actions, rewards, following, discounts, weights = transitions = batch(rng, 64)
    theta, target = learner.network.theta(), learner.network.theta(target=True)
    net = FloatNetwork(learner.network.about.sizes, np.float64)

    def values(flat: np.ndarray, x: np.ndarray) -> np.ndarray:
        net.theta[:] = flat
        out = net.forward(x)[-1]
        return out[:, :1] + out[:, 1:] - out[:, 1:].mean(axis=1, keepdims=True) if case["dueling"] else out

    rows = np.arange(64)
    judged = values(theta if case["double"] else target, following).argmax(axis=1)
    goal = rewards + discounts * values(target, following)[rows, judged]

    def loss(flat: np.ndarray) -> float:
        e = np.abs(values(flat, states)[rows, actions] - goal)
        return float((weights * np.where(e < 1, e * e / 2, e - 0.5)).sum())

    kept = []
    update = learner.network.integers.update
    learner.network.integers.update = lambda g, *rest: (kept.append(g.copy()), update(g, *rest))
    grad_frac = learner.network.integers.grad_frac.astype(float)
    learner.step(*transitions)
    gradient = kept[0] * 2.0**-grad_frac
    chosen = rng.permutation(np.flatnonzero(np.abs(gradient) > np.abs(gradient).max() / 50))[:40]
    exact = []
    for n in chosen:
        move = np.zeros_like(theta)
        move[n] = 1e-5
        exact.append((loss(theta + move) - loss(theta - move)) / 2e-5)
    exact, gradient = np.array(exact), gradient[chosen]
    assert np.median(np.abs(gradient / exact - 1)) < 0.01
    assert gradient @ exact / np.linalg.norm(gradient) / np.linalg.norm(exact) > 0.999


def test_it_finds_the_better_of_two_actions(seed: int) -> None:
    """A bandit: action 1 pays the sign of the first number, action 0 the opposite."""
    rng = np.random.default_rng(seed)
    learner = Dqn(2, 2, DqnSettings(network=(16, 16), learning_rate=1e-2), seed=seed)
    for _ in range(300):
        x, a = rng.normal(size=(64, 2)), rng.integers(0, 2, 64)
        learner.step(x, a, np.sign(x[:, 0]) * (2 * a - 1), x, np.zeros(64))
    x = rng.normal(size=(500, 2))
    assert (learner.act(x) == (x[:, 0] > 0)).mean() > 0.97


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Dqn(2, 1), "actions is 1; it must be 2 to 1024"),
        (lambda: Dqn(2, 2, backend="gpu"), "there is no backend 'gpu' for Dqn; backends: native, model"),
        (lambda: Dqn(2, 2, DqnSettings(huber=65)), "huber is 65; it must be 0 to 64"),
    ],
)
def test_a_wrong_setting_is_one_sentence(make, words: str) -> None:
    with pytest.raises(UserError) as error:
        make()
    assert str(error.value) == words


def test_rewards_that_all_become_0_are_said(seed: int) -> None:
    rng = np.random.default_rng(seed)
    states, actions, _, *others = batch(rng, 8)
    learner = Dqn(5, 3, DqnSettings(network=(16,)), seed=1)
    with pytest.warns(CoreWarning, match=r"8 of 8 rewards that are not 0 became 0"):
        learner.step(states, actions, np.full(8, 1e-6), *others)
    scaled = Dqn(5, 3, DqnSettings(network=(16,), reward_scale=1e6), seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoreWarning)
        scaled.step(states, actions, np.full(8, 1e-6), *others)


@pytest.mark.parametrize("name", ["huber", "tau"])
def test_a_setting_that_would_be_0_is_refused(name: str) -> None:
    """A huber of 0 would be no limit at all."""
    with pytest.raises(UserError, match=rf"{name} is 1e-09; the core has 0, or .* and more"):
        Dqn(5, 3, DqnSettings(network=(16,), **{name: 1e-9}))


def test_a_rate_by_which_no_weight_moves_is_said() -> None:
    with pytest.warns(CoreWarning, match=r"learning_rate is 1e-09: .* does not move by so little"):
        Dqn(5, 3, DqnSettings(network=(16,), learning_rate=1e-9))
