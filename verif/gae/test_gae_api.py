"""The GAE core's API as a user calls it: right advantages for any rewards, one sentence for everything wrong."""

import doctest
import threading
import warnings

import numpy as np
import pytest

from rlcores.cores.gae import api as gae
from rlcores.cores.gae import moments
from rlcores.cores.gae.api import ACCURACIES, Gae, advantages, fitting
from rlcores.cores.gae.driver import GaeError
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.cores.gae.streamed import pieces
from rlcores.eda import configs
from rlcores.errors import CoreWarning, UserError

GAMMA, LAM = 0.97, 0.9
# Of the largest |advantage|: 8 bits are in the rewards' and values' codes, 16 in the results of every small core.
BOUNDS = {"exact16": 1e-3, "8bit": 0.3}


@pytest.fixture(autouse=True)
def _no_warning_unasked():
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoreWarning)
        yield


def make(rng, steps=10, envs=8, ends=0.1, scale=1.0, mean=0.3):
    """A rollout as Gae.compute takes it, with terminations and truncations anywhere."""
    shape = steps, envs
    terminated = rng.random(shape) < ends
    truncated = (rng.random(shape) < ends) & ~terminated
    final = np.where(truncated, rng.normal(0, scale, shape), np.nan)
    return (
        rng.normal(mean, 1, shape) * scale,
        rng.normal(0.5, 2, shape) * scale,
        terminated,
        truncated,
        rng.normal(0, scale, envs),
        final,
    )


def right(arrays, gamma=GAMMA, gae_lambda=LAM):
    """float64's advantages of the numbers as they are."""
    rewards, values, terminated, truncated, bootstrap, *final = (np.asarray(x) for x in arrays)
    return float_gae(
        rewards.astype(float),
        values.astype(float),
        terminated,
        truncated,
        bootstrap,
        *final or [None],
        gamma,
        gae_lambda,
    )[0]


def share(estimated, exact):
    """The largest error, as a share of the largest advantage."""
    largest = np.abs(exact).max() or 1.0
    return float(np.abs(estimated / largest - exact / largest).max())


