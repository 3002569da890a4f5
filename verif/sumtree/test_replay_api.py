"""The sum tree's API as a user calls it: all backends alike, right mathematics, one sentence for what is wrong."""

import numpy as np
import pytest

from rlcores.cores.sumtree.results import Slots
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.cores.sumtree.tree import SumTree
from rlcores.errors import UserError


def trees(capacity: int, **options) -> list[SumTree]:
    return [SumTree(capacity, backend=name, **{"seed": 0} | options) for name in ("native", "model", "rtl")]


def same(results) -> None:
    """All results are equal, field by field."""
    first, *others = [[np.asarray(x).tolist() for x in (r if isinstance(r, tuple) else [r])] for r in results]
    for other in others:
        assert other == first


def random_call(rng, tree: SumTree, slots: list) -> tuple[str, tuple, dict]:
    """A method of SumTree and arguments that it takes."""
    count = int(rng.integers(0, 40))
    indices = rng.integers(0, tree.capacity, count)
    priorities = rng.integers(0, 1 << 18, count) * (rng.random(count) < 0.8)
    held = slots[int(rng.integers(len(slots)))] if slots else None
    choices = [
        ("insert", (priorities,), {}),
        ("insert", (), {"count": count}),
        ("reserve", (count % 5,), {}),
        ("update", (indices, priorities), {}),
        ("read", (indices,), {}),
        ("generations", (indices,), {}),
    ]
    if held is not None:
        choices += [
            ("commit", (held.indices, held.generations), {}),
            ("update", (held.indices, np.arange(len(held.indices)), held.generations), {}),
        ]
    if tree.total:
        choices += [
            ("sample", (count + 1,), {}),
            ("sample", (count + 1,), {"stratified": True}),
            ("sample_at", (rng.integers(0, tree.total, count),), {}),
            ("sample_with", (rng.integers(0, 1 << 32, count),), {}),
        ]
    return ("clear", (), {}) if rng.random() < 0.02 else choices[int(rng.integers(len(choices)))]


@pytest.mark.parametrize("capacity", [13, 16])
def test_the_rtl_and_the_engine_answer_every_call_as_the_model_does(capacity, seed):
    rng = np.random.default_rng(seed)
    pair = trees(capacity, seed=seed)
    slots, called = [], set()
    for _ in range(250):
        name, args, options = random_call(rng, pair[0], slots)
        results = [getattr(tree, name)(*args, **options) for tree in pair]
        if name != "clear":
            same(results)
        if name in ("insert", "reserve"):
            slots = [*slots[-5:], results[0]]
        called.add(name)
        same([(len(tree), tree.total, tree.largest, tree.capacity) for tree in pair])
    same([tree.read(np.arange(capacity)) for tree in pair])
    assert called >= {"insert", "reserve", "commit", "update", "read", "sample", "sample_at", "sample_with"}
    assert pair[0].driver.counters() == pair[1].driver.counters() == pair[2].driver.counters()
    assert pair[0].driver.counters()["samples"] > 1000


@pytest.mark.parametrize("stratified", [True, False])
def test_the_rtl_and_the_engine_train_as_the_model_does(stratified, seed):
    """The loop of a learner: add, sample, update with tags, anneal; TD errors and weights go through the core."""
    options = {"alpha": 0.7, "beta": 0.3, "batch_size": 8, "seed": seed, "stratified": stratified}
    pair = [PrioritizedSampler(16, backend=name, **options) for name in ("native", "model", "rtl")]
    rng = np.random.default_rng(seed)
    for step in range(60):
        errors = rng.normal(0, 3, 8) * (rng.random(8) < 0.9)
        td = None if step % 3 else errors[:4]
        same([s.add(3) if td is None else s.add(td_errors=td) for s in pair])
        batches = [s.sample(beta=0.3 + 0.01 * step) for s in pair]
        same([tuple(b) for b in batches])
        pair_tags = [s.add(2).generations for s in pair]
        same(pair_tags)
        same([s.update(b.indices, errors, b.generations) for s, b in zip(pair, batches, strict=True)])
        same([s.sample(1 + step % 13).weights for s in pair])
    same([(len(s), s.tree.total, s.tree.largest) for s in pair])
    counters = [s.tree.driver.counters() for s in pair]
    assert counters[0] == counters[1] == counters[2]
    assert pair[0].tree.driver.counters()["stale"] > 0


