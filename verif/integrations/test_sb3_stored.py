"""Buffers for Stable-Baselines3 on rlcores.ReplayBuffer, beside SB3's own: hindsight, dictionaries, memory."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")

from gymnasium import spaces
from stable_baselines3 import DQN, HerReplayBuffer
from stable_baselines3.common.buffers import DictReplayBuffer, ReplayBuffer
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.envs import BitFlippingEnv, SimpleMultiObsEnv
from stable_baselines3.common.save_util import load_from_pkl, save_to_pkl
from stable_baselines3.common.utils import set_random_seed

from rlcores.errors import CoreWarning, UserError
from rlcores.integrations import sb3

ENVS = 3


def pair(size, *, strategy="future", n_envs=ENVS, **options):
    """SB3's buffer and ours, with the same environments."""
    envs = make_vec_env(lambda: BitFlippingEnv(n_bits=4, continuous=False), n_envs=n_envs, seed=1)
    place = size, envs.observation_space, envs.action_space, envs
    options = {"n_envs": n_envs, "device": "cpu", "goal_selection_strategy": strategy} | options
    return envs, [kind(*place, **options) for kind in (HerReplayBuffer, sb3.HerReplayBuffer)]


def play(envs, buffers, count, rng):
    """The same steps into all buffers, as SB3's algorithms add them."""
    here = envs.reset()
    for _ in range(count):
        action = np.array([envs.action_space.sample() for _ in range(envs.num_envs)])
        there, reward, done, infos = envs.step(action)
        behind = {name: array.copy() for name, array in there.items()}
        for n in np.flatnonzero(done):
            for name in behind:
                behind[name][n] = infos[n]["terminal_observation"][name]
        for buffer in buffers:
            buffer.add(here, behind, action, reward, done, infos)
        here = there


def rows(samples, *names):
    parts = [np.concatenate([x.numpy() for x in (getattr(samples, n).values() if isinstance(getattr(samples, n), dict)
             else [getattr(samples, n)])], axis=1) for n in names]  # fmt: skip
    return {tuple(row) for row in np.concatenate(parts, axis=1).tolist()}


@pytest.mark.parametrize("strategy", ["future", "final", "episode"])
def test_hindsight_gives_the_transitions_that_sb3_gives(strategy, seed):
    set_random_seed(seed % 2**31)
    envs, buffers = pair(300, strategy=strategy)
    envs.action_space.seed(seed % 2**31)
    play(envs, buffers, 90, np.random.default_rng(seed))  # not full: SB3 leaves overwritten episodes out
    fields = "observations", "actions", "next_observations", "dones", "rewards"
    drawn = [[], []]
    for _ in range(150):
        for seen, buffer in zip(drawn, buffers, strict=True):
            seen.append(buffer.sample(100))
    sets = [set().union(*(rows(s, *fields) for s in each)) for each in drawn]
    common = len(sets[0] & sets[1])  # nearly all that can come did
    assert common > 0.93 * len(sets[0]) and common > 0.93 * len(sets[1])
    rewards = [np.concatenate([s.rewards.numpy() for s in each]) for each in drawn]
    assert rewards[0].mean() == pytest.approx(rewards[1].mean(), abs=0.02)
    for one, other in zip(*(vars(x[0]) if hasattr(x[0], "__dict__") else x[0]._asdict() for x in drawn), strict=True):
        assert one == other
    for name in fields:
        one, other = (getattr(x[0], name) for x in drawn)
        for a, b in [(one[k], other[k]) for k in one] if isinstance(one, dict) else [(one, other)]:
            assert a.shape == b.shape and a.dtype == b.dtype, name


def test_a_full_buffer_draws_what_is_left_of_an_episode_and_no_other_goal(seed):
    envs, (own, ours) = pair(30, strategy="episode")
    play(envs, [own, ours], 47, np.random.default_rng(seed))
    assert ours.size() == own.size() == 10 and ours.full and ours.pos == own.pos == 7
    samples = ours.sample(500)
    reached = set(map(tuple, samples.next_observations["achieved_goal"].numpy().tolist()))
    assert len(reached) > 1 and samples.rewards.unique().tolist() == [-1, 0]


