"""torchrl's ReplayBuffer with its own sampler and with the core's: the same seeds, the same calls."""

import os
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

from rlcores.errors import UserError  # noqa: E402
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
        found = []
        for buffer in pair:
            buffer.update_priority(indices, priorities)
            np.random.seed(seed + turn)
            found.append(buffer.sample(return_info=True))
        (_, one_info), (other, other_info) = found
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
    for arguments, text in (({"draws": "both"}, "draws is 'both'"), ({"alpha": 2.0}, "alpha is 2.0")):
        with pytest.raises(UserError, match=text):
            SumTreeSampler(CAPACITY, **arguments)
