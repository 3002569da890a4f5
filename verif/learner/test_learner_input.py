"""What a user may hand to a learner, what is said when numbers do not fit, and copies of it."""

import copy
import pickle
import warnings

import numpy as np
import pytest

from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.format import LearnerBatch
from rlcores.cores.learner.state import to_state
from rlcores.errors import CoreWarning, UserError

SIZES, CRITIC, ACTOR = (3, 5, 2), (5, 6, 1), (3, 6, 2)


def batch(rng, count=6, *, box=False):
    actions = rng.uniform(-1, 1, (count, 2)) if box else rng.integers(0, 2, count)
    return [
        rng.normal(size=(count, 3)),
        actions,
        rng.normal(size=count),
        rng.normal(size=(count, 3)),
        rng.random(count) < 0.3,
    ]


KINDS = {
    "lists": lambda x: x.tolist(),
    "float16": lambda x: x.astype(np.float16) if x.dtype.kind == "f" else x,
    "non-contiguous": lambda x: np.repeat(x, 2, axis=0)[::2],
    "read-only": lambda x: np.broadcast_to(x, x.shape),
    "Fortran order": np.asfortranarray,
    "ends as numbers": lambda x: x.astype(np.float32) if x.dtype == bool else x,
    "actions as floats": lambda x: x.astype(np.float64) if x.dtype.kind == "i" else x,
}


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_every_kind_train_alike(kind, seed):
    made = KINDS[kind]
    pair = [Learner(SIZES, seed=1), Learner(SIZES, seed=1)]
    arrays = batch(np.random.default_rng(seed))
    if kind == "float16":
        arrays = [made(x) for x in arrays]
        plainly = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in arrays]
    else:
        plainly = arrays
    assert np.array_equal(pair[0].step(*plainly), pair[1].step(*(made(x) for x in arrays)))
    assert np.array_equal(pair[0].values(plainly[0]), pair[1].values(made(arrays[0])))
    assert np.array_equal(pair[0].step(LearnerBatch(*plainly)), pair[1].step(LearnerBatch(*(made(x) for x in arrays))))


def test_tensors_train_as_arrays_do(seed):
    torch = pytest.importorskip("torch")
    pair = [Learner(SIZES, seed=1), Learner(SIZES, seed=1)]
    arrays = batch(np.random.default_rng(seed))
    tensors = [torch.tensor(x, requires_grad=x.dtype.kind == "f") for x in arrays]
    weights = torch.ones(6, requires_grad=True)
    assert np.array_equal(pair[0].step(*arrays), pair[1].step(*tensors, weights))
    assert np.array_equal(pair[0].step(LearnerBatch(*arrays)), pair[1].step(LearnerBatch(*tensors)))
    assert np.array_equal(pair[0].act(arrays[0]), pair[1].act(tensors[0]))
    state = {name: torch.tensor(np.asarray(x), requires_grad=True) for name, x in pair[0].weights().items()}
    pair[1].load_weights(state)
    rows = torch.randn(4, 3, dtype=torch.bfloat16)
    assert np.array_equal(pair[0].values(rows.float()), pair[1].values(rows))


def test_one_state_alone_gives_one_action(seed):
    rng = np.random.default_rng(seed)
    dqn, ddpg = Learner(SIZES), Learner(CRITIC, actor=ACTOR)
    states = rng.normal(size=(4, 3))
    for k in range(4):
        assert dqn.act(states[k]) == dqn.act(states)[k] and np.ndim(dqn.act(states[k])) == 0
        assert np.array_equal(dqn.values(states[k]), dqn.values(states)[k])
        assert np.array_equal(ddpg.act(states[k]), ddpg.act(states)[k])
        assert np.array_equal(ddpg.values(states[k], ddpg.act(states[k])), ddpg.values(states, ddpg.act(states))[k])


