"""The vector environment on every backend: Gymnasium's interface, equal numbers, mistakes in one sentence."""

import contextlib
import copy
import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import rlcores
from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.model import EnvModel
from rlcores.errors import CoreWarning, UserError


@pytest.mark.parametrize("physics", ENVIRONMENTS.values(), ids=list(ENVIRONMENTS))
def test_spaces_and_shapes_are_gymnasiums(physics, seed) -> None:
    ours, theirs = (
        rlcores.VectorEnv(physics.gymnasium, num_envs=3),
        gymnasium.make_vec(physics.gymnasium, num_envs=3, vectorization_mode="sync"),
    )
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space", "num_envs"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert ours.spec.max_episode_steps == ours.core.time_limit == physics.time_limit
    for mine, other in zip(ours.reset(seed=seed), theirs.reset(seed=seed), strict=True):
        assert type(mine) is type(other)
    ours.action_space.seed(seed)
    for _ in range(3):
        actions = ours.action_space.sample()
        for mine, other in zip(ours.step(actions), theirs.step(actions), strict=True):
            assert type(mine) is type(other)
            if isinstance(mine, np.ndarray):
                assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
    ours.close()
    assert ours.closed


def test_an_episode_that_ends_begins_anew_and_its_last_observation_is_in_the_infos() -> None:
    seed = 3  # with some a pole falls so close to 12 degrees that a rounding decides the step
    envs = rlcores.VectorEnv("CartPole-v1", num_envs=3)
    peer = gymnasium.make_vec(
        "CartPole-v1", num_envs=3, vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
    )  # fmt: skip
    obs, _ = envs.reset(seed=seed)
    peer.reset(seed=seed)
    for env, state in zip(peer.envs, obs, strict=True):
        env.unwrapped.state = state.astype(float)
    ended = 0
    for _ in range(12):  # pushed to one side every pole falls
        stepped, wanted = envs.step(np.ones(3, int)), peer.step(np.ones(3, int))
        assert stepped[4].keys() == wanted[4].keys()
        for i in np.flatnonzero(stepped[2]):
            ended += 1
            assert stepped[4]["_final_obs"][i] and abs(stepped[0][i]).max() <= 0.05
            assert np.allclose(stepped[4]["final_obs"][i], wanted[4]["final_obs"][i], atol=1e-3)
            peer.envs[i].unwrapped.state = stepped[0][i].astype(float)
        assert np.array_equal(stepped[2], wanted[2]) and np.array_equal(stepped[1], wanted[1])
        assert not stepped[3].any()
    assert ended >= 3


def test_the_limit_truncates_and_a_seed_repeats_the_run() -> None:
    runs = []
    for _ in range(2):
        envs = rlcores.VectorEnv("cartpole", num_envs=2, max_episode_steps=3)
        obs, _ = envs.reset(seed=11)
        seen = [obs]
        for step in range(6):
            obs, _, terminated, truncated, infos = envs.step(np.array([0, 1]))
            assert (
                not terminated.any()
                and truncated.all() == (step % 3 == 2)
                and ("final_obs" in infos) == truncated.all()
            )
            seen.append(obs)
        # Without a seed a reset goes on from the one before.
        seen.append(envs.reset()[0])
        runs.append(np.concatenate(seen))
    assert np.array_equal(*runs)
    assert not np.array_equal(runs[0][-2:], runs[0][:2])


def test_the_verilated_core_gives_the_models_numbers(seed) -> None:
    rng = np.random.default_rng(seed)
    both = [rlcores.VectorEnv("CartPole-v1", 3, backend=b, max_episode_steps=12) for b in ("model", "rtl")]
    assert np.array_equal(*(envs.reset(seed=seed)[0] for envs in both))
    both[1].core.bus.stall(seed & 0xFFFF, source=0.3, sink=0.3, registers=0.1)
    for _ in range(40):
        actions = rng.integers(0, 2, 3)
        model, rtl = (envs.step(actions) for envs in both)
        for mine, other in zip(model[:4], rtl[:4], strict=True):
            assert np.array_equal(mine, other) and mine.dtype == other.dtype
        assert model[4].keys() == rtl[4].keys()
    core: EnvDriver = both[1].core
    assert core.counters == both[0].core.counters and core.counters["steps"] == 120
    # A turn takes max(N, PIPELINE) clocks while nobody stalls.
    core.bus.stall(0)
    before, steps = core.bus.cycles, 900
    core.step(rng.integers(0, 2, steps))
    per_turn = (core.bus.cycles - before) / (steps / 3)
    assert per_turn == pytest.approx(core.physics.latency + 3, abs=0.2)
    core.abort()
    assert not core.running


