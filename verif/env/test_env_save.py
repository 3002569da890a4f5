"""Environments that are saved and loaded go on as if nothing had happened, on either backend from the other's."""

import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs

KINDS = EnvModel, NativeEnvs


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("first", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("second", KINDS, ids=lambda kind: kind.__name__)
def test_saved_environments_go_on(name, first, second, seed):
    rng, physics = np.random.default_rng(seed), ENVIRONMENTS[name]
    envs = first(physics, 5, time_limit=7)
    envs.start(seed)
    actions = [physics.random_actions(33, rng) for _ in range(2)]
    envs.step(actions[0])
    kept = envs.save()
    after = envs.step(actions[1])
    other = second(physics, 5, time_limit=7)
    other.load(kept)
    assert (other.step(actions[1]) == after).all()
    assert after["truncated"].any() or after["terminated"].any()
    both = envs.save(), other.save()
    assert all((both[0][part] == both[1][part]).all() for part in both[0])


def test_states_of_other_environments_are_refused():
    envs = EnvModel(ENVIRONMENTS["cartpole"], 3)
    envs.start(1)
    for kind in KINDS:
        with pytest.raises(ValueError):
            kind(ENVIRONMENTS["pendulum"], 3).load(envs.save())
