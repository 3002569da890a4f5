"""Environments of one rollout whose rewards differ in size: each has its own accuracy, and what is worse is said."""

import warnings

import numpy as np
import pytest

from rlcores import Gae, advantages
from rlcores.cores.gae import apart, api
from rlcores.cores.gae.api import fitting
from rlcores.cores.gae.rollout import check
from rlcores.cores.gae.scales import Numbers, deviations
from rlcores.errors import CoreWarning

GAMMA, LAMBDA = 0.99, 0.95


def rollout(rng, scales, steps=64, critic=5.0, ends=0.03, offsets=0.0):
    """(rewards, values, terminated, truncated, bootstrap, final_values) of environments with rewards of these sizes."""
    scales = np.asarray(scales, float)
    shape = steps, len(scales)
    rewards, values, finals = (rng.normal(size=shape) * scales * x for x in (1, critic, critic))
    terminated, truncated = rng.random(shape) < ends, rng.random(shape) < ends
    last = rng.normal(size=len(scales)) * scales * critic
    return rewards, values + offsets, terminated, truncated, last + offsets, finals + offsets


def worst(arrays, accuracy, **options):
    """The largest error of an environment, beside the standard deviation of its advantages."""
    exact = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy="float64").compute(*arrays).advantages
    estimated = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy=accuracy, **options).compute(*arrays).advantages
    return (np.sqrt(((estimated - exact) ** 2).mean(0)) / exact.std(0)).max()


@pytest.mark.parametrize("accuracy", ["exact16", "8bit"])
@pytest.mark.parametrize(
    "scales", [(100, 0.01), (1e3, 1e-2, 1e3, 1e-6, 1), (1e-9, 1e9), tuple(10.0 ** np.arange(-8, 8))]
)
def test_a_small_task_beside_a_large_one_keeps_its_advantages(accuracy, scales, seed, recwarn):
    arrays = rollout(np.random.default_rng(seed), scales)
    assert worst(arrays, accuracy) < (0.01 if accuracy == "exact16" else 0.1)
    assert not recwarn.list


@pytest.mark.parametrize("large", [1e3, 1e6])
@pytest.mark.parametrize("accuracy", ["exact16", "8bit"])
@pytest.mark.parametrize(("steps", "spread"), [(128, 0.0), (1, 0.3)])
def test_an_environment_without_deviation_beside_a_large_one_keeps_its_advantages(
    steps, spread, accuracy, large, seed, recwarn
):
    """MountainCar's -1 at every step and no critic yet; or one step alone."""
    rng = np.random.default_rng(seed)
    rewards = rng.choice((-1, 1), (steps, 4)) * rng.uniform(0.5, 2, (steps, 4)) * large
    rewards[:, 0] = -1.0
    none, values = np.zeros((steps, 4), bool), np.zeros((steps, 4))
    # What is awaited never undoes the reward: beside an advantage of 0 any rounding is large, and said.
    arrays = rewards, values, none, none, spread * rng.uniform(-1, 1, 4) * [1, large, large, large]
    exact = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy="float64").compute(*arrays).advantages[:, 0]
    estimated = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy=accuracy).compute(*arrays).advantages[:, 0]
    accepted = 0.25 if accuracy == "8bit" else 0.01  # max_error of that many bits
    assert np.abs(estimated - exact).max() < accepted * np.abs(exact).max()
    assert not recwarn.list


@pytest.mark.parametrize("large", [1e3, 1e6])
@pytest.mark.parametrize("accuracy", ["exact16", "8bit"])
@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("value", [0.0, 50.0])
def test_an_environment_whose_td_errors_are_all_0_beside_a_large_one_has_no_advantages(
    value, backend, accuracy, large, seed, recwarn
):
    """No reward and no value yet, or a critic that knows it: reward and values cancel."""
    rewards, none = np.random.default_rng(seed).normal(size=(64, 4)) * large, np.zeros((64, 4), bool)
    values, last = np.zeros((64, 4)), np.zeros(4)
    rewards[:, 2], values[:, 2], last[2] = value - 0.5 * value, value, value
    core = Gae(gamma=0.5, gae_lambda=LAMBDA, accuracy=accuracy, backend=backend)
    assert not core.compute(rewards, values, none, none, last).advantages[:, 2].any()
    assert not recwarn.list


def test_a_rounding_beside_td_errors_of_0_is_said(seed):
    """Values that vary, and rewards that undo each step: codes round both."""
    rng = np.random.default_rng(seed)
    values, none = rng.normal(size=(65, 2)), np.zeros((64, 2), bool)
    rewards = values[:64] - 0.5 * values[1:]
    with pytest.warns(
        CoreWarning, match=r"the advantages of 2 environments have an error of more than 0\.01 of the .*all 0"
    ):
        advantages(rewards, values[:64], none, none, values[64], gamma=0.5)


def test_environments_far_from_one_another_keep_their_advantages(seed):
    """Values of one size about different means."""
    arrays = rollout(np.random.default_rng(seed), np.ones(4), offsets=np.array([0.0, 1e5, 0.0, 1e5]))
    assert worst(arrays, "exact16") < 0.01


