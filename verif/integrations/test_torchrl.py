"""torchrl's ReplayBuffer with its own sampler and with the core's: the same seeds, the same calls."""

import copy
import os
import pickle
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")

# torchrl's trees are C++ built for one version of torch. Bound late, they also load beside another one: what they
# do not use may be missing.
flags = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_LAZY)
try:
    pytest.importorskip("torchrl")
    tensordict = pytest.importorskip("tensordict")
    from torchrl.data.replay_buffers import LazyTensorStorage, ReplayBuffer, TensorDictReplayBuffer
    from torchrl.data.replay_buffers.samplers import PrioritizedSampler, Sampler, prioritized
finally:
    sys.setdlopenflags(flags)

from rlcores.errors import CoreWarning, UserError  # noqa: E402
from rlcores.integrations.torchrl import SumTreeSampler  # noqa: E402

CAPACITY = 50
# The RTL takes half a minute to build; its parameters are those that other tests of this folder build.
WIDTHS = {"priority_width": 24, "batch_max": 64}


needs_trees = pytest.mark.skipif(
    prioritized.SumSegmentTreeFp32 is None, reason="torchrl's own trees were not built for this torch"
)


def data(values):
    values = torch.as_tensor(values)
    return tensordict.TensorDict({"value": values, "priority": values.double() * 0 + 1}, [len(values)])


def buffers(kind, *, alpha=1.0, beta=0.5, backend="model", scale=0, draws="host"):
    """One buffer with torchrl's sampler, one with the core's."""
    samplers = (
        PrioritizedSampler(CAPACITY, alpha, beta, eps=0.0),
        SumTreeSampler(CAPACITY, alpha, beta, eps=0.0, draws=draws, backend=backend, scale=scale, **WIDTHS),
    )
    return [kind(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=64) for sampler in samplers]


@needs_trees
@pytest.mark.parametrize("backend", ["model", "rtl"])
@pytest.mark.parametrize("generator", [False, True])
def test_the_same_seed_samples_the_same_transitions_as_torchrl(backend, generator, seed):
    """Whole priorities, so that both trees hold the same numbers; draws of 32 bits part them once in 100,000."""
    rng = np.random.default_rng(seed)
    pair = buffers(ReplayBuffer, backend=backend)
    if generator:
        for buffer in pair:
            buffer.set_rng(torch.Generator().manual_seed(seed))
    equal = drawn = 0
    for turn in range(20):
        count = int(rng.integers(1, 20))
        for buffer in pair:
            buffer.extend(data(np.arange(count) + 100 * turn))
        held = len(pair[0])
        indices = torch.as_tensor(rng.choice(held, min(held, 12), replace=False))
        priorities = torch.as_tensor(rng.integers(1, 1000, len(indices)).astype(np.float32))
        batches = []
        for buffer in pair:
            buffer.update_priority(indices, priorities)
            np.random.seed(seed + turn)
            batches.append(buffer.sample(return_info=True))
        (_, one_info), (other, other_info) = batches
        same = one_info["index"] == other_info["index"]
        equal, drawn = equal + int(same.sum()), drawn + len(same)
        assert torch.equal(other["value"], pair[0].storage[other_info["index"]]["value"])
        # torchrl divides by the buffer's smallest priority, the core by the batch's: one factor a batch.
        if same.all():
            weight = one_info["priority_weight"].double() / one_info["priority_weight"].max()
            assert torch.allclose(weight, other_info["priority_weight"].double(), rtol=1e-4)
    assert drawn == 20 * 64 and equal >= 0.99 * drawn, f"{equal} of {drawn}"


@needs_trees
@pytest.mark.parametrize("alpha", [0.6, 1.0])
def test_probabilities_are_those_of_torchrl(alpha, seed):
    """TD errors of any size: the shares of the two trees, which is what priorities are for."""
    rng = np.random.default_rng(seed)
    pair = buffers(ReplayBuffer, alpha=alpha, scale=14)
    for buffer in pair:
        buffer.extend(data(np.arange(CAPACITY)))
    errors = np.abs(rng.normal(0, 1, CAPACITY)) + 0.01
    for buffer in pair:
        buffer.update_priority(torch.arange(CAPACITY), torch.as_tensor(errors, dtype=torch.float32))
    tree = pair[1].sampler._sampler.tree
    shares = tree.read(np.arange(CAPACITY)) / tree.total
    original = pair[0].sampler._sum_tree[torch.arange(CAPACITY)].double().numpy()
    # A unit of 2**-14 against priorities from 0.01**alpha.
    assert np.abs(shares / (original / original.sum()) - 1).max() < 0.01
    assert tree.total > 1000