def rows(rng, steps=60, envs=4):
    """Rewards of every kind: name, (T, N)."""
    shape = steps, envs
    sparse, outlier = np.zeros(shape), rng.normal(0, 0.1, shape)
    sparse[rng.integers(steps), rng.integers(envs)] = 100.0
    outlier[steps // 2, 1] = 100.0
    yield "normal", rng.normal(size=shape)
    yield "ones", np.ones(shape)
    yield "a tenth", np.full(shape, 0.1)
    yield "zeros", np.zeros(shape)
    yield "sparse", sparse
    yield "one far out", outlier
    yield "1e6 and noise", 1e6 + rng.normal(size=shape)
    yield "-16 … 0", -16 * rng.random(shape) ** 3
    yield "1e30", 1e30 * rng.normal(size=shape)
    yield "1e-30", 1e-30 * rng.normal(size=shape)
    yield "1e-310", 1e-310 * rng.normal(size=shape)
    yield "1e300", 1e300 * rng.normal(size=shape)
    yield "whole", rng.integers(-5, 6, shape)
    yield "bool", rng.random(shape) < 0.3


def critics(rng, rewards, terminated, gamma):
    """No critic, a random one, one that knows the returns to a tenth of their spread."""
    rewards = np.asarray(rewards, float)
    never, zero = np.zeros(rewards.shape, bool), np.zeros(rewards.shape)
    yield zero
    yield rng.normal(size=rewards.shape) * (np.abs(rewards).max() or 1)
    returns = float_gae(rewards, zero, terminated, never, zero[0], None, gamma, 1.0)[0]
    yield returns + 0.1 * np.abs(returns - returns.mean()).max() * rng.normal(size=rewards.shape)


@pytest.mark.parametrize("accuracy", list(ACCURACIES))
@pytest.mark.parametrize(("gamma", "gae_lambda"), [(0.99, 0.95), (1.0, 1.0), (0.5, 0.0)])
def test_advantages_are_those_of_the_rewards_as_they_are_whatever_the_rewards_are(accuracy, gamma, gae_lambda, seed):
    rng = np.random.default_rng(seed)
    for name, rewards in rows(rng):
        terminated, truncated = rng.random(rewards.shape) < 0.02, np.zeros(rewards.shape, bool)
        for values in critics(rng, rewards, terminated, gamma):
            arrays = rewards, values, terminated, truncated, values[-1]
            # Where the TD errors of an environment are all 0, there is nothing that an error is small beside.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", ".*which are all 0 in some of them", CoreWarning)
                estimated, returns = advantages(*arrays, gamma, gae_lambda, accuracy=accuracy)
            exact = right(arrays, gamma, gae_lambda)
            assert share(estimated, exact) <= BOUNDS[accuracy], name
            np.testing.assert_allclose(returns, estimated + values, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("rewards", ["ones", "zeros", "a tenth", "1e6 and noise"])
def test_constants_cost_nothing(rewards, seed):
    """CartPole's reward is 1 at every step: its advantages are right to the results' own rounding in 8 bits too."""
    rng = np.random.default_rng(seed)
    chosen = dict(rows(rng))[rewards]
    never = np.zeros(chosen.shape, bool)
    for accuracy in ACCURACIES:
        arrays = chosen, np.full(chosen.shape, 3.0), rng.random(chosen.shape) < 0.02, never, np.full(4, 3.0)
        assert share(advantages(*arrays, GAMMA, LAM, accuracy=accuracy)[0], right(arrays)) <= 2e-5


@pytest.mark.parametrize("config", ["tiny", "wide", "dispatch", "tiny16", None])
def test_every_core_runs_rollouts_of_any_shape(config, seed):
    """Lanes too short run in pieces, too many environments in groups; the pieces join."""
    rng = np.random.default_rng(seed)
    core = Gae(config, gamma=GAMMA, gae_lambda=LAM)
    out_bits = configs.load("gae", config)["OUT_BITS"] if config else 24
    for steps, envs in ((1, 1), (2, 3), (16, 8), (17, 9), (70, 5), (33, 40)):
        for ends in (0.0, 0.1, 0.5):
            arrays = make(rng, steps, envs, ends)
            result = core.compute(*arrays)
            # In place there are as few bits for results as for records. One advantage may be far below its values.
            largest = max(np.abs(x).max() for x in (right(arrays), *arrays[:2]))
            bound = {8: 0.05, 16: 0.02, 24: 1e-4}[out_bits] * largest
            assert result.advantages.shape == (steps, envs) and result.elements == steps * envs
            assert np.abs(result.advantages - right(arrays)).max() <= bound, (steps, envs, ends)
            assert result.rms <= bound


def test_a_rollout_of_thousands_of_steps_needs_no_configuration(seed):
    rng = np.random.default_rng(seed)
    arrays = make(rng, 5000, 1, 0.001)
    core = Gae(gamma=0.999, gae_lambda=1.0)
    assert share(core.compute(*arrays).advantages, right(arrays, 0.999, 1.0)) <= 1e-3
    assert len(pieces(arrays[3], fitting(5000, 1)["DEPTH"])) == 2


def test_accuracy_is_a_choice_and_the_default_is_the_accurate_one(seed):
    rng = np.random.default_rng(seed)
    arrays = make(rng, 200, 4, 0.01)
    errors = {a: Gae(accuracy=a).compute(*arrays).rms for a in (None, "exact16", "8bit")}
    assert errors[None] == errors["exact16"] < errors["8bit"] / 30
    assert Gae().qbits == 16 and Gae("tiny").qbits == 8 and Gae("tiny16").qbits == 16
    assert Gae("tiny16", accuracy="8bit").qbits == 8


def test_the_result_tells_its_error(seed):
    rng = np.random.default_rng(seed)
    for accuracy in ACCURACIES:
        arrays = make(rng, 60, 4, 0.05)
        result = Gae(gamma=GAMMA, gae_lambda=LAM, accuracy=accuracy).compute(*arrays)
        assert result.rms == pytest.approx(np.sqrt(np.mean((result.advantages - right(arrays)) ** 2)), rel=1e-6)
        assert result.clipped_rewards == result.clipped_values == 0


def test_rewards_that_outgrow_the_first_rollouts_follow(seed):
    """Rewards of a tenth, then one of 100: the run goes on, with statistics over both."""
    rng = np.random.default_rng(seed)
    never = np.zeros((40, 4), bool)
    small, large = rng.normal(0, 0.1, (40, 4)), rng.normal(0, 0.1, (40, 4))
    large[7, 2] = 100.0
    values, last = rng.normal(size=(40, 4)), np.zeros(4)
    both = np.concatenate([small, large])
    for scaling in ("none", "scale", "standardise"):
        core = Gae(gamma=GAMMA, gae_lambda=LAM, reward_scaling=scaling)
        shift, unit = {"none": (0, 1), "scale": (0, both.std()), "standardise": (both.mean(), both.std())}[scaling]
        for first, rewards in enumerate((small, large, small * 1e-9)):
            result = core.compute(rewards, values, never, never, last)
            if first == 1:
                assert share(result.advantages, right(((rewards - shift) / unit, values, never, never, last))) <= 1e-3


@pytest.mark.parametrize("accuracy", list(ACCURACIES))
@pytest.mark.parametrize("order", ["include", "previous"])
def test_running_statistics_cover_all_rollouts_or_only_the_earlier_ones(order, accuracy, seed):
    rng = np.random.default_rng(seed)
    rollouts = [make(rng, 40, 8, 0.0, mean=m, scale=s) for m, s in ((0.0, 1.0), (1.5, 20.0), (-0.5, 0.01))]
    core = Gae(order=order, gamma=GAMMA, gae_lambda=LAM, reward_scaling="standardise", accuracy=accuracy)
    for i, arrays in enumerate(rollouts):
        result = core.compute(*arrays)
        known = rollouts[: max(i + (order == "include"), 1)]
        so_far = np.concatenate([r[0].ravel() for r in known])
        expected = (arrays[0] - so_far.mean()) / so_far.std()
        assert share(result.advantages, right((expected, *arrays[1:]))) <= BOUNDS[accuracy], i
    assert core.statistics.count == 3 * 40 * 8
    core.reset_statistics()
    own = rollouts[2][0]
    alone = core.compute(*rollouts[2]).advantages
    assert share(alone, right(((own - own.mean()) / own.std(), *rollouts[2][1:]))) <= BOUNDS[accuracy]


@pytest.mark.parametrize("scaling", ["scale", "standardise"])
def test_equal_rewards_are_not_emptied_and_are_warned_of(scaling):
    """Their deviation is 0: what they are divided by is their size, and the mean stays."""
    never, values = np.zeros((10, 8), bool), np.zeros((10, 8))
    core = Gae(gamma=1.0, gae_lambda=1.0, reward_scaling=scaling)
    with pytest.warns(
        CoreWarning, match=r"all rewards so far are -10, so they have no standard deviation.*\(1 so far\)"
    ):
        result = core.compute(np.full((10, 8), -10.0), values, never, never, np.zeros(8))
    np.testing.assert_allclose(result.advantages[:, 0], -np.arange(10, 0, -1), rtol=1e-6)
    with pytest.warns(CoreWarning, match="all rewards so far are 0"):
        result = Gae(reward_scaling=scaling).compute(values, values, never, never, np.zeros(8))
    assert not result.advantages.any()


def test_the_papers_clip_range_limits_and_warns_with_counts(seed):
    rng = np.random.default_rng(seed)
    never = np.zeros((50, 8), bool)
    rewards, values = rng.normal(size=(50, 8)), rng.normal(size=(50, 8))
    rewards[3, 4], values[7, :2] = 500.0, 90.0
    core = Gae(clip=4.0, reward_scaling="standardise", accuracy="8bit")
    with pytest.warns(CoreWarning) as caught:
        result = core.compute(rewards, values, never, never, np.zeros(8))
    said = [str(w.message) for w in caught]
    assert said == [
        "1 rewards lay beyond the clip range of 4 standard deviations (1 so far)",
        "2 values lay beyond the clip range of 4 standard deviations (2 so far)",
    ]
    assert (result.clipped_rewards, result.clipped_values) == (1, 2)
    # Codes cover the range and no more: the largest is 4 standard deviations.
    assert np.abs(result.rewards).max() == pytest.approx(4.0, rel=1e-6)
    assert result.rms > 0.05, "the error of clipping is part of the error"


def test_truncation_is_not_termination(seed):
    rewards, values = np.random.default_rng(seed).choice([-1.0, 1.0], (4, 8)), np.zeros((4, 8))
    ends = np.zeros((4, 8), bool)
    ends[1] = True
    never = np.zeros_like(ends)
    core = Gae("wide", gamma=1.0, gae_lambda=1.0)
    stop = core.compute(rewards, values, ends, never, np.zeros(8)).returns
    cut = core.compute(rewards, values, never, ends, np.zeros(8), np.full((4, 8), 2.0)).returns
    assert np.abs(stop[0] - rewards[:2].sum(axis=0)).max() < 0.02
    assert np.abs(cut[0] - stop[0] - 2.0).max() < 0.02
    assert np.abs(cut[2] - stop[2]).max() < 0.02


@pytest.mark.parametrize("config", ["tiny", None])
def test_a_step_that_is_both_terminated_and_truncated_is_terminated(config, seed):
    """As Gymnasium's TimeLimit says it where the last step allowed also ends the episode."""
    rng = np.random.default_rng(seed)
    arrays = make(rng, 30, 8)
    both = arrays[3] | arrays[2]
    final = np.where(arrays[3], arrays[5], np.nan)  # no final value is asked for where the episode terminated
    one = Gae(config).compute(arrays[0], arrays[1], arrays[2], both, arrays[4], final)
    other = Gae(config).compute(*arrays)
    assert both.sum() > arrays[3].sum() and np.array_equal(one.advantages, other.advantages)


def test_a_truncation_in_the_last_step_uses_the_final_value_not_the_next_episodes(seed):
    rng = np.random.default_rng(seed)
    rewards, values = rng.normal(0, 1, (16, 8)), rng.normal(0, 1, (16, 8))
    never, last = np.zeros((16, 8), bool), np.zeros((16, 8), bool)
    last[-1] = True
    final = rng.normal(0, 1, (16, 8))
    # All 16 records of a lane are steps, so the truncation must not take one.
    cut = Gae("tiny").compute(rewards, values, never, last, np.full(8, 99.0), final)
    whole = Gae("tiny").compute(rewards, values, never, never, final[-1])
    assert np.array_equal(cut.advantages, whole.advantages)
    assert len(pieces(last, configs.load("gae", "tiny")["DEPTH"])) == 1


def test_final_values_may_be_a_dictionary():
    arrays = make(np.random.default_rng(1))
    places = {tuple(map(int, p)): arrays[5][tuple(p)] for p in np.argwhere(arrays[3])}
    assert places
    one, other = (Gae("tiny").compute(*arrays[:5], final) for final in (arrays[5], places))
    assert np.array_equal(one.advantages, other.advantages)


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**10, 2.0**300])
@pytest.mark.parametrize("accuracy", list(ACCURACIES))
def test_the_unit_of_rewards_and_values_does_not_matter(scale, accuracy, seed):
    rewards, values, terminated, truncated, bootstrap, final = make(np.random.default_rng(seed), 30, 8, 0.05)
    core = Gae(accuracy=accuracy)
    plain = core.compute(rewards, values, terminated, truncated, bootstrap, final).advantages
    scaled = core.compute(rewards * scale, values * scale, terminated, truncated, bootstrap * scale, final * scale)
    np.testing.assert_array_equal(plain * scale, scaled.advantages)


