"""Sampler, buffer, replay learner and server have one set of names, ranges and defaults."""

import inspect
from dataclasses import FrozenInstanceError, fields

import pytest

from rlcores import PrioritizedSampler, ReplayBuffer, ReplayLearner, UserError
from rlcores.cores.replay_server.frames import ServerSettings
from rlcores.cores.sumtree.settings import ReplaySettings

SHARED = {each.name: each.default for each in fields(ReplaySettings)}


@pytest.mark.parametrize("kind", [PrioritizedSampler, ReplayBuffer, ReplayLearner])
def test_the_same_name_has_the_same_default_everywhere(kind):
    parameters = inspect.signature(kind).parameters
    shared = [name for name in SHARED if name in parameters]
    assert {"buffer_size", "alpha", "beta", "priority_epsilon", "batch_size", "seed"} <= set(shared)
    for name in shared:
        if name != "buffer_size":  # the first argument of two of them
            assert parameters[name].default == SHARED[name], name


def test_a_server_begins_with_the_same_settings():
    own, shared = ServerSettings(), ReplaySettings(seed=0)
    assert own == ServerSettings.of(shared)
    assert own.alpha == shared.alpha_code and own.epsilon == 1  # the least step of the core, 2**-20
    assert ServerSettings.of(
        ReplaySettings(buffer_size=77, alpha=0.5, priority_epsilon=0.25, seed=9)
    ) == ServerSettings(capacity=77, alpha=1 << 14, epsilon=1 << 18, seed=9)


def test_settings_of_an_object_are_those_that_it_runs_with_and_cannot_be_changed():
    sampler = PrioritizedSampler(30, alpha=0.5, batch_size=4, seed=3)
    sampler.beta = 1.0
    settings = sampler.settings
    assert (settings.buffer_size, settings.batch_size, settings.seed) == (30, 4, 3)
    assert (settings.alpha, settings.beta) == (0.5, 1.0)
    with pytest.raises(FrozenInstanceError):
        settings.alpha = 0.1
    buffer = ReplayBuffer(30, {"observation": ((), "f4")}, alpha=0.5, batch_size=4, seed=3)
    buffer.beta = 1.0
    assert buffer.settings == settings
    learner = ReplayLearner((4, 8, 2), buffer_size=30, alpha=0.5, batch_size=4, seed=3)
    learner.set(beta=1.0)
    assert learner.settings == settings


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: ReplaySettings(alpha=2.5), "alpha is 2.5; it must be 0 to 2"),
        (lambda: ReplaySettings(stratified=1), "stratified is 1; it must be true or false"),
        (lambda: ReplayLearner((4, 8, 2), alpha=1.5), "alpha is 1.5; it must be 0 to 1"),
        (lambda: ReplayLearner((4, 8, 2), batch_size=20000), "batch_size is 20000; it must be 1 to 16384"),
        (
            lambda: ServerSettings.of(ReplaySettings(alpha=1.5)),
            "alpha is 1.5; above 1 it is of the backends native and",
        ),
        (lambda: ReplayBuffer(0, {"observation": ((), "f4")}), "buffer_size is 0; it must be 1 to 16777216"),
    ],
)
def test_what_is_out_of_range_is_one_sentence(call, sentence):
    with pytest.raises(UserError, match=sentence):
        call()