@pytest.mark.parametrize("draws", ["core", "host"])
def test_it_samples_in_proportion_and_the_buffer_feeds_priorities_back(draws, seed):
    sampler = SumTreeSampler(CAPACITY, 1.0, 1.0, draws=draws, seed=seed, scale=4, **WIDTHS)
    assert isinstance(sampler, Sampler) and isinstance(sampler, PrioritizedSampler)
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=64)
    np.random.seed(seed)
    torch.manual_seed(seed)
    buffer.extend(data(np.arange(20)))
    seen = np.zeros(20, int)
    for _ in range(40):
        batch = buffer.sample()
        # Transition k gets the priority k + 1.
        batch.set("td_error", (batch["value"] + 1).double())
        buffer.update_tensordict_priority(batch)
        seen += np.bincount(batch["value"].numpy(), minlength=20)
    assert (seen[:1] > 0).all() and seen[10:].sum() > 1.5 * seen[:10].sum()
    tree = sampler._sampler.tree
    assert tree.read(np.arange(20)).tolist() == [16 * (k + 1) for k in range(20)]
    assert "priority_weight" in batch.keys(True) and float(batch["priority_weight"].max()) == 1.0


def test_a_priority_for_a_transition_that_is_gone_is_dropped_with_its_generation(seed):
    sampler = SumTreeSampler(CAPACITY, 1.0, 1.0, seed=seed, scale=4, **WIDTHS)
    buffer = ReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=8)
    buffer.extend(data(np.arange(CAPACITY)))
    _, info = buffer.sample(return_info=True)
    buffer.extend(data(np.arange(CAPACITY)))
    tree = sampler._sampler.tree
    before = tree.total
    sampler.update_priority(info["index"], 100.0, generation=info["generation"])
    assert tree.total == before
    sampler.update_priority(info["index"], 100.0)
    assert tree.total == before and sampler.stale == 16
    sampler.update_priority([7, 3], 100.0)  # nobody's batch: what somebody says of slots as they are
    assert tree.total > before


def test_a_checkpoint_continues_with_the_same_draws(tmp_path, seed):
    pair = [SumTreeSampler(CAPACITY, 0.6, 0.4, seed=s, **WIDTHS) for s in (seed, seed + 1)]
    first, second = (ReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=s, batch_size=16) for s in pair)
    first.extend(data(np.arange(30)))
    pair[0].update_priority(torch.arange(30), torch.arange(30.0) + 1)
    first.sample()
    second.load_state_dict(first.state_dict())
    for _ in range(3):
        one, other = (b.sample(return_info=True)[1] for b in (first, second))
        assert torch.equal(one["index"], other["index"])
        assert torch.equal(one["priority_weight"], other["priority_weight"])
    pair[0].dumps(tmp_path / "sampler")
    third = SumTreeSampler(CAPACITY, 0.6, 0.4, seed=99, **WIDTHS)
    third.loads(tmp_path / "sampler")
    assert torch.equal(third.sample(range(30), 16)[0], pair[0].sample(range(30), 16)[0])
    first.empty()
    assert len(first) == 0 and pair[0]._sampler.tree.total == 0 and pair[0].default_priority == 1.0


def test_writers_that_choose_their_own_places_and_wrong_input(seed):
    sampler = SumTreeSampler(CAPACITY, 1.0, 1.0, scale=4, **WIDTHS)
    sampler.extend(torch.tensor([7, 3, 40]))
    sampler.add(12)
    tree = sampler._sampler.tree
    assert np.flatnonzero(tree.read(np.arange(CAPACITY))).tolist() == [3, 7, 12, 40]
    sampler.update_priority(torch.tensor([7, -1]), torch.tensor([2.0, 9.0]))
    assert tree.read([7]).tolist() == [32] and tree.total == 32 + 3 * 16 and sampler.default_priority == 2.0
    with pytest.raises(RuntimeError, match="2 priorities for 3 indices"):
        sampler.update_priority(torch.arange(3), torch.ones(2))
    with pytest.raises(RuntimeError, match=r"^Cannot sample from an empty storage\.$"):
        sampler.sample([], 4)
    for arguments, text in (({"draws": "both"}, "draws is 'both'"), ({"alpha": 3.0}, "alpha is 3.0")):
        with pytest.raises(UserError, match=text):
            SumTreeSampler(CAPACITY, **arguments)


