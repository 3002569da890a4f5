"""Acting through Python: the Verilated core answers as its model, and what a user gives wrong is one sentence."""

import warnings
from itertools import pairwise

import numpy as np
import pytest

from rlcores.cores.policy.api import ActingPolicy
from rlcores.cores.policy.driver import PolicyDriver, PolicyError
from rlcores.cores.policy.head import HeadSettings
from rlcores.errors import CoreWarning, UserError


def layers(sizes: tuple[int, ...], seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    return [(rng.normal(0, 1 / np.sqrt(m), (n, m)), rng.normal(0, 0.1, n)) for m, n in pairwise(sizes)]


KINDS = [dict(kind="greedy", epsilon=0.3), dict(kind="categorical")] + [
    dict(kind="gaussian", squash=squash, scale=2.0, log_std=[-0.5, 0.3]) for squash in ("none", "mean", "sample")
]


@pytest.mark.parametrize(
    ("kind", "backend"),
    [*((kind, "native") for kind in range(5)), *(pytest.param(kind, "rtl", marks=pytest.mark.slow) for kind in (1, 4))],
)
def test_engine_and_verilated_core_answer_as_the_model(kind: int, backend: str, seed: int) -> None:
    sizes = (3, 6, 2)
    answers = []
    for one in ("model", backend):
        policy = ActingPolicy(layers(sizes), seed=seed, backend=one, **KINDS[kind])
        rng = np.random.default_rng(seed)
        answered = [policy.act(rng.normal(0, 2, (20, 3))) for _ in range(2)]
        policy.epsilon = 0.5
        answered.append(policy.act(rng.normal(0, 2, (20, 3))))
        policy.load(layers(sizes, 2))
        answered += [policy.act(rng.normal(0, 2, (20, 3)), deterministic) for deterministic in (True, False)]
        counters = policy.core.counters
        answers.append((np.concatenate([np.ravel(x) for pair in answered for x in pair]), counters))
    assert np.array_equal(answers[0][0], answers[1][0])
    assert np.array_equal(answers[0][1], answers[1][1])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind['kind']} {kind.get('squash', '')}".strip())
def test_the_same_seed_gives_the_same_actions_and_deterministic_ones_need_none(kind: dict) -> None:
    x = np.random.default_rng(1).normal(0, 1, (200, 4))
    actions = [ActingPolicy(layers((4, 8, 2)), seed=s, **kind).act(x)[0] for s in (5, 5, 6)]
    assert np.array_equal(actions[0], actions[1]) and not np.array_equal(actions[0], actions[2])
    still = [ActingPolicy(layers((4, 8, 2)), seed=s, **kind).act(x, deterministic=True)[0] for s in (5, 6)]
    assert np.array_equal(*still)
    if kind.get("squash", "none") != "none":
        assert np.abs(actions[0]).max() <= kind["scale"]


def test_log_probabilities_are_natural_logarithms_of_the_action_that_was_drawn() -> None:
    policy = ActingPolicy([(np.zeros((2, 1)), np.log([0.8, 0.2]))], kind="categorical", seed=3)
    actions, logs = policy.act(np.zeros((4000, 1)))
    assert np.abs(np.exp(logs) - np.where(actions, 0.2, 0.8)).max() < 1e-3
    assert abs(actions.mean() - 0.2) < 0.03  # nearly five deviations