def test_what_is_wrong_is_one_sentence() -> None:
    envs = rlcores.VectorEnv("CartPole-v1", num_envs=2)
    with pytest.raises(UserError, match=r"there is no episode before reset\(\)"):
        envs.step(np.zeros(2, int))
    envs.reset(seed=0)
    for actions, sentence in (
        (np.zeros(3, int), r"actions have the shape \(3,\); it must be \(2,\)"),
        (np.array([0, 2]), "actions must be whole numbers, 0 to 1"),
        (np.array([0.0, 1.0]), "actions must be whole numbers, 0 to 1"),
        (np.ma.array([0, 1], mask=[False, True]), "actions has masked entries"),
    ):
        with pytest.raises(UserError, match=sentence):
            envs.step(actions)
    swung = rlcores.VectorEnv("Pendulum-v1", num_envs=1)
    swung.reset(seed=0)
    for torque in (["a"], [None], [1j], [True], [np.nan], ["1"], [2**70]):
        with pytest.raises(UserError, match="an action is not a finite number"):
            swung.step([torque])
    with pytest.raises(UserError, match="actions is not an array of numbers"):
        swung.step([[1.0], []])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        swung.step([[1e308]])
    for arguments, sentence in (
        ({"env": "Walker"}, "there is no environment 'Walker'; environments: cartpole"),
        ({"num_envs": 0}, "num_envs is 0; it must be 1 to 4096"),
        ({"backend": "fpga"}, "backend"),
        ({"max_episode_steps": 1 << 16}, "max_episode_steps is 65536; it must be 1 to 65535"),
    ):
        with pytest.raises(UserError, match=sentence):
            rlcores.VectorEnv(**{"env": "CartPole-v1", **arguments})
    with pytest.raises(UserError, match="seed is -1"):
        envs.reset(seed=-1)
    with pytest.raises(UserError, match="no option of a reset; given: low"):
        envs.reset(options={"low": -0.1})


@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_seed_of_numpy_is_that_of_python(backend: str) -> None:
    envs = rlcores.VectorEnv("CartPole-v1", num_envs=2, backend=backend)
    for seed in (3, 2**63 + 5):
        assert np.array_equal(envs.reset(seed=np.uint64(seed))[0], envs.reset(seed=seed)[0])


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy])
@pytest.mark.parametrize("name", [physics.gymnasium for physics in ENVIRONMENTS.values()])
def test_a_copy_goes_on_as_the_original_would(backend: str, copied, name: str, seed: int) -> None:
    envs = rlcores.VectorEnv(name, num_envs=3, backend=backend, max_episode_steps=5)
    envs.action_space.seed(seed)
    with pytest.raises(UserError, match="no episode before reset"):
        copied(envs).step(envs.action_space.sample())
    envs.reset(seed=seed)
    envs.step(envs.action_space.sample())
    other = copied(envs)
    actions = [envs.action_space.sample() for _ in range(11)]
    runs = [[np.concatenate(one.step(a)[:1]) for a in actions] + [one.reset()[0]] for one in (envs, other)]
    assert np.array_equal(*runs)
    assert envs.core.counters == other.core.counters and other.core.counters["steps"] == 36


def test_a_closed_environment_says_so() -> None:
    for backend in ("native", "model", "rtl"):
        with contextlib.closing(rlcores.VectorEnv("CartPole-v1", 3, backend=backend, max_episode_steps=12)) as envs:
            envs.reset(seed=0)
            if backend == "rtl":
                with pytest.raises(UserError, match="environments on a core cannot be pickled or copied"):
                    pickle.dumps(envs)
        for call in (lambda: envs.step(np.zeros(3, int)), envs.reset):
            with pytest.raises(UserError, match="the environments are closed"):
                call()
        envs.close()


