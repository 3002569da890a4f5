"""rlcores.gae as a user calls it: right advantages from (T, N) arrays, and one sentence for everything wrong."""

import numpy as np
import pytest

from rlcores import configs
from rlcores.drivers.gae import GaeError
from rlcores.errors import UserError
from rlcores.gae import Gae, advantages
from rlcores.model.gae_float import rollout as float_gae

GAMMA, LAM = 0.97, 0.9


def make(rng, steps=10, envs=8, ends=0.1, scale=1.0, mean=0.3):
    """A rollout as Gae.compute takes it, with terminations and truncations anywhere."""
    shape = steps, envs
    terminated = rng.random(shape) < ends
    truncated = (rng.random(shape) < ends) & ~terminated
    # A truncation before the last step takes a record; keep lanes within the small configurations.
    allowed = np.cumsum(truncated, axis=0) <= 5
    final = np.where(truncated, rng.normal(0, scale, shape), np.nan)
    return (
        rng.normal(mean, 1, shape) * scale,
        rng.normal(0.5, 2, shape) * scale,
        terminated,
        truncated & allowed,
        rng.normal(0, scale, envs),
        final,
    )


def error(result, given, gamma=GAMMA, lam=LAM):
    """Largest distance to the float64 GAE of the de-quantised inputs, and the bound that the core promises."""
    _, _, terminated, truncated, _, _ = given
    inputs = result.rewards, result.values, terminated, truncated, result.bootstrap, result.final_values
    a, g = float_gae(*inputs, gamma, lam)
    far = max(np.abs(a - result.advantages).max(), np.abs(g - result.returns).max())
    return far, result.step / 2 + max(np.abs(a).max(), np.abs(g).max()) / 1024


@pytest.mark.parametrize("config", ["tiny", "wide", "dispatch"])
@pytest.mark.parametrize("order", ["include", "previous"])
@pytest.mark.parametrize("scaling", ["standardise", "scale", "none"])
def test_advantages_are_right_over_several_rollouts(config, order, scaling, seed):
    rng = np.random.default_rng(seed)
    reward_range = 30.0 if scaling == "none" else None
    core = Gae(config, gamma=GAMMA, lam=LAM, order=order, reward_scaling=scaling, reward_range=reward_range)
    used = 0
    for _ in range(4):
        given = make(rng, envs=configs.load("gae", config)["LANES"])
        result = core.compute(*given)
        far, bound = error(result, given)
        assert result.saturated or far <= bound
        assert result.elements == given[0].size
        used += not result.saturated
    assert used >= 3, "outputs saturate"


@pytest.mark.parametrize("scaling", ["standardise", "scale", "none"])
def test_quantised_inputs_are_those_of_the_caller_to_half_a_code(scaling, seed):
    rng = np.random.default_rng(seed)
    given = make(rng, steps=40, envs=16, ends=0.02)
    rewards, values, _, truncated, bootstrap, final = given
    core = Gae("wide", clip=6.0, reward_scaling=scaling)
    result = core.compute(*given)
    sigma, mean = rewards.std(), rewards.mean()
    expected = {"standardise": (rewards - mean) / sigma, "scale": rewards / sigma, "none": rewards}[scaling]
    unit = 2.0**core._unit_exponent
    half = 0.51 * 6.0 / 511  # the factor's mantissa is good to a hundredth of the largest code
    assert not {"REWARD_CLIPPED", "VALUE_CLIPPED"} & result.flags
    assert np.abs(result.rewards - expected).max() <= half * unit + 1e-5
    spread = np.concatenate([values.ravel(), bootstrap[~truncated[-1]], final[truncated]]).std()
    for seen, sent in ((result.values, values), (result.final_values[truncated], final[truncated])):
        assert np.abs(seen - sent).max(initial=0) <= half * spread + 1e-3
    open_end = ~truncated[-1]
    assert np.abs(result.bootstrap - bootstrap)[open_end].max() <= half * spread + 1e-3


def test_running_statistics_cover_all_rollouts_or_only_the_earlier_ones(seed):
    rng = np.random.default_rng(seed)
    rollouts = [make(rng, steps=40, envs=16, ends=0.0, mean=m) for m in (0.0, 1.5, -0.5)]
    for order in ("include", "previous"):
        core = Gae("wide", clip=8.0, order=order)
        for i, given in enumerate(rollouts):
            result = core.compute(*given)
            known = rollouts[: max(i + (order == "include"), 1)]
            so_far = np.concatenate([r[0].ravel() for r in known])
            expected = (given[0] - so_far.mean()) / so_far.std()
            assert np.abs(result.rewards - expected).max() <= 0.51 * 8 / 511, (order, i)
        core.reset_statistics()
        alone = core.compute(*rollouts[2])
        own = rollouts[2][0]
        assert np.abs(alone.rewards - (own - own.mean()) / own.std()).max() <= 0.51 * 8 / 511