@pytest.mark.parametrize("accuracy", list(ACCURACIES))
def test_arrays_of_any_type_and_layout_give_the_same(accuracy, seed):
    rng = np.random.default_rng(seed)
    rewards, values = rng.integers(-3, 4, (20, 6)), rng.integers(-9, 10, (20, 6))
    ends = rng.random((20, 6)) < 0.1
    arrays = rewards, values, ends, ~ends & False, np.arange(6)
    plain = advantages(*arrays, accuracy=accuracy)[0]
    frozen = [np.array(x) for x in arrays]
    for x in frozen:
        x.flags.writeable = False
    others = {
        "float16": [x.astype(np.float16) if x.dtype != bool else x for x in arrays],
        "float32": [x.astype(np.float32) if x.dtype != bool else x for x in arrays],
        "int8, ends as numbers": [x.astype(np.int8) for x in arrays],
        "uint8 ends": [*arrays[:2], arrays[2].astype(np.uint8), arrays[3].astype(np.uint8), arrays[4]],
        "big-endian": [x.astype(">f8") for x in arrays],
        "Fortran order": [np.asfortranarray(x) for x in arrays],
        "every second": [np.repeat(x, 2, axis=0)[::2] for x in arrays],
        "backwards": [x[::-1].copy()[::-1] for x in arrays],
        "read only": frozen,
        "lists": [x.tolist() for x in arrays],
        "objects": [x.astype(object) for x in arrays],
    }
    for name, variant in others.items():
        estimated = advantages(*variant, accuracy=accuracy)[0]
        np.testing.assert_allclose(estimated, plain, rtol=1e-6, atol=1e-6, err_msg=name)
        assert estimated.dtype == (np.float32 if name == "float32" else np.float64)


