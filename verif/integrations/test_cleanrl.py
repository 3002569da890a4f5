"""CleanRL's loop over steps backwards against the core, on the same rollouts."""

import numpy as np
import pytest

from rlcores.errors import UserError
from rlcores.integrations.cleanrl import Advantages, advantages


def original(rewards, values, dones, next_value, next_done, gamma=0.99, gae_lambda=0.95):
    """The lines of CleanRL's ppo.py (MIT licence), in float64."""
    estimated = np.zeros(rewards.shape)
    last = 0.0
    for t in reversed(range(len(rewards))):
        if t == len(rewards) - 1:
            nextnonterminal, nextvalues = 1.0 - next_done, next_value
        else:
            nextnonterminal, nextvalues = 1.0 - dones[t + 1], values[t + 1]
        delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
        estimated[t] = last = delta + gamma * gae_lambda * nextnonterminal * last
    return estimated, estimated + values


def rollout(rng, steps, count, ends=0.1):
    """rewards, values, dones, next_value, next_done as CleanRL has them."""
    rewards, values = rng.normal(1, 2, (steps, count)), rng.normal(0, 3, (steps, count))
    dones = (rng.random((steps + 1, count)) < ends).astype(np.float64)
    return rewards, values, dones[:-1], rng.normal(0, 3, count), dones[-1]


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_any_rollouts_one_after_the_other_are_cleanrls(backend, seed):
    """In place a result has 8 bits; lanes hold 16 steps, longer rollouts run in pieces."""
    rng = np.random.default_rng(seed)
    core = Advantages(config="tiny", backend=backend)
    for steps, count, scale in ((16, 8, 1.0), (5, 3, 1e4), (36, 19, 1e-3)):
        rewards, values, dones, next_value, next_done = rollout(rng, steps, count)
        arrays = rewards * scale, values * scale, dones, next_value * scale, next_done
        estimated = core(*arrays[:3], arrays[3].reshape(1, -1), next_done)
        for name, one, other in zip(("advantages", "returns"), estimated, original(*arrays), strict=True):
            assert one.shape == (steps, count)
            assert np.abs(one - other).max() <= 0.03 * np.abs(other).max(), name
        assert core.result.elements == steps * count


def test_both_backends_give_the_same_numbers(seed):
    arrays = rollout(np.random.default_rng(seed), 16, 11)
    model, rtl = (advantages(*arrays, config="tiny", backend=backend) for backend in ("model", "rtl"))
    assert all(np.array_equal(x, y) for x, y in zip(model, rtl, strict=True))
    assert np.abs(model[0]).max() > 0


@pytest.mark.parametrize(("accuracy", "most"), [("8bit", 0.02), ("exact16", 5e-5), (None, 5e-5)])
def test_advantages_are_the_originals(accuracy, most, seed):
    """Root mean square error over the spread of the advantages."""
    arrays = rollout(np.random.default_rng(seed), 256, 16, ends=0.02)
    core = Advantages(accuracy=accuracy)
    for scale in (1.0, 1000.0, 1e-3):
        rewards, values, dones, next_value, next_done = arrays
        scaled = rewards * scale, values * scale, dones, next_value * scale, next_done
        estimated, expected = core(*scaled), original(*scaled)
        for one, other in zip(estimated, expected, strict=True):
            assert np.sqrt(np.mean((one - other) ** 2)) < most * other.std()


def test_long_rollouts_need_no_configuration_and_arrays_keep_their_type(seed):
    rewards, values, dones, next_value, next_done = rollout(np.random.default_rng(seed), 2048, 1)
    arrays = [x.astype(np.float32) for x in (rewards, values, dones, next_value, next_done)]
    estimated = Advantages()(*arrays)
    assert estimated[0].shape == (2048, 1) and estimated[0].dtype == estimated[1].dtype == np.float32
    exact = original(*arrays)[0]
    assert np.abs(estimated[0] - exact).max() < 1e-3 * np.abs(exact).max()


def test_tensors_come_back_as_tensors(seed):
    torch = pytest.importorskip("torch")
    arrays = rollout(np.random.default_rng(seed), 16, 4)
    tensors = [torch.tensor(x, dtype=torch.float32, requires_grad=i == 1) for i, x in enumerate(arrays)]
    estimated = advantages(*tensors, config="tiny")
    assert all(x.dtype == torch.float32 and not x.requires_grad for x in estimated)
    again = advantages(*(x.detach().numpy() for x in tensors), config="tiny")
    assert all(np.array_equal(x.numpy(), y) for x, y in zip(estimated, again, strict=True))


def test_what_is_wrong_is_one_sentence(seed):
    rewards, values, dones, next_value, next_done = rollout(np.random.default_rng(seed), 8, 4)
    core = Advantages(config="tiny")
    broken = rewards.copy()
    broken[3, 2] = np.nan
    for arrays, text in (
        ((rewards, values[:-1], dones, next_value, next_done), r"shapes \(8, 4\), \(7, 4\), \(8, 4\)"),
        ((rewards[0], values[0], dones[0], next_value, next_done), r"must be \(steps, environments\)"),
        ((rewards, values, dones, next_value[:3], next_done), "have 3 and 4 entries, not 4"),
        ((broken, values, dones, next_value, next_done), "reward"),
    ):
        with pytest.raises(UserError, match=text):
            core(*arrays)
    for arguments, text in (({"gamma": 1.5}, "gamma is 1.5"), ({"backend": "gpu"}, "backend is 'gpu'")):
        with pytest.raises(UserError, match=text):
            Advantages(**arguments)(rewards, values, dones, next_value, next_done)
