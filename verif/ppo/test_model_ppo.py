"""The whole model: gradients beside float64, the update, rollouts, and what a seed repeats."""

import numpy as np
import ppo_cases as cases
import pytest

from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.mountaincar import MountainCarContinuous
from rlcores.cores.ppo import settings
from rlcores.errors import CoreWarning

KINDS = pytest.mark.parametrize("gaussian", [False, True], ids=["categorical", "gaussian"])
TRUNKS = pytest.mark.parametrize("shared", [False, True], ids=["separate", "shared"])


@KINDS
@TRUNKS
@pytest.mark.parametrize("value_clip", [None, 0.2])
def test_gradients_are_those_of_the_mathematics(seed, gaussian, shared, value_clip):
    rng = np.random.default_rng(seed)
    own = cases.learner(gaussian, shared, envs=16, steps=32, minibatches=2, value_clip=value_clip)
    exact = cases.random_weights(rng, own)
    codes, real = cases.minibatch(rng, own)
    own.find_gradients(*codes)
    fractions = [net.grad_frac for net in ((own.actor,) if shared else (own.actor, own.critic))]
    parts = [g * 2.0**-f for g, f in zip(own.gradients, fractions, strict=False)]
    if gaussian:
        parts.insert(1, own.gradients[-1] * 2.0**-17)
    gradient = np.concatenate(parts) / own.settings.batch
    right = exact.gradients(real)
    # A neuron just above 0 in one arithmetic and at 0 in the other takes one sample of 256 out of its row.
    assert np.linalg.norm(gradient - right) < 0.05 * np.linalg.norm(right)
    assert set(own.saturations()) <= {"acting"}  # an action beyond the stream's +-4


@KINDS
def test_steps_go_where_float64_goes(seed, gaussian):
    rng = np.random.default_rng(seed)
    own = cases.learner(gaussian, False, envs=16, steps=32, minibatches=2, learning_rate=1e-3)
    exact = cases.random_weights(rng, own)
    start = exact.theta.copy()
    for _ in range(20):
        codes, real = cases.minibatch(rng, own)
        own.step(*codes)
        exact.step(real, 1e-3)
    theta = np.concatenate([own.actor.planes[0], own.logs[0], own.critic.planes[0]]) / 2**22
    moved = np.linalg.norm(exact.theta - start)
    assert np.linalg.norm(theta - exact.theta) < 0.1 * moved


def test_an_iteration_repeats_itself_and_counts():
    def run() -> tuple[np.ndarray, ...]:
        own = cases.learner(False, False, seed=5, inputs=4, envs=8, steps=16, minibatches=2, falls=10)
        cases.random_weights(np.random.default_rng(1), own)
        envs = EnvModel(CartPole(), 8, time_limit=12)
        obs = envs.start(3)["obs"]
        for _ in range(2):
            rollout, obs = own.collect(envs, obs)
            own.train(rollout)
        assert own.iterations == 2 and own.updates == 2 * 4 * 2
        return own.actor.planes[0], own.critic.planes[0], rollout.advantages, rollout.finals

    first, second = run(), run()
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    assert first[3].any()  # truncated episodes go on with the value of their last observation


def test_the_policy_that_acted_has_ratio_one():
    """Before the first update every ratio is exactly 1: acting and training compute log-probabilities alike."""
    own = cases.learner(True, False, inputs=2, actions=1, envs=8, steps=16)
    cases.random_weights(np.random.default_rng(2), own)
    envs = EnvModel(MountainCarContinuous(), 8)
    rollout, _ = own.collect(envs, envs.start(1)["obs"])
    x = rollout.observations.reshape(128, 2)
    out, values = own.look(x)
    seen = cases.density.gaussian(rollout.actions.reshape(128, 1), out, cases.density.deviation(own.logs[0]))
    assert (seen.log == rollout.logs.reshape(-1)).all() and (values == rollout.values.reshape(-1)).all()


def test_a_saturated_norm_makes_a_smaller_step():
    steps = []
    for limit in (None, 1e-6):
        own = cases.learner(False, False, envs=16, steps=16, norm_limit=limit, adam_epsilon=1e-2)
        cases.random_weights(np.random.default_rng(3), own)
        before = own.actor.planes[0].copy()
        own.step(*cases.minibatch(np.random.default_rng(4), own)[0])
        steps.append(np.abs(own.actor.planes[0] - before).max())
    assert steps[1] < steps[0] / 10


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"envs": 3, "steps": 5, "minibatches": 4}, "a rollout of 15 steps has no 4 equal minibatches"),
        ({"envs": 1, "steps": 4, "minibatches": 4}, "a minibatch would have 1 samples"),
        ({"gamma": 1.5}, "gamma is 196608; the register holds 0 to 131072"),
    ],
)
def test_settings_that_do_not_fit(changes, says):
    with pytest.raises(ValueError, match=says):
        settings.registers(cases.formats(False), gaussian=False, **changes)


def test_formats_that_do_not_fit():
    with pytest.raises(ValueError, match="the actor's output has fraction 15; PPO's is 16"):
        settings.PpoFormats(cases.NetworkFormats((14, 15), (0, 14), (0, 17)), None)
    with pytest.raises(ValueError, match="a critic has sizes and formats, a shared trunk neither"):
        cases.Ppo((3, 16, 2), (3, 16, 1), cases.formats(True), settings.registers(cases.formats(True), gaussian=False))


@pytest.mark.parametrize(("lockstep", "batch_slices"), [(0, [19]), (1, [4, 4, 6, 5])])
def test_batch_slices_are_filled_up_where_environments_wait_for_each_other(lockstep, batch_slices):
    """Vectors since the batch slice that had to go on as it was: of four environments, three steps with 0, 2 and 1 cut
    off."""
    own = cases.learner(False, False, envs=4, steps=3, minibatches=1, lockstep=lockstep)
    own.columns, seen = 3, []
    own.fill = seen.append
    own._fill_rollout([0, 2, 1])
    assert seen == batch_slices


@pytest.mark.parametrize("name", ["gamma", "gae_lambda", "reward_scale", "clip", "entropy", "value", "value_clip"])
@pytest.mark.parametrize("gaussian", [False, True])
def test_a_setting_that_would_be_0_is_refused(name, gaussian):
    with pytest.raises(ValueError, match=rf"{name} is .*e-(09|10); the core has 0, or .* and more"):
        cases.learner(gaussian, False, **{name: 1e-9})
    assert cases.learner(gaussian, False, **{name: 0.0}).settings.envs


def test_a_rate_by_which_no_weight_moves_is_said():
    with pytest.warns(CoreWarning, match=r"learning_rate is 1e-09: .* does not move by so little"):
        cases.learner(False, False, learning_rate=1e-9)
