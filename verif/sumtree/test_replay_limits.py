"""What the core's numbers cannot hold is limited, counted and said; whatever an array is made of, its numbers count."""

import warnings

import numpy as np
import pytest

from rlcores.cores.sumtree.api import PrioritizedSampler, SumTree
from rlcores.cores.sumtree.maths import least_limited, priorities
from rlcores.errors import CoreWarning, UserError


def quiet(call):
    """What a call gives, which warns of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call()


@pytest.mark.parametrize("wrong", [2048.0, -2048.1, 1e30, -1e300, 2**70, np.float64(1e308)])
def test_a_td_error_beyond_2048_counts_as_2048(backend, wrong):
    sampler = PrioritizedSampler(13, alpha=0.6, scale=10, backend=backend, seed=0)
    quiet(lambda: sampler.add(td_errors=[0.5, -2047.9, 2.0]))
    near = int(sampler.tree.read(1)[0])
    with pytest.warns(CoreWarning, match=r"^1 of 2 TD errors are beyond \+-2048 and count as that \(1 so far\)$"):
        sampler.update([0, 2], [1.0, wrong])
    assert abs(int(sampler.tree.read(2)[0]) - near) <= 1e-4 * near + 1
    assert sampler.saturations() == {"td_errors": 1}
    sampler.clear_saturations()
    assert sampler.saturations() == {}


def test_the_edge_itself_is_no_limit():
    sampler = PrioritizedSampler(4, scale=0, seed=0)
    quiet(lambda: sampler.add(td_errors=[-2048.0, 2048 - 2**-20, 0.0]))
    assert sampler.saturations() == {}


def test_a_priority_that_does_not_fit_is_counted_as_the_core_flags_it(backend, seed):
    """The count is made by the driver's user; that the core raised its flag is asked of the core."""
    rng = np.random.default_rng(seed)
    for alpha, scale in ((1.0, 12), (0.5, 16), (0.0, 17)):
        sampler = PrioritizedSampler(13, alpha=alpha, scale=scale, backend=backend, seed=0)
        limit = least_limited(round(alpha * 32768), 1, scale * 256, 18) / 2**20
        errors = rng.normal(0, 60, 13)
        beyond = int((np.abs(errors) >= limit).sum())
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            sampler.add(td_errors=errors)
        assert len(seen) == (beyond > 0) and sampler.saturations().get("priorities", 0) == beyond
        assert ("SATURATED" in sampler.tree.driver.flags()) == (beyond > 0)
        if beyond:
            assert f"{beyond} of 13 TD errors have the largest priority that fits: those from " in str(seen[0].message)


def test_the_limit_is_where_the_maths_saturates(seed):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        alpha, eps = int(rng.integers(0, 32769)), int(rng.integers(0, 1 << 22))
        scale, width = int(rng.integers(-512, 6000)), int(rng.integers(1, 33))
        limit = least_limited(alpha, eps, scale, width)
        probe = np.array([max(limit - 1, 0), min(limit, 2**31)])
        assert priorities(probe, alpha, eps, scale, width)[1].tolist() == [limit == 0, limit <= 2**31]


def test_a_loop_that_always_saturates_is_warned_of_it_at_powers_of_ten_only():
    sampler = PrioritizedSampler(8, scale=0, seed=0)
    sampler.add(8)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(150):
            sampler.update([0, 1], [1e6, 1.0])
    assert [str(w.message).split("(")[1] for w in seen] == ["1 so far)", "10 so far)", "100 so far)"]
    assert all(w.filename == __file__ for w in seen), "a warning points at the line of the user"
    assert sampler.saturations() == {"td_errors": 150}


def test_a_small_epsilon_is_the_smallest_there_is_and_not_0():
    with pytest.warns(CoreWarning, match=r"^priority_epsilon is 1e-08; the core adds 2\*\*-20 = 9.54e-07, its least$"):
        sampler = PrioritizedSampler(8, priority_epsilon=1e-8, seed=0)
    assert sampler.priority_epsilon == 2**-20
    for epsilon in (0.0, 2**-20, 0.01, 4095):
        assert quiet(
            lambda e=epsilon: PrioritizedSampler(8, priority_epsilon=e, seed=0)
        ).priority_epsilon == pytest.approx(epsilon, abs=2**-21)


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
        own, given = pair[0].sample(count), pair[1].sample(count, draws=words.take(count))
        assert own.indices.tolist() == given.indices.tolist() and own.weights.tolist() == given.weights.tolist()
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
