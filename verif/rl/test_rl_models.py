"""TD3 and SAC in integers: gradients are the mathematics', model and engine are one, and every narrowing is counted."""

import dataclasses
import warnings

import continuous as problems
import numpy as np
import pytest

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.network import NetworkModel as Integers
from rlcores.cores.policy.noise import normal
from rlcores.cores.rl import actor_critic, sac, squashed, td3
from rlcores.cores.rl.networks import RlNetwork
from rlcores.errors import CoreWarning, UserError

MEDIAN_ERROR, COSINE = 0.01, 0.999
ALGORITHMS = pytest.mark.parametrize("algo", ["td3", "sac"])


@ALGORITHMS
def test_gradients_are_those_of_the_mathematics_over_a_run(algo: str) -> None:
    own, rng = problems.learner(algo, 5, 2, (32, 32)), np.random.default_rng(4)
    seen: dict[str, list[tuple[float, float]]] = {}
    for step in range(240):
        transitions = problems.batch(rng, 64, 5, 2)
        if step % 8 == 7:
            other = problems.learner(algo, 5, 2, (32, 32))
            other.load_state_dict(own.state_dict())
            integer, exact = problems.gradients(algo, other, transitions)
            for name, x in integer.items():
                seen.setdefault(name, []).append(
                    (problems.median_error(x, exact[name]), problems.cosine(x, exact[name]))
                )
        own.step(transitions)
    assert set(seen) == {"actor", "critic1", "critic2"} | ({"temperature"} if algo == "sac" else set())
    for name, agreements in seen.items():
        errors, cosines = np.array(agreements).T
        assert len(agreements) == 30, name
        assert np.median(errors) <= MEDIAN_ERROR and np.mean(cosines) >= COSINE, (
            name,
            np.median(errors),
            cosines.mean(),
        )


