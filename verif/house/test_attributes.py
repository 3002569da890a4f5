"""Attributes of public objects: a misspelt one, and one that is read no more, is refused in one sentence."""

import importlib
import pickle
import re

import numpy as np
import pytest

import rlcores
from rlcores import (
    ActingPolicy,
    Gae,
    Learner,
    PrioritizedSampler,
    ReplayBuffer,
    ReplayLearner,
    ReplayLearners,
    SumTree,
    UserError,
    VectorEnv,
)
from rlcores.base import paths
from rlcores.base.attributes import Guarded

SPACES = {"observation": ((2,), "float32"), "action": ((), "int64")}
# Of the API page, those that are made to be assigned to in no other way than any exception.
ERRORS = ("errors.UserError", "errors.RunFailed", "errors.CoreWarning")


def public_names() -> list[str]:
    """What the API page shows, and the public names of the package, without functions."""
    page = re.findall(r"^::: rlcores\.(\S+)$", (paths.root() / "docs" / "api.md").read_text(), re.M)
    others = ("net.client.ReplayClient", "net.client.BankedClient", "net.server.ReplayServer")
    return sorted({*page, *rlcores.__all__, *others} - set(ERRORS) - {name.rpartition(".")[2] for name in ERRORS})


def named(name: str) -> object:
    module, _, attribute = f"rlcores.{name}".rpartition(".")
    return getattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("name", public_names())
def test_no_public_class_takes_a_misspelt_attribute(name):
    if not isinstance(kind := named(name), type):
        return
    empty = tuple.__new__(kind, (None,) * len(kind._fields)) if issubclass(kind, tuple) else kind.__new__(kind)
    with pytest.raises(AttributeError, match="bta"):
        empty.bta = 0.5


CASES = [
    (lambda: PrioritizedSampler(8), "bta", "PrioritizedSampler has no attribute 'bta'; did you mean 'beta'"),
    (lambda: PrioritizedSampler(8), "alhpa", "PrioritizedSampler has no attribute 'alhpa'; did you mean 'alpha'"),
    (lambda: PrioritizedSampler(8), "zzz", "PrioritizedSampler has no attribute 'zzz'"),
    (
        lambda: PrioritizedSampler(8),
        "priority_epsilon",
        "'priority_epsilon' of PrioritizedSampler cannot be set; what can be: alpha, batch_size, beta, stratified",
    ),
    (lambda: SumTree(8), "driver", "'driver' of SumTree cannot be set"),
    (
        lambda: ReplayBuffer(8, SPACES),
        "n_steps",
        "'n_steps' of ReplayBuffer cannot be set; what can be: beta",
    ),
    (lambda: ReplayBuffer(8, SPACES), "betta", "ReplayBuffer has no attribute 'betta'; did you mean 'beta'"),
    (lambda: Gae(), "lambda_", "Gae has no attribute 'lambda_'; did you mean 'gae_lambda'"),
    (lambda: Learner((2, 4, 2)), "step_", "Learner has no attribute 'step_'; did you mean 'step'"),
    (lambda: Learner((2, 4, 2)), "seed", "'seed' of Learner cannot be set"),
    (lambda: ReplayLearner((2, 4, 2)), "betas", "ReplayLearner has no attribute 'betas'; did you mean 'beta'"),
    (lambda: ReplayLearners((2, 4, 2)), "avrage", "ReplayLearners has no attribute 'avrage'"),
    (
        lambda: ActingPolicy([(np.eye(2), np.zeros(2))]),
        "epsilom",
        "ActingPolicy has no attribute 'epsilom'; did you mean 'epsilon'",
    ),
    (lambda: VectorEnv("CartPole-v1", 2), "num_env", "VectorEnv has no attribute 'num_env'; did you mean 'num_envs'"),
]


@pytest.mark.parametrize("make, name, message", CASES)
def test_the_error_names_the_nearest_attribute_or_what_can_be_set(make, name, message):
    thing = make()
    with pytest.raises(UserError) as raised:
        setattr(thing, name, "wrong")
    assert str(raised.value) == message and isinstance(raised.value, AttributeError)
    assert vars(thing).get(name) != "wrong"