@pytest.mark.parametrize(
    ("place", "wrong", "sentence"),
    [
        (0, [["a"] * 3] * 6, "states is not an array of numbers, but of type <U1"),
        (0, [[1, 2, 3], [1, 2]], "states is not an array of numbers"),
        (0, np.full((6, 3), 1j), "states is not an array of numbers, but of type complex128"),
        (1, None, "actions is missing"),
        (2, np.zeros((6, 1)), r"rewards has shape \(6, 1\); it must be \(B,\)"),
        (2, np.ma.masked_array(np.ones(6), np.arange(6) == 2), "rewards has masked entries"),
        (4, np.array([0, 1, 0, 0, np.nan, 0]), "terminated holds nan; it must be true or false"),
        (4, np.array([0, 1, 0, 0, 0.5, 0]), "terminated holds 0.5; it must be true or false"),
    ],
)
def test_what_is_no_batch_is_one_sentence_and_changes_nothing(place, wrong, sentence, seed):
    learner = Learner(SIZES)
    arrays = batch(np.random.default_rng(seed))
    arrays[place] = wrong
    known = str(learner.weights())
    with pytest.raises(UserError, match=sentence) as caught:
        learner.step(*arrays)
    assert "\n" not in str(caught.value) and str(learner.weights()) == known


def test_states_of_the_wrong_shape_are_one_sentence():
    learner, ddpg = Learner(SIZES), Learner(CRITIC, actor=ACTOR)
    for states in (np.zeros(4), np.zeros((2, 4)), np.zeros((1, 1, 3)), 3.0):
        with pytest.raises(UserError, match=r"states have shape .*; this learner takes \(B, 3\)"):
            learner.act(states)
    with pytest.raises(UserError, match="there are 1 actions for 2 states"):
        ddpg.values(np.zeros((2, 3)), np.zeros(2))


# --- numbers that do not fit ---


@pytest.mark.parametrize("backend", ["native", "model", "rtl"])
def test_numbers_that_do_not_fit_are_said_with_their_count(backend, seed):
    learner = Learner(SIZES, backend=backend, batch_max=24)  # the parameters of the other tests
    arrays = batch(np.random.default_rng(seed))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.step(*arrays)
    arrays[0] = arrays[0] * 1e4
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", CoreWarning)
        for _ in range(20):
            learner.step(*arrays)
    total = sum(learner.saturations().values())
    assert 1 <= len(seen) <= len(str(total)), "at powers of ten only"
    assert all(w.category is CoreWarning and w.filename == __file__ for w in seen)
    assert str(seen[0].message).startswith("numbers of the learner did not fit: ") and "SAT_IN" in str(seen[0].message)
    learner.clear_saturations()
    with pytest.warns(CoreWarning, match="SAT_IN"):
        learner.step(*arrays)


# --- settings, copies ---


def test_adams_epsilon_is_called_adam_epsilon():
    learner = Learner(SIZES, adam_epsilon=1e-4)
    learner.set(adam_epsilon=1e-5)
    for call in (lambda: learner.set(epsilon=1e-5), lambda: Learner(SIZES, epsilon=1e-5)):
        with pytest.raises(UserError, match="there is no setting 'epsilon'; did you mean 'adam_epsilon'; settings"):
            call()


@pytest.mark.parametrize("way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("options", [{}, {"rounding": "stochastic", "optimiser": "momentum"}])
def test_a_copied_learner_trains_as_the_original(way, options, seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES, target_update_interval=3, **options)
    learner.step(*batch(rng))
    twin = way(learner)
    for _ in range(5):
        arrays = batch(rng)
        assert np.array_equal(learner.step(*arrays), twin.step(*arrays))
    assert str(learner.weights("target")) == str(twin.weights("target"))
    assert learner.steps == twin.steps == 6


def test_a_learner_on_a_core_says_that_it_cannot_be_copied():
    learner = Learner(SIZES, backend="rtl", batch_max=24)
    for way in (copy.deepcopy, pickle.dumps):
        with pytest.raises(UserError, match="a learner on a core cannot be pickled or copied; state_dict"):
            way(learner)
    assert to_state(learner.driver.read())["0.weight"].shape == (5, 3)
