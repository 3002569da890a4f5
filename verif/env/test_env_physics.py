"""Each physics beside Gymnasium's float64: one step from any state, what an episode starts with, when it ends."""

import gymnasium
import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.physics import OBS_WIDTH, STATE_WIDTH, Physics

SLOW = pytest.mark.slow
# Of which physics may say otherwise, but for one state of 200.
ERROR = Physics.error


@pytest.mark.parametrize("count", [100_000, pytest.param(1_000_000, marks=SLOW)])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_one_step_is_gymnasiums(name, count, seed) -> None:
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states, actions = physics.random_states(count, rng), physics.random_actions(count, rng)
    stepped = physics.step(states, actions)
    wanted, reward, terminated = physics.reference(physics.state_numbers(states), physics.action_numbers(actions))
    width, error = np.subtract(*reversed(physics.live)), physics.error
    off = np.abs(physics.state_numbers(stepped.state) - wanted)
    inside = ~stepped.saturated  # what does not fit is saturated, and said
    assert inside.mean() > 0.9
    # A new state may jump, and an episode end, otherwise only where a state is within the error of it.
    jumped = physics.jumps(wanted) & (off > width * error).any(axis=1)
    assert jumped.mean() < 1e-4
    inside &= ~jumped
    assert (stepped.terminated != terminated).mean() < 1e-4
    inside &= stepped.terminated == terminated
    worst = (off[inside] / width).max(axis=0)
    assert (worst < error).all(), worst
    # Nearly all are as near as the best.
    assert (np.quantile(off[inside] / width, 0.995, axis=0) < ERROR).all()
    assert np.abs(stepped.reward * 2.0**-19 - reward)[inside].max() < 2**-12 * max(1, np.abs(reward).max())


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_codes_fit_their_widths_from_any_state(name, seed) -> None:
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states = rng.integers(-(1 << 31), 1 << 31, (20_000, len(physics.states)))
    stepped = physics.step(states, physics.random_actions(20_000, rng))
    first, first_obs = physics.reset(rng.integers(0, 1 << 32, (20_000, physics.draws)))
    for state in (stepped.state, first):
        assert np.abs(state + 0.5).max() < 1 << STATE_WIDTH - 1
    for obs in (stepped.obs, first_obs):
        assert np.abs(obs).max() < 1 << OBS_WIDTH - 1
    assert np.abs(stepped.reward).max() < 1 << 26


@pytest.mark.parametrize("name", ["pendulum", "acrobot"])
def test_the_reference_is_gymnasiums_own_step(name, seed) -> None:
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    states, actions = physics.state_numbers(physics.random_states(300, rng)), physics.random_actions(300, rng)
    states_after, rewards, terminated = physics.reference(states, physics.action_numbers(actions))
    env = gymnasium.make(physics.gymnasium).unwrapped
    env.reset(seed=0)
    for k, (state, action) in enumerate(zip(states, physics.action_numbers(actions), strict=True)):
        env.state = state
        _, reward, end, _, _ = env.step(int(action) if physics.actions else np.array([action]))
        turns = (env.state - states_after[k]) / (2 * np.pi)
        assert np.allclose(turns, 0, atol=1e-9) or np.allclose(turns, np.round(turns), atol=1e-9)
        assert np.isclose(reward, rewards[k]) and end == terminated[k]


def test_acrobot_below_half_of_its_speeds_is_as_near_as_the_others(seed) -> None:
    physics, rng = ENVIRONMENTS["acrobot"], np.random.default_rng(seed)
    states, actions = physics.random_states(100_000, rng), physics.random_actions(100_000, rng)
    states[:, 2:] //= 2
    reached = physics.step(states, actions)
    wanted, _, _ = physics.reference(physics.state_numbers(states), actions)
    off = np.abs(physics.state_numbers(reached.state) - wanted)
    assert not reached.saturated.any()
    inside = ~physics.jumps(wanted)
    assert ((off[inside] / np.subtract(*reversed(physics.live))) < 2.0**-20).all()


def test_pendulum_starts_anywhere_on_the_circle_and_slowly() -> None:
    physics = ENVIRONMENTS["pendulum"]
    draws = np.array([0, 1 << 30, 1 << 31, (1 << 32) - 1])[:, None].repeat(2, axis=1)
    states = physics.state_numbers(physics.reset(draws)[0])
    assert np.allclose(states[:, 0], [-np.pi, -np.pi / 2, 0, np.pi], atol=1e-6)
    assert np.allclose(states[:, 1], [-1, -0.5, 0, 1], atol=1e-6) and states[:, 1].max() < 1


def test_acrobot_starts_within_a_tenth_on_both_sides() -> None:
    physics = ENVIRONMENTS["acrobot"]
    draws = np.array([0, 1 << 31, (1 << 32) - 1, (1 << 31) - 1])[:, None].repeat(4, axis=1)
    states = physics.state_numbers(physics.reset(draws)[0])
    assert np.abs(states).max() <= 0.1
    assert np.allclose(states, np.array([-0.1, 0, 0.1, 0])[:, None], atol=1e-5)


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