def test_a_number_that_is_saturated_is_a_warning() -> None:
    with pytest.warns(CoreWarning, match="observation was clipped"):
        ActingPolicy([(np.eye(2), np.zeros(2))]).act(np.array([[1000.0, 0.0]]))
    with pytest.warns(CoreWarning, match="an element of a layer"):
        ActingPolicy([(np.eye(2) * 15, np.zeros(2)), (np.eye(2), np.zeros(2))]).act(np.array([[30.0, 0.0]]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (dict(kind="best"), "kind is 'best'"),
        (dict(epsilon=1.5), "epsilon is 1.5"),
        (dict(kind="gaussian", scale=4.0), "scale is 4.0"),
        (dict(squash="mean"), "belong to kind 'gaussian'"),
        (dict(kind="gaussian", log_std=[0.0]), "log_std has 1 numbers for 2 outputs"),
        (dict(fractions=(12,)), "do not fit"),
        (dict(fractions=(-1, 12)), "a fraction is -1; it must be 0 to 31"),
        (dict(fractions=(12, 32)), "a fraction is 32; it must be 0 to 31"),
        (dict(fractions=(12.5, 12)), "a fraction is 12.5; it must be a whole number"),
        (dict(backend="gpu"), "backend is 'gpu'"),
        (dict(seed=-1), "seed is -1"),
    ],
)
def test_what_is_wrong_is_one_sentence(options: dict, said: str) -> None:
    with pytest.raises(UserError, match=said):
        ActingPolicy([(np.eye(2), np.zeros(2))], **options)


def test_weights_and_observations_must_be_the_networks() -> None:
    policy = ActingPolicy([(np.eye(2), np.zeros(2))])
    with pytest.raises(UserError, match=r"network \(3, 2\)"):
        policy.load([(np.ones((2, 3)), np.zeros(2))])
    with pytest.raises(UserError, match="a weight is 20"):
        policy.load([(np.eye(2) * 20, np.zeros(2))])
    with pytest.raises(UserError, match=r"it must be \(B, 2\)"):
        policy.act(np.zeros((1, 3)))
    with pytest.raises(UserError, match="it must be a finite number"):
        policy.act(np.array([[np.nan, 0]]))
    with pytest.raises(UserError, match="columns"):
        ActingPolicy([(np.eye(2), np.zeros(2)), (np.eye(3), np.zeros(3))])


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize(
    "wrong", [[], None, [(np.eye(2),)], [(np.zeros((0, 2)), np.zeros(0))], [(np.zeros((2, 0)), np.zeros(2))]]
)
def test_layers_without_any_number_are_one_sentence(wrong, backend: str) -> None:
    with pytest.raises(UserError, match=r"^layers are 1 to 4 pairs"):
        ActingPolicy(wrong, backend=backend)


@pytest.mark.parametrize("wrong", [np.ma.array([[1.0, 2.0]], mask=[[0, 1]]), np.array([[1j, 0]]), [["1", "2"]]])
def test_an_observation_that_is_no_number_is_one_sentence(wrong) -> None:
    with pytest.raises(UserError, match=r"a number of an observation (has masked entries|is of type)"):
        ActingPolicy([(np.eye(2), np.zeros(2))]).act(wrong)


@pytest.mark.parametrize(("log_std", "said"), [(-5.5, 0), (5.5, 0), (-5.6, 1), (-16.0, 1), (5.6, 1)])
def test_a_deviation_that_is_saturated_is_a_warning(log_std: float, said: int) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", CoreWarning)
        policy = ActingPolicy([(np.zeros((1, 1)), np.zeros(1))], kind="gaussian", log_std=[log_std], seed=1)
    assert sum("a deviation was clipped" in str(one.message) for one in warned) == said
    if log_std == -5.5:
        log = policy.act(np.zeros((2000, 1)))[1].mean()
        assert log == pytest.approx(5.5 - np.log(2 * np.pi) / 2 - 0.5, abs=0.1)


def test_the_driver_refuses_what_the_core_refuses() -> None:
    core = PolicyDriver.verilated("tiny", (12, 12, 16))
    with pytest.raises(PolicyError, match="no weights"):
        core.act(np.zeros((1, 3)))
    core.load(
        [(np.zeros((4, 3), np.int64), np.zeros(4, np.int64)), (np.zeros((2, 4), np.int64), np.zeros(2, np.int64))]
    )
    assert core.act(np.zeros((3, 3)), HeadSettings()).actions.tolist() == [0, 0, 0]
    with pytest.raises(PolicyError, match="EPSILON"):
        core.write_register("EPSILON", 65537)
    core.abort()
    assert not core.status("loaded")
    with pytest.raises(UserError, match="do not fit"):
        PolicyDriver(core.bus, (0, 31, 0))