@pytest.mark.parametrize("envs", [1, 3, 7, 8, 9, 19, 24])
@pytest.mark.parametrize("order", ["include", "previous"])
def test_any_number_of_environments_runs_with_one_set_of_scales(envs, order, seed):
    rng = np.random.default_rng(seed)
    core = Gae("tiny", gamma=GAMMA, lam=LAM, order=order)
    for _ in range(2):
        given = make(rng, envs=envs)
        result = core.compute(*given)
        far, bound = error(result, given)
        assert result.saturated or far <= bound
        assert result.advantages.shape == (10, envs)
    counted = core.driver.statistics("REWARD").count
    assert counted == 20 * envs, "a reward was counted twice or never"


@pytest.mark.parametrize("steps", [1, 2, 16])
def test_shortest_and_longest_rollouts_are_exact(steps, seed):
    rng = np.random.default_rng(seed)
    given = (*make(rng, steps=steps, ends=0)[:5], None)
    result = Gae("tiny", gamma=GAMMA, lam=LAM).compute(*given)
    far, bound = error(result, given)
    assert far <= bound


def test_truncation_is_not_termination(seed):
    rewards, values = np.zeros((4, 8)), np.zeros((4, 8))
    rewards[:] = np.random.default_rng(seed).choice([-1.0, 1.0], (4, 8))
    ends = np.zeros((4, 8), bool)
    ends[1] = True
    never = np.zeros_like(ends)
    core = Gae("wide", gamma=1.0, lam=1.0, reward_scaling="none", reward_range=4.0)
    stop = core.compute(rewards, values, ends, never, np.zeros(8)).returns
    cut = core.compute(rewards, values, never, ends, np.zeros(8), np.full((4, 8), 2.0)).returns
    assert np.abs(stop[0] - rewards[:2].sum(axis=0)).max() < 0.05
    assert np.abs(cut[0] - stop[0] - 2.0).max() < 0.05
    assert np.abs(cut[2] - stop[2]).max() < 0.05


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


def test_final_values_may_be_a_dictionary():
    rng = np.random.default_rng(1)
    given = make(rng)
    places = {tuple(map(int, p)): given[5][tuple(p)] for p in np.argwhere(given[3])}
    assert places
    one, other = (Gae("tiny").compute(*given[:5], final) for final in (given[5], places))
    assert np.array_equal(one.advantages, other.advantages)


@pytest.mark.parametrize("scale", [1e-6, 1e-2, 1e3, 1e7])
def test_the_unit_of_rewards_does_not_matter_when_they_are_standardised(scale, seed):
    given = list(make(np.random.default_rng(seed), steps=30, envs=16, ends=0.05))
    plain = Gae("wide").compute(*given)
    given[0] = given[0] * scale
    scaled = Gae("wide").compute(*given)
    # The fixed point moves by powers of two only, so a code may differ by one where it is a tie.
    assert np.abs(plain.advantages - scaled.advantages).max() < 0.05


def test_constant_rewards_give_zero_and_a_flag_but_full_use_without_standardising():
    """CartPole pays 1 for every step, so its standard deviation is 0."""
    rewards, values = np.ones((10, 8)), np.zeros((10, 8))
    never = np.zeros((10, 8), bool)
    zero = Gae("tiny").compute(rewards, values, never, never, np.zeros(8))
    assert not zero.advantages.any() and {"SIGMA_ZERO_R", "SIGMA_ZERO_V"} <= zero.flags
    plain = Gae("tiny", gamma=1.0, lam=1.0, reward_scaling="none").compute(rewards, values, never, never, np.zeros(8))
    assert np.array_equal(plain.rewards, rewards)
    assert np.abs(plain.returns[:, 0] - np.arange(10, 0, -1)).max() <= plain.step / 2


def test_outputs_use_their_range_without_saturating(seed):
    rng = np.random.default_rng(seed)
    core = Gae("tiny")
    result = core.compute(*make(rng))
    peak = max(np.abs(result.advantages).max(), np.abs(result.returns).max()) / result.step
    assert not result.saturated and (peak >= 60 or result.shift == core._shift_max)
    # Without discounting into the future results are as small as rewards: the first run leaves bits unused.
    small = make(rng, scale=0.05)
    lower = Gae("tiny", gamma=0.0).compute(*small)
    peak = max(np.abs(lower.advantages).max(), np.abs(lower.returns).max()) / lower.step
    assert lower.runs >= 2 and not lower.saturated and (peak >= 60 or lower.shift == core._shift_max)
    # A far larger range comes: found, not saturated.
    wider = core.compute(*make(rng, ends=0, mean=4.0))
    assert not wider.saturated


