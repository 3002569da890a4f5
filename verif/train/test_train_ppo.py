"""PPO's gradients, its advantages from the core, and that it learns."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from train_runs import make, short

from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae import moments
from rlcores.cores.gae.moments import Moments
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.errors import UserError
from rlcores.train import advantages, settings, spaces
from rlcores.train.algorithms.ppo import PpoRunSettings as Ppo
from rlcores.train.ppo import NumpyPpo


def networks(seed: int, vectors: bool, ppo: Ppo) -> NumpyPpo:
    rng = np.random.default_rng(seed)
    policy, value = FloatNetwork((3, 8, 2), np.float64), FloatNetwork((3, 8, 1), np.float64)
    for network in (policy, value):
        network.initialise(rng)
    made = NumpyPpo(policy, value, np.array([0.5, 0.8]) if vectors else None, ppo)
    # Differences of a loss need more digits than float32 has.
    made._theta = made._theta.astype(np.float64)
    policy.theta = made._theta[: policy.theta.size]
    policy.weights, policy.biases = policy.split(policy.theta)
    made._log = made._theta[policy.theta.size :] if vectors else None
    made._gradients = {"policy": np.zeros_like(made._theta), "value": np.zeros_like(value.theta)}
    return made


def minibatch(made: NumpyPpo, seed: int, vectors: bool):
    rng = np.random.default_rng([seed, 1])
    states = rng.normal(size=(40, 3))
    actions = rng.normal(size=(40, 2)) if vectors else rng.integers(2, size=40)
    before = made.log_chances(states, actions) + rng.normal(0, 0.3, 40)
    return states, actions, before, rng.normal(size=40), rng.normal(size=40)


def loss(made: NumpyPpo, ppo: Ppo, batch) -> float:
    """PPO's loss as the paper writes it."""
    states, actions, before, gains, returns = batch
    ratio = np.exp(made.log_chances(states, actions) - before)
    gain = np.minimum(ratio * gains, np.clip(ratio, 1 - ppo.clip, 1 + ppo.clip) * gains).mean()
    if made._log is None:
        out = made._policy.output(states)
        p = np.exp(out - out.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        entropy = -(p * np.log(p)).sum(1).mean()
    else:
        entropy = (made._log + 0.5 * np.log(2 * np.pi * np.e)).sum()
    return -gain - ppo.entropy * entropy + ((made.values(states) - returns) ** 2).mean() / 2


@pytest.mark.parametrize("vectors", [False, True])
def test_gradients_are_the_slopes_of_the_loss(vectors, seed, monkeypatch):
    ppo = Ppo(entropy=0.02)
    made = networks(seed, vectors, ppo)
    batch = minibatch(made, seed, vectors)
    taken = {}
    monkeypatch.setattr(
        made, "_update", lambda name, theta, rate: taken.update({name: (theta, made._gradients[name].copy())})
    )
    made.step(*batch, 1.0)
    assert set(taken) == {"policy", "value"}
    rng = np.random.default_rng([seed, 2])
    for theta, gradient in taken.values():
        assert (gradient != 0).mean() > 0.5
        own = [theta.size - 1] if vectors and theta is made._theta else []
        for k in [*rng.choice(theta.size, 12, replace=False), *own]:
            kept, h = theta[k], 1e-6
            slopes = []
            for sign in (1, -1):
                theta[k] = kept + sign * h
                slopes.append(loss(made, ppo, batch))
            theta[k] = kept
            # The delta is rounded to float32 on its way back.
            assert (slopes[0] - slopes[1]) / (2 * h) == pytest.approx(gradient[k], rel=2e-3, abs=2e-5)


def rollout(rng: np.random.Generator, steps: int = 40, count: int = 5):
    rewards, values = rng.normal(1, 2, (steps, count)), rng.normal(0, 3, (steps, count))
    terminated = rng.random((steps, count)) < 0.05
    truncated = (rng.random((steps, count)) < 0.05) & ~terminated
    return rewards, values, terminated, truncated, rng.normal(0, 3, count), rng.normal(0, 3, (steps, count))


class Exact:
    """rlcores.Gae in float64; rewards as its reward_scaling has them, by all rewards so far."""

    def __init__(self, ppo: Ppo) -> None:
        self._ppo, self._known = ppo, Moments()

    def compute(self, rewards, *arrays):
        ppo = self._ppo
        if ppo.reward_scaling in moments.SCALINGS[1:]:
            self._known = self._known.merged(Moments.of(rewards))
            rewards = moments.scaled(rewards, self._known, ppo.reward_scaling)
        gains, returns = gae_float.rollout(rewards, *arrays, ppo.gamma, ppo.gae_lambda)
        return SimpleNamespace(advantages=gains, returns=returns, cycles=0)


@pytest.mark.parametrize("scaling", ["none", "standardise", "scale", "returns"])
def test_float64_is_what_the_core_approximates(scaling, seed):
    ppo = Ppo(rollout=40, reward_scaling=scaling)
    core, exact = advantages.make(ppo, 5, "model"), advantages.make(ppo, 5, "model")
    exact.gae = Exact(ppo)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        arrays = rollout(rng)
        (a, r), (b, s) = core(*arrays), exact(*arrays)
        assert np.abs(a - b).max() < 1e-3 * np.abs(b).max()
        assert np.abs(r - s).max() < 1e-3 * np.abs(s).max()


@pytest.mark.parametrize("scaling", ["none", "standardise", "returns"])
def test_a_source_goes_on_from_its_checkpoint(scaling, seed):
    ppo = Ppo(rollout=40, reward_scaling=scaling)
    rng = np.random.default_rng(seed)
    first, second = (advantages.make(ppo, 5, "model") for _ in range(2))
    for _ in range(2):
        first(*rollout(rng))
    kept = first.checkpoint()
    assert sum(x.nbytes for x in kept.values()) < 2000, "a checkpoint grows with the rewards"
    for broken in ([float("nan"), 0, 0], [2.5, 0, 0], [3, 0, -1]):
        with pytest.raises(UserError, match="the checkpoint is damaged"):
            second.restore({name: np.array(broken) if "statistics" in name else x for name, x in kept.items()})
    second.restore(kept)
    arrays = rollout(rng)
    np.testing.assert_array_equal(first(*arrays), second(*arrays))


def test_a_cut_episode_goes_on_with_the_value_of_the_state_it_was_cut_at(seed, tmp_path):
    plan = replace(short("ppo", "model", seed), episode=4)
    run = make(plan, tmp_path / "run")
    run._start()
    seen = run._pool.finish()
    assert seen.truncated.sum() == 4 * 4 and not seen.terminated.any()
    gains, returns = run.trainer.advantages(seen)
    values = run.trainer.networks.values
    ppo, following = plan.settings, np.zeros(4)
    after = [values(x) for x in seen.following]  # also where an episode ended
    for t in reversed(range(16)):
        now = values(seen.states[t])
        following = (
            seen.rewards[t] + ppo.gamma * after[t] - now + ppo.gamma * ppo.gae_lambda * ~seen.truncated[t] * following
        )
        np.testing.assert_allclose(gains[t], following, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(returns[t], following + now, rtol=1e-5, atol=1e-5)
    assert np.ptp(gains[seen.truncated]) > 0


def test_run_on_the_rtl_is_the_run_on_the_model(seed, ran):
    """`tiny`: the array that the tests of the GAE core have built."""
    plan = short("ppo", "model", seed)
    plan = replace(
        plan, steps=96, evaluate_every=48, round_steps=12, settings=replace(plan.settings, rollout=12), config="tiny"
    )
    runs = [ran(replace(plan, backend=backend)) for backend in ("rtl", "model")]
    assert runs[0].state.curve == runs[1].state.curve
    assert runs[0].state.digest == runs[1].state.digest
    assert runs[0].trainer.updates == runs[1].trainer.updates == 8
    # 96 steps on two rows; the model counts no clocks.
    assert runs[0].trainer.clocks >= 96 // 2 and runs[1].trainer.clocks == 0


@pytest.mark.parametrize(
    "environment",
    ["CartPole-v1", "train_envs:Balance-v0"],
)
def test_ppo_learns_cartpole_by_any_name(environment, ran):
    space = spaces.look(environment)
    plan = settings.plan("ppo", environment, "model", space, steps=16_000, until=150.0, evaluate_every=2000)
    run = ran(plan)
    assert run.state.curve[0][4] < 60
    assert run.state.best >= 150


@pytest.mark.parametrize("kind", ["constant", "sparse", "shifted", "tiny", "huge"])
def test_an_environment_outside_the_tables_loses_no_reward(kind, seed):
    """The default plan's rewards reach the learner, in a unit in which returns are about 1, whatever they are."""
    ppo = settings.plan("ppo", "train_envs:Line-v0", "model", spaces.look("train_envs:Line-v0")).settings
    rng = np.random.default_rng(seed)
    shape = 40, 5
    rewards = {
        "constant": np.ones(shape),
        "sparse": (rng.random(shape) < 0.02) * 100.0,
        "shifted": 1e6 + rng.normal(size=shape),
        "tiny": 1e-9 * rng.normal(size=shape),
        "huge": 1e9 * rng.random(shape),
    }[kind]
    rewards[3, 2] += 1e-9
    source = advantages.make(ppo, 5, "model")
    ends = rng.random(shape) < 0.05
    for _ in range(3):
        arrays = rewards, np.zeros(shape), ends, ends & False, np.zeros(5), np.full(shape, np.nan)
        returns = source(*arrays)[1]
    exact = gae_float.rollout(*arrays, ppo.gamma, ppo.gae_lambda)[1]
    assert np.corrcoef(returns.ravel(), exact.ravel())[0, 1] > 0.999
    assert 0.05 < np.abs(returns).max() < 100


def test_accuracy_reaches_the_core_and_is_the_cores_alone():
    space = spaces.look("CartPole-v1")
    for accuracy, bits in ((None, 16), ("exact16", 16), ("8bit", 8)):
        plan = settings.plan("ppo", "CartPole-v1", "model", space, accuracy=accuracy)
        assert advantages.make(plan.settings, plan.envs, "model").gae.qbits == bits
    with pytest.raises(UserError, match="--accuracy is the GAE core's, which dqn does not use"):
        settings.plan("dqn", "CartPole-v1", "model", space, accuracy="8bit")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(5))
def test_ppo_on_the_rtl_learns_cartpole(first, ran):
    run = ran(settings.plan("ppo", "CartPole-v1", "rtl", spaces.look("CartPole-v1"), seed=first))
    assert run.state.best >= 475
    assert run.report() >= 450
