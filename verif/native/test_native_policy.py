"""A policy that was sent elsewhere acts with the learner's own bits, on every instruction set."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from rlcores import Learner, ReplayLearner
from rlcores.cores.learner.format import Formats
from rlcores.cores.learner.policy import Policy

SIZES = [(3, 5), (4, 16, 8, 2), (7, 70, 33, 9, 4), (4, 64, 64, 2)]


pytestmark = pytest.mark.usefixtures("isa")


def learners(rng: np.random.Generator, backend: str = "native") -> list[Learner]:
    """Q networks and an actor, weights small and large, so that nothing and everything saturates."""
    made = [Learner(sizes, backend=backend, seed=int(rng.integers(99))) for sizes in SIZES]
    made.append(Learner((5, 16, 1), actor=(3, 12, 2), backend=backend, seed=1))
    for learner in made:
        for name in learner.networks[::2]:
            scale = rng.choice([1.0, 20.0])
            weights = {k: np.clip(x * scale, -15, 15) for k, x in learner.weights(name).items()}
            learner.load_weights(weights, name)
    return made


@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_policy_answers_as_its_learner(backend, seed):
    rng = np.random.default_rng(seed)
    for learner in learners(rng, backend):
        policy = pickle.loads(pickle.dumps(learner.policy()))
        assert policy._engine is not None and policy.squashes == (learner.shape.actor is not None)
        answer = learner.act if policy.squashes else learner.values
        for dtype in (np.float32, np.float64):
            states = (rng.normal(size=(9, policy.sizes[0])) * rng.choice([1.0, 50.0])).astype(dtype)
            wanted = answer(states)
            np.testing.assert_array_equal(policy(states), wanted)
            np.testing.assert_array_equal(replace(policy, backend="model")(states), wanted)
            # A row does not hang on the others.
            np.testing.assert_array_equal(np.concatenate([policy(row[None]) for row in states]), wanted)
        assert policy(states[:0]).shape == wanted[:0].shape


def test_sums_beyond_the_accumulator_wrap_as_in_the_core(seed):
    rng = np.random.default_rng(seed)
    sizes, limit = (64, 64, 2), 1 << 26
    weights = rng.choice([-limit, limit - 1], 64 * 65 + 2 * 65)
    policy = Policy(sizes, Formats.default(2), weights)
    states = rng.choice([-32.0, 31.9], (20, 64))
    states[0] = np.where(weights[:64] > 0, 31.9, -32.0)  # 2**49, in the first neuron
    found = np.empty((20, 2))
    assert not policy._engine.act(states, found)
    np.testing.assert_array_equal(policy(states), replace(policy, backend="model")(states))


def test_layers_are_the_weights(seed):
    learner = Learner((4, 8, 2), seed=seed % 1000)
    state = learner.weights()
    for layer, (w, b) in enumerate(learner.policy().layers()):
        np.testing.assert_array_equal(w, np.asarray(state[f"{2 * layer}.weight"]))
        np.testing.assert_array_equal(b, np.asarray(state[f"{2 * layer}.bias"]))


def test_a_policy_keeps_its_weights_while_the_learner_goes_on(seed):
    rng = np.random.default_rng(seed)
    learner = ReplayLearner((4, 8, 2), buffer_size=64, batch_size=16, seed=seed % 1000)
    states = rng.normal(size=(40, 4))
    policy = learner.policy()
    before = learner.values(states)
    learner.add(states, rng.integers(2, size=40), np.ones(40), states, np.ones(40, bool))
    learner.train(3)
    assert (learner.values(states) != before).any()
    np.testing.assert_array_equal(policy(states), before)
    np.testing.assert_array_equal(learner.policy()(states), learner.values(states))


def test_what_is_no_policy_is_refused():
    policy = Learner((4, 8, 2)).policy()
    for state in (np.nan, np.inf, -np.inf):
        for backend in ("native", "model"):
            with pytest.raises(ValueError, match=r"a state is .*; it must be a finite number"):
                replace(policy, backend=backend)(np.full((2, 4), state))
    with pytest.raises(ValueError, match="states of another shape"):
        policy(np.zeros((2, 3)))
    for wrong in (policy.weights[:-1], policy.weights.astype(float), policy.weights + (1 << 26)):
        with pytest.raises(ValueError, match=r"no weights of a network \(4, 8, 2\)"):
            replace(policy, weights=wrong)
