"""tianshou with its own prioritised buffers and with the cores': the same transitions, the same seeds."""

import copy
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tianshou = pytest.importorskip("tianshou")

from tianshou.data import Batch  # noqa: E402
from tianshou.data import PrioritizedReplayBuffer as OwnOne  # noqa: E402
from tianshou.data import PrioritizedVectorReplayBuffer as OwnVector  # noqa: E402

from rlcores.errors import CoreWarning, UserError  # noqa: E402
from rlcores.integrations.tianshou import PrioritizedReplayBuffer, PrioritizedVectorReplayBuffer  # noqa: E402

# 64 leaves: the parameters that the other tests of this folder build too.
RTL = {"priority_width": 24, "batch_max": 64, "scale": 13}


def push(buffers, rng, steps, envs=None):
    """The same transitions into all buffers."""
    for _ in range(steps):
        count = envs or 1
        batch = Batch(
            obs=rng.normal(size=(count, 3)),
            act=rng.integers(0, 2, count),
            rew=rng.normal(size=count),
            terminated=rng.random(count) < 0.2,
            truncated=np.zeros(count, bool),
            obs_next=rng.normal(size=(count, 3)),
        )
        for buffer in buffers:
            buffer.add(batch, buffer_ids=list(range(count)))


def pairs(alpha=1.0, beta=0.5, **options):
    """tianshou's and ours, for one environment and for four."""
    one = OwnOne(50, alpha, beta), PrioritizedReplayBuffer(50, alpha, beta, **options)
    many = (
        OwnVector(50, 4, alpha=alpha, beta=beta),
        PrioritizedVectorReplayBuffer(50, 4, alpha=alpha, beta=beta, **options),
    )
    return [(one, None), (many, 4)]


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_the_same_seed_samples_the_same_transitions_as_tianshou(backend, seed):
    """Whole priorities: both trees hold nearly the same numbers, and part at the edges of slots only."""
    rng = np.random.default_rng(seed)
    options = {"draws": "host", "backend": backend, "sampler_options": RTL}
    for (own, ours), envs in pairs(**options):
        assert isinstance(ours, type(own)) and ours.maxsize == own.maxsize
        equal = drawn = 0
        for turn in range(15):
            push((own, ours), rng, int(rng.integers(1, 9)), envs)
            held = own.sample_indices(0)
            indices = rng.choice(held, min(len(held), 12), replace=False)
            errors = torch.as_tensor(rng.integers(1, 1000, len(indices)), dtype=torch.float32)
            errors.requires_grad_(turn % 2 == 0)
            batches = []
            for buffer in (own, ours):
                buffer.update_weight(indices, errors if buffer is ours else errors.detach())
                np.random.seed(seed % 2**31 + turn)
                batches.append(buffer.sample(32))
            (one, one_index), (other, other_index) = batches
            same = one_index == other_index
            equal, drawn = equal + int(same.sum()), drawn + len(same)
            assert np.array_equal(other.obs, own.obs[other_index])
            if same.all():
                assert np.allclose(one.weight, other.weight, rtol=2e-3)
        assert drawn == 15 * 32 and equal >= 0.98 * drawn, f"{equal} of {drawn}"


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_priorities_and_weights_are_tianshous(alpha, seed):
    rng = np.random.default_rng(seed)
    for norm in (True, False):
        for (own, ours), envs in pairs(alpha, 0.7):
            own._weight_norm = ours._weight_norm = norm
            push((own, ours), rng, 9, envs)
            held = own.sample_indices(0)
            errors = rng.lognormal(0, 1, len(held) - 2)
            for buffer in (own, ours):
                buffer.update_weight(held[2:], -errors)
            assert np.allclose(ours.weight[held], own.weight[held], rtol=2e-4)
            assert ours.weight.reduce() == pytest.approx(own.weight.reduce(), rel=2e-4)
            assert ours.weight.reduce(3, 9) == pytest.approx(own.weight.reduce(3, 9), rel=2e-4)
            assert np.allclose(ours.get_weight(held), own.get_weight(held), rtol=3e-4)
            assert np.allclose(ours[:].weight, own[:].weight, rtol=3e-4) and len(ours[:].weight) == len(held)
            assert ours[int(held[0])].weight == pytest.approx(own[int(held[0])].weight, rel=3e-4)
            push((own, ours), rng, 2, envs)
            assert np.allclose(ours.weight[held], own.weight[held], rtol=2e-4)
            places = np.array([0.0, own.weight.reduce() * 0.3, own.weight.reduce() * 0.999])
            assert np.abs(ours.weight.get_prefix_sum_idx(places) - own.weight.get_prefix_sum_idx(places)).max() <= 1