def test_outputs_use_their_range(seed):
    rng = np.random.default_rng(seed)
    for config, most in (("tiny", 1 << 7), ("wide", 1 << 15)):
        for gamma, scale in ((0.99, 1.0), (0.0, 0.05)):
            core = Gae(config, gamma=gamma)
            result = core.compute(*make(rng, scale=scale))
            sent = result.advantages / result.step  # less what Python adds
            assert 0.1 * most < np.abs(sent).max() < 4 * most, (config, gamma)


def test_a_run_that_broke_off_leaves_no_records_behind(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    core = Gae("tiny", "model", gamma=GAMMA, gae_lambda=LAM, reward_scaling="standardise")

    def broken():
        raise GaeError("no answer")

    with monkeypatch.context() as patch, pytest.raises(GaeError, match="no answer"):
        patch.setattr(core.driver, "start", broken)
        core.compute(*make(rng))
    assert core.statistics.count == 0
    arrays = make(rng)
    fresh = Gae("tiny", gamma=GAMMA, gae_lambda=LAM, reward_scaling="standardise").compute(*arrays)
    assert np.array_equal(core.compute(*arrays).advantages, fresh.advantages)


@pytest.mark.parametrize("config", ["tiny", "wide", "tiny16"])
@pytest.mark.parametrize("scaling", ["none", "standardise"])
def test_the_rtl_gives_what_the_model_gives(config, scaling, seed):
    rng = np.random.default_rng(seed)
    rtl, model = (Gae(config, backend, GAMMA, LAM, reward_scaling=scaling) for backend in ("rtl", "model"))
    rtl.driver.bus.stall(seed, source=0.2, sink=0.2, registers=0.2)
    for envs, mean in ((5, 0.3), (16, 1e6), (21, 0.0)):
        arrays = make(rng, envs=envs, mean=mean)
        one, other = rtl.compute(*arrays), model.compute(*arrays)
        for name in ("advantages", "returns", "rewards", "values", "bootstrap"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        for name in ("step", "shift", "runs", "elements", "flags", "clipped_rewards", "clipped_values"):
            assert getattr(one, name) == getattr(other, name), name
        assert one.cycles >= one.elements / configs.load("gae", config)["ROWS"] and other.cycles == 0
    assert rtl.statistics == model.statistics


def test_the_default_on_the_rtl_is_the_default_on_the_model(seed):
    """No option but the backend; the rollout is of a size for which `tiny16` would be chosen."""
    arrays = make(np.random.default_rng(seed), steps=10, envs=8, ends=0.1)
    assert fitting(10, 8) == configs.load("gae", "tiny16")
    for one, other in zip(
        *(advantages(*arrays[:5], final_values=arrays[5], backend=b) for b in ("rtl", "model")), strict=True
    ):
        assert np.array_equal(one, other)


def test_the_function_returns_the_type_of_its_inputs():
    arrays = make(np.random.default_rng(3))
    for dtype in (np.float32, np.float64):
        rewards, values = (x.astype(dtype) for x in arrays[:2])
        a, g = advantages(rewards, values, *arrays[2:5], GAMMA, LAM, final_values=arrays[5], config="tiny")
        assert a.dtype == g.dtype == dtype and a.shape == rewards.shape
    whole = Gae("tiny", gamma=GAMMA, gae_lambda=LAM).compute(*arrays)
    assert np.array_equal(a, whole.advantages) and np.array_equal(g, whole.returns)


@pytest.mark.parametrize("module", [gae, moments])
def test_examples_in_docstrings_run(module):
    done = doctest.testmod(module)
    assert done.attempted and not done.failed


# --- what is wrong is said in one sentence ---


def bad(**changes):
    rng = np.random.default_rng(0)
    arguments = {
        "rewards": rng.normal(0, 1, (6, 8)),
        "values": rng.normal(0, 1, (6, 8)),
        "terminated": np.zeros((6, 8), bool),
        "truncated": np.zeros((6, 8), bool),
        "bootstrap": np.zeros(8),
        "final_values": None,
    }
    for name, change in changes.items():
        arguments[name] = change(arguments[name]) if callable(change) else change
    return arguments


def at(place, value):
    def change(array):
        array = array.copy()
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rewards": np.zeros((0, 8))}, r"rewards have shape \(0, 8\); they must be \(T, N\) with at least one step"),
        ({"rewards": np.zeros((6, 0))}, r"rewards have shape \(6, 0\)"),
        ({"rewards": [["a"]]}, "rewards is not an array of real numbers"),
        ({"rewards": [[1.0], [1.0, 2.0]]}, "rewards is not an array of numbers"),
        ({"rewards": at((2, 3), np.nan)}, r"rewards\[2, 3\] is nan; it must be a finite number"),
        ({"values": at((5, 0), np.inf)}, r"values\[5, 0\] is inf; it must be a finite number"),
        ({"rewards": np.zeros(6)}, r"they must be \(T, N\) .*: with one environment give arrays\[:, None\]"),
        ({"values": np.zeros((7, 8))}, r"values has shape \(7, 8\); .*: the value after the last step is bootstrap"),
        ({"values": np.zeros((8, 6))}, r"values has shape \(8, 6\); with these rewards it must be \(6, 8\)"),
        ({"terminated": np.zeros((6, 1))}, r"terminated has shape \(6, 1\)"),
        ({"truncated": at((1, 1), 1)}, "environment 1 was truncated at step 1, so final_values must give"),
        ({"truncated": np.full((6, 8), 0.5)}, r"truncated\[0, 0\] is 0.5; it must be true or false"),
        ({"bootstrap": np.zeros(7)}, r"bootstrap has shape \(7,\); with these rewards it must be \(8,\)"),
        ({"bootstrap": np.full(8, np.nan)}, r"bootstrap\[0\] is nan"),
        ({"truncated": at((1, 1), 1), "final_values": np.full((6, 8), np.nan)}, r"final_values\[1, 1\] is nan"),
        ({"truncated": at((1, 1), 1), "final_values": {(1, 2): 0.0}}, r"final_values has no entry \(1, 1\)"),
        ({"truncated": at((1, 1), 1), "final_values": np.zeros(8)}, r"final_values has shape \(8,\)"),
        ({"rewards": np.full((6, 8), 1j)}, "rewards is not an array of real numbers"),
        ({"rewards": [[10**400] * 8] * 6}, "rewards is not an array of real numbers within float64"),
        ({"rewards": np.ma.masked_equal(np.eye(6, 8), 1)}, "rewards has masked entries"),
    ],
)
def test_a_wrong_rollout_is_a_value_error_that_names_the_place(changes, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        Gae("tiny").compute(**bad(**changes))
    assert isinstance(caught.value, UserError) and "\n" not in str(caught.value)


def test_an_unknown_option_is_named_with_all_that_there_are():
    with pytest.raises(
        UserError, match=r"there is no option 'lam'; did you mean 'gae_lambda'; options: .*accuracy"
    ) as caught:
        advantages(**bad(), lam=0.9)
    assert "threads" in str(caught.value)


def test_of_two_wrong_arrays_both_backends_name_the_same():
    never = np.zeros((2, 1), bool)
    for terminated in (np.ma.array(never, mask=~never), "no"):
        for values in (np.zeros(2), np.full((2, 1), np.nan), None):
            said = []
            for backend in ("native", "model"):
                with pytest.raises(UserError) as caught:
                    advantages(np.ones((2, 1)), values, terminated, never, np.zeros(1), backend=backend)
                said.append(str(caught.value))
            assert said[0] == said[1] and "values" in said[0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"gamma": 1.01}, "gamma is 1.01; it must be 0 to 1"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"gae_lambda": -0.1}, "gae_lambda is -0.1; it must be 0 to 1"),
        ({"qbits": 2}, "qbits is 2; it must be 3 to 16"),
        ({"qbits": 0}, "qbits is 0; it must be 3 to 16"),
        ({"qbits": "8"}, "qbits is '8'; it must be a whole number"),
        ({"clip": "wide"}, "clip is 'wide'; it must be a number"),
        ({"config": 8}, "config is 8; it must be a name in configs.yaml, or Verilog parameters"),
        ({"config": {"DEPHT": 16}}, "core 'gae' has no Verilog parameter 'DEPHT'; parameters: ROWS, LANES"),
        ({"config": {"DEPTH": 1}}, "DEPTH is 1; it must be 2 to 4096"),
        ({"config": {"BEAT": 16}}, "there is no such GAE core: BEAT must divide LANES/INTERLEAVE"),
        ({"config": {"LANES": 12, "BEAT": 3}}, "there is no such GAE core: BEAT must be a power of two"),
        ({"config": {"INTERLEAVE": 3}}, "there is no such GAE core: INTERLEAVE must divide LANES"),
        ({"config": {"ROWS": 3, "SPAN": 1}}, "there is no such GAE core: ROWS must divide LANES/INTERLEAVE"),
        ({"config": {"SPAN": 3}}, "there is no such GAE core: SPAN must divide ROWS"),
        ({"config": {"OUT_BITS": 9}}, "there is no such GAE core: OUT_BITS must be QBITS, 16 or 24"),
        ({"qbits": 11}, "qbits is 11; this core stores 3 to 8 bits"),
        ({"accuracy": "16bit"}, "accuracy is '16bit'; it must be 'exact16' or '8bit' or 'float32' or 'float64'"),
        ({"accuracy": "exact16"}, "accuracy is 'exact16', but this core stores 8 bits a reward"),
        ({"accuracy": "8bit", "qbits": 4}, "accuracy and qbits both say how many bits a code has; give one"),
        ({"clip": 0.0}, "clip is 0.0; it must be a positive number of standard deviations, or None"),
        ({"order": np.arange(2)}, "it must be 'include' or 'previous'"),
        ({"order": "next"}, "order is 'next'; it must be 'include' or 'previous'"),
        ({"reward_scaling": "log"}, "reward_scaling is 'log'"),
        ({"backend": "fpga"}, "backend is 'fpga'; it must be 'native' or 'model' or 'rtl'"),
        ({"config": "huge"}, "has no configuration 'huge'"),
    ],
)
def test_a_wrong_option_is_a_value_error_that_says_what_is_allowed(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Gae(**{"config": "tiny", **options})


def test_results_beyond_the_largest_float32_are_refused():
    most = np.full((4, 2), np.finfo(np.float32).max)
    never = np.zeros((4, 2), bool)
    with pytest.raises(UserError, match=r"a result is beyond 3\.40282e\+38, the largest float32"):
        advantages(most, most * 0, never, never, most[0] * 0)
    estimated = advantages(most.astype(float), most * 0.0, never, never, most[0] * 0)[0]
    assert share(estimated, right((most.astype(float), most * 0.0, never, never, most[0] * 0), 0.99, 0.95)) <= 1e-3


def test_without_a_configuration_there_is_no_core_before_the_first_rollout():
    with pytest.raises(UserError, match="there is no core yet"):
        _ = Gae(backend="model").driver
    with pytest.raises(UserError, match="the native engine has no driver"):
        _ = Gae("tiny").driver


@pytest.mark.parametrize("qbits", [3, 4, 6, 8, 10])
def test_every_width_of_codes_is_as_exact_as_its_codes(qbits, seed):
    arrays = make(np.random.default_rng(seed), steps=30, envs=16, ends=0.05)
    core = Gae("wide", gamma=GAMMA, gae_lambda=LAM, qbits=qbits)
    result = core.compute(*arrays)
    spread = max(np.ptp(arrays[0]), np.ptp(arrays[1]))
    assert result.rms <= 2.0**-qbits * spread + result.step


@pytest.mark.parametrize("accuracy", ["exact16", "8bit", "float64"])
@pytest.mark.parametrize("scaling", ["none", "standardise", "scale"])
def test_numbers_of_any_size_give_finite_results_or_one_sentence(seed, scaling, accuracy):
    """Rewards and values of any powers of ten, one rollout after the other: the same on both backends."""
    rng = np.random.default_rng(seed)
    computed = refused = 0
    for _ in range(25):
        options = {"reward_scaling": scaling, "order": str(rng.choice(["include", "previous"])), "accuracy": accuracy}
        options["gamma"] = float(rng.choice([0, 0.99, 1]))
        if accuracy != "float64" and rng.random() < 0.3:
            options["clip"] = float(rng.choice([1e-3, 1, 4, 100]))
        pair = [Gae(backend=backend, **options) for backend in ("model", "native")]
        steps, lanes = rng.integers(1, 10), rng.integers(1, 4)
        for _ in range(3):
            powers = 10.0 ** rng.integers(-323, 308, 2) * (rng.random(2) > 0.2)
            rewards, values = (rng.normal(size=(steps, lanes)) * power for power in powers)
            ends = rng.random((2, steps, lanes)) < 0.2
            arrays = rewards, values, ends[0], ends[1] & ~ends[0], values[0], values
            answers = []
            for core in pair:
                try:
                    with warnings.catch_warnings(action="ignore"):
                        result = core.compute(*arrays)
                    assert np.isfinite(result.advantages).all() and np.isfinite(result.returns).all()
                    answers.append((result.advantages.tobytes(), result.returns.tobytes()))
                    computed += 1
                except UserError as error:
                    answers.append(str(error))
                    refused += 1
            assert answers[0] == answers[1]
    assert computed > 60 and computed + refused == 150


@pytest.mark.parametrize("backend", ["model", "native"])
def test_nothing_in_the_place_of_an_array_is_one_sentence(backend):
    arrays = [np.ones((4, 2)), np.ones((4, 2)), np.zeros((4, 2), bool), np.zeros((4, 2), bool), np.zeros(2)]
    for place in range(1, 5):
        with pytest.raises(UserError):
            Gae(backend=backend).compute(*(None if i == place else x for i, x in enumerate(arrays)))


def test_threads_that_share_a_core_take_turns(seed):
    rng = np.random.default_rng(seed)
    core = Gae()
    rollouts = {steps: make(rng, steps=steps) for steps in (3, 90)}
    wanted = {steps: core.compute(*arrays).advantages.tobytes() for steps, arrays in rollouts.items()}
    wrong = []

    def run(steps):
        for _ in range(60):
            if core.compute(*rollouts[steps]).advantages.tobytes() != wanted[steps]:
                wrong.append(steps)

    threads = [threading.Thread(target=run, args=(steps,)) for steps in rollouts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
