"""Numbers that are not 0 but round to 0: a user hears of rewards, states and settings that the core does not see."""

import warnings
from contextlib import contextmanager

import numpy as np
import pytest

from rlcores import Learner, ReplayLearner
from rlcores.cores.common.vanished import Vanished
from rlcores.cores.learner.layout import WEIGHTS, flatten
from rlcores.cores.learner.records import REWARD_FRAC
from rlcores.errors import CoreWarning, UserError

SIZES, HALF = (3, 5, 2), 2.0 ** -(REWARD_FRAC + 1)
KINDS = {"float64": np.float64, "float32": np.float32, "list": list}  # a list goes another way than plain arrays


@contextmanager
def said():
    """The CoreWarnings, as texts."""
    texts = []
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", CoreWarning)
        yield texts
    texts += [str(each.message) for each in seen if each.category is CoreWarning]
    assert all(each.filename == __file__ for each in seen), "at the user's line"


def batch(rewards, seed=1, scale=1.0):
    rng, count = np.random.default_rng(seed), len(rewards)
    states = rng.normal(size=(count, 3)) * scale
    return [states, rng.integers(0, 2, count), np.array(rewards), states, np.zeros(count, bool)]


def of_kind(kind, arrays):
    if kind == "list":
        return [x.tolist() for x in arrays]
    return [x.astype(KINDS[kind]) if x.dtype.kind == "f" else x for x in arrays]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", ["native", "model"])
def test_rewards_that_all_become_0_are_said_once_with_their_number(backend, kind):
    learner = Learner(SIZES, backend=backend, batch_max=32, seed=1)
    with said() as texts:
        for _ in range(3):
            learner.step(*of_kind(kind, batch([1e-6, -2e-6, 0.0, 3e-6] * 4)))
    assert texts == [
        "12 of 12 rewards that are not 0 became 0, for the core has steps of 2**-16 = 1.53e-05: multiply them by a "
        "constant first (12 so far)"
    ]
    with said() as texts:
        for _ in range(10):
            learner.step(*of_kind(kind, batch([1e-6] * 32)))
    assert len(texts) == 1 and texts[0].endswith("(100 so far)"), "the next power of ten"
    learner.clear_saturations()
    with said() as texts:
        learner.step(*of_kind(kind, batch([1e-6] * 5)))
    assert len(texts) == 1 and texts[0].startswith("5 of 5 rewards")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rewards", "warns"), [
    ([0.0] * 4, False), ([1e-6, 1.0, 1.0, 0.0], False), ([1e-6, 1e-6, 1.0, 1.0], True), ([1e-6, 0.0, 0.0, 0.0], True),
    ([HALF] * 4, False), ([-HALF] * 4, True), ([np.nextafter(np.float32(HALF), np.float32(0)).item()] * 4, True),
])  # fmt: skip
def test_only_where_half_of_the_rewards_are_lost(kind, rewards, warns):
    """HALF rounds up to a step, and minus HALF to 0."""
    with said() as texts:
        Learner(SIZES, seed=1).step(*of_kind(kind, batch(rewards)))
    assert bool(texts) == warns, texts


@pytest.mark.parametrize("kind", KINDS)
def test_states_that_all_become_0_are_said(kind):
    learner = Learner(SIZES, seed=1)
    with said() as texts:
        learner.step(*of_kind(kind, batch([1.0] * 4, scale=1e-6)))
    assert len(texts) == 1 and texts[0].startswith("12 of 12 numbers of states that are not 0 became 0"), texts
    with said() as texts:
        learner.step(*of_kind(kind, batch([1.0] * 4, scale=0.0)))
        learner.step(*of_kind(kind, batch([1.0] * 4)))
    assert not texts


def test_the_quick_way_and_the_long_one_lose_the_same(seed):
    """Counts of plain arrays, which the engine takes, beside those of lists, which NumPy rounds."""
    rng = np.random.default_rng(seed)
    pair = [Learner(SIZES, seed=1), Learner(SIZES, seed=1)]
    lost = 0
    for _ in range(50):
        arrays = batch(rng.choice([0.0, HALF, -HALF, 1.0, -1e-6, 7e-6, 8e-6], 16))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoreWarning)
            assert np.array_equal(pair[0].step(*arrays), pair[1].step(*of_kind("list", arrays)))
        rewards_lost = [one.lost.rewards.lost for one in pair]
        assert rewards_lost[0] == rewards_lost[1] >= lost
        lost = rewards_lost[0]
    assert lost > 100


def test_a_replay_learner_says_it_when_experiences_come():
    agent = ReplayLearner(SIZES, buffer_size=64, batch_size=4, seed=1)
    with said() as texts:
        agent.add(*batch([0.5] * 8))
        agent.add(*batch([1e-6] * 7))
    assert not texts, "fewer than half so far"
    with said() as texts:
        agent.add(*batch([1e-6] * 2))
        agent.add(*batch([1e-6]))
    assert texts == [
        "2 of 2 rewards that are not 0 became 0, for the core has steps of 2**-16 = 1.53e-05: multiply them by a "
        "constant first (2 so far)"
    ]


def test_as_many_as_said_are_counted():
    rewards = Vanished("rewards", REWARD_FRAC)
    rewards.see(np.array([1.0, 1e-9, 2.0]), np.array([65536, 0, 131072]))
    with pytest.warns(CoreWarning, match=r"3 of 3 rewards .* \(3 so far\)"):
        rewards.see(np.full(3, 1e-9), np.zeros(3, int))
    assert (rewards.lost, rewards.kept) == (4, 2)


@pytest.mark.parametrize(("settings", "warning"), [
    ({"optimiser": "adam", "learning_rate": 1e-9}, "learning_rate is 1e-09"),
    ({"optimiser": "sgd", "learning_rate": 1e-8}, "learning_rate is 1e-08"),
    ({"optimiser": "momentum", "learning_rate": 1e-8}, "learning_rate is 1e-08"),
    ({"optimiser": "adamw", "weight_decay": 1e-6}, "weight_decay is 1e-06"),
])  # fmt: skip
def test_a_rate_by_which_no_weight_moves_is_said(settings, warning):
    with said() as texts:
        learner = Learner(SIZES, seed=1, **settings)
    assert len(texts) == 1 and warning in texts[0] and "does not move by so little" in texts[0]
    largest = {name: value * 100 for name, value in settings.items() if name != "optimiser"}
    with said() as texts:
        learner.set(**largest)
    assert not texts
    with said() as texts:
        Learner(SIZES, seed=1, rounding="stochastic", **settings)
    assert not texts, "they move now and then"


def test_it_is_true_that_no_weight_moves(seed):
    """Where the warning comes, and at ten thousand times that rate."""
    for optimiser, rate in (("sgd", 1e-8), ("momentum", 1e-8), ("adam", 1e-9)):
        moved = []
        for factor in (1, 10_000):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CoreWarning)
                learner = Learner(SIZES, optimiser=optimiser, learning_rate=rate * factor, seed=1, huber=None)
                before = flatten(learner.driver.read(WEIGHTS, False))
                for _ in range(20):
                    learner.step(*batch([500.0, -500.0] * 32, seed))
            after = flatten(learner.driver.read(WEIGHTS, False))
            moved.append(bool((after != before).any()))
        assert moved == [False, True], optimiser


@pytest.mark.parametrize("name", ["gamma", "reward_scale", "tau", "huber"])
def test_a_setting_that_would_be_0_is_refused(name):
    with pytest.raises(UserError, match=rf"{name} is 1e-09; the core has 0, or .* and more"):
        Learner(SIZES, **{name: 1e-9})
