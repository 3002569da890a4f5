"""Learners in parallel in integers: what a round does, and what it is compared with."""

from fractions import Fraction

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.cores.learner.format import LearnerBatch
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.model import ValueLearner
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.networks import Networks
from rlcores.cores.learner.parameters import small_parameters
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learners.api import ReplayLearners
from rlcores.cores.learners.average import importance, mean
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.cores.sumtree.maths import POWER_ONE, WEIGHT_ONE
from rlcores.cores.sumtree.model import SAMPLE
from rlcores.errors import UserError
from rlcores_lab.cycles import learners as cycles

SETTINGS = {"batch_size": 16, "tau": 0.3, "target_update_interval": 8, "ahead": 2, "seed": 3}


def experiences(count=1000, seed=0, actions=None):
    """Random experiences of CartPole's size; actions: how many numbers an action has."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, 2, count) if actions is None else rng.uniform(-1, 1, (count, actions))
    states = rng.normal(size=(2, count, 4))
    return states[0], chosen, rng.normal(size=count), states[1], rng.random(count) < 0.1


def equal(one, other):
    """Names of what differs between two states."""
    assert one.keys() == other.keys()
    return [name for name in one if not np.array_equal(one[name], other[name])]


@pytest.mark.parametrize("learners", [1, 2, 3, 4, 6, 16])
def test_the_average_is_the_exact_one_rounded_half_up(learners):
    rng = np.random.default_rng(learners)
    numbers = rng.integers(-(2**26), 2**26, (learners, 2000))
    numbers[:, 0], numbers[:, 1] = 2**26 - 1, -(2**26)
    average = mean(numbers)
    wanted = [Fraction(int(x), learners) + Fraction(1, 2) for x in numbers.sum(axis=0)]
    assert average.tolist() == [x.numerator // x.denominator for x in wanted]
    assert np.abs(average - numbers.mean(axis=0)).max() <= 0.5


@pytest.mark.parametrize("actor", [None, (4, 8, 2)])
def test_engine_and_model_train_the_same_weights(actor):
    network = (6, 8, 1) if actor else (4, 16, 8, 2)
    states = []
    for backend in ("native", "model"):
        options = dict(SETTINGS, learners=3, average=4, backend=backend)
        agent = ReplayLearners(network, actor=actor, **options)
        agent.add(*experiences(actions=2 if actor else None))
        assert (agent.train(20), agent.train(3)) == (20, 3)
        assert agent.rounds == 5
        states.append(agent.state_dict())
    assert not equal(*states)


def test_one_learner_is_a_replay_learner():
    one, alone = ReplayLearners((4, 16, 2), learners=1, average=4, **SETTINGS), ReplayLearner((4, 16, 2), **SETTINGS)
    for agent in (one, alone):
        agent.add(*experiences())
        agent.train(20)
    assert not equal(one.learners[0].state_dict(), alone.state_dict())


@pytest.mark.parametrize("actor", [None, (4, 8, 2)])
def test_all_learners_begin_with_the_same_weights_and_targets_to_the_last_bit(actor):
    agent = ReplayLearners((6, 8, 1) if actor else (4, 16, 2), actor=actor, learners=3, average=4, **SETTINGS)
    first, *others = (one.driver.learner.model.networks for one in agent.learners)
    for networks in others:
        for one, model in zip(networks, first, strict=True):
            assert all(np.array_equal(one.planes[plane], model.planes[plane]) for plane in (WEIGHTS, TARGET))


def test_weights_meet_and_targets_stand_still_within_a_round():
    agent = ReplayLearners((4, 16, 2), learners=3, average=4, target_update_interval=4, batch_size=16, seed=1)
    agent.add(*experiences())
    parts = [one.driver.learner.model.network for one in agent.learners]
    first = parts[0].planes[TARGET].copy()
    for step in range(1, 5):
        agent.train(1)
        weights = np.stack([part.planes[WEIGHTS] for part in parts])
        apart = np.abs(weights - weights[0]).max()
        assert (apart == 0) == (step == 4)
        targets = np.stack([part.planes[TARGET] for part in parts])
        assert (targets == (first if step < 4 else weights[0])).all()
    assert (weights[0] != first).any()


def test_moments_stay_with_their_learner():
    agent = ReplayLearners((4, 16, 2), learners=2, average=1, target_update_interval=4, batch_size=16, seed=1)
    agent.add(*experiences())
    agent.train(3)
    moments = [one.driver.learner.model.network.planes[2] for one in agent.learners]
    assert (moments[0] != moments[1]).any()


@pytest.mark.parametrize("learners", [2, 3, 4])
def test_averaging_every_step_of_sgd_is_one_learner_with_the_whole_batch(learners):
    shape = LearnerShape.of(small_parameters((4, 16, 8, 2), optimiser="sgd", batch_max=64))

    def made(batch, rate):
        driver = LearnerModelDriver(shape)
        Networks(driver, (4, 16, 8, 2), seed=5, hyper={"learning_rate": rate, "target_update_interval": 0}).configure(
            batch
        )
        assert isinstance(driver.model, ValueLearner)
        return driver.model

    whole, parts = made(16 * learners, 0.05), [made(16, 0.05) for _ in range(learners)]
    states, actions, rewards, following, terminated = experiences(16 * learners)
    for number, model in enumerate([*parts, whole]):
        own = slice(None) if model is whole else slice(16 * number, 16 * number + 16)
        model.step(LearnerBatch(states[own], actions[own], rewards[own], following[own], terminated[own]))
    average = mean(np.stack([part.network.planes[WEIGHTS] for part in parts]))
    other = whole.network.planes[WEIGHTS]
    # Each learner rounds its gradient and its step once.
    assert np.abs(average - other).max() <= 2
    assert np.abs(parts[0].network.planes[WEIGHTS] - other).max() > 100


def drawn(rng, banks, count):
    """Answers of banks of unlike totals, and their probabilities with one learner a bank."""
    answers, chances = [], []
    for bank in range(banks):
        priorities = rng.integers(1, 2**18, 500) >> (2 * bank)
        priorities = np.maximum(priorities, 1)
        index = rng.integers(0, 500, count)
        one = np.zeros(count, SAMPLE)
        one["priority"], one["total"] = priorities[index], priorities.sum()
        answers.append(one)
        chances.append(priorities[index] / priorities.sum() / banks)
    return answers, chances


@pytest.mark.parametrize("beta", [0.0, 0.4, 1.0])
def test_importance_weights_correct_for_every_bank(beta):
    answers, chances = drawn(np.random.default_rng(1), 4, 64)
    code = round(beta * POWER_ONE)
    weights = np.concatenate(importance(answers, code)) / WEIGHT_ONE
    totals = np.concatenate([one["total"].astype(float) for one in answers])
    priorities = np.concatenate([one["priority"].astype(float) for one in answers])
    wanted = totals * priorities ** -(code / POWER_ONE)
    np.testing.assert_allclose(weights, wanted / wanted.max(), rtol=2e-5, atol=2**-30)
    if beta == 1:
        # Every slot counts alike, however often it is drawn.
        np.testing.assert_allclose(weights * np.concatenate(chances), (weights * np.concatenate(chances))[0], rtol=2e-5)


def test_a_sample_of_an_empty_bank_has_no_weight():
    answers, _ = drawn(np.random.default_rng(2), 2, 8)
    answers[0]["status"] = 3
    weights = importance(answers, POWER_ONE)
    assert not weights[0].any() and weights[1].max() == WEIGHT_ONE


def test_weights_of_each_bank_alone_are_the_cores():
    exact, alone = (
        ReplayLearners((4, 16, 2), learners=2, average=4, target_update_interval=4, batch_size=16, seed=1, exact=exact)
        for exact in (True, False)
    )
    for agent in (exact, alone):
        data = experiences()
        agent.add(*data, priorities=np.where(np.arange(1000) % 2, 1.0, 30.0))  # one bank has the large ones
        agent.train(4)
    assert equal(exact.state_dict(), alone.state_dict())


def test_a_state_in_the_middle_of_a_round_goes_on():
    agents = [ReplayLearners((4, 16, 2), learners=2, average=4, **SETTINGS) for _ in range(2)]
    agents[0].add(*experiences())
    agents[0].train(6)
    kept = agents[0].state_dict()
    agents[1].load_state_dict(kept)
    for agent in agents:
        agent.add(*experiences(101, seed=7))
        agent.train(7)
    assert not equal(agents[0].state_dict(), agents[1].state_dict())
    for damaged, words in (
        ({"since": np.array(4)}, "its round has no such step"),
        ({"average": np.array(5)}, "the state is of average = 5"),
    ):
        with pytest.raises(UserError, match=words):
            agents[1].load_state_dict(kept | damaged)
    with pytest.raises(UserError, match="the state is of 2 learners; these are 3"):
        ReplayLearners((4, 16, 2), learners=3, average=4, **SETTINGS).load_state_dict(kept)


def test_experiences_are_dealt_in_turn():
    agent = ReplayLearners((4, 16, 2), learners=3, average=4, **SETTINGS)
    agent.add(*experiences(100))
    agent.add(*experiences(101))
    assert [len(one) for one in agent.learners] == [67, 67, 67]
    with pytest.raises(UserError, match="there are 5 rewards; actions must have as many rows"):
        states = np.zeros((5, 4))
        agent.add(states, np.zeros(4, int), np.zeros(5), states, np.zeros(5, bool))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"learners": 17}, "learners is 17; it must be 1 to 16"),
        ({"average": 0}, "average is 0; it must be 1"),
        ({"target_update_interval": 7}, "target_update_interval is 7; it must be a multiple of average = 4"),
        ({"relaxed": True}, "relaxed=True is of one replay learner"),
        ({"backend": "gpu"}, "backend"),
    ],
)
def test_what_is_not_allowed_is_said(options, words):
    with pytest.raises(UserError, match=words):
        ReplayLearners((4, 16, 2), **({"average": 4} | options))


def test_nothing_is_trained_before_every_bank_has_enough():
    agent = ReplayLearners(
        (4, 16, 2), learners=2, average=4, learning_starts=20, target_update_interval=4, batch_size=8
    )
    agent.add(*experiences(18))
    assert agent.train(3) == 0
    agent.add(*experiences(2))
    assert agent.train(3) == 3


def test_the_page_has_the_counted_designs():
    page = (paths.root() / "docs" / "learners.md").read_text()
    for row in cycles.table():
        assert f"| {' | '.join(row)} |" in page
