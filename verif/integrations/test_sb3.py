"""Stable-Baselines3 with its own buffers and with the cores': the same transitions, the same seeds."""

import copy

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch")
stable_baselines3 = pytest.importorskip("stable_baselines3")

from gymnasium import spaces  # noqa: E402
from stable_baselines3 import DQN, PPO  # noqa: E402
from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer  # noqa: E402
from stable_baselines3.common.save_util import load_from_pkl, save_to_pkl  # noqa: E402
from stable_baselines3.common.utils import set_random_seed  # noqa: E402

from rlcores.cores.sumtree.model import SumTreeShape  # noqa: E402
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver  # noqa: E402
from rlcores.errors import CoreWarning, UserError  # noqa: E402
from rlcores.integrations import sb3  # noqa: E402
from rlcores.integrations.sb3 import GaeRolloutBuffer, PrioritizedDQN, PrioritizedReplayBuffer  # noqa: E402

OBSERVATION, ACTION = spaces.Box(-np.inf, np.inf, (3,), np.float32), spaces.Discrete(2)
# 64 leaves: the parameters that the torchrl tests of this folder build too.
OPTIONS = {"priority_width": 24, "batch_max": 64, "batch_size": 16}


# --- rollouts ---


def fill(buffers, rng, steps, count):
    """The same steps in all buffers; the values after the last one and whether it ended an episode."""
    for buffer in buffers:
        buffer.reset()
    starts = np.ones(count)
    for _ in range(steps):
        step = rng.normal(size=(count, 3)), rng.integers(0, 2, count), rng.normal(1, 2, count)
        value, log_prob = torch.as_tensor(rng.normal(0, 3, count)), torch.as_tensor(rng.normal(size=count))
        for buffer in buffers:
            buffer.add(*step, starts, value, log_prob)
        starts = (rng.random(count) < 0.1).astype(float)
    return torch.as_tensor(rng.normal(0, 3, count)), starts.astype(bool)


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_the_rollout_buffer_computes_sb3s_advantages(backend, seed):
    rng = np.random.default_rng(seed)
    shape = (10, OBSERVATION, ACTION)  # 10 steps of 8: the array that the tests of the GAE core have built
    own = RolloutBuffer(*shape, gae_lambda=0.9, gamma=0.95, n_envs=8)
    ours = GaeRolloutBuffer(*shape, gae_lambda=0.9, gamma=0.95, n_envs=8, backend=backend)
    for _ in range(2):
        last_values, dones = fill((own, ours), rng, 10, 8)
        for buffer in (own, ours):
            buffer.compute_returns_and_advantage(last_values, dones)
        for name in ("advantages", "returns"):
            one, other = getattr(ours, name), getattr(own, name)
            assert one.shape == (10, 8) and one.dtype == np.float32
            assert np.abs(one - other).max() <= 1e-3 * np.abs(other).max(), name
        batch = next(ours.get(16))
        assert batch.advantages.shape == (16,) and np.isin(batch.advantages.numpy(), ours.advantages).all()


@pytest.mark.parametrize(("accuracy", "most"), [(None, 1e-4), ("8bit", 0.03)])
def test_advantages_are_near_sb3s_own(accuracy, most, seed):
    rng = np.random.default_rng(seed)
    shape = (256, OBSERVATION, ACTION)
    own = RolloutBuffer(*shape, gae_lambda=0.95, n_envs=8)
    ours = GaeRolloutBuffer(*shape, gae_lambda=0.95, n_envs=8, accuracy=accuracy)
    last_values, dones = fill((own, ours), rng, 256, 8)
    for buffer in (own, ours):
        buffer.compute_returns_and_advantage(last_values, dones)
    for name in ("advantages", "returns"):
        one, other = getattr(ours, name), getattr(own, name)
        assert np.sqrt(np.mean((one - other) ** 2)) < most * other.std(), name


def test_ppo_trains_with_it():
    model = PPO(
        "MlpPolicy", "CartPole-v1", n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu",
        rollout_buffer_class=GaeRolloutBuffer, rollout_buffer_kwargs={"accuracy": "8bit"},
    )  # fmt: skip
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(192)
    assert model.rollout_buffer.core.result.elements == 64
    assert any(not torch.equal(p, q) for p, q in zip(before, model.policy.parameters(), strict=True))


