"""Each physics beside Gymnasium's float64: one step from any state, what an episode starts with, when it ends."""

import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.float64 import JUMPS, LIVE, STEP, live_states, random_actions
from rlcores.cores.env.physics import ACTION_FRACTION, OBS_WIDTH, STATE_WIDTH

SLOW = pytest.mark.slow
ERROR = 2.0**-18  # of each state's range; issue: 2**-12


def gym_actions(physics, actions):
    return actions if physics.actions else actions * 2.0**-ACTION_FRACTION


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=SLOW)])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_one_step_is_gymnasiums(name, count, seed) -> None:
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states, actions = live_states(name, count, rng), random_actions(name, count, rng)
    found = physics.step(states, actions)
    wanted, reward, terminated = STEP[name](physics.state_numbers(states), gym_actions(physics, actions))
    width = np.subtract(*reversed(LIVE[name]))
    off = np.abs(physics.state_numbers(found.state) - wanted)
    inside = ~found.limited  # what does not fit is limited, and said
    assert inside.mean() > 0.9
    # A new state may jump, and an episode end, otherwise only where a state is within the error of it.
    if name in JUMPS:
        jumped = JUMPS[name](wanted) & (off > width * ERROR).any(axis=1)
        assert jumped.mean() < 1e-4
        inside &= ~jumped
    assert (found.terminated != terminated).mean() < 1e-4
    inside &= found.terminated == terminated
    worst = (off[inside] / width).max(axis=0)
    assert (worst < ERROR).all(), worst
    assert np.abs(found.reward * 2.0**-19 - reward)[inside].max() < 2**-12 * max(1, np.abs(reward).max())


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_codes_fit_their_widths_from_any_state(name, seed) -> None:
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states = rng.integers(-(1 << 31), 1 << 31, (20_000, len(physics.states)))
    found = physics.step(states, random_actions(name, 20_000, rng))
    first, first_obs = physics.reset(rng.integers(0, 1 << 32, (20_000, physics.draws)))
    for state in (found.state, first):
        assert np.abs(state + 0.5).max() < 1 << STATE_WIDTH - 1
    for obs in (found.obs, first_obs):
        assert np.abs(obs).max() < 1 << OBS_WIDTH - 1
    assert np.abs(found.reward).max() < 1 << 26


def test_cartpole_starts_within_a_twentieth_on_both_sides() -> None:
    physics = ENVIRONMENTS["cartpole"]
    draws = np.array([0, 1 << 31, (1 << 32) - 1, (1 << 31) - 1])[:, None].repeat(4, axis=1)
    states = physics.state_numbers(physics.reset(draws)[0])
    assert np.abs(states).max() <= 0.05
    assert np.allclose(states[:, 0], [-0.05, 0, 0.05, 0], atol=1e-6)
    assert np.allclose(states, states[:, :1], atol=1e-7)


def test_cartpole_ends_beyond_its_limits_and_not_before() -> None:
    physics = ENVIRONMENTS["cartpole"]
    for element, end in ((0, 2.4), (2, 12 * 2 * np.pi / 360)):
        for side in (-1, 1):
            numbers = np.zeros((2, 4))
            numbers[:, element] = side * (end + np.array([-1e-6, 1e-6]))
            codes = physics.state_codes(numbers)
            assert physics.step(codes, np.zeros(2, int)).terminated.tolist() == [False, True]