def test_beta_of_a_vector_buffer_can_be_set(seed):
    ours = PrioritizedVectorReplayBuffer(50, 4, alpha=1.0, beta=0.0)
    push((ours,), np.random.default_rng(seed), 9, 4)
    held = ours.sample_indices(0)
    ours.update_weight(held, np.arange(1, len(held) + 1))
    assert (ours[held].weight == 1).all()
    ours.set_beta(1.0)
    assert np.allclose(ours[held].weight, 1 / np.arange(1, len(held) + 1), rtol=1e-3)
    with pytest.raises(UserError, match=r"beta is -1\.0; it must be 0 to"):
        ours.set_beta(-1.0)


def test_sampling_is_in_proportion_and_a_reset_forgets_everything(seed):
    ours = PrioritizedReplayBuffer(20, 1.0, 1.0, seed=seed)
    push((ours,), np.random.default_rng(seed), 20)
    ours.update_weight(np.arange(20), np.arange(20) + 1.0)
    seen = np.zeros(20)
    for _ in range(40):
        seen += np.bincount(ours.sample(210)[1], minlength=20)
    assert (np.abs(seen - 40 * np.arange(1, 21)) <= 80).all()
    ours.reset()
    assert len(ours) == 0 and ours.weight.reduce() == 0
    with pytest.raises(
        ValueError, match="there is nothing to sample: the buffer is empty"
    ):  # tianshou's is a ValueError too
        ours.sample(4)
    push((ours,), np.random.default_rng(seed), 3)
    assert set(ours.sample(30)[1].tolist()) == {0, 1, 2}
    assert np.allclose(ours.weight[[0, 1, 2]], 1, atol=1e-5)


def test_numpys_seed_decides_the_draws_unless_a_seed_is_given(seed):
    def drawn(numpy_seed, draws, own_seed=None):
        np.random.seed(numpy_seed)
        buffer = PrioritizedReplayBuffer(30, 0.6, 0.4, draws=draws, seed=own_seed)
        push((buffer,), np.random.default_rng(0), 30)
        return [buffer.sample(16)[1].tolist() for _ in range(2)]

    for draws in ("core", "host"):
        assert drawn(1, draws) == drawn(1, draws) != drawn(2, draws)
    assert drawn(1, "core", 5) == drawn(2, "core", 5)


def test_a_seed_set_before_a_buffer_is_made_gives_tianshous_own_draws():
    """Making a buffer takes nothing from NumPy's generator where that draws."""
    drawn = []
    for k in range(2):
        np.random.seed(5)
        pair = pairs(draws="host")
        indices = []
        for both, envs in pair:
            push((both[k],), np.random.default_rng(0), 12, envs)
            indices += both[k].sample(64)[1].tolist()
        drawn.append(indices)
    assert np.mean(np.equal(*drawn)) > 0.98


def hdf5(buffer, folder):
    buffer.save_hdf5(str(folder / "buffer.hdf5"))
    return type(buffer).load_hdf5(str(folder / "buffer.hdf5"))


@pytest.mark.parametrize(
    "way",
    [lambda x, _: pickle.loads(pickle.dumps(x)), lambda x, _: copy.deepcopy(x), hdf5],
    ids=["pickle", "copy", "hdf5"],
)
def test_a_saved_buffer_goes_on_with_its_priorities_and_draws(way, tmp_path, seed):
    rng = np.random.default_rng(seed)
    for (_, ours), envs in pairs(seed=seed):
        push((ours,), rng, 15, envs)
        held = ours.sample_indices(0)
        ours.update_weight(held, rng.random(len(held)) * 5)
        ours.sample(8)
        twin = way(ours, tmp_path)
        assert len(twin) == len(ours)
        push((ours, twin), rng, 4, envs)
        for _ in range(3):
            (one, one_index), (other, other_index) = ours.sample(16), twin.sample(16)
            assert one_index.tolist() == other_index.tolist() and np.array_equal(one.weight, other.weight)


def test_alpha_can_be_set_and_limits_are_counted(seed):
    ours = PrioritizedReplayBuffer(20, 1.0, 1.0)
    push((ours,), np.random.default_rng(seed), 20)
    ours.update_weight(np.arange(20), np.arange(20) + 1.0)
    ours.alpha = 0.5
    assert np.allclose(ours.weight[np.arange(20)], (np.arange(20) + 1.0) ** 0.5, rtol=1e-5)
    with pytest.warns(CoreWarning, match=r"1 of 2 TD errors are so small beside the largest"):
        ours.update_weight(np.arange(2), np.array([1e14, 1e-5]))
    assert ours.sampler.saturations()["coarse"] == 1
    ours.weight[np.arange(2)] = np.array([3e9, 1.5e9])
    assert ours.weight[0] == pytest.approx(3e9, rel=1e-4) and ours.weight[1] == pytest.approx(1.5e9, rel=1e-4)