# --- draws from the buffer's generator ---


@pytest.mark.parametrize("draws", ["core", "host"])
def test_the_buffers_generator_decides_the_draws(draws):
    """The same torch generator gives the same transitions, whatever else was seeded; another one gives others."""

    def drawn(generator_seed, sampler_seed, numpy_seed, late):
        np.random.seed(numpy_seed)
        generator = torch.Generator().manual_seed(generator_seed)
        sampler = SumTreeSampler(CAPACITY, 0.6, 0.4, draws=draws, seed=sampler_seed, **WIDTHS)
        options = {} if late else {"generator": generator}
        buffer = ReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=16, **options)
        if late:
            buffer.set_rng(generator)
        buffer.extend(data(np.arange(CAPACITY)))
        return [buffer.sample(return_info=True)[1]["index"].tolist() for _ in range(3)]

    assert drawn(1, 5, 7, False) == drawn(1, 6, 8, False) == drawn(1, None, 9, True) != drawn(2, 5, 7, False)


@pytest.mark.parametrize("draws", ["core", "host"])
def test_without_a_generator_numpys_seed_decides(draws):
    def drawn(numpy_seed):
        np.random.seed(numpy_seed)
        sampler = SumTreeSampler(CAPACITY, draws=draws, **WIDTHS)
        sampler.extend(torch.arange(CAPACITY))
        return [sampler.sample(range(CAPACITY), 16)[0].tolist() for _ in range(2)]

    assert drawn(1) == drawn(1) != drawn(2)


@needs_trees
def test_a_seed_set_before_a_sampler_is_made_gives_torchrls_own_draws():
    drawn = []
    for made in (lambda: PrioritizedSampler(CAPACITY, 0.6, 0.4), lambda: SumTreeSampler(CAPACITY, draws="host")):
        np.random.seed(3)
        buffer = ReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=made(), batch_size=200)
        buffer.update_priority(buffer.extend(data(np.arange(CAPACITY))), torch.arange(CAPACITY) + 1.0)
        drawn.append(buffer.sample(return_info=True)[1]["index"].numpy())
    assert np.mean(np.equal(*drawn)) > 0.98


def test_draws_from_a_generator_are_stratified_and_in_proportion(seed):
    sampler = SumTreeSampler(CAPACITY, 1.0, 1.0, **WIDTHS)
    sampler._rng = torch.Generator().manual_seed(seed)
    sampler.extend(torch.arange(10))
    sampler.update_priority(torch.arange(10), torch.arange(1.0, 11.0))
    seen = np.zeros(10)
    for _ in range(40):
        seen += np.bincount(sampler.sample(range(10), 55)[0], minlength=10)
    # A stratum of a 55th of the total is one unit of priority, so no count is off by more than two a batch.
    assert (np.abs(seen - 40 * np.arange(1, 11)) <= 80).all()


# --- storages of several dimensions ---


