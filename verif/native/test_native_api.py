"""What a user may hand to the sum tree: the engine's short way and the long way give the same, or say the same."""

import copy
import pickle
import warnings

import numpy as np
import pytest

from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree
from rlcores.errors import CoreWarning, UserError

CAPACITY = 60


def shaped(rng: np.random.Generator, array: np.ndarray) -> object:
    """The same numbers in another form, or now and then other numbers that are wrong."""
    kinds = ["<i8", "<i4", "<u2", "<i8", "<f8", "<f4", "<f2", ">i8", ">f8", "O", "g"]
    how = int(rng.integers(16))
    if how < len(kinds):
        with np.errstate(over="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return array.astype(kinds[how])
    if how == 11:
        return array.tolist()
    if how == 12:
        return np.repeat(array, 3)[::3]
    if how == 13:
        array = array.copy()
        array.flags.writeable = False
        return array
    if how == 14 and len(array):
        wrong = array.astype(rng.choice(["<f8", "<i8"]))
        values = [-1, 1 << 40, 2**31, 5000, *([np.nan, np.inf, 0.5] if wrong.dtype.kind == "f" else [])]
        wrong[rng.integers(len(array))] = rng.choice(values)
        return wrong
    return [array[:-1], array[:, None], np.append(array, 1), "x", None, {}, array.reshape(-1, 1), array.astype(bool)][
        int(rng.integers(8))
    ]


def outcome(buffer: PrioritizedSampler | SumTree, name: str, arguments: tuple, options: dict) -> tuple:
    """What a call gave, or said, and what it warned of."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", CoreWarning)
        try:
            answer = getattr(buffer, name)(*arguments, **options)
        except UserError as error:
            answer = str(error)
    parts = answer if isinstance(answer, tuple) else (answer,)
    values = [(str(x.dtype), x.tolist()) if isinstance(x, np.ndarray) else x for x in parts]
    return values, [str(w.message) for w in warned]


def calls(rng: np.random.Generator, kind: type) -> tuple[str, tuple, dict]:
    count = int(rng.integers(0, 20))
    indices, tags = rng.integers(0, CAPACITY, count), rng.integers(0, 3, count)
    values = rng.lognormal(0, 2, count) if kind is PrioritizedSampler else rng.integers(0, 1 << 18, count)
    add = ("insert", (shaped(rng, values),), {})
    if kind is PrioritizedSampler:
        add = ("add", (), {"td_errors": shaped(rng, values)})
    return [
        add,
        ("update", (shaped(rng, indices), shaped(rng, values)), {}),
        ("update", (indices, values, shaped(rng, tags)), {}),
        ("update", (indices, values, tags), {}),
        ("update", (indices[:1], values[0] if count else 1.0), {}),
        ("commit", (shaped(rng, indices), tags), {}),
        ("commit", (indices, None), {}),
        ("commit", (indices, tags, shaped(rng, values)), {}),
        ("reserve", (count % 4,), {}),
        ("place", (shaped(rng, indices),), {}),
        ("sample", (count,), {}),
        ("sample", (count + 1,), {}),
    ][int(rng.integers(12))]


OPTIONS = [{}, {"generation_width": 0}, {"priority_width": 32}, {"max_priority_within_buffer": True}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", [SumTree, PrioritizedSampler])
def test_every_form_of_argument_gives_or_says_the_same(kind: type, options: dict, seed: int) -> None:
    rng = np.random.default_rng([seed, len(options)])
    pair = [kind(CAPACITY, backend=backend, seed=seed, **options) for backend in ("native", "model")]
    said = gave = 0
    for _ in range(400):
        name, arguments, more = calls(rng, kind)
        both = [outcome(buffer, name, copy.deepcopy(arguments), more) for buffer in pair]
        assert str(both[0]) == str(both[1]), (name, arguments)
        said, gave = said + isinstance(both[0][0][0], str), gave + (not isinstance(both[0][0][0], str))
        if rng.random() < 0.02:
            pair = [pickle.loads(pickle.dumps(buffer)) for buffer in pair]
        if rng.random() < 0.02:
            states = [buffer.state_dict() for buffer in pair]
            assert str(states[0]) == str(states[1])
            for buffer, state in zip(pair, reversed(states), strict=True):
                buffer.load_state_dict(state)
    trees = [getattr(buffer, "tree", buffer) for buffer in pair]
    assert (trees[0].total, trees[0].largest, trees[0].stale) == (trees[1].total, trees[1].largest, trees[1].stale)
    assert said > 5 and gave > 100, (said, gave)


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("name", ["update", "commit"])
def test_a_wrong_value_is_named_before_a_slot_that_holds_nothing(backend: str, name: str) -> None:
    sampler = PrioritizedSampler(CAPACITY, backend=backend, seed=1)
    sampler.add(td_errors=np.ones(2))
    slots = np.array([0, 5])
    with pytest.raises(UserError, match="td_errors\\[1\\] is nan"):
        getattr(sampler, name)(slots, td_errors=np.array([1.0, np.nan]), generations=sampler.tree.generations(slots))


@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_callers_batch_is_filled_and_another_one_refused(backend: str) -> None:
    pair = [PrioritizedSampler(CAPACITY, backend=backend, seed=1, batch_size=8) for _ in range(2)]
    for sampler in pair:
        sampler.add(td_errors=np.linspace(0.1, 3, CAPACITY))
    kept = pair[0].sample()
    assert pair[1].sample(out=kept) is kept
    for _ in range(3):
        fresh = pair[0].sample()
        assert all(np.array_equal(a, b) for a, b in zip(fresh, pair[1].sample(out=kept), strict=True))
    for wrong, sentence in (
        (tuple(kept), "out is of type tuple; it must be a PrioritizedBatch that sample"),
        (pair[0].sample(7), "out.indices must be an array of 8 int64 that can be written"),
        (
            kept._replace(indices=np.ma.masked_array(kept.indices, True)),
            "out.indices must be an array of 8 int64 that can be written",
        ),
        (kept._replace(weights=kept.probabilities), "out.weights must be an array of 8 float32 that can be written"),
        (kept._replace(priorities=np.zeros(16, np.int64)[::2]), "out.priorities must be an array of 8 int64"),
    ):
        with pytest.raises(UserError, match=sentence):
            pair[1].sample(out=wrong)


@pytest.mark.parametrize("backend", ["model", "native"])
@pytest.mark.parametrize(
    "indices", [np.ma.array([1, 2, 3], mask=[0, 1, 0]), np.zeros(3, "V0"), np.empty(0, "i4,i4,i4")]
)
def test_arrays_that_mean_something_else_are_refused_or_empty(backend, indices):
    tree = SumTree(4, backend=backend, seed=0)
    if indices.size:
        with pytest.raises(UserError):
            tree.insert(indices)
    else:
        assert tree.insert(indices).indices.size == 0
    assert tree.total == 0
    with pytest.raises(UserError, match="generations is None"):
        tree.commit([0], None)


def test_a_copy_of_a_sampler_shares_nothing():
    sampler = PrioritizedSampler(8, seed=0)
    other = copy.copy(sampler)
    other.add(3)
    assert (len(sampler), len(other)) == (0, 3)