def test_a_given_shift_is_kept_even_when_outputs_saturate(seed):
    given = make(np.random.default_rng(seed), ends=0, mean=3.0)
    result = Gae("tiny", reward_scaling="scale", shift=10, gamma=1.0, lam=1.0).compute(*given)
    assert result.shift == 10 and result.runs == 1
    with pytest.raises(GaeError, match="too large for the rewards' standard deviation at shift 13"):
        Gae("tiny", shift=13).compute(given[0], given[1] * 1e4, *given[2:])


def test_a_run_that_broke_off_leaves_no_records_behind(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    core = Gae("tiny", gamma=GAMMA, lam=LAM)

    def broken():
        raise GaeError("no answer")

    with monkeypatch.context() as patch, pytest.raises(GaeError, match="no answer"):
        patch.setattr(core.driver, "start", broken)
        core.compute(*make(rng))
    given = make(rng)
    far, bound = error(core.compute(*given), given)
    assert far <= bound


def test_the_core_is_usable_after_an_error(seed):
    rng = np.random.default_rng(seed)
    given = make(rng)
    core = Gae("tiny", shift=8)
    core.compute(*given)
    with pytest.raises(GaeError):
        core.compute(given[0], given[1] * 1e6, *given[2:])
    far, bound = error(core.compute(*given), given, 0.99, 0.95)
    assert far <= bound


@pytest.mark.parametrize("config", ["tiny", "wide"])
@pytest.mark.parametrize("order", ["include", "previous"])
def test_the_rtl_gives_what_the_model_gives(config, order, seed):
    rng = np.random.default_rng(seed)
    rtl, model = (Gae(config, backend, GAMMA, LAM, order=order) for backend in ("rtl", "model"))
    rtl.driver.bus.stall(seed, source=0.2, sink=0.2, registers=0.2)
    for envs in (5, 16, 21):
        given = make(rng, envs=envs)
        one, other = rtl.compute(*given), model.compute(*given)
        for name in ("advantages", "returns", "rewards", "values", "bootstrap"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        for name in ("step", "shift", "runs", "elements", "saturated", "flags", "clipped_rewards", "clipped_values"):
            assert getattr(one, name) == getattr(other, name), name
        assert one.cycles >= one.elements / configs.load("gae", config)["ROWS"] and other.cycles == 0


def test_the_function_returns_the_type_of_its_inputs():
    given = make(np.random.default_rng(3))
    for dtype in (np.float32, np.float64):
        rewards, values = (x.astype(dtype) for x in given[:2])
        a, g = advantages(rewards, values, *given[2:5], GAMMA, LAM, final_values=given[5], config="tiny")
        assert a.dtype == g.dtype == dtype and a.shape == rewards.shape
    whole = Gae("tiny", gamma=GAMMA, lam=LAM).compute(*given)
    assert np.array_equal(a, whole.advantages) and np.array_equal(g, whole.returns)


def test_default_configuration_takes_a_real_rollout():
    rng = np.random.default_rng(4)
    given = make(rng, steps=256, envs=8, ends=0.01)
    a, g = advantages(*given[:5], final_values=given[5])
    assert a.shape == g.shape == (256, 8) and np.isfinite(a).all()


# --- what is wrong is said in one sentence ---


def bad(**changes):
    rng = np.random.default_rng(0)
    given = {
        "rewards": rng.normal(0, 1, (6, 8)),
        "values": rng.normal(0, 1, (6, 8)),
        "terminated": np.zeros((6, 8), bool),
        "truncated": np.zeros((6, 8), bool),
        "bootstrap": np.zeros(8),
        "final_values": None,
    }
    for name, change in changes.items():
        given[name] = change(given[name]) if callable(change) else change
    return given


def at(place, value):
    def change(array):
        array = array.copy()
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rewards": np.zeros(6)}, r"rewards have shape \(6,\); they must be \(T, N\)"),
        ({"rewards": np.zeros((0, 8))}, r"rewards have shape \(0, 8\); they must be \(T, N\) with at least one step"),
        ({"rewards": np.zeros((6, 0))}, r"rewards have shape \(6, 0\)"),
        ({"rewards": [["a"]]}, "rewards is not an array of numbers"),
        ({"rewards": at((2, 3), np.nan)}, r"rewards\[2, 3\] is nan; it must be a finite number"),
        ({"values": at((5, 0), np.inf)}, r"values\[5, 0\] is inf; it must be a finite number"),
        ({"values": np.zeros((8, 6))}, r"values has shape \(8, 6\); with these rewards it must be \(6, 8\)"),
        ({"terminated": np.zeros((6, 1))}, r"terminated has shape \(6, 1\)"),
        ({"truncated": at((1, 1), 1)}, "environment 1 was truncated at step 1, so final_values must give"),
        ({"truncated": np.full((6, 8), 0.5)}, r"truncated\[0, 0\] is 0.5; it must be true or false"),
        (
            {"truncated": at((4, 2), 1), "terminated": at((4, 2), 1)},
            "step 4 of environment 2 is both terminated and truncated",
        ),
        ({"bootstrap": np.zeros(7)}, r"bootstrap has shape \(7,\); with these rewards it must be \(8,\)"),
        ({"bootstrap": np.full(8, np.nan)}, r"bootstrap\[0\] is nan"),
        ({"truncated": at((1, 1), 1), "final_values": np.full((6, 8), np.nan)}, r"final_values\[1, 1\] is nan"),
        ({"truncated": at((1, 1), 1), "final_values": {(1, 2): 0.0}}, r"final_values has no entry \(1, 1\)"),
        ({"truncated": at((1, 1), 1), "final_values": np.zeros(8)}, r"final_values has shape \(8,\)"),
        ({"values": np.full((6, 8), 1e200)}, "values up to 1e[+]200 have no fixed point"),
    ],
)
def test_a_wrong_rollout_is_a_value_error_that_names_the_place(changes, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        Gae("tiny").compute(**bad(**changes))
    assert isinstance(caught.value, UserError) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"gamma": 1.01}, "gamma is 1.01; it must be 0 to 1"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"lam": -0.1}, "lam is -0.1; it must be 0 to 1"),
        ({"qbits": 2}, "qbits is 2; this core stores 3 to 8 bits"),
        ({"qbits": 11}, "qbits is 11; this core stores 3 to 8 bits"),
        ({"clip": 0.0}, "clip is 0.0; it must be 1/256 to below 256"),
        ({"shift": 14}, "shift is 14; this core takes 0 to 13"),
        ({"order": "next"}, "order is 'next'; it must be 'include' or 'previous'"),
        ({"reward_scaling": "log"}, "reward_scaling is 'log'"),
        ({"reward_range": 0}, "reward_range is 0; it must be a positive number"),
        ({"backend": "fpga"}, "backend is 'fpga'; it must be 'model' or 'rtl'"),
        ({"config": "huge"}, "has no configuration 'huge'"),
    ],
)
def test_a_wrong_option_is_a_value_error_that_says_what_is_allowed(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Gae(**{"config": "tiny", **options})


def test_a_lane_is_filled_to_its_last_record_and_no_further():
    for steps, cuts in ((16, 0), (11, 5), (17, 0), (12, 5)):
        never = np.zeros((steps, 8), bool)
        truncated = never.copy()
        truncated[:cuts, 3] = True
        given = np.ones((steps, 8)), np.zeros((steps, 8)), never, truncated, np.zeros(8), np.zeros((steps, 8))
        if steps + cuts == 16:
            assert Gae("tiny").compute(*given).elements == 8 * steps
        else:
            with pytest.raises(ValueError, match=f"needs 17: {steps} steps and {cuts} truncations"):
                Gae("tiny").compute(*given)


def test_a_rollout_too_long_for_a_lane_says_why():
    given = bad(truncated=at((slice(0, 5), 3), 1), final_values=np.zeros((6, 8)))
    Gae("tiny").compute(**given)
    for name in ("rewards", "values", "terminated", "truncated", "final_values"):
        given[name] = np.vstack([given[name]] * 2)
    with pytest.raises(ValueError, match="holds 16 records, but environment 3 needs 22: 12 steps and 10 truncations"):
        Gae("tiny").compute(**given)


@pytest.mark.parametrize("scaling", ["standardise", "none"])
def test_later_rewards_beyond_the_first_scale_are_an_error_not_a_wrong_number(scaling):
    core = Gae("tiny", reward_scaling=scaling)
    core.compute(**bad())
    larger = bad(rewards=at((0, 0), 1000.0))
    with pytest.raises(ValueError, match=r"largest \|reward\| is 1000"):
        core.compute(**larger)
    core.reset_statistics()
    core.compute(**larger)


@pytest.mark.parametrize("qbits", [3, 4, 6, 8, 10])
def test_every_width_of_codes_is_as_exact_as_the_array_can_count(qbits, seed):
    """SHIFT's bound is that of the widest codes, so with fewer bits the array's own LSB weighs more."""
    given = make(np.random.default_rng(seed), steps=30, envs=16, ends=0.05)
    core = Gae("wide", gamma=GAMMA, lam=LAM, qbits=qbits)
    result = core.compute(*given)
    far, bound = error(result, given)
    lsb = core.clip / (2 ** (qbits - 1) - 1) / 2**result.shift
    # Value, delta and sum each round by half an LSB, and the sum adds them up over 1/(1 - gamma*lambda) steps.
    assert far <= bound + (0 if qbits == 10 else 1.5 * lsb / (1 - GAMMA * LAM))