@pytest.mark.parametrize("kind", [ReplayBuffer, TensorDictReplayBuffer])
def test_a_storage_of_two_dimensions_gives_back_what_lies_at_its_indices(kind, seed):
    torch.manual_seed(seed)
    sampler = SumTreeSampler(60, 1.0, 1.0, seed=seed, **WIDTHS)
    buffer = kind(storage=LazyTensorStorage(60, ndim=2), sampler=sampler, batch_size=20)
    for turn in range(5):  # rows of 4, around the end
        rows = tensordict.TensorDict({"value": torch.arange(16).reshape(4, 4) + 100 * turn}, [4, 4])
        index = buffer.extend(rows)
        buffer.update_priority(index, torch.full((16,), 1.0 + turn))
        batch, info = buffer.sample(return_info=True)
        place = info["index"]
        assert isinstance(place, tuple) and len(place) == 2
        held = buffer.storage[:]["value"][place]
        assert torch.equal(batch["value"], held)
        chosen = sampler._sampler.tree.read((place[0] * 4 + place[1]).numpy()) / sampler._sampler.unit
        if kind is ReplayBuffer:
            assert np.allclose(chosen, 1 + (held // 100).numpy(), rtol=1e-5)
        else:
            batch.set("td_error", torch.full((20,), 30.0 + turn))
            buffer.update_tensordict_priority(batch)
            now = sampler._sampler.tree.read((place[0] * 4 + place[1]).numpy()) / sampler._sampler.unit
            assert np.allclose(now, 30 + turn, rtol=1e-5)
    assert len(buffer) == 60 and len(sampler._sampler) == 60


def test_a_priority_for_a_row_that_is_gone_is_dropped_in_two_dimensions_too(seed):
    sampler = SumTreeSampler(12, 1.0, 1.0, seed=seed, **WIDTHS)
    buffer = ReplayBuffer(storage=LazyTensorStorage(12, ndim=2), sampler=sampler, batch_size=8)
    rows = tensordict.TensorDict({"value": torch.arange(12).reshape(3, 4)}, [3, 4])
    buffer.extend(rows)
    _, info = buffer.sample(return_info=True)
    buffer.extend(rows)
    before = sampler._sampler.tree.total
    sampler.update_priority(info["index"], 100.0, generation=info["generation"])
    assert sampler._sampler.tree.total == before and sampler.stale == 8


def test_no_index_at_all_changes_nothing():
    sampler = SumTreeSampler(CAPACITY, backend="model")
    sampler.extend(torch.arange(5))
    before = sampler.state_dict()["sampler"]["tree"]
    sampler.extend(())
    sampler.mark_update(())
    sampler.update_priority((), [])
    assert str(sampler.state_dict()["sampler"]["tree"]) == str(before)


def test_an_index_of_the_wrong_number_of_dimensions_is_one_sentence():
    sampler = SumTreeSampler(12, **WIDTHS)
    with pytest.raises(UserError, match=r"index has shape \(1, 2\), but the storage has 1 dimensions"):
        sampler.update_priority(torch.tensor([[0, 1]]), 1.0)
    with pytest.raises(UserError, match=r"index is of type float32; it must hold whole numbers"):
        sampler.update_priority(torch.tensor([0.0]), 1.0)


# --- alpha, the largest priority, eps ---


@needs_trees
@pytest.mark.parametrize("new", [0.9, 0.3, 0.0])
def test_a_new_alpha_gives_torchrls_probabilities(new, seed):
    rng = np.random.default_rng(seed)
    pair = [
        PrioritizedSampler(CAPACITY, 0.6, 1.0),
        SumTreeSampler(CAPACITY, 0.6, 1.0),
    ]
    errors = torch.as_tensor(rng.lognormal(0, 1, CAPACITY), dtype=torch.float32)
    for sampler in pair:
        sampler.extend(torch.arange(CAPACITY))
        sampler.update_priority(torch.arange(CAPACITY), errors)
        sampler.alpha = new
    original = pair[0]._sum_tree[torch.arange(CAPACITY)].double().numpy()
    priorities = pair[1]._sampler.tree.read(np.arange(CAPACITY))
    assert np.allclose(priorities / priorities.sum(), original / original.sum(), rtol=1e-4)


@needs_trees
def test_a_new_transition_gets_the_priority_that_torchrl_gives_it(seed):
    """1 at first, then the largest one given."""
    rng = np.random.default_rng(seed)
    pair = [kind(CAPACITY, 0.7, 1.0) for kind in (PrioritizedSampler, SumTreeSampler)]
    both = [ReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=4) for sampler in pair]
    for turn in range(12):
        count = int(rng.integers(1, 9))
        values = torch.as_tensor(rng.random(count) * (0.5 + turn / 4), dtype=torch.float32)
        for buffer in both:
            index = buffer.extend(torch.arange(count))
            if turn:
                buffer.update_priority(index, values)
            buffer.extend(torch.arange(2))
        held = len(both[0])
        original = pair[0]._sum_tree[torch.arange(held)].double().numpy()
        priorities = pair[1]._sampler.tree.read(np.arange(held)) / pair[1]._sampler.unit
        assert np.allclose(priorities, original, rtol=1e-4, atol=1e-5), turn
        assert float(pair[1].default_priority) == pytest.approx(float(pair[0].default_priority), rel=1e-6)


def test_the_largest_priority_within_the_buffer():
    sampler = SumTreeSampler(4, 0.5, 1.0, max_priority_within_buffer=True)
    buffer = ReplayBuffer(storage=LazyTensorStorage(4), sampler=sampler, batch_size=4)
    assert sampler.default_priority == 1.0
    buffer.update_priority(buffer.extend(torch.arange(2)), torch.tensor([100.0, 4.0]))
    assert sampler.default_priority == pytest.approx(100, rel=1e-4)
    buffer.update_priority(torch.tensor([0]), 9.0)
    assert sampler.default_priority == pytest.approx(9, rel=1e-4)
    buffer.extend(torch.arange(2))
    buffer.update_priority(torch.arange(4), torch.tensor([9.0, 4.0, 2.0, 3.0]))
    buffer.update_priority(buffer.extend(torch.arange(1)), 1.0)  # the slot of 9 is overwritten
    assert sampler.default_priority == pytest.approx(4, rel=1e-4)


def test_eps_is_torchrls_own_and_what_is_saturated_is_counted():
    assert SumTreeSampler(8)._eps == 1e-8 and SumTreeSampler(8, eps=1e-12)._eps == 1e-12
    assert SumTreeSampler(8, eps=0.25)._eps == 0.25 and SumTreeSampler(8, eps=0.0)._eps == 0
    sampler = SumTreeSampler(8)
    sampler.extend(torch.arange(2))
    with pytest.warns(CoreWarning, match=r"1 of 2 TD errors are so small beside the largest"):
        sampler.update_priority(torch.arange(2), torch.tensor([1e-8, 1e14]))
    assert sampler.saturations()["coarse"] == 1


# --- copies, states, input ---


@pytest.mark.parametrize("way", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copied_sampler_draws_what_the_original_draws(way, seed):
    sampler = SumTreeSampler(CAPACITY, seed=seed, **WIDTHS)
    sampler.extend(torch.arange(30))
    sampler.update_priority(torch.arange(30), torch.rand(30))
    sampler.sample(range(30), 8)
    twin = way(sampler)
    for _ in range(3):
        one, other = (s.sample(range(30), 16) for s in (sampler, twin))
        assert torch.equal(one[0], other[0]) and torch.equal(one[1]["generation"], other[1]["generation"])
    for s in (sampler, twin):
        s.extend(torch.arange(30, 34))
    assert sampler.default_priority == twin.default_priority


def test_a_damaged_dump_is_one_sentence(tmp_path):
    sampler = SumTreeSampler(CAPACITY, **WIDTHS)
    with pytest.raises(UserError, match="is not the state of a SumTreeSampler"):
        sampler.loads(tmp_path)
    sampler.dumps(tmp_path)
    file = next(tmp_path.iterdir())
    whole = file.read_bytes()
    for size in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:size])
        with pytest.raises(UserError):
            sampler.loads(tmp_path)
    file.write_bytes(whole)
    sampler.loads(tmp_path)