# --- sampling ---


def test_the_same_seed_draws_the_same_samples_and_another_one_does_not(backend):
    drawn = []
    for seed in (1, 1, 2):
        tree = SumTree(16, backend=backend, seed=seed)
        tree.insert(np.arange(1, 17))
        drawn.append(tree.sample(100).indices.tolist())
        if seed == 2:
            tree.seed(1)
            drawn.append(tree.sample(100).indices.tolist())
    assert drawn[0] == drawn[1] == drawn[3] != drawn[2]


def test_slots_come_as_often_as_their_priorities_say(backend):
    """Pearson's chi-squared of 20,000 draws; with 9 degrees of freedom it exceeds 40 once in 130,000 runs, and the
    seed is fixed."""
    tree = SumTree(10, backend=backend, seed=5)
    priorities = np.array([1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
    tree.insert(priorities)
    expected = 20_000 * priorities / priorities.sum()
    seen = np.bincount(tree.sample(20_000).indices, minlength=10)
    assert ((seen - expected) ** 2 / expected).sum() < 40


def test_a_stratified_batch_takes_one_sample_from_each_part(backend):
    tree = SumTree(12, backend=backend, seed=0)
    tree.insert([5] * 12)
    for batch in (12, 12, 6, 1, 12):
        indices = tree.sample(batch, stratified=True).indices
        assert (indices // (12 // batch)).tolist() == list(range(batch))
    assert tree.sample(12).indices.tolist() != list(range(12))


def test_samples_say_what_they_were_drawn_from(backend):
    tree = SumTree(8, backend=backend, seed=0)
    slots = tree.insert([1, 2, 3, 4])
    samples = tree.sample(50)
    assert (samples.priorities == samples.indices + 1).all() and (samples.totals == 10).all()
    assert (samples.generations == slots.generations[samples.indices]).all()


def test_a_sampler_stratifies_only_when_it_was_asked_to(backend):
    for stratified in (True, False):
        sampler = PrioritizedSampler(16, batch_size=16, stratified=stratified, backend=backend, seed=0)
        sampler.add(16)
        assert (sampler.sample().indices.tolist() == list(range(16))) == stratified


def test_a_sampler_has_a_tree_that_can_be_asked_for_anything(backend):
    """Weights come in whole batches; single samples of the same tree do not wait for one, nor spoil the next one."""
    sampler = PrioritizedSampler(16, batch_size=8, backend=backend, seed=0)
    sampler.add(16)
    for count in (1, 3, 8):
        assert (sampler.sample().indices // 2).tolist() == list(range(8))
        assert sampler.tree.sample_at(np.arange(count) * 2**30).indices.tolist() == list(range(count))
        assert sampler.tree.sample(count).indices.shape == (count,)


# --- priorities and weights ---


@pytest.mark.parametrize(("alpha", "epsilon"), [(0.6, 1e-6), (1.0, 0.0), (0.4, 0.5), (0.0, 1e-6)])
def test_priorities_are_powers_of_td_errors(backend, alpha, epsilon, seed):
    sampler = PrioritizedSampler(16, alpha=alpha, priority_epsilon=epsilon, backend=backend, scale=10, seed=0)
    errors = np.random.default_rng(seed).normal(0, 4, 16)
    sampler.add(td_errors=errors)
    exact = (np.abs(errors) + sampler.priority_epsilon) ** sampler.alpha * 2**10
    got = sampler.tree.read(np.arange(16))
    # Half a unit of rounding, the rounding of the TD error, and the tables' error, far below 1e-4.
    assert (np.abs(got - np.maximum(exact, 1)) <= 0.51 + 1e-4 * exact).all()
    assert sampler.alpha == pytest.approx(alpha, abs=2**-16)


@pytest.mark.parametrize("beta", [0.0, 0.4, 1.0])
def test_weights_undo_the_priorities(backend, beta, seed):
    sampler = PrioritizedSampler(16, beta=beta, batch_size=12, backend=backend, seed=seed)
    sampler.add(td_errors=np.random.default_rng(seed).lognormal(0, 1, 16))
    batch = sampler.sample()
    assert batch.weights.dtype == np.float32 and batch.weights.shape == (12,)
    exact = (len(sampler) * batch.probabilities) ** -sampler.beta
    np.testing.assert_allclose(batch.weights, exact / exact.max(), rtol=1e-4)
    assert batch.weights.max() == 1.0
    if beta == 0:
        assert (batch.weights == 1).all()
    else:
        assert len(set(batch.weights.tolist())) > 1
    np.testing.assert_array_equal(batch.probabilities, batch.priorities / sampler.tree.total)


def test_a_new_transition_has_the_largest_priority_seen(backend):
    sampler = PrioritizedSampler(8, backend=backend, seed=0)
    first = sampler.add(2)
    assert sampler.tree.read(first.indices).tolist() == [2**30, 2**30] and sampler.unit == 2**30
    sampler.update(first.indices, [40.0, 0.0])
    largest = sampler.tree.read(0)[0]
    assert largest / sampler.unit == pytest.approx(40**0.6, rel=1e-4) and sampler.unit < 2**30
    assert sampler.tree.read(1)[0] / sampler.unit == pytest.approx(1e-6**0.6, rel=1e-4)
    sampler.update([0], [0.1])
    assert sampler.tree.read(sampler.add().indices).tolist() == [largest]
    sampler.clear()
    assert len(sampler) == 0 and sampler.tree.largest == 2**30 == sampler.unit


def test_a_transition_that_is_still_being_written_is_never_sampled(backend):
    sampler = PrioritizedSampler(8, backend=backend, batch_size=16, seed=0)
    sampler.add(td_errors=[1.0, 2.0])
    written = sampler.reserve(2)
    assert written.indices.tolist() == [2, 3]
    assert set(sampler.sample().indices.tolist()) <= {0, 1}
    assert sampler.commit(written.indices[:1], written.generations[:1]).tolist() == [True]
    assert sampler.commit(written.indices[1:], written.generations[1:], [50.0]).tolist() == [True]
    assert set(sampler.sample(500).indices.tolist()) == {0, 1, 2, 3}
    late = sampler.reserve(1)
    sampler.add(8)
    before = sampler.tree.read(np.arange(8)).tolist()
    assert sampler.commit(late.indices, late.generations, [3.0]).tolist() == [False]
    assert sampler.tree.read(np.arange(8)).tolist() == before


def test_beta_may_be_annealed_between_batches(backend):
    sampler = PrioritizedSampler(8, beta=0.0, batch_size=8, backend=backend, seed=0)
    sampler.add(td_errors=[0.1, 1.0, 10.0, 3.0])
    least = [sampler.sample(beta=beta).weights.min() for beta in (0.0, 0.25, 0.5, 1.0)]
    assert least == sorted(least, reverse=True) and least[0] == 1 and sampler.beta == 1.0
    sampler.beta = 0
    assert (sampler.sample().weights == 1).all()


# --- checkpoints ---


@pytest.mark.parametrize("inserts", [0, 1, 9, 13, 20, 26])
def test_a_restored_sampler_goes_on_as_the_saved_one(backend, inserts, seed):
    """Whatever the buffer held, also restored from one backend into another."""
    rng = np.random.default_rng(seed)
    saved = PrioritizedSampler(13, backend=backend, seed=seed, batch_size=6)
    saved.add(td_errors=rng.normal(0, 30, inserts))
    saved.place(np.arange(13), rng.normal(0, 1, 13))
    saved.reserve(inserts % 2)
    saved.sample()
    saved.beta, saved.alpha = 0.7, 0.5
    restored = [PrioritizedSampler(13, backend=name, batch_size=6, seed=0) for name in ("native", "model", "rtl")]
    for sampler in restored:
        sampler.add(5)
        sampler.load_state_dict(saved.state_dict())
    for _ in range(5):
        batches = [s.sample() for s in (saved, *restored)]
        same([(b.indices, b.weights, b.priorities, b.probabilities) for b in batches])
        same([s.add(2).indices for s in (saved, *restored)])
        same([(len(s), s.tree.total, s.tree.largest, s.beta, s.alpha) for s in (saved, *restored)])


def test_a_state_of_another_sampler_is_refused_and_changes_nothing():
    state = PrioritizedSampler(13, seed=0).state_dict()
    for change, sentence in (
        ({"priority_epsilon": 5.0}, "with priority_epsilon 5.0; this one has 1e-06"),
        ({"alpha": 70000}, "alpha is 70000; it must be 0 to 65536"),
        ({"beta": 40000}, "beta is 40000; it must be 0 to 32768"),
        ({"tree": {**state["tree"], "capacity": 12}}, "a tree with capacity 12; this one has 13"),
        ({"tree": {**state["tree"], "size": 4}}, "damaged: 4 slots are in use, but the next one is 0"),
        ({"tree": {**state["tree"], "priorities": np.zeros(12)}}, "priorities has 12 entries; here it must have 13"),
        ({"tree": {"capacity": 13}}, "the state has no entry 'draws'; it is not one of a sum tree"),
        ({"tree": {**state["tree"], "capacity": np.ones(2)}}, "a tree with capacity"),
        ({"scale": np.ones(2)}, "the state is damaged: its scale is no whole number"),
        ({"follows": False}, "with follows False; this one has True"),
        ({"tree": None}, "the state is of type NoneType; it must be what state_dict.. of a sum tree gives"),
    ):
        sampler = PrioritizedSampler(13, seed=0)
        sampler.add(3)
        with pytest.raises(UserError, match=sentence):
            sampler.load_state_dict({**state, **change})
        assert len(sampler) == 3
    with pytest.raises(UserError, match="no entry 'alpha'; it is not one of a prioritized sampler"):
        sampler.load_state_dict({})


@pytest.mark.parametrize("name", ["native", "model"])
def test_an_alpha_above_1_gives_its_powers_and_the_core_refuses_it(name, seed):
    errors = np.random.default_rng(seed).uniform(0.5, 8, 50)
    sampler = PrioritizedSampler(50, alpha=1.75, priority_epsilon=0, backend=name, seed=0)
    sampler.add(td_errors=errors)
    assert sampler.tree.read(np.arange(50)) / sampler.unit == pytest.approx(errors**1.75, rel=0.01)
    sampler.alpha = 2.0
    assert sampler.tree.read(np.arange(50)) / sampler.unit == pytest.approx(errors**2, rel=0.01)
    twin = PrioritizedSampler(50, priority_epsilon=0, backend=name, seed=3)
    twin.load_state_dict(sampler.state_dict())
    same([s.sample(8).indices for s in (sampler, twin)])


def test_the_core_takes_no_alpha_above_1():
    for make in (
        lambda: PrioritizedSampler(13, alpha=1.5, backend="rtl"),
        lambda: setattr(PrioritizedSampler(13, seed=0, backend="rtl"), "alpha", 1.5),
        lambda: PrioritizedSampler(13, backend="rtl").load_state_dict(PrioritizedSampler(13, alpha=2).state_dict()),
    ):
        with pytest.raises(UserError, match="above 1 it is of the backends native and model"):
            make()


# --- what is wrong is said in one sentence ---


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"buffer_size": 0}, "buffer_size is 0; it must be 1 to 16777216"),
        ({"buffer_size": 1 << 25}, "buffer_size is 33554432; it must be 1 to 16777216"),
        ({"buffer_size": 8.0}, "buffer_size is 8.0; it must be a whole number"),
        ({"buffer_size": True}, "buffer_size is True; it must be 1 to"),
        ({"alpha": 2.5}, "alpha is 2.5; it must be 0 to 2"),
        ({"alpha": float("nan")}, "alpha is nan; it must be 0 to 2"),
        ({"alpha": "high"}, "alpha is 'high'; it must be a number"),
        ({"beta": -0.1}, "beta is -0.1; it must be 0 to 1"),
        ({"priority_epsilon": -1e-6}, r"priority_epsilon is -1e-06; it must be 0 to 1.79769e\+308"),
        ({"priority_epsilon": float("inf")}, "priority_epsilon is inf"),
        ({"batch_size": 0}, "batch_size is 0; it must be 1 to 1024"),
        ({"batch_size": 1025}, "batch_size is 1025; it must be 1 to 1024"),
        ({"batch_max": 40000}, "batch_max is 40000; it must be 1 to 32768"),
        ({"stratified": 1}, "stratified is 1; it must be true or false"),
        ({"scale": 200}, "scale is 200; it must be -127 to 127"),
        ({"seed": -1}, "seed is -1; it must be 0 to 18446744073709551615"),
        ({"seed": 1 << 64}, "seed is 18446744073709551616; it must be 0 to"),
        ({"backend": "fpga"}, "backend is 'fpga'; it must be 'native' or 'model' or 'rtl'"),
        ({"priority_width": 33}, "priority_width is 33; it must be 1 to 32"),
        ({"buffer_size": 3 << 20, "priority_width": 32}, "priority_width is 32; it must be 1 to 30"),
        ({"generation_width": 17}, "generation_width is 17; it must be 0 to 16"),
    ],
)
def test_a_wrong_option_is_a_value_error_that_says_what_is_allowed(options, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        PrioritizedSampler(**{"buffer_size": 8, **options})
    assert isinstance(caught.value, UserError) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda t: t.update([0, 1], [1, 2, 3]), "priorities has 3 entries; here it must have 2"),
        (lambda t: t.update([[0, 1]], [1, 2]), r"indices has shape \(1, 2\); it must be one number or \(n,\)"),
        (lambda t: t.update([0, 1], [[1], [2]]), r"priorities has shape \(2, 1\); it must be"),
        (lambda t: t.update([0, 1], ["a", "b"]), "priorities is not an array of numbers, but of type <U1"),
        (lambda t: t.update([0, 1], [1, None]), "priorities is not an array of numbers"),
        (lambda t: t.update([0, 1], [[1], [2, 3]]), "priorities is not an array of numbers"),
        (lambda t: t.update([0, 1], None), "priorities is None; give a priority for each index"),
        (lambda t: t.update([0, 1], [1j, 2]), "priorities is not an array of numbers, but of type complex128"),
        (lambda t: t.update([True, False], [1, 2]), "indices is not an array of numbers, but of type bool"),
        (
            lambda t: t.update(Slots(np.arange(2), np.arange(2)), [1, 2]),
            "indices is a whole Slots; give its .indices here, and its .generations",
        ),
        (lambda t: t.update([0, 1], 1, [0]), "generations has 1 entries; here it must have 2"),
        (lambda t: t.update([0, 1], 1, [0, 65536]), r"generations\[1\] is 65536; it must be 0 to 65535"),
        (lambda t: t.commit([0], [-1]), r"generations\[0\] is -1; it must be 0 to 65535"),
        (lambda t: t.insert(count=-1), "count is -1; it must be 0 to 16777216"),
        (lambda t: t.insert(count=1.5), "count is 1.5; it must be a whole number"),
        (lambda t: t.insert([1, 2], count=3), "priorities has 2 entries; here it must have 3"),
        (lambda t: t.reserve("2"), "count is '2'; it must be a whole number"),
        (lambda t: t.sample(0), "count is 0; it must be 1 to 16777216"),
        (lambda t: t.sample(1025, stratified=True), "count is 1025; it must be 1 to 1024"),
        (lambda t: t.sample_with([1 << 32]), r"draws\[0\] is 4294967296; it must be 0 to 4294967295"),
        (lambda t: t.sample_with([0.5]), r"draws\[0\] is 0.5; it must be a whole number"),
        (lambda t: t.sample_at([-1]), r"targets\[0\] is -1; it must be 0 to 5"),
        (lambda t: t.seed(1.0), "seed is 1.0; it must be a whole number"),
    ],
)
def test_a_wrong_call_is_a_value_error_and_changes_nothing(call, sentence):
    tree = SumTree(8, seed=0)
    tree.insert([1, 2, 3])
    before = str(tree.state_dict()), tree.driver.counters()["inserts"]
    with pytest.raises(ValueError, match=sentence) as caught:
        call(tree)
    assert isinstance(caught.value, UserError) and "\n" not in str(caught.value)
    assert (str(tree.state_dict()), tree.driver.counters()["inserts"]) == before


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda s: s.update([0, 1], [1.0]), "td_errors has 1 entries; here it must have 2"),
        (lambda s: s.update([0], np.ones((1, 1))), r"td_errors has shape \(1, 1\)"),
        (lambda s: s.update([0], None), "td_errors is not an array of numbers"),
        (lambda s: s.update([8], [1.0]), r"indices\[0\] is 8; it must be 0 to 7"),
        (lambda s: s.add(2, td_errors=[1.0]), "td_errors has 1 entries; here it must have 2"),
        (lambda s: s.sample(2000), "batch_size is 2000, and this sampler draws at most 1024"),
        (lambda s: s.sample(beta=2.0), "beta is 2.0; it must be 0 to 1"),
    ],
)
def test_a_wrong_call_of_the_sampler_is_a_value_error_and_changes_nothing(call, sentence):
    sampler = PrioritizedSampler(8, seed=0)
    sampler.add(3)
    before = str(sampler.state_dict())
    with pytest.raises(ValueError, match=sentence) as caught:
        call(sampler)
    assert isinstance(caught.value, UserError) and "\n" not in str(caught.value)
    assert str(sampler.state_dict()) == before


