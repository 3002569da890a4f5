"""Records of few bits in PPO's model: how far advantages are from float64's, and that no reward is lost for good."""

import numpy as np
import ppo_cases as cases
import pytest

from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.gae.float64 import rollout
from rlcores.cores.ppo import gae
from rlcores.cores.ppo.records import ADVANTAGE, BITS, REWARD, VALUE, Records
from rlcores.cores.ppo.registers import rollout_words

GAMMA, GAMMA_LAMBDA = 129761, 123273
ONE = 1 << 16


def codes(x: np.ndarray) -> np.ndarray:
    return np.round(np.asarray(x) * ONE).astype(np.int64)


@pytest.mark.parametrize("bits", BITS)
def test_advantages_are_as_near_to_float64_as_docs_say(seed, bits):
    rng, shape, gamma = np.random.default_rng(seed), (60, 8), GAMMA / 2**17
    rewards, values, final = (codes(np.clip(rng.normal(0, s, shape), -3 * s, 3 * s)) for s in (1, 5, 5))
    terminated, truncated = rng.random((2, *shape)) < 0.05
    bootstrap, lost, none = codes(rng.normal(0, 5, 8)), truncated & ~terminated, np.zeros(shape, np.int64)
    more, _ = gae.ended(rewards, lost, final, GAMMA)
    records = Records(bits)
    for _ in range(6):  # steps fall by one a rollout
        records.follow()
        kept, kept_values, saturated = records.rollout(more, values, lost)
        arguments = kept, kept_values, terminated, truncated, none, bootstrap, GAMMA, GAMMA_LAMBDA
        advantages, beyond = records.kept(gae.advantages(*arguments).advantages, ADVANTAGE)
    assert saturated + beyond <= 6  # the largest may round up to a code that there is not
    real = (x / ONE for x in (rewards, values))
    exact, _ = rollout(*real, terminated, truncated, bootstrap / ONE, final / ONE, gamma, GAMMA_LAMBDA / GAMMA)
    error, size = advantages / ONE - exact, np.sqrt(np.mean(exact**2))
    assert np.sqrt(np.mean(error**2)) < size * 4 * 2.0**-bits  # 1.6 % at 8 bits
    assert np.abs(error).max() < size * 16 * 2.0**-bits
    # Of numbers that fit, each is off by half a step: a value twice, discounted and summed backwards.
    reward, value, own = 2.0**records.steps / ONE / 2
    worst = (max(reward, value) + (1 + gamma) * value) / (1 - GAMMA_LAMBDA / 2**17) + own
    assert np.abs(error).max() < worst + 2 * value * 6


def test_what_does_not_fit_is_counted_and_fits_in_the_next_rollout():
    records = Records(8)
    huge = codes([1000.0, -1.0, 0.25])
    recorded, saturated = records.kept(huge, REWARD)
    assert saturated == 1 and recorded[0] == 127 << records.steps[REWARD]
    records.follow()
    recorded, saturated = records.kept(huge, REWARD)
    assert saturated == 0 and np.abs(recorded - huge).max() <= 1 << records.steps[REWARD] - 1


@pytest.mark.parametrize("reward", [1.0, -1.0, 0.001, 100.0])
def test_a_reward_that_comes_late_and_seldom_is_right_from_then_on(reward):
    """Rollouts without any reward do not take its step away, nor do those of small ones after it."""
    records, none = Records(8), np.zeros(64, np.int64)
    once = none.copy()
    once[5] = codes(reward)
    for rewards in (none, none, once, none, once // 1000, once // 1000):
        records.kept(rewards, REWARD)
        records.follow()
    recorded, saturated = records.kept(once, REWARD)
    assert saturated == 0 and abs(recorded[5] - once[5]) <= abs(once[5]) / 64 + 1


def test_steps_of_values_fall_by_one_and_rise_at_once():
    records, seen = Records(8), []
    for size in (0.1, 0.1, 30.0, 0.1, 0.0):
        records.kept(codes([size]), VALUE)
        records.follow()
        seen.append(int(records.steps[VALUE]))
    assert seen == [12, 11, 14, 13, 13]


def test_a_step_that_was_cut_off_keeps_its_value(seed):
    """Its reward holds gamma V of the last observation, far beyond a reward's codes."""
    records, gamma = Records(8), 1 << 17
    rewards, values = np.full((4, 2), ONE), np.full((4, 2), 40 * ONE)
    lost = np.zeros((4, 2), bool)
    lost[1, 0] = True
    more, _ = gae.ended(rewards, lost, values, gamma)
    for _ in range(2):
        recorded, _, saturated = records.rollout(more, values, lost)
        records.follow()
    assert saturated == 0 and (recorded[~lost] == ONE).all()
    assert abs(recorded[1, 0] / ONE - 41) <= 0.25 and records.steps[REWARD] < records.steps[VALUE]


def played(own, iterations: int) -> list:
    envs = EnvModel(CartPole(), own.settings.envs, time_limit=12)
    seen, rollouts = envs.start(3)["obs"], []
    for _ in range(iterations):
        kept, seen = own.collect(envs, seen)
        own.train(kept)
        rollouts.append(kept)
    return rollouts


def learner(bits: int):
    own = cases.learner(False, False, seed=5, inputs=4, envs=8, steps=16, minibatches=2, record_bits=bits)
    cases.random_weights(np.random.default_rng(1), own)
    return own


def test_training_sees_the_codes_and_a_checkpoint_goes_on_with_their_steps():
    own, whole = learner(8), learner(0)
    first, last = played(own, 2)
    assert whole.records is None and played(whole, 1)[0].baselines is None
    for kept in (first, last):
        assert (kept.baselines != kept.values).any() and kept.truncated.any()
    assert not np.array_equal(own.critic.planes[0], whole.critic.planes[0])
    other = learner(8)
    assert not np.array_equal(other.records.steps, own.records.steps)
    other.restore(own.save())
    assert np.array_equal(other.records.steps, own.records.steps)
    assert np.array_equal(other.records.seen, own.records.seen)
    assert "records" not in whole.save()


def test_minibatches_have_the_values_that_the_memory_keeps(monkeypatch):
    own, seen = learner(8), []
    monkeypatch.setattr(own, "step", lambda *minibatch: seen.append(minibatch[3]))
    kept = played(own, 1)[0]
    epoch = np.concatenate(seen[: own.settings.minibatches])
    assert np.array_equal(np.sort(epoch), np.sort(kept.baselines, axis=None))
    assert not np.array_equal(np.sort(epoch), np.sort(kept.values, axis=None))


def test_words_of_a_rollout_say_where_an_episode_was_cut_off():
    kept = played(learner(8), 1)[0]
    plain, told = (list(rollout_words(kept, GAMMA, cut=cut)) for cut in (False, True))
    lost = (kept.truncated & ~kept.terminated).reshape(-1)
    assert lost.any() and [a - b for a, b in zip(told, plain, strict=True)][: lost.size] == [
        int(x) << 18 * 4 + 8 + 27 * 3 + 1 for x in lost
    ]
    assert plain[lost.size :] == told[lost.size :]


@pytest.mark.parametrize("bits", [1, 2, 11])
def test_bits_that_no_core_has_are_refused(bits):
    with pytest.raises(ValueError, match="record_bits"):
        cases.learner(False, False, record_bits=bits)
    with pytest.raises(ValueError, match="codes of"):
        Records(bits)
