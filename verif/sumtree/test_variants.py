"""Loss-adjusted and rank-based priorities are those of their papers, alone and in a ReplayBuffer."""

import pickle

import numpy as np
import pytest

from rlcores import ReplayBuffer, UserError
from rlcores.cores.sumtree.loss_adjusted import LossAdjustedSampler
from rlcores.cores.sumtree.ranks import RankSampler

BACKENDS = ["native", "model"]


@pytest.mark.parametrize("name", BACKENDS)
def test_loss_adjusted_priorities_are_raised_and_have_no_weights(name, seed):
    errors = np.random.default_rng(seed).normal(0, 2, 200)
    sampler = LossAdjustedSampler(200, alpha=0.4, backend=name, seed=1)
    sampler.add(200)
    batch = sampler.sample(64)
    assert sampler.update(batch.indices, errors[batch.indices], batch.generations).all()
    assert sampler.update(np.arange(200), errors).all()
    wanted = np.maximum(np.abs(errors), 1) ** 0.4
    assert sampler.tree.read(np.arange(200)) / sampler.unit == pytest.approx(wanted, rel=0.01)
    assert (sampler.sample(64).weights == 1).all()


@pytest.mark.parametrize("name", BACKENDS)
def test_ranks_give_their_powers_whatever_the_errors_are(name, seed):
    rng = np.random.default_rng(seed)
    errors = rng.permutation(10.0 ** np.linspace(-30, 30, 100))
    sampler = RankSampler(100, alpha=0.7, backend=name, seed=1)
    sampler.add(100)
    sampler.update(np.arange(100), errors)  # as many as there are slots: sorted
    ranks = 100 - np.argsort(np.argsort(errors))
    assert sampler.tree.read(np.arange(100)) / sampler.unit == pytest.approx(ranks**-sampler.alpha, rel=1e-6)
    drawn = np.bincount(np.concatenate([sampler.sample(500).indices for _ in range(20)]), minlength=100)
    share = ranks**-0.7 / (ranks**-0.7).sum()
    assert drawn / 10_000 == pytest.approx(share, abs=0.006)
    sampler.update([7], [1e31])  # the first of all without a sort
    assert sampler.tree.read([7])[0] == round(sampler.unit)
    sampler.alpha = 1.0
    assert sampler.tree.read([7])[0] == round(sampler.unit) and sampler.alpha == 1
    assert sorted(sampler.tree.read(np.arange(100)).tolist())[0] == round(sampler.unit / 100)


def test_between_sorts_a_rank_is_that_among_the_errors_of_the_last_one(seed):
    rng = np.random.default_rng(seed)
    sampler = RankSampler(1000, alpha=1.0, sort_interval=1000, seed=1)
    known = rng.random(1000)
    sampler.add(td_errors=known)
    errors = rng.random(50)
    sampler.update(np.arange(50), errors)
    wanted = [1 + (known > error).sum() for error in errors]
    assert sampler.unit / sampler.tree.read(np.arange(50)) == pytest.approx(wanted, rel=1e-3)


def test_a_slot_that_is_reserved_or_void_is_not_sorted_in():
    sampler = RankSampler(10, alpha=1.0, seed=1)
    sampler.add(td_errors=[3.0, 1.0])
    slots = sampler.reserve(2)
    sampler.sort()
    assert (sampler.tree.read([2, 3]) == 0).all()
    assert sampler.commit(slots.indices, slots.generations, [2.0, 9.0]).all()
    sampler.sort()
    assert (sampler.unit / sampler.tree.read(np.arange(4))).round().tolist() == [2, 4, 3, 1]


@pytest.mark.parametrize("priorities", ["rank", "loss_adjusted", "proportional"])
def test_a_buffer_draws_by_them_and_goes_on_from_a_file(priorities, seed, tmp_path):
    rng = np.random.default_rng(seed)
    arrays = {"observation": ((), "f4")}
    buffer = ReplayBuffer(50, arrays, priorities=priorities, alpha=1.0, seed=2)
    steps = rng.normal(size=(2, 60))
    ends = np.zeros(60, bool)
    for part in (slice(0, 40), slice(40, 60)):
        columns = {"reward": ends[part] * 1.0, "terminated": ends[part], "truncated": ends[part]}
        buffer.add(observation=steps[0][part], next_observation=steps[1][part], **columns)
    errors = rng.normal(0, 5, 50)
    assert buffer.update(np.arange(50), errors).all()
    ranks = 50 - np.argsort(np.argsort(np.abs(errors)))
    wanted = {"rank": 1 / ranks, "loss_adjusted": np.maximum(np.abs(errors), 1), "proportional": np.abs(errors) + 1e-6}
    held = buffer.sampler.tree.read(np.arange(50))
    assert held / held.sum() == pytest.approx(wanted[priorities] / wanted[priorities].sum(), rel=0.02)
    buffer.save(tmp_path / "kept")
    loaded, copied = ReplayBuffer.load(tmp_path / "kept"), pickle.loads(pickle.dumps(buffer))
    for each in (loaded, copied):
        assert type(each.sampler) is type(buffer.sampler)
    for _ in range(3):
        batches = [b.sample(8) for b in (buffer, loaded, copied)]
        assert all((b.indices == batches[0].indices).all() for b in batches)
        for b, batch in zip((buffer, loaded, copied), batches, strict=True):
            b.update(batch.indices, np.linspace(0, 3, 8), batch.generations)
    assert (batches[0].weights == 1).all() == (priorities == "loss_adjusted")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: LossAdjustedSampler(8, beta=0.4), "loss-adjusted priorities have no beta"),
        (lambda: setattr(LossAdjustedSampler(8), "beta", 0.4), "beta is 0.4; draws with loss-adjusted priorities"),
        (lambda: LossAdjustedSampler(8, min_priority=-1), "min_priority is -1; it must be 0 to"),
        (lambda: RankSampler(8, scale=3), "rank-based priorities have no scale"),
        (lambda: RankSampler(8, sort_interval=0), "sort_interval is 0; it must be 1 to"),
        (lambda: RankSampler(8, alpha=3), "alpha is 3; it must be 0 to 2"),
        (lambda: ReplayBuffer(8, {"observation": ((), "f4")}, priorities="best"), "priorities is 'best'; it must be"),
    ],
)
def test_what_cannot_be_is_one_sentence(call, sentence):
    with pytest.raises(UserError, match=sentence):
        call()


@pytest.mark.parametrize(
    ("priorities", "setting"),
    [
        ("loss_adjusted", {"beta": 0.6}),
        ("loss_adjusted", {"priority_epsilon": 1e-3}),
        ("rank", {"priority_epsilon": 1e-3}),
    ],
)
def test_a_setting_that_a_kind_of_priorities_does_not_have_is_refused(priorities, setting):
    (name,) = setting
    with pytest.raises(UserError, match=f"{name} is .*, but priorities='{priorities}' have no {name}"):
        ReplayBuffer(8, {"observation": ((), "f4")}, priorities=priorities, **setting)