def test_numbers_of_every_kind_are_taken_as_what_they_say():
    tree = SumTree(8, seed=0)
    tree.insert(np.array([1, 2, 3, 4], np.float32))
    tree.update(np.array([0, 1], np.uint8), [5, 6.0])
    tree.update(2, 7)
    tree.update([4, 5, 6], 9)
    tree.update([], [])
    assert tree.read(np.arange(8)).tolist() == [5, 6, 7, 4, 9, 9, 9, 0]
    assert tree.insert([]).indices.shape == (0,) and tree.read([]).shape == (0,)


@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_batch_that_is_too_long_names_what_to_change_and_an_empty_buffer_says_that_it_is_empty(backend):
    from rlcores import ReplayBuffer

    sampler = PrioritizedSampler(4000, backend=backend)
    buffer = ReplayBuffer(4000, {"observation": ((), "int64")}, backend=backend)
    for made in (sampler, buffer):
        with pytest.raises(UserError, match=r"nothing to sample: the buffer is empty"):
            made.sample(4)
        with pytest.raises(UserError, match=r"at most 1024; make it with batch_max=2000"):
            made.sample(2000)
    longer = PrioritizedSampler(4000, backend=backend, batch_max=2000)
    longer.add(4)
    assert len(longer.sample(2000).indices) == 2000
    with pytest.raises(UserError, match="nothing to sample: the buffer is empty"):
        SumTree(4, backend=backend).sample(1)
    tree = SumTree(4, backend=backend)
    tree.insert([0])
    with pytest.raises(UserError, match="no slot has a priority"):
        tree.sample(1)