@pytest.mark.parametrize(
    "made",
    [
        lambda x: torch.tensor(x, requires_grad=True),
        lambda x: torch.tensor(x, dtype=torch.bfloat16),
        lambda x: torch.tensor(x, dtype=torch.float64).reshape(-1, 1),
        lambda x: torch.tensor([x, x]).T[:, 0],
        np.array,
        list,
    ],
)
def test_priorities_of_every_kind(made):
    sampler = SumTreeSampler(8, 1.0, 1.0)
    sampler.extend(torch.arange(3))
    sampler.update_priority([0, 1, 2], made([1.0, 2.5, 4.0]))
    priorities = sampler._sampler.tree.read([0, 1, 2]) / sampler._sampler.unit
    assert np.allclose(priorities, [1, 2.5, 4], atol=1e-5)
    sampler.update_priority(torch.tensor(1), made([3.0]))
    assert sampler._sampler.tree.read(1) / sampler._sampler.unit == pytest.approx(3, abs=1e-5)


@needs_trees
def test_an_empty_buffer_is_refused_as_torchrl_refuses_it():
    said = []
    for sampler in (PrioritizedSampler(8, 0.6, 0.4), SumTreeSampler(8)):
        buffer = ReplayBuffer(storage=LazyTensorStorage(8), sampler=sampler, batch_size=2)
        with pytest.raises(RuntimeError) as caught:
            buffer.sample()
        said.append(str(caught.value))
        with pytest.raises(RuntimeError, match="non-positive p_sum"):
            sampler.sample([1, 2], 2)  # transitions without priorities
        with pytest.raises(ValueError, match="must be greater or equal"):
            type(sampler)(8, -0.5, 0.4)
    assert said[0] == said[1]