# --- replay ---


def replay(kind, count=4, size=60, **options):
    return kind(size, OBSERVATION, ACTION, n_envs=count, device="cpu", **options)


def push(buffers, rng, rows):
    for _ in range(rows):
        count = buffers[0].n_envs
        step = [rng.normal(size=(count, 3)) for _ in range(2)]
        step += [rng.integers(0, 2, count), rng.normal(size=count), rng.random(count) < 0.3]
        infos = [{"TimeLimit.truncated": bool(x)} for x in rng.random(count) < 0.3]
        for buffer in buffers:
            buffer.add(*step, infos)


def test_a_sample_holds_the_transitions_that_sb3_holds_at_its_indices(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    own, ours = replay(ReplayBuffer), replay(PrioritizedReplayBuffer, seed=seed, sampler_options=OPTIONS)
    for rows in (5, 9, 8):  # 15 rows fit
        push((own, ours), rng, rows)
        samples = ours.sample(16)
        rows_of, envs = np.divmod(samples.indices, 4)
        monkeypatch.setattr(np.random, "randint", lambda *_, envs=envs, **__: envs)
        expected = own._get_samples(rows_of)
        monkeypatch.undo()
        for name in ("observations", "actions", "next_observations", "dones", "rewards"):
            assert torch.equal(getattr(samples, name), getattr(expected, name)), name
            assert getattr(samples, name).dtype == getattr(expected, name).dtype, name
        assert samples.weights.shape == (16, 1) and len(set(samples.indices.tolist())) > 4
    assert len(ours.sampler) == 60


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_transitions_with_larger_errors_come_oftener_and_late_errors_are_dropped(backend, seed):
    rng = np.random.default_rng(seed)
    options = OPTIONS | {"scale": 8}
    buffer = replay(PrioritizedReplayBuffer, alpha=1.0, beta=1.0, seed=seed, backend=backend, sampler_options=options)
    push((buffer,), rng, 15)
    seen = np.zeros(60, int)
    for turn in range(100):
        batch = buffer.sample(16)
        assert buffer.update_priorities(batch, torch.as_tensor(batch.indices + 1.0).reshape(-1, 1)) == 16
        # Until nearly every transition was seen, those not seen hold their first priority.
        seen += (turn >= 40) * np.bincount(batch.indices, minlength=60)
    # Three times as often in the long run; 960 draws are five standard deviations from this.
    assert seen[30:].sum() > 2 * seen[:30].sum()
    batch = buffer.sample(16)
    ratio = (batch.indices + 1) / (batch.indices.min() + 1)
    known = buffer.sampler.tree.read(batch.indices) == 256 * (batch.indices + 1)
    if known.all():
        assert np.allclose(batch.weights.numpy().ravel(), 1 / ratio, rtol=1e-4)
    push((buffer,), rng, 15)
    before = buffer.sampler.tree.total
    assert buffer.update_priorities(batch, np.full(16, 1000.0)) == 0 and buffer.sampler.tree.total == before
    buffer.reset()
    assert len(buffer.sampler) == 0 and buffer.pos == 0


def test_a_saved_buffer_goes_on_with_its_priorities_tags_and_draws(tmp_path, seed):
    rng = np.random.default_rng(seed)
    buffer = replay(PrioritizedReplayBuffer, sampler_options=OPTIONS)
    push((buffer,), rng, 20)  # once around, and five rows
    held = buffer.sample(16)
    buffer.update_priorities(held, rng.lognormal(0, 1, 16))
    held = buffer.sample(16)
    save_to_pkl(tmp_path / "buffer.pkl", buffer)
    for twin in (load_from_pkl(tmp_path / "buffer.pkl"), copy.deepcopy(buffer)):
        assert np.array_equal(twin.observations, buffer.observations) and len(twin.sampler) == 60
        own = copy.deepcopy(buffer)
        errors = rng.lognormal(0, 1, 16)
        assert own.update_priorities(held, errors) == twin.update_priorities(held, errors) == 16
        push((own, twin), np.random.default_rng(seed), 3)
        assert np.array_equal(twin.rewards, own.rewards)
        for _ in range(3):
            one, other = own.sample(16), twin.sample(16)
            assert np.array_equal(one.indices, other.indices) and torch.equal(one.weights, other.weights)


def test_a_buffer_whose_tree_is_on_a_board_is_saved_with_its_priorities(tmp_path, seed):
    board = SumTreeModelDriver(SumTreeShape(6, 64, 24, 32, 16), 64)  # any driver that was given
    buffer = replay(PrioritizedReplayBuffer, backend=board, sampler_options=OPTIONS | {"scale": 8})
    push((buffer,), np.random.default_rng(seed), 20)
    buffer.update_priorities(buffer.sample(16), np.arange(16))
    with pytest.warns(CoreWarning, match="a tree on a board cannot be saved with its buffer"):
        save_to_pkl(tmp_path / "buffer.pkl", buffer)
    loaded = load_from_pkl(tmp_path / "buffer.pkl")
    slots = np.arange(60)
    assert np.array_equal(loaded.sampler.tree.read(slots), buffer.sampler.tree.read(slots))
    assert np.array_equal(loaded.sample(16).indices, buffer.sample(16).indices)


def test_sb3s_seed_decides_the_draws():
    def drawn(seed):
        set_random_seed(seed)
        buffer = replay(PrioritizedReplayBuffer)
        push((buffer,), np.random.default_rng(0), 15)
        return buffer.sample(16).indices.tolist()

    assert drawn(1) == drawn(1) != drawn(2)


def test_alpha_can_be_set_and_what_is_saturated_is_counted(seed):
    buffer = replay(PrioritizedReplayBuffer, alpha=1.0)
    push((buffer,), np.random.default_rng(seed), 15)
    batch = buffer.sample(16)
    buffer.update_priorities(batch, torch.full((16, 1), 4.0, requires_grad=True))
    buffer.alpha = 0.5
    assert np.allclose(buffer.sampler.tree.read(batch.indices) / buffer.sampler.unit, 2, rtol=1e-4)
    with pytest.warns(CoreWarning, match=r"\d+ of 16 TD errors are so small beside the largest"):
        buffer.update_priorities(batch, np.resize([1e-10, 1e14], 16))
    assert buffer.sampler.saturations()["coarse"] > 0


def test_arrays_that_were_filled_without_add_are_sampled(seed):
    """Offline data, put into the buffer's arrays."""
    buffer = replay(PrioritizedReplayBuffer)
    buffer.rewards[:] = np.random.default_rng(seed).normal(size=buffer.rewards.shape)
    buffer.full, buffer.pos = True, 4
    assert np.isin(buffer.sample(16).rewards.numpy(), buffer.rewards).all()
    push((buffer,), np.random.default_rng(seed), 3)
    assert len(buffer.sampler) == 60


def test_what_is_not_supported_is_one_sentence():
    with pytest.raises(UserError, match="n_steps is 3; with optimize_memory_usage it is 1"):
        replay(PrioritizedReplayBuffer, optimize_memory_usage=True, handle_timeout_termination=False, n_steps=3)
    with pytest.raises(UserError, match="replay_buffer_class is ReplayBuffer"):
        PrioritizedDQN("MlpPolicy", "CartPole-v1", replay_buffer_class=ReplayBuffer)
    with pytest.raises(UserError, match="n_steps is 0"):
        replay(PrioritizedReplayBuffer, n_steps=0)
    for bad in (np.nan, np.inf):
        buffer, seen, rest = replay(PrioritizedReplayBuffer, 1), np.zeros((1, 3)), ([False], [{}])
        with pytest.raises(UserError, match=f"^reward has the value {bad}"):
            buffer.add(seen, seen, np.zeros(1, int), np.array([bad]), *rest)
        with pytest.raises(UserError, match=f"^next_obs has the value {bad}"):
            buffer.add(seen, seen + bad, np.zeros(1, int), np.zeros(1), *rest)
        assert buffer.pos == len(buffer.sampler) == 0
    for buffer in PrioritizedReplayBuffer, GaeRolloutBuffer:
        with pytest.raises(UserError, match="dictionary observations are not supported"):
            buffer(10, gymnasium.spaces.Dict({"a": OBSERVATION}), ACTION)


@pytest.mark.parametrize("full", [False, True])
def test_returns_of_several_steps_are_those_of_sb3s_own_buffer(monkeypatch, full, seed):
    own_kind = pytest.importorskip("stable_baselines3.common.buffers").NStepReplayBuffer
    rng, options = np.random.default_rng(seed), {"n_steps": 3, "gamma": 0.9}
    own, ours = replay(own_kind, **options), replay(PrioritizedReplayBuffer, **options)
    push((own, ours), rng, 22 if full else 9)
    for _ in range(20):
        samples = ours.sample(16)
        rows, envs = np.divmod(samples.indices, 4)
        monkeypatch.setattr(np.random, "randint", lambda *_, envs=envs, **__: envs)
        expected = own._get_samples(rows)
        monkeypatch.undo()
        for name in ("observations", "actions", "next_observations", "dones", "rewards", "discounts"):
            one, other = getattr(samples, name), getattr(expected, name)
            assert torch.equal(one, other) and one.dtype == other.dtype and one.shape == other.shape, name
    assert len(set(samples.discounts.ravel().tolist())) > 1


# --- algorithms ---


KINDS = {
    "DQN": "CartPole-v1",
    "SAC": "Pendulum-v1",
    "TD3": "Pendulum-v1",
    "DDPG": "Pendulum-v1",
    "QRDQN": "CartPole-v1",
}


def algorithm(name, ours, steps=1, **options):
    library = pytest.importorskip("sb3_contrib") if name == "QRDQN" else stable_baselines3
    kind = getattr(sb3, f"Prioritized{name}") if ours else getattr(library, name)
    return kind(
        "MlpPolicy", KINDS[name], buffer_size=200, learning_starts=30, batch_size=16, train_freq=1, n_steps=steps,
        policy_kwargs={"net_arch": [16]}, seed=3, device="cpu", **options,
    )  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("steps", [1, 3])
def test_every_algorithm_gives_its_td_errors_back_as_priorities(name, steps):
    model = algorithm(name, True, steps)
    assert model.replay_buffer.n_steps == steps and model.n_steps == steps
    model.learn(150)
    sampler = model.replay_buffer.sampler
    assert len(set(sampler.tree.read(np.arange(150)).tolist())) > 100
    assert model.replay_buffer._unheard == -1 and model.replay_buffer.beta > 0.9


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("steps", [1, 3])
def test_with_weights_1_every_algorithm_takes_its_own_gradient_steps(name, steps):
    """The batches that ours trained on, given to the algorithm itself, lead to the same parameters."""
    ours, own = (algorithm(name, mine, steps) for mine in (True, False))
    own.policy.load_state_dict(ours.policy.state_dict())
    ours.learn(40)
    for model in (ours, own):
        model._setup_learn(1000, None)
    own.policy.load_state_dict(ours.policy.state_dict())
    batches, sample = [], ours.replay_buffer.sample

    def recorded(*args, **kwargs):
        batches.append(sample(*args, **kwargs)._replace(weights=torch.ones(16, 1)))
        return batches[-1]

    ours.replay_buffer.sample = recorded
    own.replay_buffer.sample = lambda *_, **__: batches.pop(0)
    for attribute in ("_n_updates", "log_ent_coef"):
        if getattr(ours, attribute, None) is not None:
            value = getattr(ours, attribute)
            if torch.is_tensor(value):
                getattr(own, attribute).data.copy_(value.data)
            else:
                setattr(own, attribute, value)
    for model in (ours, own):
        fresh_optimizers(model)
    torch.manual_seed(0)
    ours.train(3, 16)
    torch.manual_seed(0)
    own.train(3, 16)
    assert not batches
    near = {"rtol": 1e-5, "atol": 1e-7} if name == "QRDQN" else {"rtol": 0, "atol": 0}
    for one, other in zip(ours.policy.parameters(), own.policy.parameters(), strict=True):
        torch.testing.assert_close(one, other, **near)


def fresh_optimizers(model):
    for part in (model.policy, getattr(model, "actor", None), getattr(model, "critic", None)):
        if getattr(part, "optimizer", None) is not None:
            part.optimizer = torch.optim.Adam([p for g in part.optimizer.param_groups for p in g["params"]], lr=1e-3)
    if getattr(model, "ent_coef_optimizer", None) is not None:
        model.ent_coef_optimizer = torch.optim.Adam([model.log_ent_coef], lr=1e-3)


@pytest.mark.parametrize("name", KINDS)
def test_a_sample_of_weight_0_teaches_a_critic_nothing(name):
    model = algorithm(name, True)
    model.learn(60)
    sample = model.replay_buffer.sample
    model.replay_buffer.sample = lambda *a, **k: sample(*a, **k)._replace(weights=torch.zeros(16, 1))
    part = getattr(model, "critic", None) or model.policy
    fresh_optimizers(model)
    before = [p.detach().clone() for p in part.parameters()]
    actor = getattr(model, "actor", None)
    shared = {id(p) for p in actor.parameters()} if actor is not None else set()
    model.train(2, 16)
    for p, was in zip(part.parameters(), before, strict=True):
        assert id(p) in shared or torch.equal(p, was)


def test_a_prioritised_model_is_saved_and_loaded_with_its_n_steps(tmp_path, recwarn):
    model = algorithm("SAC", True, 3)
    model.learn(60)
    model.save(tmp_path / "model")
    again = sb3.PrioritizedSAC.load(tmp_path / "model", env=model.get_env())
    again.learn(60)
    assert again.replay_buffer.n_steps == again.n_steps == 3
    assert not [each for each in recwarn if "n_steps" in str(each.message)]


def test_a_buffer_without_priorities_that_is_loaded_later_is_one_sentence(tmp_path):
    own, ours = (algorithm("DQN", mine) for mine in (False, True))
    own.learn(40)
    own.save_replay_buffer(tmp_path / "buffer.pkl")
    ours.load_replay_buffer(tmp_path / "buffer.pkl")
    ours._setup_learn(40, None)
    with pytest.raises(UserError, match="replay_buffer is a ReplayBuffer; it must be a PrioritizedReplayBuffer"):
        ours.train(1, 16)


def test_a_buffer_whose_priorities_nobody_updates_says_so_once():
    for name in ("SAC", "TD3", "DQN"):
        model = algorithm(name, False, replay_buffer_class=PrioritizedReplayBuffer)
        with pytest.warns(CoreWarning, match="nobody updated priorities") as said:
            model.learn(200)
        assert len([each for each in said if each.category is CoreWarning]) == 1
    buffer = replay(PrioritizedReplayBuffer, alpha=0.0)
    push((buffer,), np.random.default_rng(0), 9)
    for _ in range(200):
        buffer.sample(4)


def test_a_loss_that_nobody_knows_is_said():
    class Strange(stable_baselines3.DQN):
        def train(self, gradient_steps, batch_size=100):
            self.replay_buffer.sample(batch_size)

    model = type("Mine", (sb3.Prioritized, Strange), {})(
        "MlpPolicy", "CartPole-v1", learning_starts=20, batch_size=16, device="cpu"
    )
    with pytest.warns(CoreWarning, match="has a loss that Mine does not know") as said:
        model.learn(100)
    assert len([each for each in said if "has a loss" in str(each.message)]) == 1


# --- DQN ---


def dqn(kind, buffer_options=None, **options):
    if buffer_options is not None:
        options["replay_buffer_kwargs"] = buffer_options
    return kind(
        "MlpPolicy", gymnasium.make("CartPole-v1"), buffer_size=60, learning_starts=20, batch_size=16, train_freq=2,
        target_update_interval=10, policy_kwargs={"net_arch": [8]}, seed=3, device="cpu", **options,
    )  # fmt: skip


def parameters(model):
    return [p.detach().clone() for p in model.q_net.parameters()]


class Recorded(ReplayBuffer):
    """SB3's buffer that gives the batches of another one, in order."""

    batches = ()

    def sample(self, batch_size, env=None):
        return self.batches.pop(0)


def test_without_weights_its_gradient_steps_are_sb3s_own():
    """Every batch that PrioritizedDQN trained on goes through DQN.train of a network that begins alike."""
    ours = dqn(PrioritizedDQN, {"alpha": 0.6, "beta": 1.0, "sampler_options": OPTIONS})
    own = dqn(DQN, replay_buffer_class=Recorded)
    own.q_net.load_state_dict(ours.q_net.state_dict())
    own.q_net_target.load_state_dict(ours.q_net_target.state_dict())
    batches, sample = [], ours.replay_buffer.sample

    def recorded(*args, **kwargs):
        batch = sample(*args, **kwargs)
        batches.append(batch._replace(weights=torch.ones_like(batch.weights)))
        return batches[-1]

    ours.replay_buffer.sample = recorded
    ours._setup_learn(1000, None)
    own._setup_learn(1000, None)
    env = ours.get_env()
    observation = env.reset()
    for _ in range(30):
        action = np.array([env.action_space.sample()])
        following, reward, done, infos = env.step(action)
        ours.replay_buffer.add(observation, following, action, reward, done, infos)
        observation = following
    before = parameters(ours)
    ours.train(5, 16)
    own.replay_buffer.batches = list(batches)
    own.train(5, 16)
    assert len(batches) == 5 and not own.replay_buffer.batches
    for one, other, first in zip(parameters(ours), parameters(own), before, strict=True):
        assert torch.equal(one, other) and not torch.equal(one, first)


def test_weights_scale_each_samples_loss():
    model = dqn(PrioritizedDQN, {"beta": 1.0, "sampler_options": OPTIONS})
    model._setup_learn(1000, None)
    model.learn(24)
    batch = model.replay_buffer.sample(16)
    weights = torch.linspace(0, 1, 16).reshape(-1, 1)
    model.replay_buffer.sample = lambda *_, **__: batch._replace(weights=weights)
    with torch.no_grad():
        targets = model.q_net_target(batch.next_observations).max(dim=1)[0].reshape(-1, 1)
        targets = batch.rewards + (1 - batch.dones) * model.gamma * targets
        current = model.q_net(batch.observations).gather(1, batch.actions.long())
        each = torch.nn.functional.smooth_l1_loss(current, targets, reduction="none")
    model.train(1, 16)
    assert model.logger.name_to_value["train/loss"] == pytest.approx(float((weights * each).mean()), rel=1e-5)


def test_dqn_learns_the_same_on_the_rtl_as_on_the_model():
    # One after the other: a model sets the seeds of all generators when it is made.
    one, other = (
        dqn(PrioritizedDQN, {"backend": backend, "sampler_options": OPTIONS}).learn(120) for backend in ("model", "rtl")
    )
    assert all(torch.equal(x, y) for x, y in zip(parameters(one), parameters(other), strict=True))
    assert one.replay_buffer.sampler.tree.total == other.replay_buffer.sampler.tree.total > 0
    driver = other.replay_buffer.sampler.tree.driver
    assert driver.counters()["samples"] >= 16 * 40 and driver.counters()["updates"] > 16 * 30
    assert one.replay_buffer.beta > 0.4


@pytest.mark.parametrize("wrong", [2.0, np.nan, "False"])
def test_a_done_that_is_neither_true_nor_false_is_refused_before_anything_changes(wrong):
    buffer, kind = replay(PrioritizedReplayBuffer, seed=0), np.float32 if isinstance(wrong, float) else object
    step = [np.zeros((4, 3)), np.zeros((4, 3)), np.zeros(4, int), np.zeros(4)]
    with pytest.raises(UserError, match=r"^done "):
        buffer.add(*step, np.full(4, wrong, kind), [{}] * 4)
    with pytest.raises(UserError, match=r"^done "):
        buffer.add(*step, done=np.full(4, wrong, kind), infos=[{}] * 4)
    assert buffer.size() == len(buffer.sampler) == 0