@ALGORITHMS
def test_model_and_engine_give_the_same_bits(algo: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pair = [problems.learner(algo, 4, 3, (24, 9), backend=backend) for backend in ("model", "native")]
    for _ in range(60):
        transitions = problems.batch(rng, int(rng.integers(1, 40)), 4, 3)
        errors = [one.step(transitions) for one in pair]
        np.testing.assert_array_equal(*errors)
    for mine, other in zip(pair[0].networks, pair[1].networks, strict=True):
        np.testing.assert_array_equal(mine.integers.planes, other.integers.planes)
        np.testing.assert_array_equal(mine.counters, other.counters)
    assert pair[0].fractions() == pair[1].fractions() != problems.learner(algo, 4, 3, (24, 9)).fractions()
    states = rng.normal(size=(20, 4))
    np.testing.assert_array_equal(pair[0].policy()(states), pair[1].policy()(states))


@ALGORITHMS
def test_layers_of_256_and_batches_of_256_work(algo: str, seed: int) -> None:
    own = problems.learner(algo, 17, 6, (256, 256))
    rng = np.random.default_rng(seed)
    before = [network.theta() for network in own.networks]
    errors = [own.step(problems.batch(rng, 256, 17, 6)).mean() for _ in range(12)]
    assert np.isfinite(errors).all() and all(
        (a != b.theta()).mean() > 0.5 for a, b in zip(before, own.networks, strict=True)
    )


@ALGORITHMS
def test_a_state_goes_on_bit_for_bit(algo: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    batches = [problems.batch(rng, 16, 3, 1) for _ in range(30)]
    one, other = (problems.learner(algo, 3, 1, (8, 8)) for _ in range(2))
    for x in batches[:15]:
        one.step(x)
    other.load_state_dict(one.state_dict())
    for x in batches[15:]:
        np.testing.assert_array_equal(one.step(x), other.step(x))
    assert {n: x.tolist() for n, x in one.state_dict().items()} == {
        n: x.tolist() for n, x in other.state_dict().items()
    }
    with pytest.raises(UserError, match="that of another learner"):
        problems.learner(algo, 3, 1, (8, 9)).load_state_dict(one.state_dict())


def test_td3_moves_actor_and_targets_every_second_step_only(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = problems.learner("td3", 3, 1, (8,))
    for step in range(6):
        before = [(n.theta().copy(), n.theta(target=True).copy()) for n in own.networks]
        own.step(problems.batch(rng, 32, 3, 1))
        moved = [[bool((a != b).any()) for a, b in zip(x, (n.theta(), n.theta(target=True)), strict=True)]
                 for x, n in zip(before, own.networks, strict=True)]  # fmt: skip
        due = step % 2 == 1
        assert moved[0] == [due, due] and all(critic == [True, due] for critic in moved[1:])


def test_a_target_uses_the_smaller_critic_and_its_discount(seed: int) -> None:
    """Where a discount is 0 a TD error is that of the reward alone; else the smaller target counts."""
    rng = np.random.default_rng(seed)
    own = problems.learner("td3", 3, 1, (8,), target_policy_noise=0.0)
    for _ in range(40):
        own.step(problems.batch(rng, 32, 3, 1))
    transitions = problems.batch(rng, 200, 3, 1)
    twin = problems.twin("td3", own)
    x, following = twin.inputs(transitions.states, transitions.actions), twin.next_input(transitions)
    q = twin.critics[0].net.output(x)[:, 0]
    each = np.array([c.target.output(following)[:, 0] for c in twin.critics])
    assert (each[0] < each[1]).any() and (each[0] > each[1]).any()
    errors = own.step(transitions)
    goal = transitions.rewards + transitions.discounts * each.min(axis=0)
    np.testing.assert_allclose(errors, np.abs(q - goal), atol=2e-3)


def test_the_log_probability_is_the_squashed_gaussians(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outputs = np.concatenate([rng.normal(size=(3000, 2)) * 2, rng.uniform(-6, 3, (3000, 2))], axis=1)
    codes = np.round(outputs * 2**16).astype(np.int64)
    normals = normal(Xoshiro128pp((1, 2, 3, seed & 0xFFFF)).take(6000)).reshape(3000, 2)
    drawn = squashed.sample(codes, normals)
    mean, log_std = np.split(codes * 2.0**-16, 2, axis=1)
    log_std = np.clip(log_std, *squashed.LOG_STD)
    eps = normals * 2.0**-14
    u = mean + np.exp(log_std) * eps
    slope = 2 * (np.log(2) - np.abs(u) - np.log1p(np.exp(-2 * np.abs(u))))
    exact = (-(eps**2) / 2 - log_std - np.log(2 * np.pi) / 2 - slope).sum(axis=1)
    np.testing.assert_allclose(drawn.u * 2.0**-16, u, atol=4e-3)
    there = np.abs(u).max(axis=1) < 15
    np.testing.assert_allclose(drawn.log[there] * 2.0**-16, exact[there], atol=1e-2)
    np.testing.assert_allclose(drawn.action * 2.0**-16, np.tanh(u), atol=4e-3)
    inside = (outputs[:, 2:] >= squashed.LOG_STD[0]) & (outputs[:, 2:] <= squashed.LOG_STD[1])
    assert (drawn.inside == inside).mean() > 0.999 and 0.2 < inside.mean() < 0.95


@pytest.mark.parametrize("log", [-9.0, -2.5, 0.0, 1.25, 4.0])
def test_a_temperature_is_the_exponential_of_its_logarithm(log: float) -> None:
    made = int(squashed.exponential(round(log * 2**22)))
    assert made * 2.0**-20 == pytest.approx(np.exp(log), rel=2e-6, abs=2.0**-21)


def test_the_temperature_falls_while_the_policy_is_too_random_and_rises_while_it_is_not(seed: int) -> None:
    """As Stable-Baselines3's: log alpha moves by about its rate a step, against the entropy's difference."""
    for log, sign in ((-3.0, -1), (5.0, 1)):
        t = sac.Temperature(sac.SacSettings(learning_rate=1e-3), 1, Integers)
        for _ in range(100):
            t.step(np.full(64, round(log * 2**16)))
        assert t.log * 2.0**-22 == pytest.approx(sign * 0.1, rel=0.02)
    fixed = sac.Temperature(sac.SacSettings(ent_coef=0.2), 1, Integers)
    fixed.step(np.full(64, 1 << 16))
    assert fixed.alpha * 2.0**-20 == pytest.approx(0.2, rel=1e-4)


@pytest.mark.parametrize("coefficient", [0.0, 0.9e-6, 60.1, -1.0, float("nan")])
def test_a_temperature_that_the_core_has_not_is_refused(coefficient: float) -> None:
    with pytest.raises(UserError, match=r"ent_coef is .*; it must be 1e-06 to 60"):
        sac.Sac(3, 1, sac.SacSettings(network=(8,), ent_coef=coefficient), backend="model")


def test_a_temperature_beyond_64_is_saturated_and_said(seed: int) -> None:
    learner = sac.Sac(3, 1, sac.SacSettings(network=(8,)), seed=seed, backend="model")
    learner.temperature.network.load(np.array([0.0, 4.2]))
    rng = np.random.default_rng(seed)
    transitions = problems.batch(rng, 16, 3, 1)
    with pytest.warns(UserWarning, match="1 temperature"):
        learner.step(transitions)
    assert learner.alpha == pytest.approx(64) and learner.saturations()["temperature"] == 1


def test_the_actors_delta_is_the_derivative_by_differences(seed: int) -> None:
    """Of alpha * log pi - Q, Q linear in the action: numerical derivatives in float64."""
    rng = np.random.default_rng(seed)
    outputs = np.concatenate([rng.normal(size=(200, 1)), rng.uniform(-3, 1, (200, 1))], axis=1)
    codes = np.round(outputs * 2**16).astype(np.int64)
    normals = np.round(np.clip(rng.normal(size=(200, 1)), -4, 4) * 2**14).astype(np.int64)
    slope, alpha = rng.normal(size=(200, 1)), int(squashed.exponential(round(np.log(0.3) * 2**22)))

    def loss(x: np.ndarray) -> np.ndarray:
        mean, log_std = np.split(x, 2, axis=1)
        eps = normals * 2.0**-14
        u = mean + np.exp(log_std) * eps
        a = np.tanh(u)
        log = -(eps**2) / 2 - log_std - np.log1p(-(a**2))
        return (alpha * 2.0**-20 * log - slope * a).sum(axis=1)

    step, exact = 1e-5, np.zeros((200, 2))
    for k in range(2):
        move = np.zeros(2)
        move[k] = step
        exact[:, k] = (loss(codes * 2.0**-16 + move) - loss(codes * 2.0**-16 - move)) / (2 * step)
    drawn = squashed.sample(codes, normals)
    delta, over = squashed.output_delta(drawn, np.round(-slope * 2**14).astype(np.int64), 14, alpha, 14)
    assert not over.any()
    np.testing.assert_allclose(delta * 2.0**-14, exact, atol=5e-3)


def test_what_does_not_fit_is_counted_and_costs_no_more_than_a_few_batches(seed: int) -> None:
    """A reward that grows thirtyfold: numbers are saturated, counted, and then fit again."""
    rng = np.random.default_rng(seed)
    own = problems.learner("td3", 3, 1, (16,))
    for _ in range(40):
        own.step(problems.batch(rng, 64, 3, 1))
    before = sum(own.saturations().values())
    transitions = problems.batch(rng, 64, 3, 1)
    large = problems.changed(transitions, rewards=transitions.rewards * 30)
    for _ in range(12):
        own.step(large)
    grown = sum(own.saturations().values())
    assert grown > before
    for _ in range(10):
        own.step(large)
    assert sum(own.saturations().values()) - grown <= 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"actions": np.full((4, 1), 1.5)}, "actions are 1.5 to 1.5; they must be -1 to 1"),
        ({"discounts": np.full(4, 1.5)}, "discounts are 1.5 to 1.5; they must be 0 to 1"),
        ({"rewards": np.full(4, np.nan)}, "rewards hold nan; every number must be finite"),
        ({"rewards": np.full(4, 1e6)}, r"a reward is 1e\+06; .* give a smaller reward_scale"),
        ({"states": np.zeros((4, 2))}, r"states have shape \(4, 2\); this learner takes \(4, 3\)"),
        ({"discounts": None}, "discounts have shape None"),
    ],
)
def test_a_wrong_batch_is_one_sentence_and_changes_nothing(changes: dict, words: str) -> None:
    own = problems.learner("td3", 3, 1, (8,))
    right = {"states": np.zeros((4, 3)), "actions": np.zeros((4, 1)), "rewards": np.ones(4),
             "next_states": np.zeros((4, 3)), "discounts": np.ones(4)}  # fmt: skip
    before = own.state_dict()
    with pytest.raises(UserError, match=words):
        own.step(**(right | changes))
    assert {n: x.tolist() for n, x in own.state_dict().items()} == {n: x.tolist() for n, x in before.items()}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: td3.Td3(3, 1, td3.Td3Settings(policy_delay=0)), "policy_delay is 0; it must be 1 to 65536"),
        (lambda: td3.Td3(3, 1, backend="rtl"), "there is no backend 'rtl' for Td3"),
        (lambda: sac.Sac(3, 1, sac.SacSettings(reward_scale=0.0)), "reward_scale is 0.0; it must be a number above 0"),
    ],
)
def test_a_wrong_setting_is_one_sentence(make, words: str) -> None:
    with pytest.raises(UserError, match=words):
        make()