# --- other processes ---


def test_a_forked_writer_of_a_shared_buffer_is_refused_and_a_spawned_one_too(refused_in_child):
    """shared=True shares the storage; the priorities are those of one process."""
    sampler = SumTreeSampler(CAPACITY)
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(CAPACITY), sampler=sampler, batch_size=4, shared=True)
    buffer.extend(data(np.arange(10)))
    calls = (
        lambda: buffer.extend(data(np.arange(10))),
        lambda: buffer.sample(),
        lambda: buffer.update_priority(torch.arange(3), torch.ones(3)),
        lambda: sampler.mark_update(torch.arange(3)),
    )
    assert refused_in_child(calls, "server_buffer") == len(calls)
    buffer.extend(data(np.arange(10)))
    assert np.count_nonzero(sampler._sampler.tree.read(np.arange(CAPACITY))) == 20 and len(buffer.sample()) == 4
    context = torch.multiprocessing.get_context("spawn")
    with pytest.raises(RuntimeError, match="cannot be shared between processes"):
        context.Process(target=print, args=(sampler,)).start()
    assert pickle.loads(pickle.dumps(sampler)).sample(range(20), 4)[0].shape == (4,)


def test_torch_load_reads_a_saved_state_without_running_anything(tmp_path, seed):
    pair = [SumTreeSampler(CAPACITY, seed=s) for s in (2**64 - 1, None)]
    pair[0].extend(torch.arange(30))
    pair[0].update_priority(torch.arange(30), torch.rand(30))
    pair[0].sample(range(30), 4)
    torch.save(pair[0].state_dict(), tmp_path / "state.pt")
    pair[1].load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    one, other = (sampler.sample(range(30), 16) for sampler in pair)
    assert torch.equal(one[0], other[0]) and torch.equal(one[1]["priority_weight"], other[1]["priority_weight"])
    assert pair[1]._sampler.seed == 2**64 - 1


def test_careless_arguments_are_refused_under_torchrls_own_names() -> None:
    made = {"alpha": 0.6, "beta": 0.4}
    with pytest.raises(UserError, match=r"max_capacity is 0; it must be 1 to"):
        SumTreeSampler(0, **made)
    with pytest.raises(UserError, match=r"dtype is torch.int32; weights need a floating type"):
        SumTreeSampler(8, **made, dtype=torch.int32)
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(9), sampler=SumTreeSampler(8, **made), batch_size=4)
    buffer.extend(data(range(5)))
    for index, priority, words in (
        ([0, 1], [1.0, float("nan")], r"priority\[1\] is nan; it must be a finite number"),
        ([0], [True], "priority is not an array of numbers, but of type bool"),
        ([0, 99], 1.0, r"index\[1\] is 99; it must be 0 to 7"),
    ):
        with pytest.raises(UserError, match=words):
            buffer.update_priority(index, priority)
    with pytest.raises(UserError, match="index 8 does not fit in a SumTreeSampler of max_capacity=8"):
        buffer.extend(data(range(5)))


def test_a_priority_of_a_slot_that_the_storage_has_not_filled_is_dropped_and_counted() -> None:
    sampler = SumTreeSampler(16, 0.6, 0.4)
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(16), sampler=sampler, batch_size=64)
    buffer.extend(data(range(4)))
    buffer.update_priority([0, 9], [1.0, 1000.0])
    assert sampler.stale == 1 and buffer.sample()["value"].max() < 4
