"""PPO on rollouts of environments that live on the host: Gymnasium's own, behind the stream's contract."""

import warnings

import numpy as np
import pytest
from ppo_cases import host

from rlcores.cores.env.environments import named
from rlcores.cores.env.host import HostEnvs
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.errors import CoreWarning
from rlcores.train import chip
from rlcores_lab.study import ppo as study

gymnasium = pytest.importorskip("gymnasium")


@pytest.mark.parametrize("name", ["Pendulum-v1", "CartPole-v1"])
def test_beats_are_what_gymnasium_says(name, seed):
    physics, rng = named(name), np.random.default_rng(seed)
    ours, again = (host(name, 3, max_episode_steps=9) for _ in range(2))
    first = ours.start(seed)
    seen, _ = again.vector.reset(seed=seed)
    ended = 0
    for _ in range(30):
        assert np.abs(physics.numbers(first["obs"]) - seen).max() <= 2.0 ** -min(physics.observations)
        actions = rng.integers(0, 2, 3) if physics.actions else rng.integers(-(2**16), 2**16, 3)
        first = ours.step(actions)
        real = actions if physics.actions else (actions[:, None] / 2**15).astype(np.float32)
        seen, rewards, terminated, truncated, infos = again.vector.step(real)
        assert (first["terminated"] == terminated).all() and (first["truncated"] == truncated).all()
        assert np.abs(first["reward"] / 2**19 - rewards).max() <= 2.0**-20
        for n in np.flatnonzero(terminated | truncated):
            ended += 1
            assert np.abs(physics.numbers(first["final"][n]) - infos["final_obs"][n]).max() < 2.0**-10
            assert (first["final"][n] != first["obs"][n]).any()
    assert ended >= 9 and ours.saturated == 0


@pytest.mark.parametrize("name", ["Pendulum-v1", "CartPole-v1"])
def test_model_and_engine_learn_alike_from_the_host(name):
    learners = []
    for kind in (Ppo, NativePpo):
        own = chip.learner(chip.task_of(name), 3, kind, columns=3, envs=4, steps=16, minibatches=2, lockstep=1)
        envs = host(name, 4, max_episode_steps=11)
        seen = envs.start(5)["obs"]
        for _ in range(2):
            rollout, seen = own.collect(envs, seen)
            own.train(rollout)
        assert rollout.finals.any() and own.updates == 2 * 2 * own.settings.epochs
        learners.append(own)
    assert (learners[0].actor.planes == learners[1].actor.planes).all()
    assert (learners[0].counters == learners[1].counters).all()


def answering(place: int, value: float) -> HostEnvs:
    """CartPole whose next step gives a number in all places of its observations (0) or rewards (1)."""
    envs = host("CartPole-v1", 2)
    envs.start(0)
    answer = list(envs.vector.step(np.zeros(2, np.int64)))
    answer[place] = np.full_like(answer[place], value, dtype=np.float64)
    envs.vector.step = lambda _: answer
    return envs


def test_vectors_that_are_none_of_these():
    with pytest.raises(ValueError, match=r"autoreset mode is .*NEXT_STEP; the stream's is SAME_STEP"):
        host("CartPole-v1", 2, "NEXT_STEP")
    same = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
    vector = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync", vector_kwargs=same)
    with pytest.raises(ValueError, match=r"an observation has shape \(4,\); 2 fractions are given"):
        HostEnvs(vector, (14, 14))
    vector.single_action_space = gymnasium.spaces.Box(-1, 1, (17,))
    with pytest.raises(ValueError, match=r"an action .* is Box.*; the stream's is an index, or 1 to 16 numbers"):
        HostEnvs(vector, (14,) * 4)


@pytest.mark.parametrize("value", [1e30, -1e30, 3e10, 2.0**40])
@pytest.mark.parametrize(("place", "name"), [(0, "obs"), (1, "reward")])
def test_what_is_far_out_of_range_is_saturated_on_its_own_side(place, name, value):
    envs = answering(place, value)
    codes = envs.step(np.zeros(2, np.int64))[name]
    assert (np.sign(codes) == np.sign(value)).all() and np.abs(codes).min() >= 2**17 - 1
    assert envs.saturated == 2


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("place", "what"), [(0, "number of an observation"), (1, "reward")])
def test_what_is_no_number_is_refused(place, what, value):
    with pytest.raises(ValueError, match=f"a {what} is {value}; it must be a finite number"):
        answering(place, value).step(np.zeros(2, np.int64))


@pytest.mark.parametrize("kind", [Ppo, NativePpo])
def test_a_vector_of_another_number_of_environments_is_refused(kind):
    own = chip.learner(chip.task_of("CartPole-v1"), 0, kind, envs=4, steps=16, minibatches=2)
    envs = host("CartPole-v1", 1)
    with pytest.raises(ValueError, match=r"the observations have the shape \(1, 4\); it must be \(4, 4\)"):
        own.collect(envs, envs.start(0)["obs"])


def test_indices_count_from_where_the_space_begins():
    envs = host("CartPole-v1", 2)
    envs.vector.single_action_space = gymnasium.spaces.Discrete(2, start=5)
    seen = []
    moved = HostEnvs(envs.vector, (14,) * 4)
    moved.start(0)
    step = envs.vector.step
    envs.vector.step = lambda actions: seen.append(actions) or step(actions - 5)
    moved.step(np.array([0, 1]))
    assert (seen[0] == [5, 6]).all()


@pytest.mark.slow
def test_the_chips_ppo_learns_gymnasiums_own_pendulum():
    task = chip.task_of("Pendulum-v1")
    own = chip.learner(task, 0, NativePpo)
    envs = host("Pendulum-v1", own.settings.envs)
    seen = envs.start(0)["obs"]
    for _ in range(task.iterations):
        rollout, seen = own.collect(envs, seen)
        own.train(rollout)
    assert study.judge(own, named("pendulum"), task.input).mean() >= task.goal


def test_rewards_that_all_become_0_are_said():
    envs = answering(1, 1e-7)
    with pytest.warns(CoreWarning, match=r"2 of 2 rewards that are not 0 became 0, .* steps of 2\*\*-19 = 1.91e-06"):
        envs.step(np.zeros(2, np.int64))
    with warnings.catch_warnings():
        warnings.simplefilter("error", CoreWarning)
        answering(1, 1e-5).step(np.zeros(2, np.int64))