def test_a_cost_that_was_saturated_is_said() -> None:
    """Gymnasium's MountainCarContinuous asks action ** 2 / 10 for any action; the core's have 18 bits."""
    ours, theirs = rlcores.VectorEnv("MountainCarContinuous-v0"), gymnasium.make("MountainCarContinuous-v0")
    ours.reset(seed=0)
    theirs.reset(seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for action in (-3.9, 3.9, -4.0):
            assert ours.step([[action]])[1][0] == pytest.approx(theirs.step(np.array([action]))[1], abs=1e-4)
    with pytest.warns(CoreWarning, match=r"an action was clipped to -4 to 3.99997, and so was its cost \(1 so far\)"):
        assert ours.step([[10.0]])[1] == pytest.approx(-1.6, abs=1e-4)


def test_a_saturated_number_is_said() -> None:
    envs = rlcores.VectorEnv("CartPole-v1", num_envs=1, backend="model")
    envs.reset(seed=0)
    model: EnvModel = envs.core
    model._state[0, 1] = (1 << 31) - 1  # as fast as a state can say
    with pytest.warns(CoreWarning, match=r"clipped a number of a state or observation \(1 so far\)"):
        envs.step(np.array([1]))


def test_without_gymnasium_it_says_what_is_missing() -> None:
    hide = 'import sys; sys.modules["gymnasium"] = None; import rlcores; rlcores.VectorEnv("CartPole-v1")'
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True)
    assert "this needs the package 'gymnasium'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("backend", ["native", "model"])
def test_with_next_step_the_step_behind_an_end_only_resets_and_loses_no_physics(backend, seed):
    """Pendulum, whose angle moves by its speed in every step but those that reset."""
    envs = rlcores.VectorEnv("Pendulum-v1", 3, backend=backend, max_episode_steps=7, autoreset_mode="NextStep")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    before, _ = envs.reset(seed=seed)
    rng, resets = np.random.default_rng(seed), 0
    for k in range(80):
        actions = rng.uniform(-2, 2, (3, 1)).astype(np.float32)
        obs, rewards, terminated, truncated, infos = envs.step(actions)
        assert not infos and not terminated.any()
        if k % 8 == 7:
            resets += 1
            assert (rewards == 0).all() and not truncated.any() and (obs != before).any(axis=1).all()
        else:
            assert (truncated == (k % 8 == 6)).all() and (rewards != 0).all()
            angle = [np.arctan2(x[:, 1], x[:, 0]) for x in (before, obs)]
            moved = (angle[1] - angle[0] - 0.05 * obs[:, 2] + np.pi) % (2 * np.pi) - np.pi
            assert np.abs(moved).max() < 1e-3
        before = obs
    assert resets == 10


@pytest.mark.parametrize("wrapper", ["NormalizeObservation", "DtypeObservation", "RecordEpisodeStatistics"])
def test_gymnasiums_vector_wrappers_take_it(wrapper, seed):
    arguments = [np.float64] if wrapper == "DtypeObservation" else []
    envs = rlcores.VectorEnv("CartPole-v1", 4, autoreset_mode=AutoresetMode.NEXT_STEP)
    envs = getattr(gymnasium.wrappers.vector, wrapper)(envs, *arguments)
    envs.reset(seed=seed)
    envs.action_space.seed(seed % 2**31)
    ends = 0
    for _ in range(200):
        obs, _, terminated, _, _ = envs.step(envs.action_space.sample())
        ends += terminated.sum()
        assert np.isfinite(obs).all()
    assert ends > 10


def test_an_autoreset_mode_that_nobody_has_is_one_sentence():
    for mode in ("Disabled", AutoresetMode.DISABLED, "later", None):
        with pytest.raises(UserError, match="autoreset_mode is"):
            rlcores.VectorEnv("CartPole-v1", 2, autoreset_mode=mode)