@pytest.mark.parametrize("scaling", ["none", "scale", "standardise"])
@pytest.mark.parametrize("accuracy", ["exact16", "8bit"])
def test_every_backend_divides_the_environments_alike(accuracy, scaling, seed):
    rng = np.random.default_rng(seed)
    cores = [Gae(gamma=GAMMA, backend=b, accuracy=accuracy, reward_scaling=scaling) for b in ("native", "model", "rtl")]
    divided = 0
    for scales in ((1.0, 1.0, 1.0), (1.0, 1e-5, 1e3, 1.0, 2e-5), (1e-3, 1e3)):
        arrays = rollout(rng, scales, steps=12)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CoreWarning)
            results = [core.compute(*arrays) for core in cores]
        for name in (
            "advantages",
            "returns",
            "rewards",
            "values",
            "bootstrap",
            "final_values",
            "step",
            "shift",
            "runs",
        ):
            for other in results[1:]:
                assert np.array_equal(
                    getattr(results[0], name), getattr(other, name), equal_nan=name == "final_values"
                ), name
        assert len({x.elements for x in results}) == 1 and results[0].elements == arrays[0].size
        assert results[0].rms == pytest.approx(results[1].rms, rel=1e-9) and results[2].rms == results[1].rms
        assert results[1].flags == results[2].flags and results[2].cycles > 0
        divided += results[0].elements > 0 and len(scales) > 3
    assert divided


def test_a_rollout_of_one_size_is_one_run(seed):
    """What nobody needs costs nothing: ordinary rollouts have the codes of before."""
    rng = np.random.default_rng(seed)
    arrays = rollout(rng, rng.uniform(0.5, 2, 16))
    one, other = (Gae(gamma=GAMMA, max_error=x).compute(*arrays) for x in (None, 1e9))
    assert np.array_equal(one.advantages, other.advantages) and one.runs == other.runs == 1


def test_a_nearly_perfect_critic_with_8_bits_is_said_and_16_bits_are_quiet(seed, recwarn):
    rng = np.random.default_rng(seed)
    steps, count = 128, 8
    rewards = rng.normal(size=(steps, count))
    none, last = np.zeros((steps, count), bool), np.zeros(count)
    values = (
        Gae(gamma=GAMMA, gae_lambda=1.0, accuracy="float64")
        .compute(rewards, np.zeros((steps, count)), none, none, last)
        .returns
        + rng.normal(size=(steps, count)) * 5e-2
    )
    arrays = rewards, values, none, none, last
    advantages(*arrays, GAMMA, LAMBDA)
    assert not recwarn.list
    with pytest.warns(CoreWarning, match=r"of [1-8] environments have an error of up to about [0-9.]+ of"):
        advantages(*arrays, GAMMA, LAMBDA, accuracy="8bit")
    recwarn.clear()
    advantages(*arrays, GAMMA, LAMBDA, accuracy="8bit", max_error=100)
    assert not recwarn.list


def test_the_said_error_is_about_the_measured_one(seed):
    """share() is no bound, but no other size either: within a factor of four, over critics of all qualities."""
    rng = np.random.default_rng(seed)
    for noise in (1.0, 0.1, 0.01):
        rewards = rng.normal(size=(256, 4))
        none, last = np.zeros((256, 4), bool), np.zeros(4)
        core = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy="8bit", max_error=1e-6)
        values = Gae(gamma=GAMMA, gae_lambda=1.0, accuracy="float64").compute(rewards, 0 * rewards, none, none, last)
        arrays = rewards, values.returns + rng.normal(size=(256, 4)) * noise, none, none, last
        outcome, _ = core._outcome((*arrays, None), whole=True)
        exact = Gae(gamma=GAMMA, gae_lambda=LAMBDA, accuracy="float64").compute(*arrays).advantages
        measured = (np.sqrt(((outcome["advantages"] - exact) ** 2).mean(0)) / exact.std(0)).max()
        with pytest.warns(CoreWarning, match="4 environments"):
            core._notice(outcome, None)
        assert measured / 4 < outcome["coarse"][1] < measured * 4, noise


@pytest.mark.parametrize("level", [0.0, 1.0, 1e6])
def test_constant_environments_need_no_run_of_their_own_where_their_td_errors_are_not_0(level):
    rewards, values = np.full((20, 3), level), np.full((20, 3), 2 * level)
    rewards[:, 0] = np.random.default_rng(0).normal(size=20) * (level or 1.0)
    none = np.zeros((20, 3), bool)
    core = Gae(gamma=GAMMA)
    result = core.compute(rewards, values, none, none, values[0])
    assert result.runs == (1 if level else 2) and result.advantages[:, 1:].any() == bool(level)


def test_numpy_and_the_engine_see_the_same_spread(seed):
    from rlcores.cores.gae.native import Native

    rng = np.random.default_rng(seed)
    native = Native(fitting(64, 8))
    for steps, count, power in ((1, 1, 6), (7, 3, 6), (64, 17, 6), (33, 40, 6), (20, 9, 300)):
        arrays = rollout(rng, 10.0 ** rng.integers(-power, power, count), steps)
        native.load(*arrays)
        numbers = Numbers(check(*arrays))
        assert native.held.spread(GAMMA) == numbers.spread(GAMMA)
        assert (deviations(numbers.rollout, GAMMA) > 0).any()


def test_no_more_than_32_groups_and_each_environment_in_one(seed):
    rng = np.random.default_rng(seed)
    rollouts = check(*rollout(rng, 10.0 ** rng.uniform(-150, 150, 200), 8))
    groups = apart.groups(rollouts, GAMMA, 32767, 0.01)
    assert 2 < len(groups) <= 32 and sorted(np.concatenate(groups).tolist()) == list(range(200))


def test_the_error_of_rewards_near_the_end_of_float64_is_a_number():
    assert api._rms([0.25, 0.75], [lambda: 1e200, lambda: 1e200]) == pytest.approx(1e200)