@pytest.mark.parametrize("name", ["obs.seen", "act", "rew", "obs_next"])
def test_a_number_that_is_not_finite_is_refused_and_nothing_is_stored(name):
    for ours, count in ((PrioritizedReplayBuffer(20, 1.0, 1.0), 1), (pairs()[1][0][1], 4)):
        step = {"obs": {"seen": np.ones((count, 3))}, "act": np.ones(count), "rew": np.ones(count)}
        step |= {"obs_next": np.ones((count, 3))}
        to = step
        *path, last = name.split(".")
        for key in path:
            to = to[key]
        to[last] = to[last] * np.nan
        with pytest.raises(UserError, match=f"^{name} has the value nan"):
            ours.add(Batch(**step, terminated=np.zeros(count, bool), truncated=np.zeros(count, bool)), range(count))
        assert len(ours) == 0 and ours.weight.reduce() == 0


def test_what_is_wrong_is_one_sentence(seed):
    ours = PrioritizedReplayBuffer(20, 1.0, 1.0)
    push((ours,), np.random.default_rng(seed), 5)
    for call, text in (
        (lambda: ours.update_weight(np.array([20]), 1.0), r"index\[0\] is 20; it must be 0 to 19"),
        (lambda: ours.update_weight(np.array([0, 1]), np.ones(3)), "new_weight has 3 entries; here it must have 2"),
        (lambda: ours.update_weight(np.array([0]), np.array([np.nan])), r"new_weight\[0\] is nan"),
        (lambda: PrioritizedReplayBuffer(20, 3.0, 1.0), r"alpha is 3\.0; it must be 0 to 2"),
        (lambda: PrioritizedReplayBuffer(20, 0.5, 1.0, draws="both"), "draws is 'both'"),
        (lambda: PrioritizedVectorReplayBuffer(20, 0, alpha=0.5, beta=1.0), "buffer_num is 0; it must be 1 to"),
    ):
        with pytest.raises(UserError, match=text):
            call()
    ours.update_weight(np.array([], int), np.array([]))


def one(**fields):
    step = {"obs": np.zeros(3), "act": 0, "rew": 1.0, "terminated": False, "truncated": False, "obs_next": np.ones(3)}
    return Batch(**(step | fields))


def test_careless_arguments_are_refused_under_tianshous_own_names() -> None:
    for arguments, words in (
        ({"size": 0}, "size is 0; it must be 1 to"),
        ({"size": "16"}, "size is '16'; it must be a whole number"),
        ({"beta": None}, "beta is None; it must be a number"),
        ({"beta": "0.4"}, "beta is '0.4'; it must be a number"),
        ({"weight_norm": "yes"}, "weight_norm is 'yes'; it must be true or false"),
        ({"stack": 4}, "there is no argument 'stack'; did you mean 'stack_num'"),
    ):
        with pytest.raises(UserError, match=words):
            PrioritizedReplayBuffer(**({"size": 16, "alpha": 0.6, "beta": 0.4} | arguments))
    for arguments, words in (
        ({"buffer_num": "4"}, "buffer_num is '4'; it must be a whole number"),
        ({"total_size": 2.5}, "total_size is 2.5; it must be a whole number"),
        ({"stack": 4}, "there is no argument 'stack'; did you mean 'stack_num'"),
    ):
        with pytest.raises(UserError, match=words):
            PrioritizedVectorReplayBuffer(
                **({"total_size": 16, "buffer_num": 4, "alpha": 0.6, "beta": 0.4} | arguments)
            )


def test_careless_calls_are_refused_and_change_nothing() -> None:
    buffer = PrioritizedReplayBuffer(16, 0.6, 0.4)
    with pytest.raises(UserError, match="there is nothing to sample: the buffer is empty"):
        buffer.sample(4)
    for fields, words in (
        ({"terminated": 2}, "terminated holds 2; every entry must be true or false"),
        ({"truncated": "no"}, "truncated is an array of <U2; every entry must be true or false"),
    ):
        with pytest.raises(UserError, match=words):
            buffer.add(one(**fields))
    assert len(buffer) == 0
    for _ in range(5):
        buffer.add(one())
    for size in ("4", -3):
        with pytest.raises(UserError, match=f"batch_size is {size!r}; it must be"):
            buffer.sample(size)
    assert len(buffer.sample(0)[1]) == len(buffer.sample(None)[1]) == 5
    before = buffer.weight[:]
    for index, errors, words in (
        ([0, 1], [1.0, np.nan], r"new_weight\[1\] is nan; it must be a finite number"),
        ([0, 1], [1.0], "new_weight has 1 entries; here it must have 2"),
        ([0, 99], 1.0, r"index\[1\] is 99; it must be 0 to 15"),
    ):
        with pytest.raises(UserError, match=words):
            buffer.update_weight(np.array(index), errors)
    with pytest.raises(UserError, match="beta is None; it must be a number"):
        buffer.set_beta(None)
    assert (buffer.weight[:] == before).all()