def test_dqn_learns_to_flip_bits_with_it_and_a_saved_buffer_goes_on(tmp_path):
    env = make_vec_env(lambda: BitFlippingEnv(n_bits=6, continuous=False), n_envs=2, seed=0)
    model = DQN(
        "MultiInputPolicy", env, replay_buffer_class=sb3.HerReplayBuffer, buffer_size=20_000, learning_starts=100,
        replay_buffer_kwargs={"n_sampled_goal": 4}, gamma=0.95, batch_size=64, seed=1, device="cpu", train_freq=1,
        gradient_steps=1, exploration_fraction=0.4, learning_rate=1e-3, target_update_interval=200,
        policy_kwargs={"net_arch": [64]},
    )  # fmt: skip
    model.learn(6000)
    assert isinstance(model.replay_buffer, sb3.HerReplayBuffer) and isinstance(model.replay_buffer, HerReplayBuffer)
    ends = [info["r"] for info in model.ep_info_buffer]
    assert np.mean(ends[-50:]) > -5  # 0 to -5 steps; a random policy nearly always fails at -6
    model.save_replay_buffer(tmp_path / "kept")
    state = np.random.get_state()
    wanted = model.replay_buffer.sample(20).rewards
    with pytest.warns(CoreWarning, match="the last episodes of the buffer are truncated"):
        model.load_replay_buffer(tmp_path / "kept", truncate_last_traj=True)
    np.random.set_state(state)
    assert model.replay_buffer.sample(20).rewards.shape == wanted.shape
    save_to_pkl(tmp_path / "again", model.replay_buffer)
    alone = load_from_pkl(tmp_path / "again")
    with pytest.raises(UserError, match="this buffer has no environment, whose compute_reward it needs"):
        alone.sample(4)


def test_infos_come_back_to_compute_reward(seed):
    envs, (_, ours) = pair(60, copy_info_dict=True)
    play(envs, [ours], 30, np.random.default_rng(seed))
    for row in range(ours.size()):
        for env in range(ENVS):
            ours.infos[row, env] = {"slot": row * ENVS + env}
    seen = []
    ours.env = type(
        "Env", (), {"env_method": lambda self, name, a, d, infos, indices: seen.append(infos) or [np.zeros(len(a))]}
    )()
    ours.sample(50)
    assert len(seen[0]) == 40 and all(0 <= info["slot"] < 90 for info in seen[0])


class Normaliser:
    """What SB3 asks of a VecNormalize."""

    def normalize_obs(self, seen):
        return {name: array / 4 - 1 for name, array in seen.items()}

    def normalize_reward(self, reward):
        return reward / 8


def test_observations_and_rewards_are_normalised_as_by_sb3(seed):
    envs, buffers = pair(60)
    play(envs, buffers, 20, np.random.default_rng(seed))
    for samples in (buffer.sample(200, env=Normaliser()) for buffer in buffers):
        assert samples.observations["observation"].unique().tolist() == [-1, -0.75]
        assert samples.observations["desired_goal"].unique().tolist() == [-1, -0.75]
        assert samples.rewards.unique().tolist() == [-0.125, 0]


def test_dictionary_observations_are_prioritised(seed):
    env = SimpleMultiObsEnv(random_start=False)
    model = sb3.PrioritizedDQN("MultiInputPolicy", env, learning_starts=40, batch_size=16, seed=1, device="cpu",
                               buffer_size=200, policy_kwargs={"net_arch": [8]}, optimize_memory_usage=True,
                               replay_buffer_kwargs={"alpha": 0.7})  # fmt: skip
    model.learn(60)
    buffer = model.replay_buffer
    assert isinstance(buffer, sb3.PrioritizedDictReplayBuffer) and isinstance(buffer, DictReplayBuffer)
    samples = buffer.sample(8)
    assert samples.observations["img"].shape == (8, *model.observation_space["img"].shape) and buffer.beta == 1
    errors = np.linspace(1, 9, 8)
    assert buffer.update_priorities(samples, errors) == 8
    held = buffer.sampler.tree.read(samples.indices) / buffer.sampler.unit
    last = dict(zip(samples.indices.tolist(), errors, strict=True))
    assert held == pytest.approx([last[i] ** buffer.alpha for i in samples.indices.tolist()], rel=0.01)


def test_alpha_of_a_buffer_of_dictionaries_may_be_set_and_stays_behind_a_reset(seed):
    space = spaces.Dict({"a": spaces.Box(-9, 9, (2,))})
    buffer = sb3.PrioritizedDictReplayBuffer(8, space, spaces.Discrete(2), device="cpu", alpha=0.5, seed=seed)
    seen = {"a": np.zeros((1, 2), np.float32)}
    for _ in range(8):
        buffer.add(seen, seen, np.zeros((1, 1)), np.zeros(1), np.zeros(1), [{}])
    samples = buffer.sample(64)
    errors = 1.0 + samples.indices
    assert buffer.update_priorities(samples, errors) == 64
    slots = np.unique(samples.indices)
    for alpha in (1.0, 0.25):
        buffer.alpha = alpha
        assert buffer.alpha == alpha
        held = buffer.sampler.tree.read(slots).astype(float)
        assert held / held[0] == pytest.approx(((1.0 + slots) / (1.0 + slots[0])) ** alpha, rel=0.01)
    with pytest.raises(UserError, match="alpha is -1"):
        buffer.alpha = -1
    buffer.beta = 0.75
    buffer.reset()
    assert (buffer.size(), buffer.alpha, buffer.beta) == (0, 0.25, 0.75)


