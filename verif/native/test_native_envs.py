"""Environments on the native engine give the model's answers, on every instruction set."""

import threading

import numpy as np
import pytest

from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs

pytestmark = pytest.mark.usefixtures("isa")

NAMES = list(ENVIRONMENTS)
# N_ENVS and time limit, None: the environment's own. More and fewer copies than the engine takes at once.
SHAPES = [(1, 7), (5, 0), (255, 3), (300, 20), (600, None)]


def actions(name: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Codes, with a few that no environment has."""
    if known := ENVIRONMENTS[name].actions:
        return np.where(rng.random(count) < 0.02, rng.integers(1 << 18, size=count), rng.integers(known, size=count))
    return ENVIRONMENTS[name].random_actions(count, rng)


@pytest.mark.parametrize("name", NAMES)
def test_random_traffic_gives_the_models_answers(name, seed):
    rng = np.random.default_rng(seed)
    for n_envs, limit in SHAPES:
        both = [made(ENVIRONMENTS[name], n_envs, limit) for made in (NativeEnvs, EnvModel)]
        for _ in range(2):
            begun = int(rng.integers(1 << 63))
            first = [one.start(begun) for one in both]
            assert first[0].tobytes() == first[1].tobytes()
            for _ in range(25):
                # Mostly a turn of all, as a vector of environments has it.
                count = n_envs if rng.random() < 0.7 else int(rng.integers(0, 2 * n_envs + 2))
                acted = actions(name, count, rng)
                answered, wanted = (one.step(acted) for one in both)
                assert answered.tobytes() == wanted.tobytes()
            assert both[0].counters == both[1].counters
        assert both[0].counters["steps"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_units_are_those_of_the_codes(name, seed):
    physics, rng = ENVIRONMENTS[name], np.random.default_rng(seed)
    native, model = NativeEnvs(physics, 9, 5), EnvModel(physics, 9, 5)
    np.testing.assert_array_equal(native.begin(seed), physics.numbers(model.start(seed)["obs"]))
    for _ in range(12):
        acted = actions(name, 9, rng)
        answered, wanted = native.answers(acted), model.step(acted)
        for place in ("obs", "final"):
            np.testing.assert_array_equal(getattr(answered, place), physics.numbers(wanted[place]))
        np.testing.assert_array_equal(answered.reward, wanted["reward"] * 2.0**-19)


def test_threads_take_turns(seed):
    """Whatever their order, the steps of all threads are those of one."""
    physics, each, rounds = ENVIRONMENTS["mountaincar"], 4, 20
    shared, alone = NativeEnvs(physics, 128), NativeEnvs(physics, 128)
    answers = []  # appending is safe between threads
    shared.start(seed), alone.start(seed)

    def work() -> None:
        for _ in range(rounds):
            answers.append(shared.step(np.zeros(128, int)).tobytes())

    threads = [threading.Thread(target=work) for _ in range(each)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = [alone.step(np.zeros(128, int)).tobytes() for _ in range(each * rounds)]
    assert sorted(answers) == sorted(wanted)


def test_what_cannot_be_is_refused():
    physics = ENVIRONMENTS["cartpole"]
    with pytest.raises(ValueError, match="n_envs is 0; there is at least one environment"):
        NativeEnvs(physics, 0)
    envs = NativeEnvs(physics, 2)
    with pytest.raises(ValueError, match="no episode before start"):
        envs.step(np.zeros(2, int))
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="64 bits"):
            envs.start(seed)
    envs.start()
    assert len(envs.step(np.zeros(0, int))) == 0
    with pytest.raises(ValueError, match="another type or shape"):
        envs._engine.step(np.zeros(2, int), *envs.answers(np.zeros(3, int)))