def test_an_activation_that_no_layer_has_is_refused() -> None:
    with pytest.raises(ValueError, match="activation is 'gelu'; it must be one of relu, leaky_relu, tanh, elu, silu"):
        RlNetwork((3, 4, 1), activation="gelu")
    assert actor_critic.COUNTED[actor_critic.LOG] == "log_probability"


def test_words_of_the_engine_are_the_models(seed):
    from rlcores.cores.common.native_draws import NativeXoshiro128pp

    for state in ((1, 2, 3, seed & 0xFFFF), (0, 0, 0, 0), (2**32 - 1,) * 4):
        model, native = Xoshiro128pp(state), NativeXoshiro128pp(state)
        for count in (0, 1, 7, 3000):
            assert np.array_equal(native.take(count), model.take(count))
            assert native.state == model.state


@ALGORITHMS
def test_rewards_that_all_become_0_are_said(algo: str, seed: int) -> None:
    own, transitions = problems.learner(algo, 3, 2, (8,)), problems.batch(np.random.default_rng(seed), 8, 3, 2)
    small = dataclasses.replace(transitions, rewards=np.full(8, -1e-5 / 2))
    with pytest.warns(CoreWarning, match=r"8 of 8 rewards that are not 0 became 0"):
        own.step(small)
    own = problems.learner(algo, 3, 2, (8,))
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoreWarning)
        own.step(transitions)


@pytest.mark.parametrize(("kind", "name"), [
    ("Td3", "tau"), ("Td3", "target_policy_noise"), ("Td3", "target_noise_clip"), ("Sac", "tau"),
])  # fmt: skip
def test_a_setting_that_would_be_0_is_refused(kind: str, name: str) -> None:
    make, settings = (td3.Td3, td3.Td3Settings) if kind == "Td3" else (sac.Sac, sac.SacSettings)
    with pytest.raises(UserError, match=rf"{name} is 1e-09; the core has 0, or .* and more"):
        make(3, 2, settings(network=(8,), **{name: 1e-9}))
