"""Settings and batches that make no sense are refused in one sentence, before anything is trained with them."""

import math

import numpy as np
import pytest

from rlcores.cores.rl.dqn import Dqn, DqnSettings
from rlcores.cores.rl.regression import Regression, RegressionSettings
from rlcores.cores.rl.sac import Sac, SacSettings
from rlcores.cores.rl.td3 import Td3, Td3Settings
from rlcores.errors import UserError

LEARNERS = {"sac": (Sac, SacSettings), "td3": (Td3, Td3Settings), "dqn": (Dqn, DqnSettings)}
KINDS = pytest.mark.parametrize("name", LEARNERS)


def learner(name: str, states: object = 3, actions: object = 2, seed: object = 1, **settings: object):
    kind, of_kind = LEARNERS[name]
    return kind(states, actions, of_kind(**({"network": (8, 8)} | settings)), seed=seed)


@KINDS
@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("learning_rate", -1, "learning_rate is -1; it must be 0 to 1"),
        ("learning_rate", math.nan, "learning_rate is nan; it must be 0 to 1"),
        ("learning_rate", "fast", "learning_rate is 'fast'; it must be a number"),
        ("tau", 5, "tau is 5; it must be 0 to 1"),
        ("adam_epsilon", -1e-8, "adam_epsilon is -1e-08; it must be 0 to 1"),
        ("reward_scale", math.nan, "reward_scale is nan; it must be a number above 0"),
        ("reward_scale", 0.0, "reward_scale is 0.0; it must be a number above 0"),
        ("network", 64, r"network is 64; it must be the neurons of each hidden layer, such as \(64, 64\)"),
        ("network", "64,64", "network is '64,64'; it must be the neurons of each hidden layer"),
        ("network", (8, 0), "a hidden layer's neurons is 0; it must be 1 to 1024"),
        ("network", (8.5,), "a hidden layer's neurons is 8.5; it must be a whole number"),
    ],
)
def test_a_setting_out_of_its_range_is_refused(name: str, setting: str, value: object, said: str) -> None:
    with pytest.raises(UserError, match=f"^{said}"):
        learner(name, **{setting: value})


@KINDS
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"states": 0}, "states is 0; it must be 1 to 1024"),
        ({"states": 2.5}, "states is 2.5; it must be a whole number"),
        ({"actions": 0}, "actions is 0; it must be [12] to 1024"),
        ({"seed": -1}, "seed is -1; it must be 0 to"),
        ({"seed": 1.5}, "seed is 1.5; it must be a whole number"),
    ],
)
def test_a_learner_of_no_size_is_refused(name: str, arguments: dict, said: str) -> None:
    with pytest.raises(UserError, match=f"^{said}"):
        learner(name, **arguments)


@pytest.mark.parametrize(
    ("name", "setting", "value", "said"),
    [
        ("td3", "policy_delay", 1.5, "policy_delay is 1.5; it must be a whole number"),
        ("td3", "actor_learning_rate", -1, "actor_learning_rate is -1; it must be 0 to 1"),
        ("sac", "target_entropy", math.nan, "target_entropy is nan; it must be -1000 to 1000"),
    ],
)
def test_a_setting_of_one_algorithm_out_of_its_range_is_refused(name, setting, value, said) -> None:
    with pytest.raises(UserError, match=f"^{said}"):
        learner(name, **{setting: value})


def test_a_regression_of_no_size_or_rate_is_refused() -> None:
    with pytest.raises(UserError, match=r"^learning_rate is -1; it must be 0 to 1"):
        Regression(3, 2, RegressionSettings(learning_rate=-1))
    with pytest.raises(UserError, match=r"^inputs is 0; it must be 1 to 1024"):
        Regression(0, 2)


@KINDS
def test_ends_in_place_of_discounts_are_refused(name: str) -> None:
    """Learner.step takes `terminated` there; as discounts they would mean the opposite."""
    made, states = learner(name), np.zeros((4, 3))
    actions = np.zeros(4, int) if name == "dqn" else np.zeros((4, 2))
    before = [w.copy() for w in made.weights()]
    with pytest.raises(UserError, match=r"discounts are true or false; they must be numbers: gamma"):
        made.step(states, actions, np.ones(4), states, np.zeros(4, bool))
    assert made.steps == 0 and all(map(np.array_equal, before, made.weights()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"actions": np.full(4, 0.5)}, "an action is 0.5; it must be 0 to 1"),
        ({"actions": np.full(4, 2)}, "an action is 2; it must be 0 to 1"),
        ({"actions": np.full(4, -1)}, "an action is -1; it must be 0 to 1"),
        ({"actions": np.eye(4)}, r"actions have shape \(4, 4\); this learner takes \(4,\)"),
        ({"states": np.zeros((4, 2))}, r"states have shape \(4, 2\); this learner takes \(4, 3\)"),
        ({"next_states": np.full((4, 3), np.inf)}, "next_states hold inf; every number must be finite"),
        ({"rewards": np.full(4, np.nan)}, "rewards hold nan; every number must be finite"),
        ({"discounts": np.full(4, 1.5)}, "discounts are 1.5 to 1.5; they must be 0 to 1"),
        ({"rewards": np.ones((4, 1))}, "rewards must be a vector of at least one number"),
        ({"weights": np.full(4, -1.0)}, "weights are -1 to -1; they must be 0 to 1"),
    ],
)
def test_a_batch_of_dqn_that_does_not_fit_changes_nothing(change: dict, said: str) -> None:
    made, states = learner("dqn"), np.zeros((4, 3))
    batch = {"states": states, "actions": np.zeros(4, int), "rewards": np.ones(4), "next_states": states,
             "discounts": np.full(4, 0.9)}  # fmt: skip
    before = made.weights()[0].copy()
    with pytest.raises(UserError, match=f"^{said}"):
        made.step(**(batch | change))
    assert made.steps == 0 and np.array_equal(before, made.weights()[0])
    assert made.step(**batch).shape == (4,)


@KINDS
def test_a_policy_says_which_states_it_takes(name: str) -> None:
    policy = learner(name).policy()
    for states in (np.zeros(3), np.zeros((4, 2)), np.zeros((2, 4, 3))):
        with pytest.raises(UserError, match=r"states have shape .*; this policy takes \(B, 3\)"):
            policy(states)
    assert len(policy(np.zeros((4, 3)))) == 4


@KINDS
def test_a_learner_says_what_it_is(name: str) -> None:
    assert repr(learner(name)) == f"{LEARNERS[name][0].__name__}(3 states, 2 actions, hidden 8-8, 0 steps, native)"