def test_a_buffer_of_dictionaries_says_once_that_nobody_updates_its_priorities(recwarn):
    model = DQN("MultiInputPolicy", SimpleMultiObsEnv(), learning_starts=4, train_freq=1, batch_size=4, device="cpu",
                buffer_size=50, policy_kwargs={"net_arch": [8]},
                replay_buffer_class=sb3.PrioritizedDictReplayBuffer)  # fmt: skip
    model.learn(100)
    said = [str(each.message) for each in recwarn if each.category is CoreWarning]
    assert len(said) == 1 and "64 batches were drawn from a prioritised buffer and nobody updated priorities" in said[0]


def test_n_step_returns_of_dictionaries_are_those_of_single_arrays(seed):
    space = spaces.Dict({"a": spaces.Box(-9, 9, (2,)), "b": spaces.Box(-9, 9, (3,))})
    flat = spaces.Box(-9, 9, (5,))
    action = spaces.Box(-1, 1, (1,))
    options = {"device": "cpu", "n_envs": 2, "n_steps": 3, "gamma": 0.9, "alpha": 0.0, "seed": 4}
    nested, plain = (
        sb3.PrioritizedDictReplayBuffer(40, space, action, **options),
        sb3.PrioritizedReplayBuffer(40, flat, action, **options),
    )
    rng = np.random.default_rng(seed)
    here = rng.normal(size=(2, 5))
    for _ in range(33):
        there, reward, done = rng.normal(size=(2, 5)), rng.normal(size=2), rng.random(2) < 0.2
        infos = [{"TimeLimit.truncated": bool(d and rng.random() < 0.5)} for d in done]
        step = np.zeros((2, 1)), reward, done, infos
        plain.add(here, there, *step)
        nested.add(*({"a": x[:, :2], "b": x[:, 2:]} for x in (here, there)), *step)
        here = there
    one, other = nested.sample(60), plain.sample(60)
    assert (one.indices == other.indices).all()
    assert one.rewards.numpy() == pytest.approx(other.rewards.numpy(), rel=1e-5, abs=1e-6)
    assert (one.dones == other.dones).all()
    assert np.concatenate([one.next_observations[k] for k in "ab"], axis=1) == pytest.approx(
        other.next_observations.numpy()
    )
    going = other.dones.numpy() == 0
    assert one.discounts.numpy()[going] == pytest.approx(other.discounts.numpy()[going])


def test_memory_is_saved_as_by_sb3_and_a_row_without_a_next_observation_is_not_drawn(seed):
    space, action = spaces.Box(-np.inf, np.inf, (2,)), spaces.Discrete(2)
    options = {"device": "cpu", "n_envs": 2, "optimize_memory_usage": True, "handle_timeout_termination": False}
    own, ours = (kind(20, space, action, **options) for kind in (ReplayBuffer, sb3.PrioritizedReplayBuffer))
    assert not hasattr(ours, "next_observations") or ours.next_observations is None or ours.next_observations.size == 0
    rng = np.random.default_rng(seed)
    for count in (7, 10, 25, 29):
        while own.pos + own.full * 10 < count % 10 + (count >= 10) * 10 or own.pos != count % 10:
            step = rng.normal(size=(2, 2)), rng.normal(size=(2, 2)), np.zeros((2, 1)), rng.normal(size=2), np.zeros(2)
            for buffer in (own, ours):
                buffer.add(*step, [{}, {}])
        seen = [rows(b.sample(400), "observations", "next_observations", "rewards") for b in (own, ours)]
        assert seen[0] == seen[1]
        assert len(seen[0]) == 2 * (9 if own.full else count)


def test_what_cannot_be_is_one_sentence():
    space = spaces.Box(-1, 1, (2,))
    with pytest.raises(UserError, match=r"observation_space is Box.*; this buffer is of dictionary observations"):
        sb3.PrioritizedDictReplayBuffer(10, space, spaces.Discrete(2), device="cpu")
    with pytest.raises(UserError, match="FlattenObservation does, or take PrioritizedDictReplayBuffer"):
        sb3.PrioritizedReplayBuffer(10, spaces.Dict({"a": space}), spaces.Discrete(2), device="cpu")
    envs, _ = pair(30)
    with pytest.raises(UserError, match="goal_selection_strategy is 'past'; it must be 'future'"):
        sb3.HerReplayBuffer(30, envs.observation_space, envs.action_space, envs, goal_selection_strategy="past")
    buffer = sb3.PrioritizedDictReplayBuffer(10, spaces.Dict({"a": space}), spaces.Discrete(2), device="cpu")
    for name, wrong in (("pos", 3), ("full", True)):
        with pytest.raises(UserError, match=f"{name} cannot be set: it follows from the transitions held"):
            setattr(buffer, name, wrong)
