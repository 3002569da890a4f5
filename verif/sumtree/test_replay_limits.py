"""What the core's numbers cannot hold is clipped, counted and said; whatever an array is made of, its numbers count."""

import warnings

import numpy as np
import pytest

from rlcores.cores.sumtree.maths import of_errors, priorities
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree
from rlcores.errors import CoreWarning, UserError
from rlcores.native import engine


def quiet(call):
    """What a call gives, which warns of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call()


@pytest.mark.parametrize("size", [2048.0, -5e6, 1e30, -1e300, 2**70, 10**400, np.float64(1e308)])
def test_a_td_error_of_any_size_has_its_priority(backend, size):
    sampler = PrioritizedSampler(13, alpha=1.0, backend=backend)
    quiet(lambda: sampler.add(td_errors=[0.5, -2047.9, 2.0]))
    with warnings.catch_warnings(record=True):
        sampler.update([0, 1, 2], [size, size, min(abs(size), 10**308) // 4])
    held = sampler.tree.read([0, 1, 2])
    assert held[0] == held[1] and held[2] == pytest.approx(held[0] / 4, rel=0.5)
    exact = np.log2(float(min(abs(size), int(1.79e308))))
    assert np.log2(held[0]) - np.log2(sampler.unit) == pytest.approx(exact, abs=0.01)


def test_a_priority_that_a_fixed_scale_limits_is_counted(backend, seed):
    rng = np.random.default_rng(seed)
    for alpha, scale in ((1.0, 12), (0.5, 16), (0.0, 17)):
        sampler = PrioritizedSampler(13, alpha=alpha, scale=scale, priority_width=18, backend=backend)
        errors = rng.normal(0, 60, 13)
        exact = (np.abs(errors) + 1e-6) ** sampler.alpha * 2.0**scale
        beyond = int((exact >= 2**18 - 0.5).sum())
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always", CoreWarning)
            sampler.add(td_errors=errors)
        assert sampler.saturations().get("priorities", 0) == beyond and sampler.unit == 2.0**scale
        sentence = f"{beyond} of 13 TD errors have the largest priority that fits: those from "
        assert sum(sentence in str(w.message) for w in seen) == (beyond > 0)


def test_priorities_of_floats_are_those_of_the_cores_unit_where_it_can_hold_the_error(seed):
    """One rule in software and in the core: on multiples of 2**-20 both give the same number."""
    rng = np.random.default_rng(seed)
    for _ in range(50):
        alpha, eps = int(rng.integers(0, 32769)), int(rng.integers(0, 1 << 22))
        scale, width = int(rng.integers(-512, 6000)), int(rng.integers(1, 33))
        delta = np.append((2.0 ** rng.uniform(0, 31, 200)).astype(np.int64), [0, 1, 2**31 - 1])
        coded = of_errors(delta / 2.0**20, alpha, eps / 2.0**20, scale, width)
        priority, above = priorities(delta, alpha, eps, scale, width)
        assert coded.priorities.tolist() == priority.tolist() and coded.above == above.sum()
        made = np.empty(len(delta), np.int64)
        counts = engine.priorities(delta / 2.0**20, alpha, eps / 2.0**20, scale, width, made)
        assert made.tolist() == priority.tolist() and counts == (coded.above, coded.coarse)


def test_a_loop_that_always_saturates_is_warned_of_it_at_powers_of_ten_only():
    sampler = PrioritizedSampler(8, scale=0, alpha=1.0, priority_width=8)
    sampler.add(8)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", CoreWarning)
        for _ in range(150):
            sampler.update([0, 1], [1e6, 100.0])
    assert [str(w.message).split("(")[1] for w in seen] == ["1 so far)", "10 so far)", "100 so far)"]
    assert all(w.filename == __file__ for w in seen), "a warning points at the line of the user"
    assert sampler.saturations()["priorities"] == 150


@pytest.mark.parametrize("epsilon", [0.0, 1e-30, 1e-8, 2**-20, 0.01, 1e5])
def test_an_epsilon_of_any_size_is_what_is_added(backend, epsilon):
    sampler = quiet(lambda: PrioritizedSampler(8, alpha=0.1, priority_epsilon=epsilon, backend=backend))
    assert sampler.priority_epsilon == epsilon
    sampler.add(td_errors=np.array([epsilon, 3 * epsilon]))
    low, high = sampler.tree.read([0, 1])
    assert high / low == pytest.approx(2**0.1 if epsilon else 1, rel=1e-3)


def test_dropped_priorities_are_counted(backend):
    sampler = PrioritizedSampler(4, backend=backend, seed=0)
    old = sampler.add(4)
    sampler.add(2)
    assert sampler.update(old.indices, np.ones(4), old.generations).tolist() == [False, False, True, True]
    assert sampler.stale == 2 == sampler.tree.driver.counters()["stale"]


# --- draws from elsewhere ---


@pytest.mark.parametrize("stratified", [True, False])
def test_the_callers_draws_give_what_the_cores_own_would(backend, stratified, seed):
    from rlcores.cores.common.draws import Xoshiro128pp, state_of

    pair = [PrioritizedSampler(13, backend=backend, stratified=stratified, seed=seed) for _ in range(2)]
    errors = np.random.default_rng(seed).lognormal(0, 1, 13)
    for sampler in pair:
        sampler.add(td_errors=errors)
    words = Xoshiro128pp(state_of(seed))
    for count in (5, 8, 1, 64):
        own, supplied = pair[0].sample(count), pair[1].sample(count, draws=words.take(count))
        assert own.indices.tolist() == supplied.indices.tolist() and own.weights.tolist() == supplied.weights.tolist()
    with pytest.raises(UserError, match="draws has 3 entries; here it must have 4"):
        pair[0].sample(4, draws=[1, 2, 3])


# --- arrays ---

KINDS = {
    "list": list,
    "tuple": tuple,
    "int8": lambda x: np.array(x, np.int8),
    "uint8": lambda x: np.array(x, np.uint8),
    "uint64": lambda x: np.array(x, np.uint64),
    "float16": lambda x: np.array(x, np.float16),
    "float32": lambda x: np.array(x, np.float32),
    "longdouble": lambda x: np.array(x, np.longdouble),
    "object": lambda x: np.array([int(i) for i in x], object),
    "big endian": lambda x: np.array(x, ">i4"),
    "every second": lambda x: np.repeat(np.array(x), 2)[::2],
    "backwards": lambda x: np.array(x[::-1])[::-1],
    "read-only": lambda x: np.broadcast_to(np.array(x), len(x)),
    "range": lambda x: range(x[0], x[-1] + 1) if list(x) == list(range(x[0], x[-1] + 1)) else x,
}


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_kind_are_the_same_numbers(kind):
    made = KINDS[kind]
    tree, sampler = SumTree(8, seed=0), PrioritizedSampler(8, scale=4, alpha=1.0, priority_epsilon=0, seed=0)
    slots = tree.insert(made([1, 2, 3, 4]))
    assert tree.update(made([0, 2]), made([5, 6]), made(slots.generations[[0, 2]].tolist())).all()
    assert tree.read(made([0, 1, 2, 3])).tolist() == [5, 2, 6, 4]
    assert tree.sample_at(made([0, 5, 7])).indices.tolist() == [0, 1, 2]
    sampler.add(td_errors=made([1, 2, 3]))
    sampler.update(made([1]), made([9]))
    assert sampler.tree.read([0, 1, 2]).tolist() == [16, 144, 48]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([True, False], "is not an array of numbers, but of type bool"),
        ([[1, 2], [3, 4]], r"has shape \(2, 2\); it must be one number or \(n,\)"),
        ([1, [2]], "is not an array of numbers"),
        ([1.0, float("nan")], r"\[1\] is nan"),
        ("12", "is not an array of numbers"),
        ({1: 2}, "is not an array of numbers"),
        (object(), "is not an array of numbers"),
        (None, "is not an array of numbers|is None"),
        (np.ma.masked_array([1, 2], [False, True]), "has masked entries"),
        (np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"), "is not an array of numbers, but of type datetime64"),
        (lambda: 3, "is not an array of numbers"),
    ],
)
def test_what_is_no_array_of_numbers_is_one_sentence(wrong, sentence):
    sampler = PrioritizedSampler(8, seed=0)
    sampler.add(4)
    before = str(sampler.state_dict())
    for call in (
        lambda: sampler.update(wrong, [1.0, 2.0]),
        lambda: sampler.update([0, 1], wrong),
        lambda: sampler.update([0, 1], [1.0, 2.0], wrong) if wrong is not None else sampler.update([0, 1], None),
        lambda: sampler.tree.sample_at(wrong),
        lambda: sampler.tree.update([0, 1], wrong),
    ):
        with pytest.raises(UserError, match=sentence) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert str(sampler.state_dict()) == before


def test_tensors_of_every_kind_are_their_numbers():
    torch = pytest.importorskip("torch")
    sampler = PrioritizedSampler(8, scale=4, alpha=1.0, priority_epsilon=0, seed=0)
    sampler.add(8)
    for number, kind in enumerate((torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32)):
        errors = torch.tensor([2.0, 3.0], requires_grad=kind.is_floating_point).to(kind)
        sampler.update(torch.tensor([number, 7]), errors)
        assert sampler.tree.read([number, 7]).tolist() == [32, 48], kind
    one = torch.tensor(4.0, requires_grad=True)
    sampler.update([0, 1], [one, one * 2])
    sampler.update(torch.tensor(2), one)
    assert sampler.tree.read([0, 1, 2]).tolist() == [64, 128, 64]
    with pytest.raises(UserError, match="indices is not an array of numbers, but of type bool"):
        sampler.update(torch.tensor([True, False]), [1.0, 2.0])
    with pytest.raises(UserError, match="td_errors is not an array of numbers"):
        sampler.update([0, 1], torch.ones(2, device="meta"))