SETTINGS = [
    (lambda: PrioritizedSampler(8, batch_size=4, batch_max=16), "batch_size", 16, (0, 17, 2.5, "4")),
    (lambda: PrioritizedSampler(8), "stratified", False, (0, "no", None)),
    (lambda: Gae(), "gamma", 0.5, (1.5, -0.1, "x", float("nan"))),
    (lambda: Gae(), "gae_lambda", 0.5, (1.5, -0.1, None)),
    (lambda: ActingPolicy([(np.eye(2), np.zeros(2))]), "epsilon", 0.25, (1.5, -1, "x")),
]


@pytest.mark.parametrize("make, name, right, wrong", SETTINGS)
def test_a_setting_is_checked_when_it_is_set_and_travels_with_copies(make, name, right, wrong):
    thing = make()
    setattr(thing, name, right)
    assert getattr(thing, name) == right
    for value in wrong:
        with pytest.raises(UserError, match=name):
            setattr(thing, name, value)
    assert getattr(thing, name) == right
    if isinstance(thing, PrioritizedSampler):
        assert getattr(pickle.loads(pickle.dumps(thing)), name) == right


@pytest.mark.parametrize("accuracy", ["exact16", "float64"])
def test_a_discount_that_is_set_is_that_of_the_next_rollout(accuracy, seed):
    rng = np.random.default_rng(seed)
    rewards, values, last = rng.normal(size=(12, 3)), rng.normal(size=(12, 3)), rng.normal(size=3)
    ends = rng.random((12, 3)) < 0.2
    rollout = rewards, values, ends, np.zeros_like(ends), last
    core = Gae(accuracy=accuracy)
    before = core.compute(*rollout)
    core.gamma, core.gae_lambda = 0.5, 0.25
    after, fresh = core.compute(*rollout), Gae(accuracy=accuracy, gamma=0.5, gae_lambda=0.25).compute(*rollout)
    assert (after.advantages == fresh.advantages).all() and (after.advantages != before.advantages).any()


class Annealed(PrioritizedSampler):
    """A user's own, with an attribute made late."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.steps = 0

    def sample(self, *args, **options):
        self.steps += 1
        self.last = super().sample(*args, **options)
        return self.last


def test_a_subclass_of_a_user_has_attributes_of_its_own_and_still_refuses_misspelt_ones():
    sampler = Annealed(8, batch_size=4, seed=0)
    sampler.add(8)
    sampler.sample()
    sampler.steps = 10  # it has this one
    sampler.sample()
    assert sampler.steps == 11 and len(sampler.last.indices) == 4
    with pytest.raises(UserError, match="Annealed has no attribute 'bta'; did you mean 'beta'"):
        sampler.bta = 0.5
    twin = pickle.loads(pickle.dumps(sampler))
    assert twin.steps == 11 and (twin.sample().indices == sampler.sample().indices).all()


def test_a_base_from_elsewhere_may_make_attributes_and_its_own_can_be_set():
    library = {"__name__": "elsewhere.other"}
    exec("def load(thing):\n    thing.device = 'cpu'", library)

    class Base:
        __module__ = "elsewhere.samplers"

    class DropIn(Guarded, Base):
        __module__ = "rlcores.integrations.elsewhere"

    thing = DropIn()
    library["load"](thing)
    assert thing.device == "cpu"
    thing.device = "cuda"
    with pytest.raises(AttributeError, match="DropIn has no attribute 'devise'; did you mean 'device'"):
        thing.devise = "cpu"


def test_a_function_may_take_the_place_of_a_method_and_of_nothing_else():
    sampler = PrioritizedSampler(8, batch_size=4, seed=0)
    sampler.add(8)
    sample, seen = sampler.sample, []
    sampler.sample = lambda *arguments: seen.append(sample(*arguments)) or seen[-1]
    assert sampler.sample(2) is seen[0] and len(seen[0].indices) == 2
    for name, value in (("sample", 3), ("sampel", sample), ("tree", sample)):
        with pytest.raises(UserError, match=name):
            setattr(sampler, name, value)


def test_what_a_shell_completes_is_the_public_names():
    """Neither modules that the package imports for itself nor names of typing."""
    assert [name for name in dir(rlcores) if not name.startswith("__")] == sorted(rlcores.__all__)
